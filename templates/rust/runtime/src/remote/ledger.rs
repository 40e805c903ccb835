//! What a client has asked for, and which sessions it has.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::super::connection::Message;
use super::endpoint::{Endpoint, messages};

/// What a client has asked for and was not answered yet, and the sessions that are known. Each end
/// has one for a connection.
#[derive(Debug)]
pub struct Ledger {
    endpoint: &'static Endpoint,
    state: Mutex<State>,
    /// Rings when something is asked or settled.
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// By id. A client that uses an id twice at a time gets its answers in the order they come.
    asked: HashMap<String, VecDeque<Asked>>,
    /// How many of them open a new session.
    opening: usize,
    sessions: BTreeSet<String>,
}

/// A request that is not answered yet.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) method: String,
    /// The session that it was sent from.
    pub(super) session: Option<String>,
    /// What its answer means to sessions.
    pub(super) opens: Opens,
}

/// Which session a request opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opens {
    /// None.
    Nothing,
    /// A new one. The answer says which.
    New,
    /// The one that its params name, which was known already.
    Again,
    /// The one that its params name. The request makes it known, for good only if it is answered
    /// well.
    Known,
}

/// A request would open one session too many.
#[derive(Debug)]
pub(super) struct TooMany;

/// What an answer does.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) asked: Asked,
    /// The session that it opens.
    pub(super) opened: Option<String>,
    /// The session that is not known any more.
    pub(super) forgotten: Option<String>,
}

impl State {
    /// Takes the first request of an id.
    fn take(&mut self, id: &str) -> Option<Asked> {
        let all = self.asked.get_mut(id)?;
        let first = all.pop_front();
        if all.is_empty() {
            self.asked.remove(id);
        }
        self.opening -= usize::from(first.as_ref().is_some_and(|it| it.opens == Opens::New));
        first
    }
}

impl Ledger {
    pub(super) fn new(endpoint: &'static Endpoint) -> Self {
        Self {
            endpoint,
            state: Mutex::default(),
            changed: Notify::new(),
        }
    }

    /// Remembers what a line from the client asks for.
    pub(super) fn ask(&self, line: &str) {
        for message in messages(line) {
            self.ask_one(&message, None);
        }
    }

    /// Remembers what a message from the client asks for, in a session. Says which session is known
    /// from now on.
    pub(super) fn ask_one(&self, message: &Message<'_>, session: Option<&str>) -> Option<String> {
        self.ask_within(message, session, usize::MAX)
            .unwrap_or_default()
    }

    /// The same, unless it opens a session that would be one too many, with those that are about to
    /// be opened.
    pub(super) fn ask_within(
        &self,
        message: &Message<'_>,
        session: Option<&str>,
        limit: usize,
    ) -> Result<Option<String>, TooMany> {
        let Message::Request { id, method, .. } = message else {
            return Ok(None);
        };
        let named = self.endpoint.session_of(message);
        let mut state = self.lock();
        let opens = self.opens(&state, method, named.as_deref());
        if matches!(opens, Opens::New | Opens::Known)
            && state.sessions.len() + state.opening >= limit
        {
            return Err(TooMany);
        }
        let known = named.clone().filter(|_| opens == Opens::Known);
        state.sessions.extend(known.clone());
        let asked = Asked {
            method: method.to_string(),
            session: session.map(str::to_owned).or(named),
            opens,
        };
        state.opening += usize::from(opens == Opens::New);
        let all = state.asked.entry((*id).to_owned()).or_default();
        all.push_back(asked);
        drop(state);
        self.changed.notify_waiters();
        Ok(known)
    }

    /// Which session a request opens, whose params name this one.
    fn opens(&self, state: &State, method: &str, named: Option<&str>) -> Opens {
        let again = named.filter(|_| self.endpoint.reopens_session(method));
        match again {
            Some(session) if state.sessions.contains(session) => Opens::Again,
            Some(_) => Opens::Known,
            None if self.endpoint.opens_session(method) => Opens::New,
            None => Opens::Nothing,
        }
    }

