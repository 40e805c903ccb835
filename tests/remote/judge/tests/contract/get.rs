//! Rules 13 to 21: event streams.

use std::time::{Duration, Instant};

use hyper::{Method, StatusCode};
use judge::{Agent, Event, Http, load, open, prompt, request, text_of};
use serde_json::{Value, json};
use tokio::time::timeout;

#[tokio::test]
async fn rule_13_what_takes_no_events() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let named = ("acp-connection-id", opened.id.as_str());
    let kinds =
        ["application/json", "text/html, application/json", "text/event-streams", "text/*", "*/*"];
    for accept in kinds.map(Some).into_iter().chain([None]) {
        let headers = accept.map(|it| ("accept", it)).into_iter().chain([named]);
        let headers: Vec<_> = headers.collect();
        let answer = opened.http.send(Method::GET, &headers, "").await;
        assert_eq!(answer.status, StatusCode::NOT_ACCEPTABLE, "{accept:?}");
        answer.error().await;
    }
    let accept = "application/json, Text/Event-Stream; q=0.9";
    let headers = [("accept", accept), named];
    assert_eq!(opened.http.send(Method::GET, &headers, "").await.status, StatusCode::OK);
}

#[tokio::test]
async fn rule_14_a_stream_of_no_connection() {
    let agent = Agent::start(json!({})).await;
    open(&agent).await;
    let answer = Http::two(&agent).get(&[]).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.error().await.to_lowercase().contains("acp-connection-id"));
}

#[tokio::test]
async fn rule_15_a_stream_of_a_connection_that_is_not() {
    let agent = Agent::start(json!({})).await;
    open(&agent).await;
    let answer = Http::two(&agent).get(&[("acp-connection-id", "0123")]).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    answer.error().await;
}

#[tokio::test]
async fn rule_16_a_session_that_is_not_known() {
    let agent = Agent::start(json!({"limits": {"sessionWait": 0.2}})).await;
    let opened = open(&agent).await;
    // The default is 10 s.
    let answer = timeout(Duration::from_secs(8), opened.get(Some("s1"))).await;
    let answer = answer.expect("the wait can be set");
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    answer.error().await;
    // Nor is one of another connection.
    let other = open(&agent).await;
    let mut stream = other.stream().await;
    let session = other.new_session(1, &mut stream).await;
    assert_eq!(opened.get(Some(&session)).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn rule_16_a_session_is_known_while_it_is_loaded() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    // The reader is there before the session is.
    let (mut events, ()) =
        tokio::join!(opened.session("s7"), opened.send_after(load(1, "s7", "/replay/3")));
    for text in ["0", "1", "2"] {
        assert_eq!(text_of(&events.message().await.unwrap()), Some(text));
    }
    let (answer, after) = stream.message_after().await.unwrap();
    assert_eq!((&answer["id"], after), (&json!(1), Some(3)), "{answer}");
}

#[tokio::test]
async fn rule_16_a_session_has_a_reader_before_it_is_loaded() {
    // It is not the end of the wait that gives the stream.
    let agent = Agent::start(json!({"limits": {"sessionWait": 600}})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    // What loads it waits for the answer of the reader, who came before.
    let (mut events, ()) =
        tokio::join!(opened.session("s7"), opened.send_after(load(1, "s7", "/ask")));
    let asked = events.message().await.unwrap();
    assert_eq!(asked["method"], "session/request_permission");
    let outcome = json!({"outcome": "selected", "optionId": "yes"});
    let result = json!({"outcome": outcome});
    opened.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result})).await;
    let answer = stream.message().await.unwrap();
    assert_eq!((&answer["id"], answer.get("error")), (&json!(1), None), "{answer}");
}

#[tokio::test]
async fn rule_16_a_session_has_a_reader_before_it_is_new() {
    let agent = Agent::start(json!({"limits": {"sessionWait": 600}})).await;
    let opened = open(&agent).await;
    let (mut events, ()) =
        tokio::join!(opened.session("s1"), opened.send_after(begin(1, "/early")));
    assert_eq!(text_of(&events.message().await.unwrap()), Some("early"));
}

