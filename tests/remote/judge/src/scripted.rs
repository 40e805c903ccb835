//! A server that answers as a test tells it to.

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt, stream};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame as BodyFrame, Incoming};
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use serde_json::Value;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{AbortHandle, JoinHandle};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role};

use crate::{Frame, soon};

type Body = BoxBody<Bytes, Infallible>;

/// A server on a free port.
pub struct Scripted {
    /// The URL of its endpoint.
    pub url: String,
    requests: mpsc::UnboundedReceiver<Asked>,
    listening: JoinHandle<()>,
    connections: Arc<Mutex<Vec<AbortHandle>>>,
}

/// A request that waits for its answer.
pub struct Asked {
    /// The method.
    pub method: Method,
    /// The version of HTTP.
    pub version: Version,
    /// The path.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, as text.
    pub body: String,
    upgrade: Option<hyper::upgrade::OnUpgrade>,
    answer: oneshot::Sender<Result<Response<Body>, Reset>>,
}

/// The request gets no answer, and others go on.
#[derive(Debug)]
struct Reset;

impl std::fmt::Display for Reset {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the request is reset")
    }
}

impl std::error::Error for Reset {}

/// An event stream that is open. It ends when it is dropped.
pub struct Stream {
    sender: mpsc::UnboundedSender<Bytes>,
    given: Arc<AtomicUsize>,
}

/// The server's end of a WebSocket.
pub struct Upgraded(WebSocketStream<TokioIo<hyper::upgrade::Upgraded>>);

impl Scripted {
    /// Begins to listen.
    pub async fn start() -> Self {
        Self::listen(false, false).await
    }

    /// Begins to listen. Whatever is cut off is reset.
    pub async fn abrupt() -> Self {
        Self::listen(true, false).await
    }

    /// Begins to listen, and speaks HTTP/1.1 alone.
    pub async fn old() -> Self {
        Self::listen(false, true).await
    }

    async fn listen(is_abrupt: bool, is_old: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let address = listener.local_addr().expect("it has an address");
        let (sender, requests) = mpsc::unbounded_channel();
        let connections = Arc::<Mutex<Vec<AbortHandle>>>::default();
        let ours = Arc::clone(&connections);
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                if is_abrupt {
                    crate::proxy::reset_at_end(&stream);
                }
                let sender = sender.clone();
                let connection = tokio::spawn(async move {
                    let service = service_fn(move |request| take(request, sender.clone()));
                    let builder = auto::Builder::new(TokioExecutor::new());
                    let io = TokioIo::new(stream);
                    if is_old {
                        builder.http1_only().serve_connection(io, service).await.ok();
                    } else {
                        builder.serve_connection_with_upgrades(io, service).await.ok();
                    }
                });
                ours.lock().expect("nobody panics with it").push(connection.abort_handle());
            }
        });
        Self { url: format!("http://{address}/acp"), requests, listening, connections }
    }

    /// Cuts off every connection but those of WebSockets, which are cut off when they are dropped.
    pub fn cut(&self) {
        let connections = std::mem::take(&mut *self.connections.lock().expect("it is whole"));
        connections.iter().for_each(AbortHandle::abort);
    }

    /// Cuts off every connection, and listens no more.
    pub fn die(&self) {
        self.listening.abort();
        self.cut();
    }

    /// The next request.
    pub async fn asked(&mut self) -> Asked {
        soon("the next request", self.requests.recv()).await.expect("it listens")
    }

    /// The next request, however long that takes, or `None` if there is none any more.
    pub async fn asked_at_last(&mut self) -> Option<Asked> {
        self.requests.recv().await
    }

    /// The next request, which has to be of this method.
    pub async fn asked_to(&mut self, method: Method) -> Asked {
        let asked = self.asked().await;
        assert_eq!(asked.method, method, "{} {}", asked.path, asked.body);
        asked
    }

    /// The next request, which has to post this method.
    pub async fn posted(&mut self, method: &str) -> Asked {
        let asked = self.asked_to(Method::POST).await;
        assert_eq!(asked.message()["method"], method, "{}", asked.body);
        asked
    }

    /// Whether a request waits.
    pub fn is_asked(&mut self) -> Option<Asked> {
        self.requests.try_recv().ok()
    }
}

