//! Rules 22 to 25: the end of connections, and the version of HTTP.

use hyper::{Method, StatusCode};
use judge::{Agent, Http, Opened, initialize, open, prompt};
use serde_json::json;

#[tokio::test]
async fn rule_22_a_connection_is_closed() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let mut events = opened.session(&session).await;
    opened.send(&prompt(2, &session, "sleep")).await;
    let answer = opened.delete().await;
    assert_eq!(answer.status, StatusCode::ACCEPTED);
    agent.says("cancelled session/prompt").await;
    agent.says("connection ended").await;
    while stream.message().await.is_some() {}
    while events.message().await.is_some() {}
    assert_eq!(opened.post(&prompt(3, &session, "hi")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(opened.get(None).await.status, StatusCode::NOT_FOUND);
    assert_eq!(opened.delete().await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn rule_23_no_connection_is_closed() {
    let agent = Agent::start(json!({})).await;
    open(&agent).await;
    let answer = Http::two(&agent).send(Method::DELETE, &[], "").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.error().await.to_lowercase().contains("acp-connection-id"));
}

#[tokio::test]
async fn rule_24_a_connection_that_is_not_is_closed() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let headers = [("acp-connection-id", "0123")];
    let answer = opened.http.send(Method::DELETE, &headers, "").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    answer.error().await;
    let mut stream = opened.stream().await;
    opened.new_session(1, &mut stream).await;
}

#[tokio::test]
async fn rule_25_http_1_is_refused() {
    let agent = Agent::start(json!({})).await;
    let http = Http::one(&agent);
    let answer = http.post(&[], &initialize()).await;
    assert_eq!(answer.status, StatusCode::HTTP_VERSION_NOT_SUPPORTED);
    answer.error().await;
    // Nor is it spoken on a connection that is open.
    let opened = open(&agent).await;
    let over = Opened { http, id: opened.id.clone() };
    for answer in
        [over.post(&prompt(1, "s1", "hi")).await, over.get(None).await, over.delete().await]
    {
        assert_eq!(answer.status, StatusCode::HTTP_VERSION_NOT_SUPPORTED);
        answer.error().await;
    }
    opened.stream().await;
}

#[tokio::test]
async fn rule_25_http_1_is_served_where_it_is_turned_on() {
    let agent = Agent::start(json!({"http1": true})).await;
    for http in [Http::one(&agent), Http::two(&agent)] {
        let opened = Opened::over(http, &[]).await;
        let mut stream = opened.stream().await;
        let session = opened.new_session(1, &mut stream).await;
        let mut events = opened.session(&session).await;
        opened.send(&prompt(2, &session, "updates 1")).await;
        assert!(events.message().await.unwrap()["params"].is_object());
        assert_eq!(events.message().await.unwrap()["id"], 2);
        assert_eq!(opened.delete().await.status, StatusCode::ACCEPTED);
    }
}

#[tokio::test]
async fn the_program_ends_once_its_turns_are_over() {
    let mut agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let mut events = opened.session(&session).await;
    opened.send(&prompt(2, &session, "sleep")).await;
    agent.drain();
    // A turn that goes on is ended with the time it is given.
    while events.message().await.is_some() {}
    while stream.message().await.is_some() {}
    assert_eq!(agent.ended().await, Some(0));
}
