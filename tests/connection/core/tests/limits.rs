//! Messages over a limit, of this end or of the peer's.

mod shaky;

use std::fmt::Display;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;

use acp::connection::Options;
use acp::json::Value;
use acp::*;
use serde_json::json;

use shaky::{Shaky, ask, client, observed, poll, said};

#[test]
fn what_is_over_the_limit_is_not_sent() {
    let (options, seen) = observed(Options::new().max_line(1000));
    let mut client = client(options);
    let peer = client.agent();
    let long = Value::from("x".repeat(1000));
    let mut call = peer.ext_method("_long", long.clone());
    let Poll::Ready(Err(error)) = poll(&mut call) else { panic!("it fails at once") };
    assert!(matches!(error, CallError::TooLong { limit: 1000, .. }), "{error:?}");
    assert!(error.to_string().contains("1000"), "{error}");
    let mut notice = peer.ext_notification("_long", long);
    assert!(matches!(poll(&mut notice), Poll::Ready(Err(CallError::TooLong { .. }))));
    let mut batch = peer.batch();
    let call = peer.ext_method("_half", Value::from("x".repeat(600)));
    let mut first = batch.call(call).unwrap();
    let call = peer.ext_method("_half", Value::from("x".repeat(600)));
    let mut second = batch.call(call).unwrap();
    let mut sent = pin!(batch.send());
    assert!(matches!(poll(&mut sent), Poll::Ready(Err(CallError::TooLong { .. }))));
    for answer in [&mut first, &mut second] {
        assert!(matches!(poll(answer), Poll::Ready(Err(CallError::TooLong { .. }))));
    }
    assert!(said(&mut client).is_empty());
    // An answer is, as an error.
    let answers = ask(&mut client, r#"{"id":1,"method":"_long"}"#);
    assert_eq!(answers[0]["error"], json!({"code": -32603, "message": "Internal error"}));
    let answers = ask(&mut client, r#"{"id":1,"method":"_wordy"}"#);
    assert_eq!(answers[0]["error"], json!({"code": -32603, "message": "Internal error"}));
    let answers = ask(&mut client, r#"[{"id":1,"method":"_long"},{"id":2,"method":"_echo","params":[1]}]"#);
    assert_eq!(answers[0][0]["error"]["code"], -32603);
    assert_eq!(answers[0][1]["result"], json!([1]));
    let failed = |method| {
        format!(r#"Failed {{ method: "{method}", error: "an answer over the limit of 1000 bytes" }}"#)
    };
    assert_eq!(*seen.lock().unwrap(), ["_long", "_wordy", "_long"].map(failed));
}

#[test]
fn a_request_over_the_limit_is_answered_with_its_id() {
    let mut client = client(Options::new().max_line(1000));
    let long = "x".repeat(2000);
    for (beginning, id) in [
        (r#"{"id":7,"method":"_x","params":""#, json!(7)),
        (r#"{"jsonrpc":"2.0","method":"_x","id":"a\n","params":""#, json!("a\n")),
        (r#"{"params":{"id":7,"x":""#, Value::Null),
        (r#"{"id":""#, Value::Null),
        (r#"[{"id":7,"params":""#, Value::Null),
    ] {
        let answers = ask(&mut client, &format!("{beginning}{long}"));
        let answer = (&answers[0]["id"], &answers[0]["error"]["code"]);
        assert_eq!(answer, (&id, &json!(-32600)), "{beginning}");
    }
}

#[test]
fn an_answer_over_the_limit_fails_its_call() {
    let mut client = client(Options::new().max_line(1000));
    let mut call = client.agent().ext_method("_x", json!({}));
    assert!(poll(&mut call).is_pending());
    assert_eq!(said(&mut client).len(), 1);
    let line = json!({"id": 0, "result": "x".repeat(2000)}).to_string();
    assert!(ask(&mut client, &line).is_empty());
    let Poll::Ready(Err(error)) = poll(&mut call) else { panic!("it fails") };
    assert!(error.to_string().contains("1000"), "{error}");
}

#[test]
fn what_waits_is_read_on_for_cancellations_but_not_without_end() {
    let options = Options::new().max_requests(1).max_buffered(1000);
    let tasks: Arc<Mutex<Vec<acp::connection::Task>>> = Arc::default();
    let spawned = Arc::clone(&tasks);
    let spawn = move |task| spawned.lock().unwrap().push(task);
    let mut client = ClientSideCore::with_options(Shaky, options, spawn);
    // A call that waits is no reason to hold more.
    let mut call = client.agent().ext_method("_x", json!({}));
    assert!(poll(&mut call).is_pending());
    said(&mut client);
    let params = "x".repeat(1000);
    let stuck = |id: &dyn Display| format!(r#"{{"id":{id},"method":"_stuck","params":"{params}"}}"#);
    let mut last = 0;
    while client.has_space() && last < 1000 {
        last += 1;
        assert!(ask(&mut client, &stuck(&last)).is_empty());
    }
    assert!((40..=64).contains(&last), "{last} are held");
    // Each that is cancelled has an answer, and makes room.
    let cancel = |id: &dyn Display| format!(r#"{{"method":"$/cancel_request","params":{{"requestId":{id}}}}}"#);
    let answers = ask(&mut client, &cancel(&last));
    assert_eq!((&answers[0]["id"], &answers[0]["error"]["code"]), (&json!(last), &json!(-32800)));
    assert!(client.has_space());
    assert!(ask(&mut client, &stuck(&"\"a\\u0062\"")).is_empty());
    assert!(!client.has_space());
    assert_eq!(ask(&mut client, &cancel(&"\"ab\""))[0]["error"]["code"], -32800);
    assert!(client.has_space());
    assert_eq!(tasks.lock().unwrap().len(), 1);
    // What they leave behind is nothing.
    for id in 1000..5000 {
        client.receive(format!("{}\n{}\n", stuck(&id), cancel(&id)).as_bytes());
        assert_eq!(said(&mut client).len(), 1);
        assert!(client.has_space());
    }
}

const NO_ID: &str = r#"{"id":null,"error":{"code":-32600,"message":"no batches"}}"#;

#[test]
fn an_error_without_an_id_is_for_no_call() {
    let (options, seen) = observed(Options::new());
    let mut client = client(options);
    let peer = client.agent();
    let mut batch = peer.batch();
    let mut call = || batch.call(peer.ext_method("_x", json!({}))).unwrap();
    let (mut first, mut second) = (call(), call());
    assert!(poll(&mut pin!(batch.send())).is_ready());
    let mut alone = peer.ext_method("_x", json!({}));
    assert!(poll(&mut alone).is_pending());
    ask(&mut client, NO_ID);
    assert_eq!(*seen.lock().unwrap(), [r#"Unexpected("null")"#]);
    assert!(poll(&mut first).is_pending() && poll(&mut alone).is_pending());
    ask(&mut client, r#"[{"id":1,"result":{}},{"id":0,"result":{}}]"#);
    assert!(poll(&mut first).is_ready() && poll(&mut second).is_ready());
}
