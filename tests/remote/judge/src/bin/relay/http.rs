//! Over HTTP.

use std::collections::HashMap;
use std::process::ExitStatus;

use judge::{Asked, Scripted, Stream};
use serde_json::{Value, json};
use tokio::process::Child;

use crate::agent::Agent;
use crate::routes::{Routes, session};

/// The header that names the connection, and what it is.
const CONNECTION: (&str, &str) = ("acp-connection-id", "the only one");

/// The header that names a session.
const SESSION: &str = "acp-session-id";

/// Hands messages on until the client ends.
pub async fn stand_between(mut server: Scripted, mut client: Child, agent: Agent) -> ExitStatus {
    let mut relay = Relay {
        agent,
        routes: Routes::default(),
        streams: HashMap::new(),
        opening: None,
        is_open: false,
    };
    loop {
        tokio::select! {
            biased;
            asked = server.asked_at_last() => {
                relay.take(asked.expect("it listens")).await;
            }
            line = relay.agent.line(), if relay.agent.is_open => {
                relay.send(&line);
                if !relay.agent.is_open {
                    relay.end("the agent has ended");
                }
            }
            status = client.wait() => return status.expect("it can be waited for"),
        }
    }
}

/// The only connection, and whoever plays its agent.
struct Relay {
    agent: Agent,
    routes: Routes,
    /// Those of the sessions, and that of the connection.
    streams: HashMap<Option<String>, Outlet>,
    /// The request that opens the connection, and its id, until it is answered.
    opening: Option<(String, Asked)>,
    is_open: bool,
}

/// A stream, or what waits for it.
enum Outlet {
    Waiting(String),
    Open(Stream),
}

impl Relay {
    async fn take(&mut self, asked: Asked) {
        match asked.method.as_str() {
            "POST" => self.post(asked).await,
            "GET" => self.get(asked),
            "DELETE" => match self.refusal(&asked) {
                Some((status, why)) => refuse(asked, status, why),
                None => {
                    self.end("the client closed the connection");
                    self.agent.close();
                    asked.accept();
                }
            },
            _ => refuse(asked, 405, "the methods are POST, GET and DELETE"),
        }
    }

    /// Why a request has no connection, if it has none.
    fn refusal(&self, asked: &Asked) -> Option<(u16, &'static str)> {
        match asked.header(CONNECTION.0) {
            None => Some((400, "there is no connection header")),
            Some(id) if self.is_open && id == CONNECTION.1 => None,
            Some(_) => Some((404, "there is no such connection")),
        }
    }

    async fn post(&mut self, asked: Asked) {
        let message = asked.message();
        if message.is_array() {
            return refuse(asked, 501, "there are no batches over HTTP");
        }
        let is_opening = message["method"] == "initialize" && !self.is_open;
        if is_opening && !self.agent.is_open {
            return refuse(asked, 503, "the agent has ended");
        }
        if is_opening && self.opening.is_none() {
            self.agent.give(&asked.body).await;
            self.opening = Some((message["id"].to_string(), asked));
            return;
        }
        if let Some((status, why)) = self.refusal(&asked) {
            return refuse(asked, status, why);
        }
        let header = asked.header(SESSION);
        if session(&message).is_some_and(|session| header != Some(session)) {
            return refuse(asked, 400, "the session is not that of the header");
        }
        self.routes.ask(&message, header);
        self.agent.give(&asked.body).await;
        asked.accept();
    }

    /// Gives a stream what has waited for it.
    fn get(&mut self, asked: Asked) {
        if let Some((status, why)) = self.refusal(&asked) {
            return refuse(asked, status, why);
        }
        let key = asked.header(SESSION).map(str::to_owned);
        let waiting = match self.streams.remove(&key) {
            Some(Outlet::Open(stream)) => {
                self.streams.insert(key, Outlet::Open(stream));
                return refuse(asked, 409, "somebody else reads this stream");
            }
            Some(Outlet::Waiting(text)) => text,
            None => String::new(),
        };
        let stream = asked.stream();
        stream.text(&waiting);
        self.streams.insert(key, Outlet::Open(stream));
    }

    /// Sends a line of the agent where it belongs. What is no message goes to the connection's
    /// stream, and a blank line is one there, too.
    fn send(&mut self, line: &str) {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        let id = message.get("id").map(Value::to_string);
        if let Some((_, asked)) =
            self.opening.take_if(|(opening, _)| Some(&*opening) == id.as_ref())
        {
            let is_good = message.get("error").is_none();
            self.is_open = is_good;
            let kind = ("content-type", "application/json");
            let headers = if is_good { vec![kind, CONNECTION] } else { vec![kind] };
            return asked.answer(200, &headers, line);
        }
        let text = if line.is_empty() { "\n".to_owned() } else { format!("data: {line}\n\n") };
        let outlet = self.streams.entry(self.routes.of(&message));
        match outlet.or_insert_with(|| Outlet::Waiting(String::new())) {
            Outlet::Waiting(waiting) => waiting.push_str(&text),
            Outlet::Open(stream) => stream.text(&text),
        }
    }

    /// Ends the streams, those of the sessions first.
    fn end(&mut self, why: &str) {
        self.is_open = false;
        if let Some((_, asked)) = self.opening.take() {
            refuse(asked, 503, why);
        }
        let last = self.streams.remove(&None);
        self.streams.clear();
        drop(last);
    }
}

/// Answers with an error.
fn refuse(asked: Asked, status: u16, why: &str) {
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": why}});
    asked.answer(status, &[("content-type", "application/json")], &error.to_string());
}