async fn take(
    mut request: Request<Incoming>,
    sender: mpsc::UnboundedSender<Asked>,
) -> Result<Response<Body>, Reset> {
    let upgrade = request
        .headers()
        .contains_key("sec-websocket-key")
        .then(|| hyper::upgrade::on(&mut request));
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| Reset)?.to_bytes();
    let (answer, answered) = oneshot::channel();
    let asked = Asked {
        method: parts.method,
        version: parts.version,
        path: parts.uri.path().to_owned(),
        headers: parts.headers,
        body: String::from_utf8_lossy(&body).into_owned(),
        upgrade,
        answer,
    };
    sender.send(asked).ok();
    let refused = || response(StatusCode::IM_A_TEAPOT, &[], "");
    answered.await.unwrap_or_else(|_| Ok(refused()))
}

fn response(status: StatusCode, headers: &[(&str, &str)], body: &str) -> Response<Body> {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(Full::from(body.to_owned()).boxed()).expect("it is a response")
}

impl Asked {
    /// A header, if it is there.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// All the cookies, in order of their names.
    pub fn cookies(&self) -> Vec<String> {
        let headers = self.headers.get_all("cookie").into_iter();
        let texts = headers.filter_map(|header| header.to_str().ok());
        let mut cookies: Vec<String> =
            texts.flat_map(|text| text.split(';')).map(|it| it.trim().to_owned()).collect();
        cookies.sort();
        cookies
    }

    /// The message in the body.
    pub fn message(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("`{}` is no JSON", self.body))
    }

    /// Whether it asks for a WebSocket.
    pub fn is_upgrade(&self) -> bool {
        self.upgrade.is_some()
    }

    /// Answers.
    pub fn answer(self, status: u16, headers: &[(&str, &str)], body: &str) {
        let status = StatusCode::from_u16(status).expect("it is a status");
        self.answer.send(Ok(response(status, headers, body))).ok();
    }

    /// Answers with JSON.
    pub fn answer_json(self, headers: &[(&str, &str)], body: &Value) {
        let mut all = vec![("content-type", "application/json")];
        all.extend_from_slice(headers);
        self.answer(200, &all, &body.to_string());
    }

    /// Breaks the request off: over HTTP/2, that alone.
    pub fn reset(self) {
        self.answer.send(Err(Reset)).ok();
    }

    /// Accepts a message.
    pub fn accept(self) {
        self.answer(202, &[], "");
    }

    /// Begins an event stream.
    pub fn stream(self) -> Stream {
        self.begin(200, &[("content-type", "text/event-stream")])
    }

    /// Begins an answer whose body comes in pieces.
    pub fn begin(self, status: u16, headers: &[(&str, &str)]) -> Stream {
        let (sender, receiver) = mpsc::unbounded_channel::<Bytes>();
        let given = Arc::new(AtomicUsize::new(0));
        let state = (receiver, Arc::clone(&given));
        let frames = stream::unfold(state, |(mut receiver, given)| async move {
            let bytes = receiver.recv().await?;
            given.fetch_add(bytes.len(), Ordering::Relaxed);
            Some((Ok::<_, Infallible>(BodyFrame::data(bytes)), (receiver, given)))
        });
        let mut response = Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(*name, *value);
        }
        let response = response
            .body(BodyExt::boxed(StreamBody::new(Box::pin(frames) as Frames)))
            .expect("it is a response");
        self.answer.send(Ok(response)).ok();
        Stream { sender, given }
    }

    /// Accepts a WebSocket.
    pub async fn upgrade(mut self, headers: &[(&str, &str)]) -> Upgraded {
        let key = self.header("sec-websocket-key").expect("it has a key").to_owned();
        let upgrade = self.upgrade.take().expect("it asks for an upgrade");
        let accept = derive_accept_key(key.as_bytes());
        let mut all = vec![("connection", "upgrade"), ("upgrade", "websocket")];
        all.push(("sec-websocket-accept", &accept));
        all.extend_from_slice(headers);
        self.answer(101, &all, "");
        let io = soon("the upgrade", upgrade).await.expect("it is upgraded");
        Upgraded(WebSocketStream::from_raw_socket(TokioIo::new(io), Role::Server, None).await)
    }
}