#[tokio::test]
async fn rules_17_and_18_each_message_on_its_stream() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let first = opened.new_session(1, &mut stream).await;
    let second = opened.new_session(2, &mut stream).await;
    let mut of_first = opened.session(&first).await;
    let mut of_second = opened.session(&second).await;
    opened.send(&prompt(3, &second, "updates 2")).await;
    opened.send(&prompt(4, &first, "updates 1")).await;
    opened.send(&request(5, "_echo", json!({"x": 1}))).await;
    for _ in 0..2 {
        let update = of_second.message().await.unwrap();
        assert_eq!(update["params"]["sessionId"], json!(second));
    }
    assert_eq!(of_second.message().await.unwrap()["id"], 3);
    assert_eq!(of_first.message().await.unwrap()["params"]["sessionId"], json!(first));
    assert_eq!(of_first.message().await.unwrap()["id"], 4);
    let echoed = stream.message().await.unwrap();
    assert_eq!((&echoed["id"], &echoed["result"]["echoed"]), (&json!(5), &json!({"x": 1})));
}

#[tokio::test]
async fn rules_17_and_18_what_is_said_of_a_session_before_it_is_known() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    opened.send(&begin(1, "/early")).await;
    let (answer, after) = stream.message_after().await.unwrap();
    assert_eq!((&answer["id"], after), (&json!(1), Some(1)), "{answer}");
    let session = answer["result"]["sessionId"].as_str().unwrap();
    let mut events = opened.session(session).await;
    assert_eq!(text_of(&events.message().await.unwrap()), Some("early"));
}

/// Nobody would ever read it elsewhere.
#[tokio::test]
async fn rules_17_and_18_what_is_said_of_a_session_that_is_refused() {
    let agent = Agent::start(json!({"limits": {"sessionWait": 0.2}})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    opened.send(&begin(1, "/early/refuse")).await;
    let update = stream.message().await.unwrap();
    assert_eq!(text_of(&update), Some("early"), "{update}");
    let answer = stream.message().await.unwrap();
    assert_eq!(answer["id"], 1);
    assert!(answer["error"].is_object(), "{answer}");
    let session = update["params"]["sessionId"].as_str().unwrap();
    assert_eq!(opened.get(Some(session)).await.status, StatusCode::NOT_FOUND);
}

/// Its params and its result name two sessions.
#[tokio::test]
async fn rules_17_and_18_a_session_that_is_opened_in_another() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let first = opened.new_session(1, &mut stream).await;
    let mut of_first = opened.session(&first).await;
    let params = json!({"sessionId": first, "cwd": "/early"});
    opened.send(&request(2, "session/branch", params)).await;
    let (answer, after) = stream.message_after().await.unwrap();
    assert_eq!((&answer["id"], after), (&json!(2), Some(1)), "{answer}");
    let second = answer["result"]["sessionId"].as_str().unwrap();
    assert_ne!(second, first);
    let mut of_second = opened.session(second).await;
    assert_eq!(text_of(&of_second.message().await.unwrap()), Some("early"));
    for (id, session, events) in [(3, second, &mut of_second), (4, &first, &mut of_first)] {
        opened.send(&prompt(id, session, "updates 1")).await;
        assert_eq!(events.message().await.unwrap()["params"]["sessionId"], json!(session));
        assert_eq!(events.message().await.unwrap()["id"], id);
    }
}

/// However well the session is known that its params name.
#[tokio::test]
async fn rules_17_and_18_a_refusal_to_open_a_session() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let _events = opened.session(&session).await;
    let branch = request(3, "session/branch", json!({"sessionId": session, "cwd": "/refuse"}));
    for (id, message) in [(2, load(2, &session, "/refuse")), (3, branch)] {
        opened.send(&message).await;
        let answer = stream.message().await.unwrap();
        assert_eq!(answer["id"], id);
        assert!(answer["error"].is_object(), "{answer}");
    }
}

/// What opens a session in another does not make that one known.
#[tokio::test]
async fn rule_16_a_session_is_not_known_because_another_begins_in_it() {
    let agent = Agent::start(json!({"limits": {"sessionWait": 0.2}})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let params = json!({"sessionId": "s7", "cwd": "/"});
    opened.send(&request(1, "session/branch", params)).await;
    assert_eq!(stream.message().await.unwrap()["id"], 1);
    assert_eq!(opened.get(Some("s7")).await.status, StatusCode::NOT_FOUND);
}

/// Though its params say of no session.
#[tokio::test]
async fn rules_17_and_18_an_answer_comes_where_its_request_was_sent_from() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let mut events = opened.session(&session).await;
    let headers = [("acp-connection-id", opened.id.as_str()), ("acp-session-id", &session)];
    for (id, headers) in [(2, &headers[..]), (3, &headers[..1])] {
        let answer = opened.http.post(headers, &request(id, "_echo", json!({}))).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED);
    }
    assert_eq!(events.message().await.unwrap()["id"], 2);
    assert_eq!(stream.message().await.unwrap()["id"], 3);
    // An error is an answer.
    let answer = opened.http.post(&headers, &request(4, "_none", json!({}))).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED);
    let answer = events.message().await.unwrap();
    assert_eq!((&answer["id"], answer["error"].is_object()), (&json!(4), true), "{answer}");
}

