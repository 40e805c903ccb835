//! What a client makes of a server that says what a test tells it to.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use acp::json::{Value, decode};
use acp::remote::{Remote, Transport};
use acp::*;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures_util::stream::unfold;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_rustls::TlsAcceptor;

/// A client that handles each update for so long, and counts them.
#[derive(Clone, Default)]
struct Quiet(Duration, Arc<AtomicUsize>);

impl Client for Quiet {
    async fn session_update(&self, _: SessionNotification, _: ClientContext) -> Result<()> {
        if !self.0.is_zero() {
            tokio::time::sleep(self.0).await;
        }
        self.1.fetch_add(1, Ordering::Relaxed);
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

/// A server that opens every connection and takes every message.
struct Server {
    port: u16,
    streams: Mutex<UnboundedReceiver<Stream>>,
    messages: Mutex<UnboundedReceiver<Value>>,
}

/// A stream that is open. It ends when it is dropped.
struct Stream(UnboundedSender<String>);

impl Stream {
    fn answer(&self, message: &Value, result: &str) {
        let id = &message["id"];
        self.0
            .send(format!("data: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n\n"))
            .unwrap();
    }
}

impl Stream {
    fn update(&self) {
        let update =
            r#""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}"#;
        let params = format!("{{\"sessionId\":\"a\",\"update\":{{{update}}}}}");
        let head = r#""jsonrpc":"2.0","method":"session/update","params""#;
        self.0.send(format!("data: {{{head}:{params}}}\n\n")).unwrap();
    }
}

impl Server {
    async fn start() -> Self {
        let (streaming, streams) = unbounded_channel();
        let (sending, messages) = unbounded_channel();
        let answer = async move |method: Method, _: HeaderMap, body: String| {
            answer(&method, &body, &streaming, &sending)
        };
        let router = Router::new().route("/acp", any(answer));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async { axum::serve(listener, router).await });
        Self { port, streams: Mutex::new(streams), messages: Mutex::new(messages) }
    }

    async fn stream(&self) -> Stream {
        self.streams.lock().await.recv().await.unwrap()
    }

    async fn message(&self) -> Value {
        self.messages.lock().await.recv().await.unwrap()
    }
}

fn answer(
    method: &Method,
    body: &str,
    streams: &UnboundedSender<Stream>,
    messages: &UnboundedSender<Value>,
) -> Response {
    if method == Method::GET {
        let (sender, texts) = unbounded_channel();
        streams.send(Stream(sender)).unwrap();
        let texts = unfold(texts, async |mut texts| {
            let text = texts.recv().await?;
            Some((Ok::<_, Infallible>(text), texts))
        });
        return ([("content-type", "text/event-stream")], Body::from_stream(texts)).into_response();
    }
    let message = decode::<Value>(body).unwrap_or_default();
    if message["method"] != "initialize" {
        messages.send(message).ok();
        return StatusCode::ACCEPTED.into_response();
    }
    let id = &message["id"];
    let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"protocolVersion\":1}}}}");
    ([("content-type", "application/json"), ("acp-connection-id", "c")], text).into_response()
}

#[tokio::test]
async fn a_stream_that_ends_fails_the_calls_of_its_session_alone() {
    let server = Server::start().await;
    let remote = Remote::new(format!("http://127.0.0.1:{}/acp", server.port));
    let remote = remote.transport(Transport::Http);
    let agent = Arc::new(ClientSideConnection::connect(Quiet::default(), remote).await.unwrap());
    agent.initialize(InitializeRequest::new(1)).await.unwrap();
    let own = server.stream().await;
    let mut streams = Vec::new();
    for result in [r#"{"sessionId":"a"}"#, r#"{"sessionId":"b"}"#] {
        let answering = async {
            own.answer(&server.message().await, result);
            server.stream().await
        };
        let opening = agent.new_session(NewSessionRequest::new("/", Vec::new()));
        let (opened, stream) = tokio::join!(opening, answering);
        opened.unwrap();
        streams.push(stream);
    }
    let prompt = |session: &'static str| {
        let agent = Arc::clone(&agent);
        let request = PromptRequest::new(session, vec![ContentBlock::text("hi")]);
        tokio::spawn(async move { agent.prompt(request).await })
    };
    let of_lost = prompt("a");
    server.message().await;
    let of_other = prompt("b");
    let asked_of_other = server.message().await;
    let of_none = {
        let agent = Arc::clone(&agent);
        tokio::spawn(async move { agent.authenticate(AuthenticateRequest::new("none")).await })
    };
    let asked_of_none = server.message().await;
    let other = streams.pop().unwrap();
    drop(streams);
    let lost = of_lost.await.unwrap();
    assert!(matches!(lost, Err(CallError::Lost(_))), "{lost:?}");
    other.answer(&asked_of_other, r#"{"stopReason":"end_turn"}"#);
    own.answer(&asked_of_none, "{}");
    of_other.await.unwrap().unwrap();
    of_none.await.unwrap().unwrap();
}

/// However long each takes.
#[tokio::test]
async fn what_came_before_a_loss_is_handled_before_calls_fail() {
    const MANY: usize = 500;
    for is_all_lost in [false, true] {
        let server = Server::start().await;
        let remote = Remote::new(format!("http://127.0.0.1:{}/acp", server.port));
        let remote = remote.transport(Transport::Http);
        let client = Quiet(Duration::from_millis(1), Arc::default());
        let handled = Arc::clone(&client.1);
        let agent = ClientSideConnection::connect(client, remote).await.unwrap();
        agent.initialize(InitializeRequest::new(1)).await.unwrap();
        let own = server.stream().await;
        let answering = async {
            own.answer(&server.message().await, r#"{"sessionId":"a"}"#);
            server.stream().await
        };
        let opening = agent.new_session(NewSessionRequest::new("/", Vec::new()));
        let (opened, session) = tokio::join!(opening, answering);
        opened.unwrap();
        let request = PromptRequest::new("a", vec![ContentBlock::text("hi")]);
        let own = Some(own);
        let losing = async {
            server.message().await;
            for _ in 0..MANY {
                session.update();
            }
            let own = own.filter(|_| !is_all_lost);
            drop(session);
            own
        };
        let (lost, _own) = tokio::join!(agent.prompt(request), losing);
        assert!(matches!(lost, Err(CallError::Lost(_))), "{lost:?}");
        assert_eq!(handled.load(Ordering::Relaxed), MANY);
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
        assert!(ClientSideConnection::connect(Quiet::default(), remote.clone()).await.is_err());
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
