//! Rules 30 and 39, and who may come in.

use std::collections::BTreeSet;

use hyper::{Method, StatusCode};
use judge::{Agent, Http, Opened, Socket, initialize, open};
use serde_json::json;

#[tokio::test]
async fn rule_30_a_foreign_origin_over_http() {
    let agent = Agent::start(json!({})).await;
    let http = Http::two(&agent);
    let foreign = ("origin", "https://evil.example");
    let answer = http.post(&[foreign], &initialize()).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(answer.header("access-control-allow-origin").is_none());
    answer.error().await;
    let opened = open(&agent).await;
    let headers = [foreign, ("acp-connection-id", opened.id.as_str())];
    assert_eq!(http.get(&headers).await.status, StatusCode::FORBIDDEN);
    assert_eq!(http.send(Method::DELETE, &headers, "").await.status, StatusCode::FORBIDDEN);
    assert_eq!(http.send(Method::OPTIONS, &[foreign], "").await.status, StatusCode::FORBIDDEN);
    let preflight = [foreign, ("access-control-request-method", "POST")];
    assert_eq!(http.send(Method::OPTIONS, &preflight, "").await.status, StatusCode::FORBIDDEN);
    // The same port is no home.
    let port = agent.address.rsplit(':').next().unwrap();
    let near = format!("http://evil.example:{port}");
    let answer = http.post(&[("origin", &near)], &initialize()).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    // A page that the same server gave is no stranger.
    let own = format!("http://{}", agent.address);
    assert_eq!(http.post(&[("origin", &own)], &initialize()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn rule_30_all_origins_are_allowed() {
    let agent = Agent::start(json!({"origins": ["*"]})).await;
    let origin = ("origin", "https://editor.example");
    let answer = Http::two(&agent).post(&[origin], &initialize()).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(Socket::connect(&agent, &[origin]).await.is_ok());
}

#[tokio::test]
async fn an_allowed_origin_may_read_the_answers() {
    let agent = Agent::start(json!({"origins": ["https://editor.example"]})).await;
    let http = Http::two(&agent);
    let origin = ("origin", "https://editor.example");
    let preflight = [
        origin,
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "acp-session-id, authorization"),
    ];
    let answer = http.send(Method::OPTIONS, &preflight, "").await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://editor.example"));
    assert_eq!(answer.header("access-control-allow-credentials"), Some("true"));
    assert!(answer.header("access-control-allow-methods").unwrap().contains("DELETE"));
    let allowed = answer.header("access-control-allow-headers").unwrap().to_lowercase();
    for name in [
        "content-type",
        "acp-connection-id",
        "acp-session-id",
        "acp-protocol-version",
        "authorization",
    ] {
        assert!(allowed.contains(name), "{name}: {allowed}");
    }
    let answer = http.post(&[origin], &initialize()).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://editor.example"));
    let exposed = answer.header("access-control-expose-headers").unwrap().to_lowercase();
    assert!(exposed.contains("acp-connection-id"), "{exposed}");
    assert!(answer.header("vary").unwrap_or_default().to_lowercase().contains("origin"));
}

#[tokio::test]
async fn the_hook_refuses() {
    let agent = Agent::start(json!({"token": "secret"})).await;
    let http = Http::two(&agent);
    let answer = http.post(&[], &initialize()).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert!(answer.header("www-authenticate").is_some());
    assert!(answer.header("acp-connection-id").is_none());
    answer.error().await;
    let answer = http.post(&[("authorization", "Bearer forbidden")], &initialize()).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert_eq!(Socket::connect(&agent, &[]).await.err(), Some(401));
    let forbidden = [("authorization", "Bearer forbidden")];
    assert_eq!(Socket::connect(&agent, &forbidden).await.err(), Some(403));
    let secret = [("authorization", "Bearer secret")];
    assert!(Socket::connect(&agent, &secret).await.is_ok());
    let opened = Opened::over(http, &secret).await;
    // Each request is looked at.
    assert_eq!(opened.get(None).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(opened.delete().await.status, StatusCode::UNAUTHORIZED);
}

/// Whoever else knows its id is told that there is none.
#[tokio::test]
async fn rule_40_a_connection_is_for_who_opened_it() {
    let agent = Agent::start(json!({"token": "secret"})).await;
    let ada = ("authorization", "Bearer secret:ada");
    let opened = Opened::over(Http::two(&agent), &[ada]).await;
    let id = ("acp-connection-id", opened.id.as_str());
    for other in ["Bearer secret:bob", "Bearer secret"] {
        let headers = [("authorization", other), id];
        let echo = judge::request(1, "_echo", json!({}));
        assert_eq!(opened.http.post(&headers, &echo).await.status, StatusCode::NOT_FOUND);
        assert_eq!(opened.http.get(&headers).await.status, StatusCode::NOT_FOUND);
        let answer = opened.http.send(Method::DELETE, &headers, "").await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(opened.http.get(&[ada, id]).await.status, StatusCode::OK);
}

#[tokio::test]
async fn rule_39_ids_are_long_and_kept_secret() {
    let agent = Agent::start(json!({})).await;
    let mut ids = Vec::new();
    for _ in 0..20 {
        let opened = open(&agent).await;
        opened.delete().await;
        assert_eq!(opened.get(None).await.status, StatusCode::NOT_FOUND);
        ids.push(opened.id);
    }
    for _ in 0..20 {
        let mut socket = Socket::open(&agent).await;
        ids.push(socket.headers["acp-connection-id"].to_str().unwrap().to_owned());
        socket.close(1000).await;
    }
    agent.says_times("connection ended", 40).await;
    let said = agent.said();
    assert!(ids.iter().all(|id| !said.contains(id)), "{said}");
    // How many bits a character has.
    let is_hex = ids.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let bits = if is_hex { 4 } else { 6 };
    for id in &ids {
        assert!(bits * id.len() >= 128, "128 bits or more: {id}");
    }
    // No part of them is a count, or the time: nobody can guess one from another.
    for quarter in 0..4 {
        let part =
            |id: &String| id[id.len() * quarter / 4..id.len() * (quarter + 1) / 4].to_owned();
        let parts: BTreeSet<_> = ids.iter().map(part).collect();
        assert_eq!(parts.len(), 40, "{parts:?}");
    }
}

#[tokio::test]
async fn rule_39_all_of_an_id_counts() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    for at in [0, opened.id.len() / 2, opened.id.len() - 1] {
        let mut id = opened.id.clone();
        let other = if id[at..].starts_with('0') { "1" } else { "0" };
        id.replace_range(at..=at, other);
        let answer = opened.http.get(&[("acp-connection-id", &id)]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "the character {at} does not matter");
    }
    assert_eq!(opened.get(None).await.status, StatusCode::OK);
}
