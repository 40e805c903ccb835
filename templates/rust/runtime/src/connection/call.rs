//! What is sent to the peer.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use serde::Serialize;

use super::super::json::Decode;
use super::super::rpc;
use super::CallError;
use super::batch::Batch;
use super::link::Link;
use super::rules::{CallRule, Part};

/// The other end of a connection.
#[derive(Clone)]
pub struct Peer {
    link: Arc<Link>,
    origin: Option<u64>,
}

impl Peer {
    pub(super) fn new(link: Arc<Link>, origin: Option<u64>) -> Self {
        Self { link, origin }
    }

    /// A call of any method. It is sent when it is first awaited.
    pub fn call<P, T>(&self, method: impl Into<Cow<'static, str>>, params: P) -> Call<P, T> {
        Call {
            peer: self.clone(),
            method: method.into(),
            params,
            rule: None,
            answer: None,
            is_cancelled: false,
        }
    }

    /// A notification of any method. It is sent when it is awaited.
    pub fn notify<P>(&self, method: impl Into<Cow<'static, str>>, params: P) -> Notice<P> {
        Notice {
            peer: self.clone(),
            method: method.into(),
            params,
            rule: None,
        }
    }

    /// A call of a method of the schema, which has to be allowed.
    #[doc(hidden)]
    pub fn request<P, T>(&self, method: &'static str, params: P) -> Call<P, T> {
        let rule = self.link.rules.call(method, Part::Params);
        let call = self.call(method, params);
        Call { rule, ..call }
    }

    /// A notification of the schema, which has to be allowed.
    #[doc(hidden)]
    pub fn notification<P>(&self, method: &'static str, params: P) -> Notice<P> {
        let rule = self.link.rules.call(method, Part::Notification);
        let notice = self.notify(method, params);
        Notice { rule, ..notice }
    }

    /// Begins a batch.
    pub fn batch(&self) -> Batch {
        Batch::new(self.clone())
    }

    /// What the package keeps with the connection: one value, made when it is first asked for.
    #[doc(hidden)]
    pub fn kept<T: Any + Default + Send + Sync>(&self) -> Option<&T> {
        let kept = self.link.kept.get_or_init(|| Box::new(T::default()));
        kept.downcast_ref()
    }

    /// The version that is spoken, by its place among those of this end.
    #[doc(hidden)]
    pub fn version(&self) -> usize {
        self.link.version()
    }

    /// Has a call fail whose answer cannot come any more, once a response to it is read: it stands
    /// in for the answer, so that what came before is handled first. Says whether one is wanted.
    #[doc(hidden)]
    pub fn doom(&self, id: &str, error: CallError) -> bool {
        self.link.doom(id, error)
    }

    /// Tells of a message that the peer did not take, and that is no call.
    #[doc(hidden)]
    pub fn undelivered(&self, error: &CallError) {
        self.link.drop_message(None, "", &error.to_string());
    }

    /// Says why there is no more input, before it ends: calls whose answers have not come then fail
    /// with this error.
    #[doc(hidden)]
    pub fn lose(&self, error: CallError) {
        self.link.lose(error);
    }

    pub(super) fn link(&self) -> &Arc<Link> {
        &self.link
    }

    pub(super) fn origin(&self) -> Option<u64> {
        self.origin
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Peer").finish_non_exhaustive()
    }
}

/// A request to the peer: awaited, it is sent, and gives the answer. Dropped before that, it is
/// cancelled.
#[must_use = "a call is not sent until it is awaited"]
pub struct Call<P, T> {
    peer: Peer,
    method: Cow<'static, str>,
    params: P,
    rule: Option<&'static CallRule>,
    answer: Option<Answer<T>>,
    is_cancelled: bool,
}

impl<P, T> Call<P, T> {
    /// Tells the peer that the answer is no longer wanted, and goes on waiting for it. A call that
    /// was not sent yet fails as a cancelled one does.
    pub fn cancel(mut self) -> Self {
        self.answer = self.answer.map(Answer::cancel);
        self.is_cancelled = true;
        self
    }

