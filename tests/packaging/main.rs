//! What becomes of a generated package on its way to a user.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod npm;
mod python;
#[path = "../support/mod.rs"]
mod support;
