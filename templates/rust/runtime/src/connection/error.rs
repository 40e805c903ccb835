//! Why a call failed.

use std::fmt;

use super::super::json::DecodeError;
use super::super::rpc::{Members, RequestError};

/// Why a call to the peer failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CallError {
    /// The peer answered with an error.
    Answered(RequestError),
    /// The connection is closed, or was closed before the answer came.
    Closed,
    /// The process at the other end ended before the answer came.
    Exited {
        /// The name of its program.
        program: String,
        /// How it ended: `exit code 3`, `killed by SIGKILL`; or that `its output ended`, or
        /// `its input ended`, and it went on.
        how: String,
        /// The last lines of its standard error, if they were kept.
        stderr: String,
        /// The last lines of its standard output that were no messages.
        stdout: String,
    },
    /// The connection was lost, or could not be made: what happened. Whether the peer does what it
    /// was asked for is not known.
    Lost(String),
    /// The server did not take the message.
    Refused {
        /// The status of HTTP.
        status: u16,
        /// What the server says.
        message: String,
    },
    /// The peer did not say that it can do this. Nothing was sent.
    NotSupported {
        /// The method that was to be called.
        method: String,
        /// Where in the params it is, if it is not the method itself.
        place: Option<String>,
        /// Where in the peer's capabilities it had to be allowed.
        capability: String,
    },
    /// This end says that it can do something, and does not handle the method. Nothing was sent.
    NotHandled {
        /// The method that is not handled.
        method: String,
        /// What this end says that it can do.
        capability: String,
    },
    /// The ends speak no common version of the protocol. The connection is closed.
    Version(String),
    /// The connection was made with options that it cannot have. It is closed, and nothing was sent.
    Options(String),
    /// The method must not be part of a batch, or the connection has none (`Options::batches`).
    /// Nothing was sent.
    NotInBatch {
        /// The method that was to be called.
        method: String,
    },
    /// The message is longer than `Options::max_line` allows. Nothing was sent.
    TooLong {
        /// How many bytes it has.
        size: usize,
        /// How many bytes it may have.
        limit: usize,
    },
    /// The params cannot be written as JSON. Nothing was sent.
    Params(String),
    /// The answer is not a JSON-RPC response, or its result is not the method's.
    Malformed(String),
}

impl CallError {
    /// Whether the connection is closed or lost, for whatever reason.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Closed | Self::Exited { .. } | Self::Lost(_))
    }

    /// Names the call that the peer has answered with an error. `members`: those of the protocol's
    /// own errors.
    pub(super) fn in_call(self, method: &str, members: Members) -> Self {
        match self {
            Self::Answered(error) => Self::Answered(error.answering(method, members)),
            other => other,
        }
    }

    /// The code of the error that the peer answered with, if it did.
    pub fn code(&self) -> Option<i32> {
        match self {
            Self::Answered(error) => Some(error.code),
            _ => None,
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered(error) => error.fmt(formatter),
            Self::Closed => formatter.write_str("connection closed"),
            Self::Exited {
                program,
                how,
                stderr,
                stdout,
            } => {
                write!(formatter, "connection closed: {program}: {how}")?;
                let mut said = [stderr, stdout].into_iter().filter(|it| !it.is_empty());
                said.try_for_each(|lines| write!(formatter, "\n{lines}"))
            }
            Self::Lost(reason) => write!(formatter, "connection lost: {reason}"),
            Self::Refused { status, message } => {
                let said = if message.is_empty() { "" } else { ": " };
                write!(
                    formatter,
                    "the server answered with status {status}{said}{message}"
                )
            }
            Self::NotSupported {
                method,
                place,
                capability,
            } => {
                let what = place.as_ref().unwrap_or(method);
                write!(formatter, "the peer does not allow {what}: {capability}")
            }
            Self::NotHandled { method, capability } => {
                write!(
                    formatter,
                    "advertises `{capability}` but does not handle `{method}`"
                )
            }
            Self::Version(error) | Self::Options(error) => formatter.write_str(error),
            Self::NotInBatch { method } => {
                write!(formatter, "{method} cannot be part of a batch")
            }
            Self::TooLong { size, limit } => {
                write!(
                    formatter,
                    "a message of {size} bytes is over the limit of {limit}"
                )
            }
            Self::Params(error) => write!(formatter, "params cannot be written: {error}"),
            Self::Malformed(error) => write!(formatter, "malformed response: {error}"),
        }
    }
}

impl std::error::Error for CallError {}

/// A result that is not the method's.
impl From<DecodeError> for CallError {
    fn from(error: DecodeError) -> Self {
        Self::Malformed(error.within("result").to_string())
    }
}

/// What a handler answers whose own call failed: the error that the call was answered with, or an
/// unexpected one.
impl From<CallError> for RequestError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Answered(error) => error,
            other => Self::unexpected(other),
        }
    }
}
