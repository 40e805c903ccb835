//! What can be chosen about a connection.

use std::fmt;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::super::json;
use super::log::{self, Sink};
use super::trace;

/// Choices about a connection.
#[derive(Clone)]
pub struct Options {
    pub(super) max_line: usize,
    pub(super) max_depth: u16,
    pub(super) max_requests: usize,
    pub(super) max_buffered: usize,
    pub(super) batches: bool,
    pub(super) concurrent: Arc<[String]>,
    pub(super) error_details: bool,
    pub(super) report_failures: bool,
    /// The name by which this end tells of handlers that fail on standard error, if it does.
    pub(super) reporter: Option<&'static str>,
    pub(super) observer: Option<Observer>,
    pub(super) stray_lines: Option<Strays>,
    /// Whether this end has started the other as a process.
    pub(super) has_started: bool,
    pub(super) log: Option<Sink>,
}

/// What takes lines that are no messages.
pub(super) type Strays = Arc<dyn Fn(&str) + Send + Sync>;

/// What sees every message.
pub(super) type Observer = Arc<dyn Fn(&Observed<'_>) + Send + Sync>;

/// Something that passed a connection, or went wrong there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Observed<'a> {
    /// A line that came in, without its end.
    Received(&'a [u8]),
    /// A line that goes out, without its end.
    Sent(&'a [u8]),
    /// A notification that nothing handles: its method.
    Ignored(&'a str),
    /// A response that no call waits for: its id.
    Unexpected(&'a str),
    /// The end of a connection over the network: why it ended.
    Ended(&'a str),
    /// A handler failed and the peer is not told why: it panicked, gave an unexpected error or an
    /// answer over the limit, or it is that of a notification. Or it gave what a call of its own was
    /// answered with, or a result that must not be sent.
    Failed {
        /// What it handled.
        method: &'a str,
        /// Why it failed.
        error: &'a str,
    },
    /// Something was thrown away: a line that is no message, or a notification that cannot be
    /// read.
    Dropped {
        /// The method, where it is known.
        method: Option<&'a str>,
        /// Where in the message it is wrong. Empty for all of it.
        path: &'a str,
        /// What is wrong with it.
        reason: &'a str,
    },
    /// A malformed value was forgiven: it was replaced, or left out.
    Forgiven {
        /// The method.
        method: &'a str,
        /// Where in the message it is.
        path: &'a str,
        /// What is wrong with it.
        reason: &'a str,
    },
}

impl Options {
    /// The defaults: lines of 64 MiB, 128 levels, 1024 requests at a time, 256 KiB waiting in each direction.
    pub fn new() -> Self {
        Self {
            max_line: 64 << 20,
            max_depth: json::MAX_DEPTH,
            max_requests: 1024,
            max_buffered: 256 << 10,
            batches: true,
            concurrent: Arc::default(),
            error_details: false,
            report_failures: true,
            reporter: None,
            observer: None,
            stray_lines: None,
            has_started: false,
            log: None,
        }
    }

    /// The longest line that is read or written, in bytes. What comes in and is longer is skipped,
    /// and answered with an error; a call that is longer fails, and is not sent.
    #[must_use]
    pub fn max_line(mut self, bytes: usize) -> Self {
        self.max_line = bytes;
        self
    }

    /// How deeply arrays and objects may be nested in a message that comes in. A deeper one is
    /// answered as what is no JSON. Each level takes room on the stack.
    #[must_use]
    pub fn max_depth(mut self, levels: u16) -> Self {
        self.max_depth = levels;
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

    /// Whether there are batches, as there are by default. Without them one that comes in is answered
    /// with one error, and none is sent: some peers know no batches.
    #[must_use]
    pub fn batches(mut self, are_known: bool) -> Self {
        self.batches = are_known;
        self
    }

    /// Notifications that nothing waits for, by their methods: what comes after one is handled
    /// while its handler is at work. Their order is then the handler's business.
    ///
    /// A method is named as it is on the wire, not as its handler is: `methods` has constants.
    /// Where a name is that of no notification which this side handles, the connection ends at
    /// once, with that as its error. Names that the schema does not know need a handler for what
    /// the schema does not know.
    #[must_use]
    pub fn concurrent<M: Into<String>>(mut self, methods: impl IntoIterator<Item = M>) -> Self {
        self.concurrent = methods.into_iter().map(Into::into).collect();
        self
    }

    /// Tells the peer why a handler failed that panicked or gave an unexpected error: as
    /// `data.details` of the internal error that it is answered with.
    #[must_use]
    pub fn error_details(mut self) -> Self {
        self.error_details = true;
        self
    }

    /// Whether a connection over standard input and output tells of each handler that fails on
    /// standard error, as it does by default, unless its error is one for the peer.
    #[must_use]
    pub fn report_failures(mut self, is_wanted: bool) -> Self {
        self.report_failures = is_wanted;
        self
    }

    /// Sees every message, in order, and all that goes wrong. It must be quick, and must not use
    /// the connection.
    #[must_use]
    pub fn observer(mut self, observer: impl Fn(&Observed<'_>) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Takes each line that comes in and is no message: what the program at the other end prints
    /// beside its messages, such as the address where to log in. It must be quick, and must not
    /// use the connection.
    ///
    /// Such a line is not answered then. That of a process which this end has started never is:
    /// without this, only the observer sees it.
    #[must_use]
    pub fn stray_lines(mut self, take: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.stray_lines = Some(Arc::new(take));
        self
    }

    /// Appends every message to a file, as a line of JSON with its time and its direction, in place
    /// of where the environment says; or writes it to standard error, where the path is `stderr`. A
    /// file that cannot be opened is told there, and nothing else comes of it.
    #[must_use]
    pub fn log(mut self, path: impl AsRef<Path>) -> Self {
        self.log = log::sink(path.as_ref(), "log");
        self
    }

    /// Writes every message to this writer, as [`log`](Self::log) does.
    #[must_use]
    pub fn log_to(mut self, writer: impl Write + Send + 'static) -> Self {
        self.log = Some(Arc::new(Mutex::new(writer)));
        self
    }

    #[doc(hidden)]
    pub fn observe(&self, observed: Observed<'_>) {
        trace::see(&observed);
        if let Some(observer) = &self.observer {
            if catch_unwind(AssertUnwindSafe(|| observer(&observed))).is_err() {
                trace::observer_failed();
            }
        }
    }

    /// Whether a line that is no message may be what a program prints, and is not answered.
    pub(super) fn takes_strays(&self) -> bool {
        self.has_started || self.stray_lines.is_some()
    }

    /// Gives a line that is no message to whoever wants it.
    pub(super) fn give_stray(&self, line: &[u8]) {
        if let Some(take) = &self.stray_lines {
            let line = String::from_utf8_lossy(line);
            let _ = catch_unwind(AssertUnwindSafe(|| take(&line)));
        }
    }

    /// Whether anyone wants to know of what is forgiven.
    pub(super) fn is_watched(&self) -> bool {
        self.observer.is_some() || trace::is_on()
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
        debug.field("concurrent", &self.concurrent);
        debug.field("error_details", &self.error_details);
        debug.field("report_failures", &self.report_failures);
        debug.finish_non_exhaustive()
    }
}