    /// What a batch needs of it.
    pub(super) fn into_parts(self) -> Result<(Cow<'static, str>, P), CallError> {
        self.peer.link.check_batch(&self.method, self.rule)?;
        Ok((self.method, self.params))
    }
}

impl<P: Serialize + Unpin, T: Decode> Future for Call<P, T> {
    type Output = Result<T, CallError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let call = self.get_mut();
        if let Some(answer) = &mut call.answer {
            return Pin::new(answer).poll(context);
        }
        if call.is_cancelled {
            let error = CallError::Answered(rpc::RequestError::request_cancelled());
            return Poll::Ready(Err(error.in_call(&call.method, &[])));
        }
        let link = &call.peer.link;
        link.check_rule(&call.method, call.rule)?;
        let id = match link.poll_request(&call.method, &call.params, call.peer.origin, context) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(id) => id?,
        };
        let answer = Answer::new(Arc::clone(link), id, call.method.clone());
        Pin::new(call.answer.insert(answer)).poll(context)
    }
}

impl<P, T> fmt::Debug for Call<P, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Call");
        debug.field("method", &self.method).finish_non_exhaustive()
    }
}

/// A notification to the peer: awaited, it is sent. It waits while too much is waiting to be
/// written.
#[must_use = "a notification is not sent until it is awaited"]
pub struct Notice<P> {
    peer: Peer,
    method: Cow<'static, str>,
    params: P,
    rule: Option<&'static CallRule>,
}

impl<P> Notice<P> {
    /// Sends it at once, however much is waiting to be written.
    #[doc(hidden)]
    pub fn send_now(&self) -> Result<(), CallError>
    where
        P: Serialize,
    {
        let link = &self.peer.link;
        link.check_rule(&self.method, self.rule)?;
        link.notify_now(&self.method, &self.params)
    }

    /// What a batch needs of it.
    pub(super) fn into_parts(self) -> Result<(Cow<'static, str>, P), CallError> {
        self.peer.link.check_batch(&self.method, self.rule)?;
        Ok((self.method, self.params))
    }
}

impl<P: Serialize + Unpin> Future for Notice<P> {
    type Output = Result<(), CallError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let link = &self.peer.link;
        link.check_rule(&self.method, self.rule)?;
        link.poll_notification(&self.method, &self.params, context)
    }
}

impl<P> fmt::Debug for Notice<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Notice");
        debug.field("method", &self.method).finish_non_exhaustive()
    }
}

/// Waits for the answer to a call that was sent. Dropped before, it cancels the call.
#[must_use = "dropped, it cancels the call"]
pub struct Answer<T> {
    link: Arc<Link>,
    id: Option<u64>,
    method: Cow<'static, str>,
    result: PhantomData<fn() -> T>,
}

impl<T> Answer<T> {
    pub(super) fn new(link: Arc<Link>, id: u64, method: Cow<'static, str>) -> Self {
        let (id, result) = (Some(id), PhantomData);
        Self {
            link,
            id,
            method,
            result,
        }
    }

    /// Tells the peer that the answer is no longer wanted, and goes on waiting for it.
    pub fn cancel(self) -> Self {
        if let Some(id) = self.id {
            self.link.cancel_open(id);
        }
        self
    }
}

impl<T: Decode> Future for Answer<T> {
    type Output = Result<T, CallError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(id) = self.id else {
            return Poll::Ready(Err(CallError::Closed));
        };
        let polled = self.link.poll_answer(id, context);
        let Poll::Ready(answer) = polled else {
            return Poll::Pending;
        };
        self.id = None;
        let answer = answer.map_err(|error| error.in_call(&self.method, self.link.errors));
        Poll::Ready(answer.and_then(|text| Ok(self.link.result(&self.method, &text)?)))
    }
}

impl<T> Drop for Answer<T> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.link.abandon(id);
        }
    }
}

impl<T> fmt::Debug for Answer<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Answer");
        debug.field("id", &self.id).finish_non_exhaustive()
    }
}