/// They are asked within a session, but their params say of none. Nor are they sent as one.
#[tokio::test]
async fn rules_17_and_18_requests_of_the_connection_on_its_stream() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    opened.send(&prompt(2, &session, "together 2")).await;
    for _ in 0..2 {
        assert_eq!(stream.message().await.unwrap()["method"], "_ask");
    }
}

#[tokio::test]
async fn rule_18_an_answer_comes_where_its_request_was_sent_from() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let mut events = opened.session(&session).await;
    // Its params name no session.
    let headers = [("acp-connection-id", opened.id.as_str()), ("acp-session-id", session.as_str())];
    let answer = opened.http.post(&headers, &request(2, "_echo", json!({}))).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED);
    assert_eq!(events.message().await.unwrap()["id"], 2);
}

/// A request for a session in this folder.
fn begin(id: u64, folder: &str) -> Value {
    request(id, "session/new", json!({"cwd": folder, "mcpServers": []}))
}

#[tokio::test]
async fn rule_19_what_comes_before_a_reader_is_kept() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    opened.send(&judge::new_session(1)).await;
    let mut stream = opened.stream().await;
    let answer = stream.message().await.unwrap();
    let session = answer["result"]["sessionId"].as_str().unwrap().to_owned();
    opened.send(&prompt(2, &session, "later 5")).await;
    // The next one waits for nobody's answer but that of the agent's own task.
    opened.send(&request(3, "_echo", json!({}))).await;
    assert_eq!(stream.message().await.unwrap()["id"], 3);
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let mut events = opened.session(&session).await;
    let mut texts = Vec::new();
    for _ in 0..6 {
        let message = events.message().await.unwrap();
        texts.extend(text_of(&message).map(str::to_owned));
    }
    assert_eq!(texts, ["0", "1", "2", "3", "4"]);
}

#[tokio::test]
async fn rule_19_what_comes_after_a_reader_is_kept_for_the_next() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    drop(opened.session(&session).await);
    // What is given to a reader that leaves is lost.
    tokio::time::sleep(Duration::from_millis(300)).await;
    opened.send(&prompt(2, &session, "updates 2")).await;
    let mut events = opened.session(&session).await;
    for _ in 0..2 {
        assert_eq!(events.message().await.unwrap()["method"], "session/update");
    }
    assert_eq!(events.message().await.unwrap()["id"], 2);
}

#[tokio::test]
async fn rule_20_a_second_reader() {
    let agent = Agent::start(json!({})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let events = opened.session(&session).await;
    for session in [None, Some(session.as_str())] {
        let answer = opened.get(session).await;
        assert_eq!(answer.status, StatusCode::CONFLICT);
        answer.error().await;
    }
    // The first goes on.
    opened.new_session(2, &mut stream).await;
    // Once it is gone, another may read.
    drop(events);
    judge::soon("another reader", async {
        while opened.get(Some(&session)).await.status != StatusCode::OK {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn rule_21_comments_keep_streams_alive() {
    let agent = Agent::start(json!({"limits": {"keepAlive": 0.1}})).await;
    let opened = open(&agent).await;
    let mut stream = opened.stream().await;
    let session = opened.new_session(1, &mut stream).await;
    let mut events = opened.session(&session).await;
    let comments = async {
        for _ in 0..2 {
            assert!(matches!(stream.next().await, Some(Event::Comment(_))));
            assert!(matches!(events.next().await, Some(Event::Comment(_))));
        }
    };
    // The default is every 15 s.
    timeout(Duration::from_secs(10), comments).await.expect("how often they come can be set");
}

/// Nor do they come more often.
#[tokio::test]
async fn rule_21_comments_come_as_often_as_they_are_wanted() {
    let agent = Agent::start(json!({"limits": {"keepAlive": 0.5}})).await;
    let begin = Instant::now();
    let mut stream = open(&agent).await.stream().await;
    for _ in 0..4 {
        assert!(matches!(stream.next().await, Some(Event::Comment(_))));
    }
    // The first may come at once.
    assert!(begin.elapsed() > Duration::from_millis(1300), "{:?}", begin.elapsed());
}
