//! A client for tests of what goes wrong, driven by hand.

use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use acp::connection::{Core, Observed, Options};
use acp::json::Value;
use acp::*;

/// A client that can do things wrong. What it is told to wait for does not come.
pub struct Shaky;

impl Client for Shaky {
    async fn session_update(&self, params: SessionNotification, _: ClientContext) -> Result<()> {
        match params.session_id.to_string().as_str() {
            "panic" => panic!("no update today"),
            "error" => Err(RequestError::unexpected("disk full")),
            "stuck" => std::future::pending().await,
            _ => Ok(()),
        }
    }

    async fn request_permission(
        &self,
        _: RequestPermissionRequest,
        _: ClientContext,
    ) -> Result<RequestPermissionResponse> {
        Err(RequestError::internal_error())
    }

    async fn ext_method(&self, method: String, params: Value, _: ClientContext) -> Result<Value> {
        match method.as_str() {
            "_panic" => panic!("no {params}"),
            "_unexpected" => Err(RequestError::unexpected(io::Error::other("disk full"))),
            "_stuck" => std::future::pending().await,
            "_long" => Ok(Value::from("x".repeat(2000))),
            "_wordy" => Err(RequestError::new(-32000, "x".repeat(2000))),
            _ => Ok(params),
        }
    }
}

/// What is seen, but for the messages themselves.
pub type Seen = Arc<Mutex<Vec<String>>>;

pub fn observed(options: Options) -> (Options, Seen) {
    let seen = Seen::default();
    let noted = Arc::clone(&seen);
    let options = options.observer(move |observed| {
        if !matches!(observed, Observed::Received(_) | Observed::Sent(_)) {
            noted.lock().unwrap().push(format!("{observed:?}"));
        }
    });
    (options, seen)
}

pub fn client(options: Options) -> ClientSideCore {
    ClientSideCore::with_options(Shaky, options, drop)
}

/// What a core says to lines.
pub fn ask(core: &mut Core, lines: &str) -> Vec<Value> {
    core.receive(format!("{lines}\n").as_bytes());
    said(core)
}

pub fn said(core: &mut Core) -> Vec<Value> {
    let mut context = Context::from_waker(Waker::noop());
    let (mut bytes, mut all) = (Vec::new(), Vec::new());
    let _ = core.poll(&mut context);
    while core.take_output(&mut bytes, &context) {
        all.extend_from_slice(&bytes);
        let _ = core.poll(&mut context);
    }
    let text = String::from_utf8(all).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    let mut context = Context::from_waker(Waker::noop());
    pin!(future).poll(&mut context)
}
