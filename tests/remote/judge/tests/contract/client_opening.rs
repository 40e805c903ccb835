//! How a connection over a network begins, or does not.

use judge::{Client, Scripted};
use serde_json::json;

use crate::client::result;

/// The client ends without a connection. Gives what it says of that.
pub(super) async fn failed_to_open(client: &mut Client) -> String {
    let report = client.step().await.unwrap_or_default();
    assert_ne!(client.ended().await, Some(0));
    // Where it is connected before the first call, nothing was called.
    let of_call = report["error"]["message"].as_str().map(str::to_owned);
    of_call.unwrap_or_else(|| client.said())
}

#[tokio::test]
async fn an_opening_that_is_refused() {
    let error =
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "too many"}});
    let long = "x".repeat(1000);
    let said = [
        (error.to_string(), ": too many".to_owned()),
        ("no JSON".to_owned(), ": no JSON".to_owned()),
        (long.clone(), format!(": {}", &long[..200])),
        (String::new(), String::new()),
    ];
    for transport in ["http", "websocket"] {
        for (body, why) in &said {
            let mut server = Scripted::start().await;
            let mut client = Client::start(&server.url, transport, &["hi"]);
            let json = [("content-type", "application/json")];
            server.asked().await.answer(503, &json, body);
            let told = failed_to_open(&mut client).await;
            let expected = format!("the server answered with status 503{why}");
            assert!(told.trim_end().ends_with(&expected), "{transport}: {told}");
            assert!(server.is_asked().is_none(), "there is nothing to close");
        }
    }
}

#[tokio::test]
async fn an_opening_that_is_answered_with_no_response() {
    for body in ["", "no JSON"] {
        let mut server = Scripted::start().await;
        let mut client = Client::start(&server.url, "http", &["hi"]);
        let json = [("content-type", "application/json")];
        server.posted("initialize").await.answer(200, &json, body);
        let told = failed_to_open(&mut client).await;
        assert!(told.contains("no response"), "{told}");
        assert!(server.is_asked().is_none(), "there is nothing to close");
    }
}

#[tokio::test]
async fn rule_40_an_opening_that_points_elsewhere() {
    for transport in ["http", "websocket"] {
        let mut elsewhere = Scripted::start().await;
        let mut server = Scripted::start().await;
        let mut client = Client::start(&server.url, transport, &["hi"]);
        server.asked().await.answer(307, &[("location", &elsewhere.url)], "");
        let told = failed_to_open(&mut client).await;
        assert!(told.contains("307"), "{transport}: {told}");
        assert!(elsewhere.is_asked().is_none(), "{transport}");
    }
}

#[tokio::test]
async fn rule_2_an_opening_without_the_id_of_a_connection() {
    let mut server = Scripted::start().await;
    let mut client = Client::start(&server.url, "http", &["hi"]);
    let opening = server.posted("initialize").await;
    let answer = result(&opening.message(), json!({"protocolVersion": 1}));
    opening.answer_json(&[], &answer);
    let told = failed_to_open(&mut client).await;
    assert!(told.to_lowercase().contains("`acp-connection-id`"), "{told}");
    assert!(server.is_asked().is_none(), "there is nothing to close");
}

#[tokio::test]
async fn an_opening_that_is_refused_at_endless_length() {
    for transport in ["http", "websocket"] {
        let mut server = Scripted::start().await;
        let options = json!({"opening": 4.0});
        let mut client = Client::start_with(&server.url, transport, &["hi"], &options);
        let body = server.asked().await.begin(503, &[("content-length", "100")]);
        body.text("half of i");
        let told = failed_to_open(&mut client).await;
        // What opens WebSockets may know of no answer before it is whole.
        let is_told = told.contains("the server answered with status 503: half of i");
        let is_late = transport == "websocket" && told.contains("`opening`");
        assert!(is_told || is_late, "{transport}: {told}");
        assert!(server.is_asked().is_none(), "there is nothing to close");
        drop(body);
    }
}
