//! Suites about schemas that others have published; they are fetched once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

#[path = "../breaking/history.rs"]
mod breaking;
mod names;
#[path = "../schemas/published.rs"]
mod schemas;
#[path = "../support/mod.rs"]
mod support;
