//! Connections.
//!
//! At the bottom is a [`Core`] without input and output: [`Framing`] makes lines of bytes,
//! [`incoming`] messages of lines, [`Calls`] knows who waits for which answer, and an [`Outbox`]
//! makes bytes of messages. What drives it reads and writes.

mod batch;
mod call;
mod calls;
mod context;
mod core;
mod error;
mod framing;
mod inbox;
mod link;
mod macros;
mod message;
mod options;
mod outbox;
mod running;
mod service;

pub use self::batch::Batch;
pub use self::call::{Answer, Call, Notice, Peer};
pub use self::calls::Calls;
pub use self::context::Context;
pub use self::core::Core;
pub use self::error::CallError;
pub use self::framing::{Framing, Line};
pub(crate) use self::inbox::Tasks;
use self::link::Link;
pub(crate) use self::macros::side;
pub use self::message::{Incoming, Message, incoming, message, outcome};
pub use self::options::{Observed, Options, Rules};
pub use self::outbox::Outbox;
pub use self::service::Task;
pub(crate) use self::service::{Notification, Request, Service, handle};
