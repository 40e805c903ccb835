//! What `tracing` is told, with the feature of that name.

use super::options::Observed;

/// Tells of what happened: messages at the level `TRACE`, what went wrong at `DEBUG`.
#[cfg(feature = "tracing")]
pub(super) fn see(observed: &Observed<'_>) {
    use tracing::{debug, trace};

    let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
    match *observed {
        Observed::Received(line) => trace!(line = text(line), "received"),
        Observed::Sent(line) => trace!(line = text(line), "sent"),
        Observed::Ignored(method) => debug!(method, "ignored"),
        Observed::Unexpected(id) => debug!(id, "unexpected"),
        Observed::Ended(reason) => debug!(reason, "ended"),
        Observed::Failed { method, error } => debug!(method, error, "failed"),
        Observed::Dropped {
            method,
            path,
            reason,
        } => debug!(method, path, reason, "dropped"),
        Observed::Forgiven {
            method,
            path,
            reason,
        } => debug!(method, path, reason, "forgiven"),
    }
}

/// Tells that an observer panicked.
#[cfg(feature = "tracing")]
pub(super) fn observer_failed() {
    tracing::debug!("an observer panicked");
}

/// Whether what went wrong is listened to.
#[cfg(feature = "tracing")]
pub(super) fn is_on() -> bool {
    tracing::enabled!(tracing::Level::DEBUG)
}

#[cfg(not(feature = "tracing"))]
pub(super) fn see(_: &Observed<'_>) {}

#[cfg(not(feature = "tracing"))]
pub(super) fn observer_failed() {}

#[cfg(not(feature = "tracing"))]
pub(super) fn is_on() -> bool {
    false
}
