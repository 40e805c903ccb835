//! What a handler knows beside its params.

use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;

use super::super::json::Decode;
use super::super::rpc::{RequestError, Result};
use super::running::Running;
use super::{Link, Peer};

/// The message that is being handled, and the connection it came by.
#[derive(Clone)]
pub struct Context {
    peer: Peer,
    running: Option<Arc<Running>>,
}

impl Context {
    pub(super) fn new(link: Arc<Link>, running: Option<Arc<Running>>, origin: Option<u64>) -> Self {
        let peer = Peer::new(link, origin);
        Self { peer, running }
    }

    /// The other end of the connection.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Reads the params of its method.
    pub(super) fn read<P: Decode>(&self, method: &str, params: Option<&str>) -> Result<P> {
        self.peer.link().params(method, params)
    }

    /// The id of the request as JSON, as the peer spelled it. A notification has none.
    pub fn request_id(&self) -> Option<&str> {
        self.running.as_ref().map(|running| running.id.as_str())
    }

    /// Whether the answer is no longer wanted: the peer cancelled the request, or is gone.
    pub fn is_cancelled(&self) -> bool {
        match &self.running {
            Some(running) => running.is_cancelled(),
            None => self.peer.link().lock().is_closing,
        }
    }

    /// Waits until the answer is no longer wanted.
    pub async fn cancelled(&self) {
        poll_fn(|context| match &self.running {
            Some(running) => running.poll_cancelled(context.waker()),
            None => self.peer.link().poll_closing(context),
        })
        .await;
    }

    /// Fails once the answer is no longer wanted.
    ///
    /// # Errors
    ///
    /// -32800.
    pub fn check_cancelled(&self) -> Result<()> {
        if self.is_cancelled() {
            Err(RequestError::request_cancelled())
        } else {
            Ok(())
        }
    }
}

/// The context of no message, with which a test calls a handler. What the handler calls goes to
/// this peer; nothing but the end of the connection cancels it.
impl From<Peer> for Context {
    fn from(peer: Peer) -> Self {
        Self {
            peer,
            running: None,
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Context");
        debug
            .field("request_id", &self.request_id())
            .finish_non_exhaustive()
    }
}
