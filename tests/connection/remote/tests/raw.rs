//! What is sent to servers otherwise than clients of this package do.

use std::time::Duration;

use acp::connection::Options;
use acp::remote::{Head, Limits, Refusal, Server};
use acp::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

/// An agent whose sessions never come to be, but those of the folder `/quick`. It talks of those of
/// the folder `/talk`.
struct Stuck;

impl Agent for Stuck {
    async fn initialize(
        &self,
        _: InitializeRequest,
        context: AgentContext,
    ) -> Result<InitializeResponse> {
        Ok(InitializeResponse::new(context.protocol_version()))
    }

    async fn authenticate(
        &self,
        _: AuthenticateRequest,
        _: AgentContext,
    ) -> Result<AuthenticateResponse> {
        Ok(AuthenticateResponse::new())
    }

    async fn new_session(
        &self,
        request: NewSessionRequest,
        context: AgentContext,
    ) -> Result<NewSessionResponse> {
        if request.cwd == "/quick" {
            return Ok(NewSessionResponse::new("s1"));
        }
        while request.cwd == "/talk" {
            let text = SessionUpdate::agent_message_chunk(ContentBlock::text("x"));
            context.client().session_update(SessionNotification::new("s1", text)).await?;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        context.cancelled().await;
        Err(RequestError::request_cancelled())
    }

    async fn close_session(
        &self,
        _: CloseSessionRequest,
        _: AgentContext,
    ) -> Result<CloseSessionResponse> {
        Ok(CloseSessionResponse::new())
    }

    async fn prompt(&self, _: PromptRequest, _: AgentContext) -> Result<PromptResponse> {
        Ok(PromptResponse::new(StopReason::EndTurn))
    }
}

async fn listen(server: &Server) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let router = server.router();
    tokio::spawn(async { axum::serve(listener, router).await });
    port
}

