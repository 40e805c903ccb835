//! A client over HTTP whose server fails at a stage of a turn.

use hyper::Method;
use judge::{Asked, Client, Scripted, Stream};
use serde_json::{Value, json};

use super::{all, ends_in_order, fails, never, on_its_way, read, update};
use crate::client::{open, result};

/// How far the conversation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The opening is not answered.
    Opening,
    /// The connection's stream is asked for.
    Listening,
    /// A call of the connection waits for its answer.
    Opened,
    /// A session is about to be opened.
    Creating,
    /// A session is about to be opened again: its stream has an update.
    Loading,
    /// Nothing happens in a session.
    Idle,
    /// A prompt is not accepted.
    Posted,
    /// A prompt has updates.
    Running,
    /// The client has a question.
    Asked,
    /// The client's answer is not accepted.
    Answering,
    /// The client's answer is accepted, and nothing comes of it.
    Answered,
    /// The connection is about to be closed.
    Closing,
}

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The connections of TCP are closed.
    Cut,
    /// They are reset, and nobody listens any more.
    Dead,
    /// The session's stream ends.
    SessionEnds,
    /// The connection's stream ends.
    ConnectionEnds,
    /// The stream of the last call's answer ends within an event.
    HalfEvent,
    /// It is cut off there.
    HalfEventCut,
    /// An answer is cut off within its body.
    HalfBody,
    /// It is reset there.
    HalfBodyReset,
    /// The message is refused.
    Refused,
    /// There is no answer.
    Silence,
}

use Fault::{
    ConnectionEnds, Cut, Dead, HalfBody, HalfBodyReset, HalfEvent, HalfEventCut, Refused,
    SessionEnds, Silence,
};

/// What says that a connection was lost, and which part of it.
const LOST: &[&str] = &["connection lost"];
const STREAM: &[&str] = &["stream"];

