//! Answers that their callers have not had yet.

use std::task::{Context, Poll};
use std::time::Duration;

use super::deadline::Deadline;
use super::link::Link;

/// How many turns of the executor are asked for before time is waited for.
const TURNS: u32 = 16;

/// How long a caller may take that was woken.
const PATIENCE: Duration = Duration::from_millis(250);

/// Holds back what came after an answer until its caller has had it.
///
/// Who waits for an answer is woken, and takes it as soon as its executor lets it. But it may also
/// have turned to something else, and that may need what comes later: so it is waited for during a
/// few turns of the executor, then for a time, and then no longer.
#[derive(Debug, Default)]
pub(super) struct Hold {
    turns: u32,
    deadline: Option<Deadline>,
}

impl Hold {
    /// Waits until callers have had their answers.
    pub(super) fn poll(&mut self, link: &Link, context: &Context<'_>) -> Poll<()> {
        if !link.has_untaken(context) {
            *self = Self::default();
            return Poll::Ready(());
        }
        self.turns += 1;
        if self.turns <= TURNS {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let deadline = self
            .deadline
            .get_or_insert_with(|| Deadline::after(PATIENCE));
        if deadline.poll(context).is_pending() {
            return Poll::Pending;
        }
        link.lock().calls.leave_untaken();
        *self = Self::default();
        Poll::Ready(())
    }
}
