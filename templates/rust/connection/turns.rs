//! Messages that cancel requests.

use super::super::json::{self, Value};
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

/// What messages can cancel a request by: rules by their places, and the values.
pub(super) type Keys = Vec<(usize, Value)>;

/// A message that cancels: the rule by its place, the value, and what is then answered.
#[derive(Debug)]
pub(super) struct Cancelling {
    rule: usize,
    key: Value,
    pub(super) result: Option<&'static str>,
}

impl Cancelling {
    /// Whether it cancels a request with these keys.
    pub(super) fn is_of(&self, keys: &Keys) -> bool {
        keys.iter()
            .any(|(rule, key)| *rule == self.rule && *key == self.key)
    }
}

/// What a request can be cancelled by.
pub(super) fn keys(turns: &[Turn], method: &str, params: Option<&str>) -> Keys {
    let turns = turns.iter().enumerate();
    let turns = turns.filter(|(_, turn)| turn.request == method);
    turns
        .filter_map(|(rule, turn)| Some((rule, key(turn, params)?)))
        .collect()
}

/// What a message cancels.
pub(super) fn cancelling(turns: &[Turn], method: &str, params: Option<&str>) -> Vec<Cancelling> {
    let turns = turns.iter().enumerate();
    let turns = turns.filter(|(_, turn)| turn.method == method);
    let cancelling = turns.filter_map(|(rule, turn)| {
        let (key, result) = (key(turn, params)?, turn.result);
        Some(Cancelling { rule, key, result })
    });
    cancelling.collect()
}

fn key(turn: &Turn, params: Option<&str>) -> Option<Value> {
    json::decode(message::member(params?, turn.key)?).ok()
}
