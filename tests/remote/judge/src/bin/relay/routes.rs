//! Which stream a message of the agent belongs to.

use std::collections::HashMap;

use serde_json::Value;

/// The methods that open a session, or open one again: what answers them comes on the stream of the
/// connection.
const OPENING: [&str; 4] = ["session/new", "session/load", "session/resume", "session/fork"];

/// Where the client sent its requests from.
#[derive(Default)]
pub struct Routes(HashMap<String, Option<String>>);

impl Routes {
    /// Remembers a message of the client, which it sent from a session or from none.
    pub fn ask(&mut self, message: &Value, session: Option<&str>) {
        let opens = message["method"].as_str().is_some_and(|it| OPENING.contains(&it));
        let session = session.filter(|_| !opens).map(str::to_owned);
        if let Some(id) = message.get("id") {
            self.0.insert(id.to_string(), session);
        }
    }

    /// The session on whose stream a message of the agent goes, or none for that of the connection.
    pub fn of(&self, message: &Value) -> Option<String> {
        if let Value::Array(messages) = message {
            return messages.iter().find_map(|it| self.of(it));
        }
        let is_response = message.get("method").is_none();
        match message.get("id") {
            Some(id) if is_response => self.0.get(&id.to_string())?.clone(),
            _ => session(message).map(str::to_owned),
        }
    }
}

/// The session that a message's params name.
pub fn session(message: &Value) -> Option<&str> {
    message["params"]["sessionId"].as_str()
}