/// Groups of words, of each of which one is said.
type Words = &'static [&'static [&'static str]];

/// Which call of the client fails, and what it says.
fn table() -> Vec<(Stage, &'static [Fault], &'static str, Words)> {
    let new = "session/new";
    let prompt = "session/prompt";
    let stream: Words = &[LOST, STREAM];
    // Whichever is lost first.
    let any: Words = &[LOST, &["stream", "request"]];
    let cut: &'static [Fault] = &[Cut, Dead];
    vec![
        (Stage::Opening, &[Cut, Dead, HalfBody, HalfBodyReset], "initialize", any),
        (Stage::Listening, cut, "initialize", any),
        (Stage::Listening, &[Refused], "initialize", &[&["500"], &["not today"]]),
        (Stage::Opened, cut, "authenticate", any),
        (Stage::Opened, &[ConnectionEnds, HalfEvent, HalfEventCut], "authenticate", stream),
        (Stage::Creating, cut, new, any),
        (Stage::Creating, &[ConnectionEnds, HalfEvent, HalfEventCut], new, stream),
        (Stage::Loading, cut, "session/load", any),
        (Stage::Loading, &[SessionEnds, ConnectionEnds, HalfEvent], "session/load", stream),
        (Stage::Idle, cut, "closed", stream),
        (Stage::Idle, &[ConnectionEnds], "closed", stream),
        (Stage::Posted, cut, prompt, any),
        (Stage::Posted, &[SessionEnds, ConnectionEnds], prompt, stream),
        (Stage::Posted, &[Refused], prompt, &[&["500"], &["not today"]]),
        (Stage::Running, cut, prompt, any),
        (Stage::Running, &[SessionEnds, ConnectionEnds, HalfEvent, HalfEventCut], prompt, stream),
        (Stage::Asked, cut, prompt, any),
        (Stage::Asked, &[SessionEnds, ConnectionEnds], prompt, stream),
        (Stage::Answering, cut, prompt, any),
        (Stage::Answering, &[SessionEnds, ConnectionEnds], prompt, stream),
        (Stage::Answered, &[Cut], prompt, any),
        (Stage::Answered, &[SessionEnds, HalfEvent], prompt, stream),
        (Stage::Closing, &[Cut, Dead, Silence, Refused], "", &[]),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_over_http_fails() {
    let pairs = table().into_iter().flat_map(|(stage, faults, step, words)| {
        let one = move |fault: &Fault| {
            let fault = *fault;
            (format!("{stage:?}, {fault:?}"), run(stage, fault, step, words))
        };
        faults.iter().map(one)
    });
    all(pairs).await;
}

/// A conversation at a stage.
struct Scene {
    server: Scripted,
    client: Client,
    stream: Option<Stream>,
    session: Option<Stream>,
    /// A request that has no answer.
    held: Option<Asked>,
    /// The answer that comes next, and whether it is the session's.
    next: (Value, bool),
}

async fn run(stage: Stage, fault: Fault, step: &'static str, words: Words) {
    let mut scene = Scene::at(stage, matches!(fault, Dead | HalfBodyReset)).await;
    scene.fail(fault).await;
    let Scene { mut server, mut client, .. } = scene;
    let answering = async move {
        while let Some(asked) = server.asked_at_last().await {
            let is_end = asked.method == Method::DELETE;
            let is_post = asked.method == Method::POST;
            let body = asked.body.clone();
            let message: Value = serde_json::from_str(&body).unwrap_or_default();
            // What a client answers may still be on its way.
            let is_answer = is_post && message.get("method").is_none();
            // A session that was lost takes no other one along.
            let is_next = (stage, fault) == (Stage::Loading, SessionEnds)
                && message["method"] == "session/new";
            if !is_end && !is_answer && !is_next {
                return format!("it goes on: {} {body}", asked.method);
            }
            asked.answer(if is_next { 500 } else { 202 }, &[], "");
        }
        std::future::pending().await
    };
    let judged = async {
        if stage == Stage::Closing {
            ends_in_order(&mut client).await;
        } else {
            fails(&mut client, step, words).await;
        }
        if stage == Stage::Asked {
            let said = client.said();
            assert!(said.contains("cancelled session/request_permission"), "{said}");
        }
    };
    tokio::select! {
        () = judged => {}
        wrong = answering => panic!("{wrong}"),
    }
}

impl Scene {
    async fn at(stage: Stage, is_abrupt: bool) -> Self {
        let mut server = if is_abrupt { Scripted::abrupt().await } else { Scripted::start().await };
        let client = match stage {
            Stage::Loading => Client::load(&server.url, "http", "s-1", &[]),
            Stage::Idle => Client::start(&server.url, "http", &["hi", "idle"]),
            Stage::Closing => Client::start(&server.url, "http", &[]),
            _ => Client::start(&server.url, "http", &["hi"]),
        };
        let opening = server.posted("initialize").await;
        let next = (Value::Null, false);
        let mut scene =
            Self { server, client, stream: None, session: None, held: Some(opening), next };
        scene.reach(stage).await;
        scene
    }

    /// Goes on up to a stage.
    async fn reach(&mut self, stage: Stage) {
        let server = &mut self.server;
        if stage == Stage::Opening {
            return;
        }
        open(self.held.take().unwrap(), &[]);
        let get = server.asked_to(Method::GET).await;
        if stage == Stage::Listening {
            self.held = Some(get);
            return;
        }
        let stream = self.stream.insert(get.stream());
        let authenticate = server.posted("authenticate").await;
        self.next = (result(&authenticate.message(), json!({})), false);
        authenticate.accept();
        if stage == Stage::Opened {
            return;
        }
        stream.send(&self.next.0);
        if stage == Stage::Loading {
            return self.load().await;
        }
        let new = server.posted("session/new").await;
        self.next = (result(&new.message(), json!({"sessionId": "s-1"})), false);
        new.accept();
        if stage == Stage::Creating {
            return;
        }
        stream.send(&self.next.0);
        let session = self.session.insert(server.asked_to(Method::GET).await.stream());
        if stage == Stage::Closing {
            self.held = Some(server.asked_to(Method::DELETE).await);
            return;
        }
        let prompt = server.posted("session/prompt").await;
        self.next = (result(&prompt.message(), json!({"stopReason": "end_turn"})), true);
        if stage == Stage::Posted {
            self.held = Some(prompt);
            return;
        }
        prompt.accept();
        match stage {
            Stage::Idle => {
                session.send(&self.next.0);
                while self.client.step().await.unwrap()["step"] != "session/prompt" {}
            }
            Stage::Asked => {
                session.send(&never(7));
                self.client.says("asked session/request_permission").await;
            }
            Stage::Answering | Stage::Answered => {
                session.send(&read(7));
                let answer = server.asked_to(Method::POST).await;
                assert_eq!(answer.message()["id"], 7, "{}", answer.body);
                if stage == Stage::Answering {
                    self.held = Some(answer);
                } else {
                    answer.accept();
                }
            }
            _ => (0..3).for_each(|_| session.send(&update("s-1"))),
        }
    }

    async fn load(&mut self) {
        // Either comes first.
        let (one, other) = (self.server.asked().await, self.server.asked().await);
        let (get, load) = if one.method == Method::GET { (one, other) } else { (other, one) };
        self.session.insert(get.stream()).send(&update("s-1"));
        self.next = (result(&load.message(), json!({})), false);
        load.accept();
    }

    async fn fail(&mut self, fault: Fault) {
        let half = format!("data: {}", self.next.0);
        let half = &half[..half.len() / 2];
        let of_session = self.next.1;
        match fault {
            Cut => self.server.cut(),
            Dead => self.server.die(),
            SessionEnds => self.session = None,
            ConnectionEnds => self.stream = None,
            HalfEvent | HalfEventCut => {
                let stream = if of_session { &mut self.session } else { &mut self.stream };
                stream.as_ref().unwrap().text(half);
                if fault == HalfEvent {
                    *stream = None;
                } else {
                    on_its_way().await;
                    self.server.cut();
                }
            }
            HalfBody | HalfBodyReset => {
                let length = ("content-length", "1000");
                let headers = [("content-type", "application/json"), length];
                let body = self.held.take().unwrap().begin(200, &headers);
                body.text("{\"jsonrpc\":");
                on_its_way().await;
                self.server.cut();
            }
            Refused => self.held.take().unwrap().answer(500, &[], "not today"),
            Silence => {}
        }
    }
}
