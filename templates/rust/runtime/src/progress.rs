//! Things that the other end is told of until they end.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use serde::Serialize;

use super::connection::{CallError, Notice};

/// Whether the other end was told of the end of something.
#[derive(Debug, Default)]
pub struct Told(Mutex<bool>);

impl Told {
    /// Tells of a change, unless it has ended.
    #[doc(hidden)]
    pub async fn tell<P: Serialize + Unpin>(&self, notice: Notice<P>) -> Result<(), CallError> {
        self.send(notice, false).await
    }

    /// Tells of the end, unless that was done.
    #[doc(hidden)]
    pub async fn end<P: Serialize + Unpin>(&self, notice: Notice<P>) -> Result<(), CallError> {
        self.send(notice, true).await
    }

    /// Tells of the end, unless that was done, where nobody can wait until there is space for it.
    #[doc(hidden)]
    pub fn end_now<P: Serialize>(&self, notice: &Notice<P>) {
        let mut has_ended = self.lock();
        if !*has_ended {
            // Without a connection there is nobody to tell.
            *has_ended = notice.send_now().is_ok();
        }
    }

    async fn send<P: Serialize + Unpin>(
        &self,
        mut notice: Notice<P>,
        is_end: bool,
    ) -> Result<(), CallError> {
        poll_fn(|context| {
            let mut has_ended = self.lock();
            if *has_ended {
                return Poll::Ready(Ok(()));
            }
            let sent = Pin::new(&mut notice).poll(context);
            *has_ended = is_end && matches!(sent, Poll::Ready(Ok(())));
            sent
        })
        .await
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
