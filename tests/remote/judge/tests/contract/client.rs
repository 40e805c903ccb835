//! Rules 25 and 32 to 37: what a client sends.

use hyper::{Method, Version};
use judge::{Asked, Client, Scripted, Secure, Stream};
use serde_json::{Value, json};

use crate::client_loss::reports;
use crate::faults::update;

/// Answers the request that opens a connection.
pub(super) fn open(asked: Asked, headers: &[(&str, &str)]) {
    let id = asked.message()["id"].clone();
    let result = json!({
        "protocolVersion": 1,
        "authMethods": [{"id": "none", "name": "None"}],
        "agentCapabilities": {"loadSession": true},
    });
    let mut all = vec![("acp-connection-id", "c-1")];
    all.extend_from_slice(headers);
    asked.answer_json(&all, &json!({"jsonrpc": "2.0", "id": id, "result": result}));
}

pub(super) fn result(asked: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": asked["id"], "result": result})
}

/// Goes on to the first prompt, and gives the streams and the request with it.
pub(super) async fn until_prompt(server: &mut Scripted) -> (Stream, Stream, Asked) {
    let stream = server.asked_to(Method::GET).await;
    assert_eq!(stream.header("acp-session-id"), None);
    let stream = stream.stream();
    let authenticate = server.posted("authenticate").await;
    let answer = result(&authenticate.message(), json!({}));
    authenticate.accept();
    stream.send(&answer);
    let new = server.posted("session/new").await;
    assert_eq!(new.header("acp-session-id"), None);
    let answer = result(&new.message(), json!({"sessionId": "s-1"}));
    new.accept();
    stream.send(&answer);
    let session = server.asked_to(Method::GET).await;
    assert_eq!(session.header("acp-session-id"), Some("s-1"));
    let session = session.stream();
    let prompt = server.posted("session/prompt").await;
    (stream, session, prompt)
}

#[tokio::test]
async fn rules_34_36_and_37_a_whole_conversation() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    let opening = server.posted("initialize").await;
    assert!(opening.header("content-type").unwrap().starts_with("application/json"));
    assert_eq!(opening.header("acp-connection-id"), None);
    assert_eq!(opening.header("acp-protocol-version"), None);
    open(opening, &[]);
    let get = server.asked_to(Method::GET).await;
    assert!(get.header("accept").unwrap().contains("text/event-stream"));
    assert_eq!(get.header("acp-connection-id"), Some("c-1"));
    assert_eq!(get.header("acp-protocol-version"), Some("1"));
    let stream = get.stream();
    let authenticate = server.posted("authenticate").await;
    assert_eq!(authenticate.header("acp-connection-id"), Some("c-1"));
    assert_eq!(authenticate.header("acp-protocol-version"), Some("1"));
    let answer = result(&authenticate.message(), json!({}));
    authenticate.accept();
    stream.send(&answer);
    let new = server.posted("session/new").await;
    assert_eq!(new.header("acp-protocol-version"), Some("1"));
    let answer = result(&new.message(), json!({"sessionId": "s-1"}));
    new.accept();
    stream.send(&answer);
    // The stream is there before anything is sent that is answered on it.
    let get = server.asked_to(Method::GET).await;
    assert_eq!(get.header("acp-session-id"), Some("s-1"));
    assert_eq!(get.header("acp-protocol-version"), Some("1"));
    let session = get.stream();
    let prompt = server.posted("session/prompt").await;
    assert_eq!(prompt.header("acp-session-id"), Some("s-1"));
    assert_eq!(prompt.header("acp-protocol-version"), Some("1"));
    let answer = result(&prompt.message(), json!({"stopReason": "end_turn"}));
    prompt.accept();
    // A comment, an event in pieces, and one over several lines.
    session.text(": hello\n\n");
    let update = json!({
        "jsonrpc": "2.0", "method": "session/update",
        "params": {"sessionId": "s-1", "update": {
            "sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"},
        }},
    });
    let text = update.to_string();
    let (head, tail) = text.split_at(text.find(",\"").unwrap() + 1);
    session.text(&format!("event: message\r\nid: 1\r\ndata: {head}\r\nda"));
    session.text(&format!("ta:{tail}\r\n\r"));
    session.text("\n");
    session.send(&answer);
    for step in ["initialize", "authenticate", "session/new", "session/prompt"] {
        let report = client.step().await.unwrap_or_default();
        assert_eq!(
            (&report["step"], report.get("error")),
            (&json!(step), None),
            "{}",
            client.said()
        );
        if step == "session/prompt" {
            assert_eq!(report["updates"], 1, "{report}");
        }
    }
    let delete = server.asked_to(Method::DELETE).await;
    assert_eq!(delete.header("acp-connection-id"), Some("c-1"));
    assert_eq!(delete.header("acp-protocol-version"), Some("1"));
    delete.accept();
    assert_eq!(client.ended().await, Some(0), "{}", client.said());
}

