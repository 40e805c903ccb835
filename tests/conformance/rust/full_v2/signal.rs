//! Signals, by which tasks wait for each other.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

/// What happens once, and can be waited for.
#[derive(Clone, Default)]
pub(crate) struct Signal(Arc<Mutex<(bool, Vec<Waker>)>>);

impl Signal {
    pub(crate) fn set(&self) {
        let mut signal = locked(&self.0);
        signal.0 = true;
        signal.1.drain(..).for_each(Waker::wake);
    }

    pub(crate) fn is_set(&self) -> bool {
        locked(&self.0).0
    }

    pub(crate) async fn wait(&self) {
        poll_fn(|context| {
            let mut signal = locked(&self.0);
            if signal.0 {
                return Poll::Ready(());
            }
            if signal.1.iter().all(|waker| !waker.will_wake(context.waker())) {
                signal.1.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
