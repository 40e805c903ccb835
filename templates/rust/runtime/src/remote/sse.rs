//! Streams of events, as they are written.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::Stream;
use tokio::time::{Instant, Sleep, sleep};

use super::serving::Connection;
use super::streams::Next;

/// What the body of an answer is, as long as somebody reads it.
pub(super) struct Reader {
    connection: Arc<Connection>,
    session: Option<String>,
    number: u64,
    keep_alive: Duration,
    silence: Pin<Box<Sleep>>,
    is_over: bool,
}

impl Reader {
    pub(super) fn new(
        connection: Arc<Connection>,
        session: Option<String>,
        number: u64,
        keep_alive: Duration,
    ) -> Self {
        Self {
            connection,
            session,
            number,
            keep_alive,
            silence: Box::pin(sleep(keep_alive)),
            is_over: false,
        }
    }

    fn next(&mut self, context: &mut Context<'_>) -> Poll<Option<String>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let session = self.session.as_deref();
        let next = self
            .connection
            .streams
            .poll_next(session, self.number, context);
        let text = match next {
            Poll::Ready(Next::Event(event)) => event,
            Poll::Ready(Next::End(reason)) => {
                self.is_over = true;
                let Some(reason) = reason else {
                    return Poll::Ready(None);
                };
                format!(": closed: {reason}\n\n")
            }
            Poll::Pending => {
                if self.silence.as_mut().poll(context).is_pending() {
                    return Poll::Pending;
                }
                String::from(": alive\n\n")
            }
        };
        let due = Instant::now() + self.keep_alive;
        self.silence.as_mut().reset(due);
        Poll::Ready(Some(text))
    }
}

impl Stream for Reader {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut()
            .next(context)
            .map(|text| text.map(|text| Ok(text.into())))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.connection.touch();
        self.connection
            .streams
            .detach(self.session.as_deref(), self.number);
    }
}