#[tokio::test]
async fn rule_34_nothing_is_sent_before_the_stream_is_open() {
    let mut server = Scripted::start().await;
    let client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let get = server.asked_to(Method::GET).await;
    is_quiet(&mut server).await;
    let stream = get.stream();
    let authenticate = server.posted("authenticate").await;
    stream.send(&result(&authenticate.message(), json!({})));
    authenticate.accept();
    let new = server.posted("session/new").await;
    stream.send(&result(&new.message(), json!({"sessionId": "s-1"})));
    new.accept();
    let get = server.asked_to(Method::GET).await;
    is_quiet(&mut server).await;
    let session = get.stream();
    server.posted("session/prompt").await;
    drop((client, session));
}

/// Nothing is asked for as long as it would take to be asked.
async fn is_quiet(server: &mut Scripted) {
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let asked = server.is_asked().map(|asked| format!("{} {}", asked.method, asked.body));
    assert_eq!(asked, None);
}

#[tokio::test]
async fn rule_37_the_version_is_that_of_the_answer() {
    let mut server = Scripted::start().await;
    let client = Client::start(&server.url, "http", &[]);
    let opening = server.posted("initialize").await;
    let answer = result(&opening.message(), json!({"protocolVersion": 0}));
    opening.answer_json(&[("acp-connection-id", "c-1")], &answer);
    let get = server.asked_to(Method::GET).await;
    assert_eq!(get.header("acp-protocol-version"), Some("0"));
    drop(client);
}

#[tokio::test]
async fn events_that_come_before_an_answer_are_not_waited_for_without_end() {
    let mut server = Scripted::start().await;
    let options = json!({"sessionWait": 0.2});
    let mut client = Client::start_with(&server.url, "http", &["hi"], &options);
    open(server.posted("initialize").await, &[]);
    let stream = server.asked_to(Method::GET).await.stream();
    let authenticate = server.posted("authenticate").await;
    stream.send(&result(&authenticate.message(), json!({})));
    authenticate.accept();
    let new = server.posted("session/new").await;
    let answer = result(&new.message(), json!({"sessionId": "s-1"}));
    new.accept();
    // Of the five events that come before it, none ever comes.
    stream.text(&format!("event: message\nafter: 5\ndata: {answer}\n\n"));
    let session = server.asked_to(Method::GET).await.stream();
    let prompt = server.posted("session/prompt").await;
    session.send(&result(&prompt.message(), json!({"stopReason": "end_turn"})));
    prompt.accept();
    for step in ["initialize", "authenticate", "session/new", "session/prompt"] {
        let report = client.step().await.unwrap_or_default();
        assert_eq!((&report["step"], report.get("error")), (&json!(step), None), "{report}");
    }
    server.asked_to(Method::DELETE).await.accept();
    assert_eq!(client.ended().await, Some(0), "{}", client.said());
}

#[tokio::test]
async fn rule_37_an_answer_to_the_server_has_the_headers_of_its_session() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    open(server.posted("initialize").await, &[]);
    let (_stream, session, prompt) = until_prompt(&mut server).await;
    let end = result(&prompt.message(), json!({"stopReason": "end_turn"}));
    prompt.accept();
    let read = json!({
        "jsonrpc": "2.0", "id": 77, "method": "fs/read_text_file",
        "params": {"sessionId": "s-1", "path": "/hello.txt"},
    });
    session.send(&read);
    let answer = server.asked_to(Method::POST).await;
    assert_eq!(answer.header("acp-session-id"), Some("s-1"));
    assert_eq!(answer.header("acp-protocol-version"), Some("1"));
    assert_eq!(answer.message()["id"], 77);
    assert_eq!(answer.message()["result"]["content"], "hello");
    answer.accept();
    session.send(&end);
    server.asked_to(Method::DELETE).await.accept();
    assert_eq!(client.ended().await, Some(0), "{}", client.said());
}

