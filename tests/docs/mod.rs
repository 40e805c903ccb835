//! Reference docs: complete and harmless, their examples valid.
//!
//! `expected/` holds what comes out for some of the cases in `tests/cases`; `.ci/bless docs`
//! rewrites it. What needs other tools is in `formats.rs` and `browser.rs`, of the tests `languages`
//! and `browser`.

mod complete;
mod examples;
mod expected;
mod harmless;
mod hostile;
#[path = "../wire/judge.rs"]
mod judge;
mod options;
mod subject;
mod wellformed;
