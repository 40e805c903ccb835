//! The connections of a server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, timeout, timeout_at};

use super::endpoint::Endpoint;
use super::ledger::Ledger;
use super::limits::Limits;
use super::server::refuse;

/// How long connections have to end once they were told to.
const PARTING: Duration = Duration::from_secs(2);

/// What clients are told to wait before they try again.
const RETRY_AFTER: &str = "5";

/// Why connections end when the server does.
const DRAINED: &str = "the server is shutting down";

/// The connections that there are.
#[derive(Debug, Default)]
pub(super) struct Registry {
    state: Mutex<State>,
    left: Notify,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    lives: HashMap<u64, Arc<Life>>,
    is_draining: bool,
}

/// A connection, as far as it can be told to end.
#[derive(Debug)]
pub(super) struct Life {
    pub(super) ledger: Ledger,
    closing: watch::Sender<Option<String>>,
    has_left: watch::Sender<bool>,
}

impl Life {
    /// Ends the connection. The first reason counts.
    pub(super) fn close(&self, reason: impl Into<String>) {
        self.closing.send_if_modified(|closing| {
            let is_first = closing.is_none();
            if is_first {
                *closing = Some(reason.into());
            }
            is_first
        });
    }

    /// Waits until the connection is to end, and says why.
    pub(super) async fn closing(&self) -> String {
        let mut closing = self.closing.subscribe();
        let reason = closing.wait_for(Option::is_some).await;
        // The sender is here, so that waiting does not fail.
        reason
            .ok()
            .and_then(|reason| reason.clone())
            .unwrap_or_default()
    }

    /// Waits until the connection has given its place up.
    pub(super) async fn left(&self) {
        // The sender is here, so that waiting does not fail.
        let _ = self.has_left.subscribe().wait_for(|it| *it).await;
    }
}

/// The place of a connection among all, as long as this is there.
#[derive(Debug)]
pub(super) struct Place {
    registry: Arc<Registry>,
    number: u64,
    pub(super) life: Arc<Life>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.registry.lock().lives.remove(&self.number);
        self.registry.left.notify_waiters();
        self.life.has_left.send_replace(true);
    }
}

impl Registry {
    /// Makes place for a connection.
    ///
    /// # Errors
    ///
    /// There are too many, or there are to be no more.
    pub(super) fn enter(
        self: &Arc<Self>,
        endpoint: &'static Endpoint,
        limits: &Limits,
    ) -> Result<Place, Box<Response>> {
        let mut state = self.lock();
        if state.is_draining {
            return Err(Box::new(later(DRAINED)));
        }
        let limit = limits.connections;
        if state.lives.len() >= limit {
            let message = format!(
                "there are as many connections as the limit `connections` of {limit} allows"
            );
            return Err(Box::new(later(&message)));
        }
        let life = Arc::new(Life {
            ledger: Ledger::new(endpoint),
            closing: watch::Sender::new(None),
            has_left: watch::Sender::new(false),
        });
        let number = state.next;
        state.next += 1;
        state.lives.insert(number, Arc::clone(&life));
        drop(state);
        let registry = Arc::clone(self);
        Ok(Place {
            registry,
            number,
            life,
        })
    }

    /// Lets nobody in any more, waits until everything is answered, but not longer than this, and
    /// ends all connections.
    pub(super) async fn drain(&self, time: Duration) {
        let lives = self.shut();
        let deadline = Instant::now() + time;
        for life in &lives {
            let _ = timeout_at(deadline, life.ledger.idle()).await;
        }
        for life in &lives {
            life.close(DRAINED);
        }
        let _ = timeout(PARTING, self.empty()).await;
    }

    /// Lets nobody in any more, and gives all who are in.
    fn shut(&self) -> Vec<Arc<Life>> {
        let mut state = self.lock();
        state.is_draining = true;
        state.lives.values().cloned().collect()
    }

    async fn empty(&self) {
        loop {
            let left = self.left.notified();
            let mut left = std::pin::pin!(left);
            left.as_mut().enable();
            if self.lock().lives.is_empty() {
                return;
            }
            left.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A refusal that need not last.
pub(super) fn later(message: &str) -> Response {
    let mut response = refuse(StatusCode::SERVICE_UNAVAILABLE, message);
    let seconds = HeaderValue::from_static(RETRY_AFTER);
    response.headers_mut().insert(header::RETRY_AFTER, seconds);
    response
}