/// Not even when the connection is lost.
#[tokio::test]
async fn rule_39_a_client_keeps_the_id_secret() {
    let id = ("acp-connection-id", "kept-to-itself");
    let opened = json!({"protocolVersion": 1, "authMethods": [{"id": "none", "name": "None"}]});
    for transport in ["http", "websocket"] {
        let mut server = Scripted::start().await;
        let mut client = Client::start(&server.url, transport, &["hi"]);
        let opening = server.asked().await;
        if transport == "http" {
            let answer = result(&opening.message(), opened.clone());
            opening.answer_json(&[id], &answer);
            let get = server.asked_to(Method::GET).await;
            assert_eq!(get.header(id.0), Some(id.1));
            let stream = get.stream();
            server.posted("authenticate").await.accept();
            drop(stream);
        } else {
            let mut socket = opening.upgrade(&[id]).await;
            let asked = socket.message().await.unwrap();
            socket.send(&result(&asked, opened.clone())).await;
            assert_eq!(socket.message().await.unwrap()["method"], "authenticate");
            socket.close().await;
        }
        let mut told = tokio::select! {
            reports = reports(&mut client) => json!(reports).to_string(),
            // It may still close the connection.
            () = async {
                while let Some(asked) = server.asked_at_last().await {
                    asked.accept();
                }
            } => String::new(),
        };
        assert!(told.contains("connection lost"), "{told}");
        client.ended().await;
        told.push_str(&client.said());
        assert!(!told.contains(id.1), "{told}");
    }
}

#[tokio::test]
async fn rule_32_the_caller_picks() {
    let mut server = Scripted::start().await;
    let client = Client::start(&server.url, "websocket", &[]);
    let asked = server.asked().await;
    assert!(asked.is_upgrade());
    let mut socket = asked.upgrade(&[("acp-connection-id", "c-1")]).await;
    assert_eq!(socket.message().await.unwrap()["method"], "initialize");
    drop(client);
    let mut server = Scripted::start().await;
    let client = Client::start(&server.url, "http", &[]);
    assert!(!server.posted("initialize").await.is_upgrade());
    drop(client);
}

#[tokio::test]
async fn rule_25_a_client_speaks_http_1_only_with_who_speaks_nothing_else() {
    let mut server = Scripted::start().await;
    let client = Client::start(&server.url, "http", &[]);
    assert_eq!(server.posted("initialize").await.version, Version::HTTP_2);
    drop(client);
    let mut server = Scripted::old().await;
    let client = Client::start_with(&server.url, "http", &[], &json!({"http1": true}));
    let opening = server.posted("initialize").await;
    assert_eq!(opening.version, Version::HTTP_11);
    open(opening, &[]);
    assert_eq!(server.asked_to(Method::GET).await.version, Version::HTTP_11);
    drop(client);
}

/// And over it, each message is heard once.
#[tokio::test]
async fn rules_32_and_40_auto_prefers_a_websocket() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "auto", &["hi"]);
    let mut socket = server.asked().await.upgrade(&[("acp-connection-id", "c-1")]).await;
    for result in [
        json!({"protocolVersion": 1, "authMethods": [{"id": "none", "name": "None"}]}),
        json!({}),
        json!({"sessionId": "s-1"}),
        json!({"stopReason": "end_turn"}),
    ] {
        let asked = socket.message().await.expect("the client goes on");
        if asked["method"] == "session/prompt" {
            socket.send(&update("s-1")).await;
        }
        socket.send(&self::result(&asked, result)).await;
    }
    assert_eq!(socket.message().await, None, "it is closed in order");
    let mut last = Value::Null;
    while let Some(report) = client.step().await {
        last = report;
    }
    assert_eq!((&last["step"], &last["updates"]), (&json!("session/prompt"), &json!(1)), "{last}");
    assert_eq!(client.ended().await, Some(0), "{}", client.said());
    assert!(server.is_asked().is_none());
}

