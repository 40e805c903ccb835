//! Connections.
//!
//! At the bottom is a [`Core`] without input and output: [`Framing`] makes lines of bytes,
//! [`incoming`] messages of lines, [`Calls`] knows who waits for which answer, and an [`Outbox`]
//! makes bytes of messages. What drives it reads and writes.

mod agreement;
mod answering;
mod batch;
mod call;
mod calls;
mod cancellation;
mod context;
mod core;
mod deadline;
mod error;
mod escape;
mod failure;
mod framing;
mod gates;
mod hold;
mod inbox;
mod intake;
mod link;
mod log;
mod macros;
mod message;
mod negotiation;
mod options;
mod outbox;
mod reading;
mod rules;
mod running;
mod sending;
mod service;
mod skim;
mod tail;
mod tasks;
mod trace;
mod turns;
mod unread;
mod waiting;

pub use self::batch::Batch;
pub use self::call::{Answer, Call, Notice, Peer};
pub use self::calls::Calls;
pub use self::context::Context;
pub use self::core::Core;
pub use self::error::CallError;
pub use self::framing::{Framing, Line};
pub use self::gates::{Gate, Gated, Step};
use self::link::Link;
pub(crate) use self::macros::side;
pub use self::message::{Incoming, Message, incoming, message, outcome};
pub use self::negotiation::Negotiation;
pub use self::options::{Observed, Options};
pub use self::outbox::Outbox;
pub use self::rules::{Advertised, Advertises, CallRule, Cancel, CapabilityLocation, Part, Rules};
pub use self::service::Task;
pub(crate) use self::service::{Notification, Notifications, Request, Service};
pub(crate) use self::tasks::Tasks;
pub use self::turns::Turn;
