//! Exit codes.

use std::process::ExitCode;

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what was asked: 0.
    Success,
    /// It found what it looked for: 1.
    Findings,
    /// It could not do what was asked: 2.
    Failure,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Success => Self::SUCCESS,
            Exit::Findings => Self::from(1),
            Exit::Failure => Self::from(2),
        }
    }
}
