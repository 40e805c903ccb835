//! The handling of messages that takes its time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{self, Poll};

use super::link::{Link, wake};
use super::service::Task;

/// Who goes on with requests that are not answered at once.
pub enum Tasks {
    /// Whoever this hands them to.
    Spawned(Box<dyn FnMut(Task) + Send>),
    /// The connection itself.
    Own(Vec<Task>),
}

impl Tasks {
    #[doc(hidden)]
    pub fn spawned(spawn: impl FnMut(Task) + Send + 'static) -> Self {
        Self::Spawned(Box::new(spawn))
    }

    pub(super) fn add(&mut self, task: Task) {
        match self {
            Self::Spawned(spawn) => spawn(task),
            Self::Own(tasks) => tasks.push(task),
        }
    }

    /// Goes on with those that are the connection's own. Says whether one came to its end.
    pub(super) fn poll(&mut self, context: &mut task::Context<'_>) -> bool {
        let Self::Own(tasks) = self else {
            return false;
        };
        let before = tasks.len();
        tasks.retain_mut(|task| poll(task, context).is_pending());
        tasks.len() < before
    }
}

/// Notifications that nothing waits for.
pub(super) struct Aside {
    link: Arc<Link>,
    count: Arc<AtomicUsize>,
}

impl Aside {
    pub(super) fn new(link: Arc<Link>) -> Self {
        let count = Arc::default();
        Self { link, count }
    }

    /// Whether nothing waits for a notification: if so was chosen, and there are not too many.
    pub(super) fn takes(&self, method: &str) -> bool {
        let options = &self.link.options;
        options.concurrent.iter().any(|it| it == method)
            && self.count.load(Ordering::Relaxed) < options.max_requests
    }

    /// A task that is counted as long as it is there.
    pub(super) fn counted(&self, task: Task) -> Task {
        self.count.fetch_add(1, Ordering::Relaxed);
        let counted = Counted {
            link: Arc::clone(&self.link),
            count: Arc::clone(&self.count),
        };
        Box::pin(async move {
            let _counted = counted;
            task.await;
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }
}

struct Counted {
    link: Arc<Link>,
    count: Arc<AtomicUsize>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
        let driver = self.link.lock().driver.take();
        wake(driver);
    }
}

/// Polls a handler. One that panics is done.
pub(super) fn poll(task: &mut Task, context: &mut task::Context<'_>) -> Poll<()> {
    catch_unwind(AssertUnwindSafe(|| task.as_mut().poll(context))).unwrap_or(Poll::Ready(()))
}
