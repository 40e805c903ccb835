//! What a client sends over TLS.

use std::path::PathBuf;
use std::sync::Arc;

use acp::remote::{Remote, Transport};
use acp::*;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// A client that nothing is asked of.
struct Idle;

impl Client for Idle {
    async fn session_update(&self, _: SessionNotification, _: ClientContext) -> Result<()> {
        Ok(())
    }

    async fn request_permission(
        &self,
        _: RequestPermissionRequest,
        _: ClientContext,
    ) -> Result<RequestPermissionResponse> {
        Err(RequestError::internal_error())
    }
}

#[tokio::test]
async fn cookies_for_tls_alone_go_with_a_handshake_over_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    // A name that a cookie jar does not take for secure without TLS.
    let url = format!("wss://0.0.0.0:{}/acp", listener.local_addr().unwrap().port());
    let handshakes = tokio::spawn(async move {
        [refuse_handshake(&listener).await, refuse_handshake(&listener).await]
    });
    let remote = Remote::new(&url).transport(Transport::WebSocket).tls(trusting());
    for _ in 0..2 {
        assert!(ClientSideConnection::connect(Idle, remote.clone()).await.is_err());
    }
    let [first, second] = handshakes.await.unwrap();
    assert!(first.contains("upgrade: websocket\r\n"), "{first}");
    assert!(!first.contains("cookie:"), "{first}");
    assert!(second.contains("cookie: safe=1\r\n"), "{second}");
}

/// Answers a handshake with 401 and a cookie for TLS alone. Gives its head, in lower case.
async fn refuse_handshake(listener: &TcpListener) -> String {
    let chain = CertificateDer::pem_file_iter(file("cert.pem")).unwrap();
    let settings = ServerConfig::builder().with_no_client_auth().with_single_cert(
        chain.map(|it| it.unwrap()).collect(),
        PrivateKeyDer::from_pem_file(file("key.pem")).unwrap(),
    );
    let acceptor = TlsAcceptor::from(Arc::new(settings.unwrap()));
    let mut stream = acceptor.accept(listener.accept().await.unwrap().0).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let cookie = "set-cookie: safe=1; Path=/; Secure\r\n";
    let answer = format!("HTTP/1.1 401 no\r\n{cookie}content-length: 0\r\n\r\n");
    stream.write_all(answer.as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    String::from_utf8(head).unwrap().to_lowercase()
}

/// Trusts the authority of the tests, and no other.
fn trusting() -> ClientConfig {
    let mut authorities = RootCertStore::empty();
    authorities.add(CertificateDer::from_pem_file(file("ca.pem")).unwrap()).unwrap();
    ClientConfig::builder().with_root_certificates(authorities).with_no_client_auth()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(std::env::var_os("CERTIFICATES").unwrap()).join(name)
}
