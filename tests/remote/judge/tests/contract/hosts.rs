//! Rule 30: which hosts a server is. A page can give its own host the address of this machine.

use http_body_util::Empty;
use hyper::body::Bytes;
use hyper::client::conn::http2;
use hyper::{Request, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use judge::{Agent, Raw, Server, initialize, soon};
use serde_json::json;
use tokio::net::TcpStream;

/// Ways to name other hosts than this machine, or none.
const FOREIGN: &[&str] = &[
    "evil.example",
    "evil.example:80",
    "localhost.evil.example",
    "evil.example.",
    "127.0.0.1.evil.example",
    "localhost@evil.example",
    "evil.example@localhost",
    "localhost/evil.example",
    "localhost, evil.example",
    "0.0.0.0",
    "10.0.0.1",
    "128.0.0.1",
    "[::]",
    "[::2]",
    "[::ffff:10.0.0.1]",
    "",
];

/// Ways to name this machine.
const OWN: &[&str] = &[
    "localhost",
    "LocalHost",
    "localhost.",
    "127.0.0.1",
    "127.0.0.2",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
];

fn port(agent: &Server) -> &str {
    agent.address.rsplit(':').next().unwrap()
}

/// The statuses of a request over HTTP/1.1, and of an upgrade, with these lines in their heads.
async fn asked(agent: &Server, lines: &str) -> [u16; 2] {
    let body = initialize().to_string();
    let length = body.len();
    let post = format!(
        "POST /acp HTTP/1.1\r\n{lines}content-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    );
    let upgrade = format!(
        "GET /acp HTTP/1.1\r\n{lines}connection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    [Raw::connect(agent).await.ask(&post).await, Raw::connect(agent).await.ask(&upgrade).await]
}

fn is_refused(statuses: [u16; 2]) -> bool {
    statuses.iter().all(|it| [400, 403].contains(it))
}

#[tokio::test]
async fn rule_30_a_rebound_page_is_refused() {
    let agent = Agent::start(json!({"http1": true})).await;
    let host = format!("evil.example:{}", port(&agent));
    let lines = format!("host: {host}\r\norigin: http://{host}\r\n");
    assert_eq!(asked(&agent, &lines).await, [403, 403]);
    // Not only pages have a host.
    assert_eq!(asked(&agent, &format!("host: {host}\r\n")).await, [403, 403]);
}

#[tokio::test]
async fn rule_30_hosts_of_this_machine() {
    let agent = Agent::start(json!({"http1": true})).await;
    for host in FOREIGN {
        let statuses = asked(&agent, &format!("host: {host}\r\n")).await;
        assert!(is_refused(statuses), "{host}: {statuses:?}");
    }
    for host in OWN {
        let here = format!("{host}:{}", port(&agent));
        let lines = format!("host: {here}\r\norigin: http://{here}\r\n");
        assert_eq!(asked(&agent, &lines).await, [200, 101], "{host}");
        assert_eq!(asked(&agent, &format!("host: {host}\r\n")).await, [200, 101], "{host}");
    }
}

#[tokio::test]
async fn rule_30_a_host_says_nothing_of_an_origin() {
    let agent = Agent::start(json!({"http1": true})).await;
    let host = format!("localhost:{}", port(&agent));
    for origin in ["http://evil.example", "http://localhost", "http://127.0.0.1:1", "null", ""] {
        let lines = format!("host: {host}\r\norigin: {origin}\r\n");
        assert_eq!(asked(&agent, &lines).await, [403, 403], "{origin}");
    }
}

#[tokio::test]
async fn rule_30_a_header_that_is_there_twice() {
    let agent = Agent::start(json!({"http1": true})).await;
    let host = format!("host: {}\r\n", agent.address);
    let own = format!("origin: http://{}\r\n", agent.address);
    for lines in [
        format!("{host}{host}"),
        format!("{host}host: evil.example\r\n"),
        format!("host: evil.example\r\n{host}"),
        format!("{host}{own}{own}"),
        format!("{host}{own}origin: http://evil.example\r\n"),
        format!("{host}origin: http://evil.example\r\n{own}"),
        String::new(),
    ] {
        let statuses = asked(&agent, &lines).await;
        assert!(is_refused(statuses), "{lines}: {statuses:?}");
    }
}

#[tokio::test]
async fn rule_30_hosts_that_are_allowed() {
    let agent = Agent::start(json!({
        "http1": true,
        "hosts": ["agents.example", "localhost:1"],
    }))
    .await;
    for host in ["agents.example", "AGENTS.example:8443", "agents.example.", "localhost:1"] {
        let lines = format!("host: {host}\r\norigin: https://{host}\r\n");
        assert_eq!(asked(&agent, &lines).await, [200, 101], "{host}");
    }
    let near = format!("localhost:{}", port(&agent));
    for host in ["evil.example", "agents.example.evil.example", "127.0.0.1", &near] {
        assert_eq!(asked(&agent, &format!("host: {host}\r\n")).await, [403, 403], "{host}");
    }
}

/// Whoever takes any host cannot tell pages of its own.
#[tokio::test]
async fn rule_30_all_hosts_are_allowed() {
    let agent = Agent::start(json!({
        "http1": true,
        "hosts": ["*"],
        "origins": ["https://editor.example"],
    }))
    .await;
    let host = "host: any.example\r\n";
    assert_eq!(asked(&agent, host).await, [200, 101]);
    let named = format!("{host}origin: https://editor.example\r\n");
    assert_eq!(asked(&agent, &named).await, [200, 101]);
    let rebound = format!("{host}origin: http://any.example\r\n");
    assert_eq!(asked(&agent, &rebound).await, [403, 403]);
}

#[tokio::test]
async fn rule_30_the_hosts_of_http_2() {
    let agent = Agent::start(json!({})).await;
    let here = agent.address.as_str();
    assert_eq!(ask_two(&agent, "evil.example", None).await, Some(StatusCode::FORBIDDEN));
    // There is no connection of such an id.
    assert_eq!(ask_two(&agent, here, None).await, Some(StatusCode::NOT_FOUND));
    assert_eq!(ask_two(&agent, here, Some(here)).await, Some(StatusCode::NOT_FOUND));
    // There are libraries that end the connection by themselves.
    let other = ask_two(&agent, here, Some("evil.example")).await;
    let refusals = [None, Some(StatusCode::BAD_REQUEST), Some(StatusCode::FORBIDDEN)];
    assert!(refusals.contains(&other), "{other:?}");
}

/// The status of a request over HTTP/2 for a host, and with a header that names one, too.
async fn ask_two(agent: &Server, host: &str, header: Option<&str>) -> Option<StatusCode> {
    let tcp = TcpStream::connect(&agent.address).await.unwrap();
    let shaken = http2::handshake(TokioExecutor::new(), TokioIo::new(tcp)).await;
    let (mut sender, connection) = shaken.unwrap();
    let connection = tokio::spawn(connection);
    let mut request = Request::delete(format!("http://{host}/acp"));
    request = request.header("acp-connection-id", "none");
    if let Some(header) = header {
        request = request.header("host", header);
    }
    let request = request.body(Empty::<Bytes>::new()).unwrap();
    let answer = soon("the answer", sender.send_request(request)).await;
    connection.abort();
    answer.ok().map(|answer| answer.status())
}

/// Whoever is refused and runs the server knows what to do.
#[tokio::test]
async fn rule_30_the_answer_names_the_option() {
    let agent = Agent::start(json!({"http1": true})).await;
    let request = "DELETE /acp HTTP/1.1\r\nhost: evil.example\r\n\r\n";
    let mut raw = Raw::connect(&agent).await;
    raw.send(request).await;
    let text = raw.until("}").await.to_lowercase().replace('_', "");
    assert!(text.contains("allowedhosts"), "{text}");
    assert!(!text.contains("evil.example"), "{text}");
}
