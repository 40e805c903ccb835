//! Requests whose answers are no longer wanted.

use std::sync::Arc;

use super::link::Link;
use super::message::{self, Message};
use super::running::Running;
use super::turns::{self, Cancelling};

/// A message that cancels requests.
#[derive(Debug)]
pub(super) enum Cancellation {
    /// The request with this id.
    OfId(String),
    /// The requests with the same value in their params.
    OfTurn(Cancelling),
}

/// The cancellation of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fired {
    /// What a handler that ends by it is answered with, as JSON, in place of an error.
    pub(super) result: Option<&'static str>,
}

impl Cancellation {
    /// What becomes of the requests.
    pub(super) fn fired(&self) -> Fired {
        match self {
            Self::OfId(_) => Fired::default(),
            Self::OfTurn(turn) => Fired {
                result: turn.result,
            },
        }
    }

    fn is_of(&self, running: &Running) -> bool {
        match self {
            Self::OfId(id) => running.id == *id,
            Self::OfTurn(turn) => turn.is_of(&running.keys),
        }
    }
}

impl Link {
    /// What a message cancels that came in.
    pub(super) fn cancellations(&self, method: &str, params: Option<&str>) -> Vec<Cancellation> {
        let by_id = self.rules.cancel.filter(|(cancel, _)| *cancel == method);
        let id = by_id.and_then(|(_, property)| named(params, property));
        let id = id.map(|id| Cancellation::OfId(id.to_owned()));
        let turns = turns::cancelling(&self.rules.turns, method, params);
        let turns = turns.into_iter().map(Cancellation::OfTurn);
        id.into_iter().chain(turns).collect()
    }

    /// Tells of a cancellation that names no request.
    pub(super) fn check_cancellation(&self, params: Option<&str>) {
        let Some((method, property)) = self.rules.cancel else {
            return;
        };
        if named(params, property).is_none() {
            let path = format!("params.{property}");
            self.drop_message(Some(method), &path, "expected the id of a request");
        }
    }

    /// What a call cancels that goes out, from its text.
    pub(super) fn cancellations_of_call(&self, method: &str, call: &[u8]) -> Vec<Cancellation> {
        if !self.rules.turns.iter().any(|turn| turn.method == method) {
            return Vec::new();
        }
        let call = std::str::from_utf8(call).unwrap_or_default();
        let params = message::member(call, "params");
        let turns = turns::cancelling(&self.rules.turns, method, params);
        turns.into_iter().map(Cancellation::OfTurn).collect()
    }

    /// Tells the handlers of requests that their answers are no longer wanted.
    pub(super) fn cancel(&self, cancellations: &[Cancellation]) {
        for cancellation in cancellations {
            let state = self.lock();
            let running = state.running.values().filter(|it| cancellation.is_of(it));
            let running: Vec<_> = running.map(Arc::clone).collect();
            drop(state);
            for running in running {
                running.cancel(cancellation.fired());
            }
        }
    }

    /// Whether a message is a request that is cancelled before it is handled.
    pub(super) fn is_cancelled(&self, text: &str, cancellation: &Cancellation) -> bool {
        let Message::Request { id, method, params } = message::message(text) else {
            return false;
        };
        match cancellation {
            Cancellation::OfId(cancelled) => id == cancelled,
            Cancellation::OfTurn(turn) => {
                turn.is_of(&turns::keys(&self.rules.turns, &method, params))
            }
        }
    }
}

/// The id that a cancellation names, as it is spelled.
fn named<'a>(params: Option<&'a str>, property: &str) -> Option<&'a str> {
    message::member(params?, property).filter(|id| message::is_id_text(id))
}
