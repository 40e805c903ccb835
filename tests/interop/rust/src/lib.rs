//! What programs built with the official Rust SDK have to say, however they are reached.

mod agent;
mod client;

pub use agent::agent;
pub use client::converse;