    /// Forgets what a line from the server answers.
    pub(super) fn settle(&self, line: &str) {
        for message in messages(line) {
            self.settle_one(&message);
        }
    }

    /// Forgets what a message from the server answers, and says what that does.
    pub(super) fn settle_one(&self, message: &Message<'_>) -> Option<Settled> {
        let Message::Response { id, result, error } = message else {
            return None;
        };
        let mut state = self.lock();
        let asked = state.take(id)?;
        let session = asked.session.clone();
        let (opened, forgotten) = match asked.opens {
            Opens::Known if error.is_some() => (None, session),
            _ if error.is_some() => (None, None),
            Opens::New => (self.endpoint.session_in(*result), None),
            Opens::Again | Opens::Known => (session, None),
            Opens::Nothing if self.endpoint.closes_session(&asked.method) => (None, session),
            Opens::Nothing => (None, None),
        };
        state.sessions.extend(opened.clone());
        if let Some(session) = &forgotten {
            state.sessions.remove(session);
        }
        drop(state);
        self.changed.notify_waiters();
        Some(Settled {
            asked,
            opened,
            forgotten,
        })
    }

    /// Forgets a request that was not taken.
    pub(super) fn withdraw(&self, id: &str) {
        let mut state = self.lock();
        let asked = state.take(id);
        let known = asked.filter(|it| it.opens == Opens::Known);
        if let Some(session) = known.and_then(|it| it.session) {
            state.sessions.remove(&session);
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// Whether a session is known.
    pub(super) fn knows(&self, session: &str) -> bool {
        self.lock().sessions.contains(session)
    }

    /// Whether a session may be there already whose opening is not answered yet.
    pub(super) fn is_opening(&self) -> bool {
        self.lock().opening > 0
    }

    /// The sessions that are known.
    pub(super) fn sessions(&self) -> Vec<String> {
        self.lock().sessions.iter().cloned().collect()
    }

    /// The methods of what was asked for.
    pub(super) fn methods(&self) -> Vec<String> {
        let state = self.lock();
        let mut methods: Vec<_> = state
            .asked
            .values()
            .flatten()
            .map(|it| it.method.clone())
            .collect();
        methods.sort();
        methods
    }

    /// The ids of what was asked for and is to be answered in this session, or that opens it again.
    pub(super) fn ids_in(&self, session: &str, with_openings: bool) -> Vec<String> {
        let state = self.lock();
        let is_in = |it: &Asked| {
            let is_there = match it.opens {
                Opens::Nothing => true,
                Opens::New => false,
                Opens::Again | Opens::Known => with_openings,
            };
            is_there && it.session.as_deref() == Some(session)
        };
        let ids = state.asked.iter();
        let ids = ids.filter(|(_, all)| all.iter().any(is_in));
        ids.map(|(id, _)| id.clone()).collect()
    }

    /// Waits until everything is answered.
    pub(super) async fn idle(&self) {
        self.until(|state| state.asked.is_empty()).await;
    }

    /// Waits until the request that opens a connection has had so long for its answer, and says so.
    /// Where that comes in time, or there is none, waits on.
    #[cfg(feature = "websocket")]
    pub(super) async fn overdue(&self, limit: std::time::Duration) -> String {
        let Some(opens) = self.endpoint.opens else {
            return std::future::pending().await;
        };
        let is_opening = |state: &State| {
            let mut asked = state.asked.values().flatten();
            asked.any(|it| it.method == opens)
        };
        self.until(is_opening).await;
        let opened = self.until(|state| !is_opening(state));
        if tokio::time::timeout(limit, opened).await.is_ok() {
            return std::future::pending().await;
        }
        format!("there was no answer within the limit `opening` of {limit:?}")
    }

    async fn until(&self, is_so: impl Fn(&State) -> bool) {
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            changed.as_mut().enable();
            if is_so(&self.lock()) {
                return;
            }
            changed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
