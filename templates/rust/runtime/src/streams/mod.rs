//! Calls whose results come in pieces before they are answered.

mod join;

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::Value;

use self::join::is_same;
pub use self::join::{JoinError, join};
use super::connection::{self, Call, CallError, Notification, Peer};
use super::json::Decode;
use super::rpc;

/// What came of a call whose result came in pieces.
#[derive(Clone, Debug)]
pub struct Streamed<T> {
    /// The answer. It is what counts.
    pub result: T,
    /// What the pieces make up; `None` if there were none.
    pub joined: Option<Value>,
    /// Whether there were pieces, and they make up something else.
    pub differs: bool,
    /// Why a piece could not be joined, if one could not.
    pub error: Option<JoinError>,
}

/// A call whose result comes in pieces. It is sent when the first of them, or the end, is waited
/// for; dropped before the end, it is cancelled.
#[must_use = "a call is not sent until it is waited for"]
pub struct StreamedCall<P, T> {
    call: Option<Call<Marked<P>, T>>,
    answer: Option<Result<T, CallError>>,
    stream: Stream,
}

impl<P: Serialize + Unpin, T: Decode> StreamedCall<P, T> {
    /// The next piece, as it comes. `None` once the call is answered, or has failed:
    /// [`finish`](Self::finish) says which.
    pub async fn next(&mut self) -> Option<Value> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// The same, for those who poll.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Value>> {
        {
            let mut state = self.stream.shared.lock();
            if let Some(piece) = state.pieces.pop_front() {
                return Poll::Ready(Some(piece));
            }
            state.waker = Some(context.waker().clone());
        }
        if let Some(call) = &mut self.call {
            let Poll::Ready(answer) = Pin::new(call).poll(context) else {
                return Poll::Pending;
            };
            self.answer = Some(answer);
            self.call = None;
        }
        // Pieces come before the answer.
        Poll::Ready(self.stream.shared.lock().pieces.pop_front())
    }

    /// Waits for the answer, past all pieces, and compares the two.
    ///
    /// # Errors
    ///
    /// The call failed.
    pub async fn finish(mut self) -> Result<Streamed<T>, CallError>
    where
        T: Serialize,
    {
        while self.next().await.is_some() {}
        let result = self.answer.take().unwrap_or(Err(CallError::Closed))?;
        let state = self.stream.shared.lock();
        let (joined, error) = (state.output.clone(), state.error);
        let whole = serde_json::to_value(&result).unwrap_or_default();
        let is_whole = match (&joined, whole.get(self.stream.result)) {
            (Some(joined), Some(output)) => is_same(joined, output),
            (joined, _) => joined.is_none(),
        };
        Ok(Streamed {
            result,
            joined,
            differs: error.is_some() || !is_whole,
            error,
        })
    }
}

impl<P, T> StreamedCall<P, T> {
    /// Tells the peer that the result is no longer wanted, and goes on with what still comes: pieces,
    /// then the answer. A call that was not sent yet fails as a cancelled one does.
    pub fn cancel(mut self) -> Self {
        self.call = self.call.map(Call::cancel);
        self
    }

    /// The pieces that came so far, joined; `None` before the first.
    pub fn output(&self) -> Option<Value> {
        self.stream.shared.lock().output.clone()
    }

    /// What marks the pieces of this call.
    pub fn token(&self) -> &str {
        &self.stream.token
    }
}

impl<P, T> fmt::Debug for StreamedCall<P, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("StreamedCall");
        debug.field("token", &self.token()).finish_non_exhaustive()
    }
}

/// Params with a token put into them.
pub struct Marked<P> {
    params: P,
    path: &'static [&'static str],
    token: String,
}

impl<P: Serialize> Serialize for Marked<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut params = serde_json::to_value(&self.params).map_err(S::Error::custom)?;
        let mut place = &mut params;
        for name in self.path {
            if !place.is_object() {
                *place = Value::Object(serde_json::Map::new());
            }
            place = &mut place[*name];
        }
        *place = Value::String(self.token.clone());
        params.serialize(serializer)
    }
}

impl<P> fmt::Debug for Marked<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Marked");
        debug.field("token", &self.token).finish_non_exhaustive()
    }
}

/// The pieces of one call, on their way.
#[doc(hidden)]
pub struct Stream {
    peer: Peer,
    token: String,
    path: &'static [&'static str],
    /// The property of the result that the pieces make up.
    result: &'static str,
    shared: Arc<Shared>,
}

impl Stream {
    /// Allocates a token, which goes to this path in the params.
    #[doc(hidden)]
    pub fn new(peer: &Peer, path: &'static [&'static str], result: &'static str) -> Self {
        let shared = Arc::<Shared>::default();
        let token = match peer.kept::<Streams>() {
            Some(streams) => streams.add(&shared),
            None => String::new(),
        };
        Self {
            peer: peer.clone(),
            token,
            path,
            result,
            shared,
        }
    }

    /// The params of the call.
    #[doc(hidden)]
    pub fn mark<P>(&self, params: P) -> Marked<P> {
        let (path, token) = (self.path, self.token.clone());
        Marked {
            params,
            path,
            token,
        }
    }

    /// The call whose pieces these are.
    #[doc(hidden)]
    pub fn of<P, T>(self, call: Call<Marked<P>, T>) -> StreamedCall<P, T> {
        StreamedCall {
            call: Some(call),
            answer: None,
            stream: self,
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(streams) = self.peer.kept::<Streams>() {
            streams.lock().calls.remove(&self.token);
        }
    }
}

/// Takes a notification that brings a piece of one of this connection's calls. Says whether it
/// did.
///
/// # Errors
///
/// It belongs to one of the calls, and its params are not those of the notification.
#[doc(hidden)]
pub fn brings<P: Decode>(
    notification: &Notification<'_>,
    token_in: &str,
    delta: &str,
) -> rpc::Result<bool> {
    let Ok((params, context)) = notification.open::<Value, connection::Context>() else {
        return Ok(false);
    };
    let Some(Value::String(token)) = params.get(token_in) else {
        return Ok(false);
    };
    let streams = context.peer().kept::<Streams>();
    let shared = streams.and_then(|streams| streams.lock().calls.get(token).cloned());
    let Some(shared) = shared else {
        return Ok(false);
    };
    notification.open::<P, connection::Context>()?;
    let piece = params.get(delta);
    if let Some(piece) = piece {
        shared.take(piece);
    }
    Ok(piece.is_some())
}

/// The calls of a connection whose results come in pieces, by their tokens.
#[derive(Default)]
struct Streams {
    state: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    calls: HashMap<String, Arc<Shared>>,
}

impl Streams {
    /// Registers a call under a token that no call of this connection had.
    fn add(&self, shared: &Arc<Shared>) -> String {
        let mut open = self.lock();
        open.next += 1;
        let token = format!("stream-{}", open.next);
        open.calls.insert(token.clone(), Arc::clone(shared));
        token
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is between the connection and who waits for pieces.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    pieces: VecDeque<Value>,
    output: Option<Value>,
    error: Option<JoinError>,
    waker: Option<Waker>,
}

impl Shared {
    fn take(&self, piece: &Value) {
        let mut state = self.lock();
        if state.error.is_none() {
            let state = &mut *state;
            state.error = join(&mut state.output, piece.clone()).err();
        }
        state.pieces.push_back(piece.clone());
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
