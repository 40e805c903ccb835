//! Connecting again.

use std::future::Future;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::super::connection::CallError;
use super::ledger::Ledger;

/// How often and how fast a client connects again after it lost a connection.
#[derive(Clone, Copy, Debug)]
pub struct Retries {
    tries: u32,
    first: Duration,
    most: Duration,
}

impl Retries {
    /// The defaults: 10 tries in a row, the first after about half a second, each then after about
    /// twice the time of the one before, but at most half a minute.
    pub fn new() -> Self {
        Self {
            tries: 10,
            first: Duration::from_millis(500),
            most: Duration::from_secs(30),
        }
    }

    /// How many tries there are in a row.
    #[must_use]
    pub fn tries(mut self, tries: u32) -> Self {
        self.tries = tries;
        self
    }

    /// How long to wait before the first, and how long at most before any.
    #[must_use]
    pub fn wait(mut self, first: Duration, most: Duration) -> Self {
        (self.first, self.most) = (first, most);
        self
    }

    /// How long to wait before a try: not as long for all clients of a server that was gone.
    fn before(&self, number: u32) -> Duration {
        let doubled = self.first.saturating_mul(2_u32.saturating_pow(number));
        let random = RandomState::new().build_hasher().finish() % 512;
        let part = 512 + u32::try_from(random).unwrap_or_default();
        doubled.min(self.most).saturating_mul(part) / 1024
    }
}

impl Default for Retries {
    fn default() -> Self {
        Self::new()
    }
}

/// What there was on a connection that was lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interrupted {
    /// The ids of the sessions that were open.
    pub sessions: Vec<String>,
    /// The methods of the calls that had no answer. Whether the server did what they ask for is
    /// not known.
    pub lost: Vec<String>,
}

/// A connection that can be waited for.
pub trait Connected {
    /// Waits for the end, which is an error if the connection was lost.
    fn ended(&self) -> impl Future<Output = Result<(), CallError>> + Send;
}

/// Connects, sets up, waits for a loss, and does so again.
pub async fn reconnect<C: Connected, D, F>(
    retries: Retries,
    mut connect: impl FnMut() -> D,
    mut set_up: impl FnMut(Arc<C>, Interrupted) -> F,
) -> Result<(), CallError>
where
    D: Future<Output = Result<(C, Arc<Ledger>), CallError>>,
    F: Future<Output = Result<(), CallError>>,
{
    let mut interrupted = Interrupted::default();
    let mut tried = 0;
    loop {
        let error = match connect().await {
            Ok((connection, ledger)) => {
                let connection = Arc::new(connection);
                let made = set_up(Arc::clone(&connection), interrupted.clone()).await;
                let error = match made {
                    Ok(()) => {
                        tried = 0;
                        interrupted = Interrupted::default();
                        match connection.ended().await {
                            Ok(()) => return Ok(()),
                            Err(error) => error,
                        }
                    }
                    Err(error) => error,
                };
                let sessions = ledger.sessions();
                if !sessions.is_empty() {
                    interrupted.sessions = sessions;
                }
                interrupted.lost.extend(ledger.methods());
                error
            }
            Err(error) => error,
        };
        if tried == retries.tries || !is_passing(&error) {
            return Err(error);
        }
        sleep(retries.before(tried)).await;
        tried += 1;
    }
}

/// Whether an error may be gone the next time: a loss, or a refusal of a server that may be there
/// again soon.
fn is_passing(error: &CallError) -> bool {
    match error {
        CallError::Lost(_) | CallError::Closed => true,
        CallError::Refused { status, .. } => matches!(status, 429 | 502..=504),
        _ => false,
    }
}
