//! Handlers that panic.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use super::super::rpc::{RequestError, Result};

/// Polls a handler. One that panics has failed.
pub(super) fn poll<T>(
    handler: Pin<&mut impl Future<Output = Result<T>>>,
    context: &mut Context<'_>,
) -> Poll<Result<T>> {
    let polled = catch_unwind(AssertUnwindSafe(|| handler.poll(context)));
    polled.unwrap_or_else(|panic| Poll::Ready(Err(RequestError::unexpected(said(&*panic)))))
}

/// Waits for a handler.
pub(super) async fn wait<T>(mut handler: Pin<&mut impl Future<Output = Result<T>>>) -> Result<T> {
    poll_fn(|context| poll(handler.as_mut(), context)).await
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.map_or_else(
        || String::from("the handler panicked"),
        |text| format!("the handler panicked: {text}"),
    )
}
