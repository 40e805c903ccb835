//! The contract of the remote transports, rule by rule: each test is named for the number of its
//! rule in `README.md`. `HARNESS` is the program that starts the programs under test, `LANGUAGE`
//! theirs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod access;
mod client;
mod client_limits;
mod client_load;
mod client_loss;
mod client_opening;
mod client_socket;
mod delete;
mod faults;
mod get;
mod hosts;
mod limits;
mod order;
mod patience;
mod post;
mod websocket;
