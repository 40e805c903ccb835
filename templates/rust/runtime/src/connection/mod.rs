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
#[cfg(feature = "tokio")]
mod child;
mod context;
mod core;
mod deadline;
#[cfg(feature = "tokio")]
mod disk;
#[cfg(feature = "tokio")]
mod driver;
mod error;
mod escape;
mod failure;
mod framing;
mod gates;
#[cfg(feature = "tokio")]
mod group;
#[cfg(feature = "tokio")]
mod handle;
mod hold;
mod inbox;
mod intake;
#[cfg(feature = "tokio")]
mod kept;
mod link;
mod log;
mod macros;
mod message;
#[cfg(feature = "tokio")]
mod messages;
mod negotiation;
mod options;
mod outbox;
#[cfg(feature = "tokio")]
mod pipe;
#[cfg(feature = "tokio")]
mod piped;
#[cfg(feature = "tokio")]
mod process;
#[cfg(feature = "tokio")]
mod program;
#[cfg(feature = "tokio")]
mod programs;
mod reading;
mod rules;
mod running;
mod sending;
mod service;
mod skim;
#[cfg(feature = "tokio")]
mod stderr;
#[cfg(feature = "tokio")]
mod stdio;
mod tail;
mod tasks;
mod trace;
mod turns;
mod unread;
mod waiting;

pub use self::batch::Batch;
pub use self::call::{Answer, Call, Notice, Peer};
pub use self::calls::Calls;
#[cfg(feature = "tokio")]
pub use self::child::Child;
pub use self::context::Context;
pub use self::core::Core;
#[cfg(feature = "tokio")]
pub use self::disk::FileError;
pub use self::error::CallError;
pub use self::framing::{Framing, Line};
pub use self::gates::{Gate, Gated, Step};
use self::link::Link;
pub use self::message::{Incoming, Message, incoming, message, outcome};
#[cfg(feature = "tokio")]
pub use self::messages::{AnyMessage, MessageReceiver, MessageSender};
pub use self::negotiation::Negotiation;
pub use self::options::{Observed, Options};
pub use self::outbox::Outbox;
#[cfg(feature = "tokio")]
pub use self::process::{Process, Stderr};
#[cfg(feature = "tokio")]
pub use self::program::{ProgramExit, ProgramOutput};
#[cfg(feature = "tokio")]
pub use self::programs::ProgramOptions;
pub use self::rules::{Advertised, Advertises, CallRule, Cancel, CapabilityLocation, Part, Rules};
pub use self::service::Task;
pub use self::turns::Turn;

#[cfg(feature = "tokio")]
#[doc(hidden)]
pub use self::disk::DiskFile;
#[cfg(feature = "tokio")]
#[doc(hidden)]
pub use self::handle::{AsyncRead, AsyncWrite, Command, Handle, connection, serve_stdio};
#[doc(hidden)]
pub use self::macros::side;
#[doc(hidden)]
pub use self::message::member;
#[cfg(feature = "tokio")]
#[doc(hidden)]
pub use self::messages::messages;
#[cfg(feature = "tokio")]
#[doc(hidden)]
pub use self::pipe::pipe;
#[cfg(feature = "tokio")]
#[doc(hidden)]
pub use self::programs::{Programs, Start};
#[doc(hidden)]
pub use self::service::{Notification, Notifications, Request, Service};
#[doc(hidden)]
pub use self::tasks::Tasks;
