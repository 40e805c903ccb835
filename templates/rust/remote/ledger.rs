//! What a client has asked for, and which sessions it has.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::super::connection::Message;
use super::endpoint::{Endpoint, messages};

/// What a client has asked for and was not answered yet, and the sessions that are known. Each end
/// has one for a connection.
#[derive(Debug)]
pub(crate) struct Ledger {
    endpoint: &'static Endpoint,
    state: Mutex<State>,
    settled: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// By id. A client that uses an id twice at a time gets its answers in the order they come.
    asked: HashMap<String, VecDeque<Asked>>,
    sessions: BTreeSet<String>,
}

/// A request that is not answered yet.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) method: String,
    /// The session that it was sent from.
    pub(super) session: Option<String>,
    /// It made the session known, which is known for good only if it is answered well.
    made_known: bool,
}

/// What an answer does.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) asked: Asked,
    /// The session that it opens.
    pub(super) opened: Option<String>,
    /// The session that is not known any more.
    pub(super) forgotten: Option<String>,
}

impl Ledger {
    pub(super) fn new(endpoint: &'static Endpoint) -> Self {
        Self {
            endpoint,
            state: Mutex::default(),
            settled: Notify::new(),
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
        let Message::Request { id, method, .. } = message else {
            return None;
        };
        let named = self.endpoint.session_of(message);
        let mut state = self.lock();
        let known = named
            .clone()
            .filter(|_| self.endpoint.opens_session(method));
        let known = known.filter(|session| state.sessions.insert(session.clone()));
        let asked = Asked {
            method: method.to_string(),
            session: session.map(str::to_owned).or(named),
            made_known: known.is_some(),
        };
        let all = state.asked.entry((*id).to_owned()).or_default();
        all.push_back(asked);
        known
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
        let asked = take(&mut state.asked, id)?;
        let session = asked.session.clone();
        let (opened, forgotten) = if error.is_some() {
            (None, session.filter(|_| asked.made_known))
        } else if self.endpoint.opens_session(&asked.method) {
            (self.endpoint.session_in(*result).or(session), None)
        } else if self.endpoint.closes_session(&asked.method) {
            (None, session)
        } else {
            (None, None)
        };
        state.sessions.extend(opened.clone());
        if let Some(session) = &forgotten {
            state.sessions.remove(session);
        }
        drop(state);
        self.settled.notify_waiters();
        Some(Settled {
            asked,
            opened,
            forgotten,
        })
    }

    /// Forgets a request that was not taken.
    pub(super) fn withdraw(&self, id: &str) {
        let mut state = self.lock();
        let asked = take(&mut state.asked, id);
        if let Some(session) = asked.filter(|it| it.made_known).and_then(|it| it.session) {
            state.sessions.remove(&session);
        }
        drop(state);
        self.settled.notify_waiters();
    }

    /// The request with this id.
    pub(super) fn asked(&self, id: &str) -> Option<Asked> {
        self.lock().asked.get(id)?.front().cloned()
    }

    /// Whether a session is known.
    pub(super) fn knows(&self, session: &str) -> bool {
        self.lock().sessions.contains(session)
    }

    /// Whether one session more would be too many, with those that are about to be opened.
    pub(super) fn is_full(&self, limit: usize) -> bool {
        let state = self.lock();
        let opening = state.asked.values().flatten();
        let opening =
            opening.filter(|it| !it.made_known && self.endpoint.opens_session(&it.method));
        state.sessions.len() + opening.count() >= limit
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
            let is_opening = self.endpoint.opens_session(&it.method);
            it.session.as_deref() == Some(session) && (with_openings || !is_opening)
        };
        let ids = state.asked.iter();
        let ids = ids.filter(|(_, all)| all.iter().any(is_in));
        ids.map(|(id, _)| id.clone()).collect()
    }

    /// Waits until everything is answered.
    pub(super) async fn idle(&self) {
        loop {
            let settled = self.settled.notified();
            let mut settled = std::pin::pin!(settled);
            settled.as_mut().enable();
            if self.lock().asked.is_empty() {
                return;
            }
            settled.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the first request of an id.
fn take(asked: &mut HashMap<String, VecDeque<Asked>>, id: &str) -> Option<Asked> {
    let all = asked.get_mut(id)?;
    let first = all.pop_front();
    if all.is_empty() {
        asked.remove(id);
    }
    first
}
