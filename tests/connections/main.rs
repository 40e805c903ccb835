//! Suites in which programs talk through generated connections.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

#[path = "../catalogue/mod.rs"]
mod catalogue;
#[path = "../conformance/mod.rs"]
mod conformance;
#[path = "../connection/mod.rs"]
mod connection;
#[path = "../interop/mod.rs"]
mod interop;
#[path = "../remote/mod.rs"]
mod remote;
#[path = "../rpc/mod.rs"]
mod rpc;
#[path = "../streaming/mod.rs"]
mod streaming;
#[path = "../support/mod.rs"]
mod support;
