//! A client that sends what it is told to, right or wrong.

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, ResponseFuture};
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use std::convert::Infallible;
use tokio::task::AbortHandle;

use crate::{Events, Server, initialize, soon};

/// A client of one version of HTTP.
#[derive(Clone)]
pub struct Http {
    client: Client<HttpConnector, UnsyncBoxBody<Bytes, Infallible>>,
    url: String,
}

/// What a server answered.
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    response: Response<Incoming>,
}

/// A connection that is open.
pub struct Opened {
    /// The client.
    pub http: Http,
    /// The id of the connection.
    pub id: String,
}

/// Connects without holding back the end of what is sent.
fn connector() -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    connector
}

impl Http {
    /// Speaks HTTP/2 to an agent.
    pub fn two(agent: &Server) -> Self {
        Self::to(&agent.url)
    }

    /// Speaks HTTP/2 to a URL.
    pub fn to(url: &str) -> Self {
        let client = Client::builder(TokioExecutor::new()).http2_only(true).build(connector());
        Self { client, url: url.to_owned() }
    }

    /// Speaks HTTP/1.1 to an agent.
    pub fn one(agent: &Server) -> Self {
        let client = Client::builder(TokioExecutor::new()).build(connector());
        Self { client, url: agent.url.clone() }
    }

    /// Sends a request to the endpoint.
    pub async fn send(&self, method: Method, headers: &[(&str, &str)], body: &str) -> Answer {
        self.send_bytes(method, headers, body.as_bytes().to_vec()).await
    }

    /// Sends a request to the endpoint, with a body that need not be text.
    pub async fn send_bytes(
        &self,
        method: Method,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Answer {
        self.ask(method, headers, Full::from(body).boxed_unsync()).await
    }

    async fn ask(
        &self,
        method: Method,
        headers: &[(&str, &str)],
        body: UnsyncBoxBody<Bytes, Infallible>,
    ) -> Answer {
        let mut request = Request::builder().method(&method).uri(&self.url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body).expect("it is a request");
        let what = format!("the answer to {method} with {headers:?}");
        let response = soon(&what, self.client.request(request)).await;
        let response = response.unwrap_or_else(|error| panic!("{what}: {error:?}"));
        Answer { status: response.status(), response }
    }

    /// Begins to post JSON whose body does not come to its end. It can be broken off.
    pub fn half(&self, headers: &[(&str, &str)], message: &Value) -> AbortHandle {
        let response = self.begin_half(headers, message);
        tokio::spawn(async move { response.await.is_ok() }).abort_handle()
    }

    fn begin_half(&self, headers: &[(&str, &str)], message: &Value) -> ResponseFuture {
        let mut text = message.to_string();
        text.truncate(text.len() / 2);
        let begun = stream::iter([Ok(Frame::data(Bytes::from(text)))]);
        let body = BodyExt::boxed_unsync(StreamBody::new(begun.chain(stream::pending())));
        let mut request = Request::post(&self.url).header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body).expect("it is a request");
        self.client.request(request)
    }

    /// Posts JSON with headers.
    pub async fn post(&self, headers: &[(&str, &str)], message: &Value) -> Answer {
        let mut all = vec![("content-type", "application/json")];
        all.extend_from_slice(headers);
        self.send(Method::POST, &all, &message.to_string()).await
    }

    /// Posts JSON with headers, in pieces whose length nothing tells before.
    pub async fn post_in_pieces(&self, headers: &[(&str, &str)], message: &Value) -> Answer {
        let mut all = vec![("content-type", "application/json")];
        all.extend_from_slice(headers);
        let text = message.to_string();
        let pieces: Vec<_> = text.as_bytes().chunks(100).map(Bytes::copy_from_slice).collect();
        let frames = stream::iter(pieces.into_iter().map(|piece| Ok(Frame::data(piece))));
        self.ask(Method::POST, &all, BodyExt::boxed_unsync(StreamBody::new(frames))).await
    }

    /// Asks for an event stream with headers.
    pub async fn get(&self, headers: &[(&str, &str)]) -> Answer {
        let mut all = vec![("accept", "text/event-stream")];
        all.extend_from_slice(headers);
        self.send(Method::GET, &all, "").await
    }
}

