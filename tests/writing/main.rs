//! What `generate` and `check` do to the disk, run as a user would.

#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

mod check;
mod foreign;
mod input;
mod killed;
mod refused;
mod sandbox;
mod streams;
