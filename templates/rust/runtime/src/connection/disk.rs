//! Files on the disk, for where the other end has none.

use std::path::PathBuf;
use std::{fmt, fs, io};

use super::CallError;
use crate::rpc::RequestError;

/// Why a file cannot be read or written.
#[derive(Debug)]
pub enum FileError {
    /// The other end was asked, and did not do it.
    Call(CallError),
    /// The other end has no such method, and the disk did not do it.
    Disk {
        /// The path of the file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(error) => error.fmt(formatter),
            Self::Disk { path, error } => write!(formatter, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Call(error) => Some(error),
            Self::Disk { error, .. } => Some(error),
        }
    }
}

impl From<FileError> for RequestError {
    /// What the other end answered stays that; the disk's own error is an unexpected one.
    fn from(error: FileError) -> Self {
        match error {
            FileError::Call(error) => error.into(),
            FileError::Disk { .. } => Self::unexpected(error),
        }
    }
}

/// A file, and which of its lines are wanted.
#[derive(Debug)]
pub struct DiskFile {
    path: PathBuf,
    skipped: usize,
    limit: usize,
}

impl DiskFile {
    #[doc(hidden)]
    pub fn new(path: &str) -> Self {
        Self {
            path: PathBuf::from(path),
            skipped: 0,
            limit: usize::MAX,
        }
    }

    /// The first line that is wanted; that of a file is 1.
    #[must_use]
    #[doc(hidden)]
    pub fn line(self, line: Option<impl TryInto<usize>>) -> Self {
        let line = line.map_or(1, |line| line.try_into().unwrap_or(usize::MAX));
        Self {
            skipped: line.saturating_sub(1),
            ..self
        }
    }

    /// How many lines are wanted at most.
    #[must_use]
    #[doc(hidden)]
    pub fn limit(self, limit: Option<impl TryInto<usize>>) -> Self {
        let limit = limit.map_or(usize::MAX, |limit| limit.try_into().unwrap_or(usize::MAX));
        Self { limit, ..self }
    }

    /// Reads it, if the call failed because the other end has no such method.
    #[doc(hidden)]
    pub async fn read(self, error: CallError) -> Result<String, FileError> {
        self.instead(error, |file| {
            let text = fs::read_to_string(&file.path)?;
            if file.skipped == 0 && file.limit == usize::MAX {
                return Ok(text);
            }
            let lines = text.split_inclusive('\n').skip(file.skipped);
            Ok(lines.take(file.limit).collect())
        })
        .await
    }

    /// Writes it, if the call failed because the other end has no such method.
    #[doc(hidden)]
    pub async fn write(self, text: String, error: CallError) -> Result<(), FileError> {
        self.instead(error, move |file| fs::write(&file.path, text))
            .await
    }

    async fn instead<T: Send + 'static>(
        self,
        error: CallError,
        work: impl FnOnce(&Self) -> io::Result<T> + Send + 'static,
    ) -> Result<T, FileError> {
        if !is_missing(&error) {
            return Err(FileError::Call(error));
        }
        let path = self.path.clone();
        let done = tokio::task::spawn_blocking(move || work(&self)).await;
        let done = done.unwrap_or_else(|failed| Err(io::Error::other(failed)));
        done.map_err(|error| FileError::Disk { path, error })
    }
}

/// Tells whether a call failed because the other end has no such method.
fn is_missing(error: &CallError) -> bool {
    let is_unsupported = matches!(error, CallError::NotSupported { .. });
    is_unsupported || error.code() == Some(-32601)
}
