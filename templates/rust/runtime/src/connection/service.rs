//! From messages to handlers.

use std::future::Future;
use std::pin::{Pin, pin};

use serde::Serialize;

use super::super::json::Decode;
use super::super::rpc::{Members, Result};
use super::Context;
use super::failure;
use super::rules::Rules;
use super::running::Responder;

/// The handling of one message, for an executor.
pub type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Hands messages to the handlers of a side.
pub trait Service: Send + Sync + 'static {
    /// What the protocol says about this side's connection.
    fn rules(&self) -> &'static Rules;

    /// The members of the data of the protocol's own errors.
    fn errors(&self) -> Members {
        &[]
    }

    /// The environment variable that asks for a log.
    fn log_variable(&self) -> &'static str;

    /// Whether the handler has a method that it may leave out.
    fn handles(&self, _: &str) -> bool {
        true
    }

    /// The notifications that it handles.
    fn notifications(&self) -> Notifications;

    /// Begins to handle a request.
    ///
    /// # Errors
    ///
    /// What to answer, if there is no handler, or if the params are not its.
    fn request(&self, request: &mut Request<'_>) -> Result<Task>;

    /// Begins to handle a notification.
    ///
    /// # Errors
    ///
    /// There is no handler, or the params are not its.
    fn notification(&self, notification: &Notification<'_>) -> Result<Task>;

    /// Takes a notification if it brings a piece of the result of a call. Says whether it does.
    ///
    /// # Errors
    ///
    /// It belongs to a call, and the params are not its.
    fn piece(&self, _: &Notification<'_>) -> Result<bool> {
        Ok(false)
    }
}

/// The notifications that a side handles.
#[derive(Clone, Copy, Debug)]
pub struct Notifications {
    /// Those that the schema names.
    pub named: &'static [&'static str],
    /// Those that can bring pieces of the results of calls.
    pub pieces: &'static [&'static str],
    /// Whether there is a handler for others that begin with `_`.
    pub extensions: bool,
    /// Whether there is a handler for all others.
    pub unknown: bool,
}

impl Notifications {
    /// Why nothing can be said of a notification in the option `concurrent`, if it is none of these.
    pub(super) fn refusal(self, name: &str) -> Option<String> {
        let is_extension = self.extensions && name.starts_with('_');
        if self.unknown || is_extension || self.named.contains(&name) {
            return None;
        }
        let known = match self.named {
            [] => String::from("none"),
            named => named.join(", "),
        };
        Some(format!(
            "{name:?} in concurrent is no notification that this side handles: it handles {known}, \
             and others only by a handler of last resort"
        ))
    }
}

/// A request for a handler.
pub struct Request<'a> {
    pub(super) method: &'a str,
    pub(super) params: Option<&'a str>,
    pub(super) context: Context,
    pub(super) responder: Option<Responder>,
}

impl<'a> Request<'a> {
    /// What is called.
    #[doc(hidden)]
    pub fn method(&self) -> &'a str {
        self.method
    }

    /// What the handler is given.
    #[doc(hidden)]
    pub fn open<P: Decode, C: From<Context>>(&self) -> Result<(P, C)> {
        let params = self.context.read(self.method, self.params)?;
        Ok((params, C::from(self.context.clone())))
    }

    /// Answers with what the handler gives.
    #[doc(hidden)]
    pub fn answer<T, F>(&mut self, handler: F) -> Task
    where
        T: Serialize + Send + Sync + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        match self.responder.take() {
            Some(responder) => Box::pin(responder.wait(handler)),
            None => Box::pin(async {}),
        }
    }
}

/// A notification for a handler.
pub struct Notification<'a> {
    pub(super) method: &'a str,
    pub(super) params: Option<&'a str>,
    pub(super) context: Context,
}

impl<'a> Notification<'a> {
    /// What is called.
    #[doc(hidden)]
    pub fn method(&self) -> &'a str {
        self.method
    }

    /// What the handler is given.
    #[doc(hidden)]
    pub fn open<P: Decode, C: From<Context>>(&self) -> Result<(P, C)> {
        let params = self.context.read(self.method, self.params)?;
        Ok((params, C::from(self.context.clone())))
    }

    /// Waits for the handler. There is nobody to answer if it fails.
    #[doc(hidden)]
    pub fn handle<F>(&self, handler: F) -> Task
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        let (context, method) = (self.context.clone(), self.method.to_owned());
        Box::pin(async move {
            if let Err(error) = failure::wait(pin!(handler)).await {
                context.peer().link().failed_notification(&method, &error);
            }
        })
    }
}
