//! Messages that cancel requests.

use super::super::json::{self, Value};
use super::cancellation::{Cancellation, Fired};
use super::message;

/// A message that cancels the requests of a method whose params have the same value as it has.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The message.
    pub method: &'static str,
    /// The request that it cancels.
    pub request: &'static str,
    /// The property that holds the value.
    pub key: &'static str,
    /// What a handler that ends by this is answered with, as JSON, in place of an error.
    pub result: Option<&'static str>,
}

/// What a cancellation finds requests by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    /// Their id.
    Id(String),
    /// A rule by its place, and the value that the message has, too.
    Turn(usize, String),
}

impl Mark {
    /// An id, as it is spelled; a string in its one spelling.
    pub(super) fn id(spelled: &str) -> Self {
        if !spelled.contains('\\') {
            return Self::Id(spelled.to_owned());
        }
        let text = json::decode::<String>(spelled).map(|text| Value::from(text).to_string());
        Self::Id(text.unwrap_or_else(|_| spelled.to_owned()))
    }
}

/// What a request can be found by.
pub(super) fn marks(turns: &[Turn], id: &str, method: &str, params: Option<&str>) -> Vec<Mark> {
    let turns = turns.iter().enumerate();
    let turns = turns.filter(|(_, turn)| turn.request == method);
    let marks = turns.filter_map(|(rule, turn)| Some(Mark::Turn(rule, key(turn, params)?)));
    std::iter::once(Mark::id(id)).chain(marks).collect()
}

/// What a message cancels.
pub(super) fn cancelling(turns: &[Turn], method: &str, params: Option<&str>) -> Vec<Cancellation> {
    let turns = turns.iter().enumerate();
    let turns = turns.filter(|(_, turn)| turn.method == method);
    let cancelling = turns.filter_map(|(rule, turn)| {
        let mark = Mark::Turn(rule, key(turn, params)?);
        let fired = Fired {
            result: turn.result,
        };
        Some(Cancellation { mark, fired })
    });
    cancelling.collect()
}

fn key(turn: &Turn, params: Option<&str>) -> Option<String> {
    let value: Value = json::decode(message::member(params?, turn.key)?).ok()?;
    Some(value.to_string())
}