/// Posts a message, and gives the whole answer.
async fn post(port: u16, headers: &str, body: &str) -> String {
    let mut tcp = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let length = body.len();
    let head = format!(
        "POST /acp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n"
    );
    tcp.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    let mut answer = String::new();
    tcp.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Asks for the stream of a session, and gives the status.
async fn get(port: u16, headers: &str) -> String {
    let mut tcp = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let accept = "Accept: text/event-stream\r\nAcp-Session-Id: s1\r\n";
    let head = format!("GET /acp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{accept}{headers}\r\n");
    tcp.write_all(head.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    tcp.read_exact(&mut status).await.unwrap();
    String::from_utf8_lossy(&status["HTTP/1.1 ".len()..]).into_owned()
}

/// Opens a connection, and gives the header that names it.
async fn open(port: u16, headers: &str) -> String {
    let opening =
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#;
    let answer = post(port, headers, opening).await;
    let named = answer.lines().find(|line| line.starts_with("acp-connection-id:"));
    format!("{}\r\n", named.unwrap_or_else(|| panic!("{answer}")))
}

fn new_session(id: u32, folder: &str) -> String {
    let params = format!(r#"{{"cwd":"/{folder}","mcpServers":[]}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"session/new","params":{params}}}"#)
}

#[tokio::test]
async fn bytes_that_wait_for_a_connection_have_a_limit() {
    let options = Options::new().max_requests(1).max_buffered(1);
    let limits = Limits::new().buffered(1000);
    let server = AgentSideConnection::serve(|_| Stuck).options(options).limits(limits).http1(true);
    let port = listen(&server).await;
    let connection = open(port, "").await;
    let mut waiting = Vec::new();
    // The first has the only handler, the others wait for it, until it is too many.
    let refused = async {
        for id in 1.. {
            let (connection, body) = (connection.clone(), new_session(id, ""));
            let mut posted = tokio::spawn(async move { post(port, &connection, &body).await });
            if let Ok(answer) = timeout(Duration::from_millis(300), &mut posted).await {
                let answer = answer.unwrap();
                if !answer.starts_with("HTTP/1.1 202 ") {
                    return (id, answer);
                }
            } else {
                waiting.push(posted);
            }
        }
        unreachable!()
    };
    let refused = timeout(Duration::from_secs(20), refused).await;
    let (number, refused) = refused.expect("some are too many");
    // As many have space before they are handed on, and each has about 90 bytes.
    assert!(number < 14, "{number}");
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.contains("limit `buffered` of 1000 bytes"), "{refused}");
}

/// They have no bytes.
#[tokio::test]
async fn blank_messages_over_a_websocket_have_a_limit() {
    let options = Options::new().max_requests(1).max_buffered(1);
    let server = AgentSideConnection::serve(|_| Stuck).options(options);
    let port = listen(&server).await;
    let mut tcp = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let head = format!(
        "GET /acp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    tcp.write_all(head.as_bytes()).await.unwrap();
    let opening =
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#;
    for message in [opening, &new_session(1, ""), &new_session(2, ""), &new_session(3, "")] {
        // With a mask that changes nothing.
        let length = u8::try_from(message.len()).unwrap();
        tcp.write_all(&[0x81, 0x80 | length, 0, 0, 0, 0]).await.unwrap();
        tcp.write_all(message.as_bytes()).await.unwrap();
    }
    let blank = [0x81, 0x80, 0, 0, 0, 0].repeat(10_000);
    let writing = async {
        for _ in 0..1000 {
            tcp.write_all(&blank).await.unwrap();
        }
    };
    let written = timeout(Duration::from_secs(10), writing).await;
    assert!(written.is_err(), "ten million messages wait");
}

#[tokio::test]
async fn sessions_that_are_being_opened_count() {
    let limits = Limits::new().sessions(2);
    let server = AgentSideConnection::serve(|_| Stuck).limits(limits).http1(true);
    let port = listen(&server).await;
    let connection = open(port, "").await;
    for (id, status) in [(1, "202"), (2, "202"), (3, "503")] {
        let answer = post(port, &connection, &new_session(id, "")).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sessions_that_are_opened_at_once_count() {
    let limits = Limits::new().sessions(2);
    let server = AgentSideConnection::serve(|_| Stuck).limits(limits).http1(true);
    let port = listen(&server).await;
    let connection = open(port, "").await;
    let asked = (1..=32).map(|id| {
        let connection = connection.clone();
        tokio::spawn(async move { post(port, &connection, &new_session(id, "")).await })
    });
    let asked: Vec<_> = asked.collect();
    let mut taken = 0;
    for answer in asked {
        taken += usize::from(answer.await.unwrap().starts_with("HTTP/1.1 202 "));
    }
    assert_eq!(taken, 2);
}

#[tokio::test]
async fn what_an_agent_says_keeps_its_connection_alive() {
    let limits = Limits::new().idle(Duration::from_millis(400));
    let server = AgentSideConnection::serve(|_| Stuck).limits(limits).http1(true);
    let port = listen(&server).await;
    for (folder, status) in [("talk", "202"), ("", "404")] {
        let connection = open(port, "").await;
        let answer = post(port, &connection, &new_session(1, folder)).await;
        assert!(answer.starts_with("HTTP/1.1 202 "), "{answer}");
        tokio::time::sleep(Duration::from_millis(1500)).await;
        let answer = post(port, &connection, &new_session(2, "")).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{folder}: {answer}");
    }
}

#[tokio::test]
async fn a_connection_is_used_only_by_the_one_who_opened_it() {
    let judge = async |head: Head| match head.header("authorization") {
        Some(name) => Ok::<_, Refusal>(Some(name.to_owned())),
        None => Ok(None),
    };
    let server = AgentSideConnection::serve(|_| Stuck).authenticate(judge).http1(true);
    let port = listen(&server).await;
    let connection = open(port, "Authorization: Ada\r\n").await;
    for (name, status) in
        [("", "404"), ("Authorization: Bob\r\n", "404"), ("Authorization: Ada\r\n", "202")]
    {
        let answer = post(port, &format!("{connection}{name}"), &new_session(1, "")).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    }
}

#[tokio::test]
async fn a_session_that_is_closed_is_not_known() {
    let limits = Limits::new().sessions(1).session_wait(Duration::from_secs(5));
    let server = AgentSideConnection::serve(|_| Stuck).limits(limits).http1(true);
    let port = listen(&server).await;
    let connection = open(port, "").await;
    let answer = post(port, &connection, &new_session(1, "quick")).await;
    assert!(answer.starts_with("HTTP/1.1 202 "), "{answer}");
    assert_eq!(get(port, &connection).await, "200");
    let close = r#"{"jsonrpc":"2.0","id":2,"method":"session/close","params":{"sessionId":"s1"}}"#;
    let answer = post(port, &format!("{connection}Acp-Session-Id: s1\r\n"), close).await;
    assert!(answer.starts_with("HTTP/1.1 202 "), "{answer}");
    // Its stream ends once the answer that is in it was read; it makes room at once.
    let closing = async {
        while post(port, &connection, &new_session(3, "stuck")).await.starts_with("HTTP/1.1 503 ") {
        }
    };
    timeout(Duration::from_secs(20), closing).await.expect("there is room again");
}

#[test]
fn limits_have_defaults() {
    let expected = "Limits { connections: 1000, sessions: 1000, buffered: 4194304, body: 67108864, \
        headers: 100, reading: 30s, idle: 300s, session_wait: 10s, keep_alive: 15s, ping: 20s, opening: 30s }";
    assert_eq!(format!("{:?}", Limits::new()), expected);
}
