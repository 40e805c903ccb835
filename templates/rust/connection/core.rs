//! The parts of a connection that do no input and no output.
//!
//! [`Framing`] makes lines of bytes, [`incoming`] messages of lines, [`Calls`] knows who waits
//! for which answer, and an [`Outbox`] makes bytes of messages.

mod calls;
mod error;
mod framing;
mod message;
mod outbox;

pub use self::calls::Calls;
pub use self::error::CallError;
pub use self::framing::{Framing, Line};
pub use self::message::{Incoming, Message, incoming, message, outcome};
pub use self::outbox::Outbox;
