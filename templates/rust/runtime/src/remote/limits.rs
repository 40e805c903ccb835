//! How much is allowed over the network.

use std::time::Duration;

/// How many bytes a message that waits counts beside its own: what it takes to hold it.
pub(super) const COST: usize = 128;

/// How much a server allows, and a client where it is about connections and messages. What passes
/// a limit is refused with an error that names it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub(super) connections: usize,
    pub(super) sessions: usize,
    pub(super) buffered: usize,
    pub(super) body: usize,
    pub(super) headers: usize,
    pub(super) reading: Duration,
    pub(super) idle: Duration,
    pub(super) session_wait: Duration,
    pub(super) keep_alive: Duration,
    pub(super) ping: Duration,
    pub(super) opening: Duration,
}

impl Limits {
    /// The defaults.
    pub fn new() -> Self {
        Self {
            connections: 1000,
            sessions: 1000,
            buffered: 4 << 20,
            body: 64 << 20,
            headers: 100,
            reading: Duration::from_secs(30),
            idle: Duration::from_secs(300),
            session_wait: Duration::from_secs(10),
            keep_alive: Duration::from_secs(15),
            ping: Duration::from_secs(20),
            opening: Duration::from_secs(30),
        }
    }

    /// How many connections there may be at a time: 1000.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections;
        self
    }

    /// How many sessions a connection may have at a time: 1000. Over HTTP alone, where each has a
    /// stream.
    #[must_use]
    pub fn sessions(mut self, sessions: usize) -> Self {
        self.sessions = sessions;
        self
    }

    /// How many bytes may wait in each stream to a client, or from a client to a connection: 4 MiB.
    /// A message counts 128 bytes more than it has.
    #[must_use]
    pub fn buffered(mut self, bytes: usize) -> Self {
        self.buffered = bytes;
        self
    }

    /// How long a message may be, in bytes: 64 MiB.
    #[must_use]
    pub fn body(mut self, bytes: usize) -> Self {
        self.body = bytes;
        self
    }

    /// How many headers a request may have: 100.
    #[must_use]
    pub fn headers(mut self, headers: usize) -> Self {
        self.headers = headers;
        self
    }

    /// How long nothing may come of a request that has begun: between two pieces of its body, and of
    /// its head with [`serve`](super::serve): 30 s.
    #[must_use]
    pub fn reading(mut self, time: Duration) -> Self {
        self.reading = at_least_a_moment(time);
        self
    }

    /// How long a connection lives that nobody listens to, and that no message passes: 300 s.
    #[must_use]
    pub fn idle(mut self, time: Duration) -> Self {
        self.idle = time;
        self
    }

    /// How long a listener waits for its session to be opened, and at a client, the answer that opens
    /// one for the events that come before it: 10 s.
    #[must_use]
    pub fn session_wait(mut self, time: Duration) -> Self {
        self.session_wait = time;
        self
    }

    /// How often a stream without events shows that it is alive: every 15 s.
    #[must_use]
    pub fn keep_alive(mut self, time: Duration) -> Self {
        self.keep_alive = at_least_a_moment(time);
        self
    }

    /// How often the other end of a `WebSocket` has to show that it is alive: every 20 s.
    #[must_use]
    pub fn ping(mut self, time: Duration) -> Self {
        self.ping = at_least_a_moment(time);
        self
    }

    /// How long the opening of a connection may take, and at a client, that of a stream: 30 s.
    #[must_use]
    pub fn opening(mut self, time: Duration) -> Self {
        self.opening = time;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

fn at_least_a_moment(time: Duration) -> Duration {
    time.max(Duration::from_millis(1))
}
