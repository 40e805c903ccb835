//! A server behind TLS that answers as a test tells it to, over HTTP/1.1.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

use crate::soon;

/// A server on a free port, with the certificate of the tests.
pub struct Secure {
    /// The URL of its endpoint.
    pub url: String,
    listener: TcpListener,
    acceptor: TlsAcceptor,
}

/// A request that waits for its answer.
pub struct Heard {
    /// What comes before its body, in lower case.
    pub head: String,
    stream: TlsStream<TcpStream>,
}

impl Secure {
    /// Begins to listen.
    pub async fn start() -> Self {
        let chain = CertificateDer::pem_file_iter(file("cert.pem")).expect("it is there");
        let chain = chain.collect::<Result<_, _>>().expect("it is a certificate");
        let key = PrivateKeyDer::from_pem_file(file("key.pem")).expect("it is a key");
        let settings = ServerConfig::builder().with_no_client_auth();
        let mut settings = settings.with_single_cert(chain, key).expect("they fit");
        settings.alpn_protocols = vec![b"http/1.1".to_vec()];
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let port = listener.local_addr().expect("it has an address").port();
        // A name that a cookie jar does not take for secure without TLS.
        let url = format!("https://0.0.0.0:{port}/acp");
        Self { url, listener, acceptor: TlsAcceptor::from(Arc::new(settings)) }
    }

    /// A file with the authority that gave the certificate.
    pub fn authority() -> String {
        file("ca.pem").to_string_lossy().into_owned()
    }

    /// The next request.
    pub async fn asked(&mut self) -> Heard {
        let asked = async {
            loop {
                let (stream, _) = self.listener.accept().await.expect("it listens");
                let Ok(stream) = self.acceptor.accept(stream).await else { continue };
                if let Some(heard) = Heard::on(stream).await {
                    return heard;
                }
            }
        };
        soon("the next request", asked).await
    }
}

impl Heard {
    /// What is asked on a connection, unless it ends before.
    async fn on(mut stream: TlsStream<TcpStream>) -> Option<Self> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.ok()?);
        }
        let head = String::from_utf8_lossy(&head).to_lowercase();
        Some(Self { head, stream })
    }

    /// Answers with a status and a header, and closes the connection.
    pub async fn answer(mut self, status: u16, header: &str) {
        let end = "connection: close\r\ncontent-length: 0\r\n\r\n";
        let answer = format!("HTTP/1.1 {status} so\r\n{header}\r\n{end}");
        self.stream.write_all(answer.as_bytes()).await.ok();
        self.stream.shutdown().await.ok();
    }
}

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../interop/tls", name].iter().collect()
}
