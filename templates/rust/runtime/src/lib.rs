//! The runtime of packages that `acp-bindgen` makes: what they share, whatever their protocols.
//!
//! * [`json`] reads and writes values.
//! * [`rpc`] has the errors of JSON-RPC, and reads params and results.
//! * [`connection`] moves messages: order, cancellation, limits, processes.
//! * `remote` is below connections over HTTP and over `WebSocket`.
//! * [`state`] and [`streams`] are for what comes in pieces.
//!
//! Users name it through the package of a protocol, which shows what it has. What is hidden here is
//! for generated code only, and may change with each version.

#![cfg_attr(
    not(all(
        feature = "http-client",
        feature = "http-server",
        feature = "websocket"
    )),
    allow(dead_code, reason = "it depends on the features what is needed")
)]
#![allow(
    clippy::missing_errors_doc,
    reason = "what is hidden fails as what it reads or writes does"
)]
#![allow(
    clippy::must_use_candidate,
    reason = "setters are marked; to drop what a getter gives does no harm"
)]
#![allow(
    clippy::struct_excessive_bools,
    reason = "options are independent of each other"
)]

pub mod connection;
pub mod json;
#[doc(hidden)]
pub mod progress;
pub mod remote;
pub mod rpc;
pub mod state;
pub mod streams;