impl Answer {
    /// A header, if it is there.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    /// The body as text.
    pub async fn text(self) -> String {
        let body = soon("the body", self.response.into_body().collect()).await;
        let body = body.expect("the body comes to its end").to_bytes();
        String::from_utf8(body.to_vec()).expect("bodies are UTF-8")
    }

    /// The body as JSON.
    pub async fn json(self) -> Value {
        let text = self.text().await;
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("`{text}` is no JSON"))
    }

    /// The message of the error in the body.
    pub async fn error(self) -> String {
        assert_eq!(self.header("content-type"), Some("application/json"));
        let body = self.json().await;
        assert_eq!(body["jsonrpc"], "2.0", "{body}");
        assert!(body["error"]["code"].is_i64(), "{body}");
        body["error"]["message"].as_str().expect("an error has a message").to_owned()
    }

    /// The body as events.
    pub fn events(self) -> Events {
        assert_eq!(self.status, StatusCode::OK);
        let ty = self.header("content-type").unwrap_or_default();
        assert!(ty.starts_with("text/event-stream"), "{ty}");
        Events::new(self.response.into_body())
    }
}

/// Opens a connection over HTTP/2.
pub async fn open(agent: &Server) -> Opened {
    Opened::over(Http::two(agent), &[]).await
}

impl Opened {
    /// Opens a connection with a client, and headers.
    pub async fn over(http: Http, headers: &[(&str, &str)]) -> Self {
        let answer = http.post(headers, &initialize()).await;
        assert_eq!(answer.status, StatusCode::OK);
        let id = answer.header("acp-connection-id").expect("it is opened").to_owned();
        let body = answer.json().await;
        assert_eq!(body["result"]["protocolVersion"], 1, "{body}");
        Self { http, id }
    }

    /// Posts a message, with the session header if it is of a session.
    pub async fn post(&self, message: &Value) -> Answer {
        self.http.post(&self.headers(message), message).await
    }

    /// Begins to post a message that does not come to its end.
    pub fn half(&self, message: &Value) -> AbortHandle {
        self.http.half(&self.headers(message), message)
    }

    /// The status that answers a message that does not come to its end.
    pub async fn answer_to_half(&self, message: &Value) -> StatusCode {
        let response = self.http.begin_half(&self.headers(message), message);
        let response = soon("the answer to half a message", response).await;
        response.expect("it is answered").status()
    }

    fn headers<'a>(&'a self, message: &'a Value) -> Vec<(&'static str, &'a str)> {
        let mut headers = vec![("acp-connection-id", self.id.as_str())];
        if let Some(session) = message["params"]["sessionId"].as_str() {
            headers.push(("acp-session-id", session));
        }
        headers
    }

    /// Posts a message that has to be accepted.
    pub async fn send(&self, message: &Value) {
        let answer = self.post(message).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{message}");
        assert_eq!(answer.text().await, "", "{message}");
    }

    /// Posts a message that has to be accepted, a little later.
    pub async fn send_after(&self, message: Value) {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        self.send(&message).await;
    }

    /// Asks for the connection's stream, or that of a session.
    pub async fn get(&self, session: Option<&str>) -> Answer {
        let mut headers = vec![("acp-connection-id", self.id.as_str())];
        headers.extend(session.map(|session| ("acp-session-id", session)));
        self.http.get(&headers).await
    }

    /// The connection's stream.
    pub async fn stream(&self) -> Events {
        self.get(None).await.events()
    }

    /// The stream of a session.
    pub async fn session(&self, session: &str) -> Events {
        self.get(Some(session)).await.events()
    }

    /// Opens a session, whose answer comes on the connection's stream.
    pub async fn new_session(&self, id: u64, stream: &mut Events) -> String {
        self.send(&crate::new_session(id)).await;
        let answer = stream.message().await.expect("the stream goes on");
        assert_eq!(answer["id"], json!(id), "{answer}");
        answer["result"]["sessionId"].as_str().expect("it is a session").to_owned()
    }

    /// Closes the connection.
    pub async fn delete(&self) -> Answer {
        self.http.send(Method::DELETE, &[("acp-connection-id", &self.id)], "").await
    }
}