type Frames = std::pin::Pin<
    Box<dyn stream::Stream<Item = Result<BodyFrame<Bytes>, Infallible>> + Send + Sync>,
>;

impl Stream {
    /// Sends a message.
    pub fn send(&self, message: &Value) {
        self.text(&format!("data: {message}\n\n"));
    }

    /// Sends text as it is.
    pub fn text(&self, text: &str) {
        self.sender.send(Bytes::from(text.to_owned())).ok();
    }

    /// Sends 64 MiB.
    pub fn flood(&self) {
        for _ in 0..1024 {
            self.text(&"x".repeat(64 << 10));
        }
    }

    /// How many bytes of what is sent the other end has let in.
    pub fn given(&self) -> usize {
        self.given.load(Ordering::Relaxed)
    }
}

impl Upgraded {
    /// The next message, or `None` once it is closed.
    pub async fn message(&mut self) -> Option<Value> {
        let text = soon("the next frame", self.text()).await?;
        Some(serde_json::from_str(&text).expect("it is a message"))
    }

    /// The text of the next message, however long that takes, or `None` once it is closed.
    pub async fn text(&mut self) -> Option<String> {
        loop {
            match self.0.next().await? {
                Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next frame that has no message.
    pub async fn frame(&mut self) -> Frame {
        let frame = async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Ping(_))) => return Frame::Ping,
                    Some(Ok(Message::Close(frame))) => {
                        return Frame::Closed(frame.map(|frame| frame.code.into()));
                    }
                    None | Some(Err(_)) => return Frame::Closed(None),
                    Some(Ok(_)) => {}
                }
            }
        };
        soon("the next frame", frame).await
    }

    /// Sends a message in frames of so many bytes, if it is still open.
    pub async fn send_in_frames(&mut self, message: &Value, bytes: usize) {
        for frame in crate::socket::frames(message, bytes) {
            self.0.send(frame).await.ok();
        }
    }

    /// Sends a message in a binary frame.
    pub async fn send_binary(&mut self, message: &Value) {
        self.0.send(Message::binary(message.to_string())).await.expect("it can be sent");
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).await.expect("it can be sent");
    }

    /// Sends a message in a binary frame.
    pub async fn send_bytes(&mut self, message: &Value) {
        let bytes = message.to_string().into_bytes();
        self.0.send(Message::binary(bytes)).await.expect("it can be sent");
    }

    /// Sends a text frame, if it is still open.
    pub async fn send_text(&mut self, text: String) {
        self.0.send(Message::text(text)).await.ok();
    }

    /// Closes it.
    pub async fn close(mut self) {
        self.say_close().await;
    }

    /// Says that nothing more is sent.
    pub async fn say_close(&mut self) {
        self.0.close(None).await.ok();
    }

    /// Closes it for a reason, and waits for the other end to do so.
    pub async fn close_for(mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame { code: code.into(), reason: reason.into() };
        self.0.close(Some(frame)).await.ok();
        while let Some(Ok(_)) = self.0.next().await {}
    }

    /// Sends a part of a frame that has a message.
    pub async fn send_half(&mut self, message: &Value) {
        let text = message.to_string();
        let length = u16::try_from(text.len()).expect("it is short").to_be_bytes();
        let mut frame = vec![0x81, 126, length[0], length[1]];
        frame.extend_from_slice(&text.as_bytes()[..text.len() / 2]);
        let io = self.0.get_mut();
        io.write_all(&frame).await.expect("it can be sent");
        io.flush().await.expect("it can be sent");
    }

    /// Holds it open, and reads nothing, as long as this is awaited.
    pub async fn hold(self) {
        std::future::pending::<()>().await;
        drop(self);
    }
}
