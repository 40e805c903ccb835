//! Sessions: what is known of them, and what the client may choose in them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use acp::{SessionConfigOptionKind as Kind, *};

use crate::signal::{Signal, locked};

/// What is known of a session.
pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) cwd: AbsolutePath,
    now: Mutex<Now>,
}

/// A session as it is now, and its work, one turn after the other.
#[derive(Default)]
pub(crate) struct Now {
    pub(crate) directories: Vec<AbsolutePath>,
    pub(crate) title: Option<String>,
    /// What the client may choose.
    pub(crate) options: Vec<SessionConfigOption>,
    pub(crate) is_active: bool,
    /// None before the first turn.
    pub(crate) state: Option<StateUpdate>,
    /// All that was said and done, as it is replayed.
    pub(crate) history: Vec<SessionUpdate>,
    /// What stops the tools and terminals that can be stopped.
    pub(crate) stops: BTreeMap<String, Signal>,
    /// What stops the turns begun so far.
    pub(crate) stop: Signal,
    /// The end of the turn that was begun last.
    pub(crate) end: Option<Signal>,
}

impl Session {
    pub(crate) fn new(request: NewSessionRequest) -> Self {
        let directories = request.additional_directories.unwrap_or_default();
        let now = Now { directories, options: options(), is_active: true, ..Now::default() };
        Self { id: new_id("session").into(), cwd: request.cwd, now: Mutex::new(now) }
    }

    pub(crate) fn now(&self) -> MutexGuard<'_, Now> {
        locked(&self.now)
    }

    pub(crate) fn info(&self) -> SessionInfo {
        let now = self.now();
        let mut info =
            SessionInfo::new(&self.id, &self.cwd).additional_directories(now.directories.clone());
        info.title = now.title.clone().into();
        info
    }

    /// Ends when all work has ended.
    pub(crate) async fn cancel(&self) {
        let end = {
            let mut now = self.now();
            std::mem::take(&mut now.stop).set();
            now.end.clone()
        };
        if let Some(end) = end {
            end.wait().await;
        }
    }

    pub(crate) fn stop(&self, id: &str) -> Result<()> {
        let now = self.now();
        now.stops.get(id).map(Signal::set).ok_or_else(|| invalid("id"))
    }

    pub(crate) async fn tell_state(&self, client: &ClientPeer) -> Result<()> {
        let state = self.now().state.clone();
        let state = state.unwrap_or_else(|| StateUpdate::idle(IdleStateUpdateStopReason::none()));
        Ok(client.update_session(UpdateSessionNotification::new(&self.id, state)).await?)
    }
}

/// What the client may choose in a session, and what is chosen at first.
pub(crate) fn options() -> Vec<SessionConfigOption> {
    let select = |id: &str, choices: [(&str, &str); 2]| {
        let [(first, _), _] = choices;
        let choices = choices.map(|(value, name)| SessionConfigSelectOption::new(value, name));
        let choices = SessionConfigSelectOptions::ungrouped(choices);
        let kind = Kind::select(first, choices);
        SessionConfigOption::new(id, id, kind).category(id)
    };
    let verbose = Kind::boolean(false);
    vec![
        select("mode", [("ask", "Ask first"), ("act", "Act at once")]),
        select("model", [("small", "Small"), ("large", "Large")]),
        SessionConfigOption::new("verbose", "verbose", verbose),
    ]
}

pub(crate) fn has(choices: &SessionConfigSelectOptions, value: &SessionConfigValueId) -> bool {
    choices.as_ungrouped().is_some_and(|choices| choices.iter().any(|it| it.value == *value))
}

pub(crate) fn invalid(property: &str) -> RequestError {
    RequestError::new(ErrorCode::InvalidParams, format!("Invalid params: {property}"))
}

pub(crate) fn new_id(kind: &str) -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("{kind}-{}", COUNT.fetch_add(1, Ordering::Relaxed))
}
