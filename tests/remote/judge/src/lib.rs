//! What the tests of the contract share: the programs under test, and raw ends of connections.

mod events;
mod http;
mod program;
mod proxy;
mod raw;
mod scripted;
mod secure;
mod socket;

pub use events::{Event, Events};
pub use http::{Answer, Http, Opened, open};
pub use program::{Agent, Client, Server};
pub use proxy::Proxy;
pub use raw::Raw;
pub use scripted::{Asked, Scripted, Stream, Upgraded};
pub use secure::{Heard, Secure};
pub use socket::{Frame, Socket};

use std::future::Future;
use std::time::Duration;

use serde_json::{Value, json};

/// How long nothing may happen. A net for what hangs, never a measure: it is far longer than
/// anything takes, on a machine that does a lot beside it, too.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// Waits for something that has to happen.
///
/// # Panics
///
/// If it does not.
pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, future).await {
        Ok(value) => value,
        Err(_) => panic!("{what}: nothing happens"),
    }
}

/// A request.
pub fn request(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A request with the id 1 that has so many bytes, and is answered with as many or more.
pub fn of_length(bytes: usize) -> Value {
    let bare = request(1, "_echo", json!({"x": ""})).to_string();
    request(1, "_echo", json!({"x": "y".repeat(bytes - bare.len())}))
}

/// The request that opens a connection, with the id 0.
pub fn initialize() -> Value {
    request(0, "initialize", json!({"protocolVersion": 1}))
}

/// A prompt of a session.
pub fn prompt(id: u64, session: &str, text: &str) -> Value {
    let prompt = json!([{"type": "text", "text": text}]);
    request(id, "session/prompt", json!({"sessionId": session, "prompt": prompt}))
}

/// The request that opens a new session.
pub fn new_session(id: u64) -> Value {
    request(id, "session/new", json!({"cwd": "/", "mcpServers": []}))
}

/// The request that opens a session again.
pub fn load(id: u64, session: &str, folder: &str) -> Value {
    request(id, "session/load", json!({"sessionId": session, "cwd": folder, "mcpServers": []}))
}

/// The text of an update, if the message is one.
pub fn text_of(message: &Value) -> Option<&str> {
    message["params"]["update"]["content"]["text"].as_str()
}
