//! The table of cases, and what joins them in Rust.

// It is laid out as it is emitted.
#[rustfmt::skip]
#[allow(unreachable_pub, reason = "it is public where it is emitted")]
#[path = "../../templates/rust/runtime/src/streams/join.rs"]
pub(crate) mod join;

use serde_json::{Value, json};

pub(crate) const CASES: &str = include_str!("cases.jsonl");

pub(crate) fn cases() -> Vec<Value> {
    CASES.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Whether an answer is what the case says.
pub(crate) fn is_right(case: &Value, joined: Option<&Value>) -> bool {
    match (case.get("joined"), joined) {
        (Some(expected), Some(joined)) => join::is_same(expected, joined),
        (None, None) => case["error"] == json!(true),
        _ => false,
    }
}
