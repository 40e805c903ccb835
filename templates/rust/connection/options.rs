//! What can be chosen about a connection.

use std::fmt;
use std::sync::Arc;

/// Choices about a connection.
#[derive(Clone)]
pub struct Options {
    pub(super) max_line: usize,
    pub(super) max_requests: usize,
    pub(super) max_buffered: usize,
    pub(super) observer: Option<Observer>,
}

/// What sees every message.
pub(super) type Observer = Arc<dyn Fn(&Observed<'_>) + Send + Sync>;

/// Something that passed a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Observed<'a> {
    /// A line that came in.
    Received(&'a [u8]),
    /// A line that goes out.
    Sent(&'a [u8]),
    /// A notification that nothing handles, or that its handler failed at: its method.
    Ignored(&'a str),
    /// A response that no call waits for: its id.
    Unexpected(&'a str),
    /// The end of a connection over the network: why it ended.
    Ended(&'a str),
}

impl Options {
    /// The defaults: lines of 64 MiB, 1024 requests at a time, 256 KiB waiting in each direction.
    pub fn new() -> Self {
        Self {
            max_line: 64 << 20,
            max_requests: 1024,
            max_buffered: 256 << 10,
            observer: None,
        }
    }

    /// The longest line that is read, in bytes. Longer ones are skipped, and answered with an
    /// error.
    #[must_use]
    pub fn max_line(mut self, bytes: usize) -> Self {
        self.max_line = bytes;
        self
    }

    /// How many requests are handled at a time, at least one. Others wait for their turn.
    #[must_use]
    pub fn max_requests(mut self, requests: usize) -> Self {
        self.max_requests = requests.max(1);
        self
    }

    /// How many bytes may wait before their sender has to: to be written, or to be handled after
    /// a notification.
    #[must_use]
    pub fn max_buffered(mut self, bytes: usize) -> Self {
        self.max_buffered = bytes;
        self
    }

    /// Sees every message, in order. It must be quick, and must not use the connection.
    #[must_use]
    pub fn observer(mut self, observer: impl Fn(&Observed<'_>) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    pub(crate) fn observe(&self, observed: Observed<'_>) {
        if let Some(observer) = &self.observer {
            observer(&observed);
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Options");
        debug.field("max_line", &self.max_line);
        debug.field("max_requests", &self.max_requests);
        debug.field("max_buffered", &self.max_buffered);
        debug.finish_non_exhaustive()
    }
}