#[tokio::test]
async fn rule_28_a_client_passes_over_what_is_binary() {
    let mut server = Scripted::start().await;
    let client = Client::start(&server.url, "websocket", &[]);
    let mut socket = server.asked().await.upgrade(&[("acp-connection-id", "c-1")]).await;
    let asked = socket.message().await.unwrap();
    let answer = json!({"protocolVersion": 1, "authMethods": [{"id": "none", "name": "None"}]});
    let answer = result(&asked, answer);
    socket.send_bytes(&answer).await;
    let said = tokio::time::timeout(std::time::Duration::from_millis(300), socket.message()).await;
    assert!(said.is_err(), "{said:?}");
    socket.send(&answer).await;
    assert_eq!(socket.message().await.unwrap()["method"], "authenticate");
    drop(client);
}

#[tokio::test]
async fn rule_32_auto_falls_back_to_http() {
    for status in [404, 405, 426, 501] {
        let mut server = Scripted::start().await;
        let client = Client::start(&server.url, "auto", &[]);
        let asked = server.asked().await;
        assert!(asked.is_upgrade());
        asked.answer(status, &[], "");
        server.posted("initialize").await;
        drop(client);
    }
}

#[tokio::test]
async fn rule_32_auto_takes_a_refusal_for_what_it_is() {
    for status in [401, 403] {
        let mut server = Scripted::start().await;
        let mut client = Client::start(&server.url, "auto", &[]);
        server.asked().await.answer(status, &[], "");
        assert_ne!(client.ended().await, Some(0));
        assert!(server.is_asked().is_none());
    }
}

#[tokio::test]
async fn rule_33_cookies() {
    let mut server = Scripted::start().await;
    let client = Client::start(&server.url, "auto", &[]);
    // The handshake's are kept, too.
    let upgrade = server.asked().await;
    assert_eq!(upgrade.cookies(), [""; 0]);
    upgrade.answer(404, &[("set-cookie", "first=1; Path=/; HttpOnly")], "");
    let opening = server.posted("initialize").await;
    assert_eq!(opening.cookies(), ["first=1"]);
    let cookies = [
        ("set-cookie", "here=2; Path=/acp"),
        ("set-cookie", "elsewhere=3; Path=/other"),
        ("set-cookie", "over=4; Max-Age=0"),
        ("set-cookie", "foreign=5; Domain=example.org"),
        ("set-cookie", "first=6; Path=/"),
        ("set-cookie", "near=7; Path=/ac"),
    ];
    open(opening, &cookies);
    let get = server.asked_to(Method::GET).await;
    assert_eq!(get.cookies(), ["first=6", "here=2"]);
    let _stream = get.stream();
    assert_eq!(server.posted("authenticate").await.cookies(), ["first=6", "here=2"]);
    drop(client);
}

#[tokio::test]
async fn rule_33_cookies_for_tls_alone_and_for_a_time() {
    let mut server = Scripted::start().await;
    // By its usual name, this machine counts as secure to some.
    let url = server.url.replacen("127.0.0.1", "0.0.0.0", 1);
    let client = Client::start(&url, "http", &[]);
    let cookies = [
        ("set-cookie", "secure=1; Path=/; Secure"),
        ("set-cookie", "past=2; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
        ("set-cookie", "short=3; Path=/; Max-Age=1"),
        ("set-cookie", "long=4; Path=/; Max-Age=1000"),
        ("set-cookie", "future=5; Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT"),
    ];
    open(server.posted("initialize").await, &cookies);
    let get = server.asked_to(Method::GET).await;
    let sent = get.cookies();
    let of_no_use = |it: &String| it.starts_with("secure") || it.starts_with("past");
    assert!(!sent.iter().any(of_no_use), "{sent:?}");
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    let stream = get.stream();
    let authenticate = server.posted("authenticate").await;
    assert_eq!(authenticate.cookies(), ["future=5", "long=4"]);
    drop((client, stream));
}

#[tokio::test]
async fn rule_33_cookies_for_tls_alone_are_sent_over_tls() {
    let mut server = Secure::start().await;
    let client = Client::trusting(&server.url, "auto", &Secure::authority());
    let upgrade = server.asked().await;
    assert!(upgrade.head.contains("upgrade: websocket"), "{}", upgrade.head);
    upgrade.answer(404, "set-cookie: safe=1; Path=/; Secure").await;
    let opening = server.asked().await;
    assert!(opening.head.starts_with("post /acp"), "{}", opening.head);
    assert!(opening.head.contains("cookie: safe=1\r\n"), "{}", opening.head);
    drop(client);
}
