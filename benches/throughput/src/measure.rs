//! What is measured, and how it is told.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

/// What a client is asked to do.
pub struct Plan {
    /// Prompts that are sent one after another, and timed.
    pub prompts: u64,
    /// What each of them asks the agent for: so many updates, of so many bytes.
    pub updates: u64,
    pub length: usize,
    /// How long the client takes for each update.
    pub pause: Duration,
    /// The agent's program.
    pub agent: String,
}

impl Plan {
    /// Reads `PROMPTS UPDATES LENGTH PAUSE AGENT` from the arguments; the pause is in
    /// microseconds.
    pub fn from_arguments() -> Self {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let number = |at: usize| arguments[at].parse().expect("it is a number");
        Self {
            prompts: number(0),
            updates: number(1),
            length: number(2) as usize,
            pause: Duration::from_micros(number(3)),
            agent: arguments[4].clone(),
        }
    }

    /// The text of a prompt.
    pub fn prompt(&self) -> String {
        ask(self.updates, self.length)
    }

    /// Prints what came out, as one line of JSON.
    pub fn report(&self, heard: &Heard, time: Duration) {
        let line = json!({
            "seconds": time.as_secs_f64(),
            "updates": heard.count(),
            "agent_kib": heard.0.peak.load(Ordering::Relaxed),
            "client_kib": peak_kibibytes(),
        });
        println!("{line}");
    }
}

/// The text of a prompt for so many updates of so many bytes.
pub fn ask(updates: u64, length: usize) -> String {
    format!("{updates} {length}")
}

/// What such a prompt asks for.
pub fn asked(prompt: &str) -> (u64, String) {
    let (updates, length) = prompt.split_once(' ').expect("it asks for updates");
    let number = |word: &str| word.parse().expect("it is a number");
    (number(updates), "x".repeat(number(length) as usize))
}

/// What a client has heard so far.
#[derive(Clone, Default)]
pub struct Heard(Arc<Counts>);

#[derive(Default)]
struct Counts {
    updates: AtomicU64,
    /// The most memory that the agent says it ever held.
    peak: AtomicU64,
    pause: AtomicU64,
    /// How long the pauses are that were not taken yet.
    owed: AtomicU64,
}

impl Heard {
    /// Takes so long for each update from now on.
    pub fn slow_down(&self, pause: Duration) {
        self.0.pause.store(pause.as_micros() as u64, Ordering::Relaxed);
    }

    /// An update is handled. Pauses are taken by the millisecond, as timers go.
    pub async fn update(&self, text: &str) {
        if let Some(peak) = text.strip_prefix("peak ") {
            let peak = peak.parse().expect("it is a number");
            self.0.peak.store(peak, Ordering::Relaxed);
            return;
        }
        self.0.updates.fetch_add(1, Ordering::Relaxed);
        let pause = self.0.pause.load(Ordering::Relaxed);
        if self.0.owed.fetch_add(pause, Ordering::Relaxed) + pause >= 1000 {
            let owed = self.0.owed.swap(0, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_micros(owed)).await;
        }
    }

    pub fn count(&self) -> u64 {
        self.0.updates.load(Ordering::Relaxed)
    }

    /// Waits until so many updates were handled. A prompt's answer comes after its updates, but
    /// not every SDK resolves it after they were handled.
    pub async fn all(&self, updates: u64) {
        let start = Instant::now();
        while self.count() < updates {
            assert!(start.elapsed() < Duration::from_secs(300), "updates are missing");
            tokio::time::sleep(Duration::from_micros(100)).await;
        }
    }
}

/// The last update of each prompt: the most memory that this process ever held.
pub fn peak_text() -> String {
    format!("peak {}", peak_kibibytes())
}

fn peak_kibibytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    peak.unwrap_or(0)
}

/// The runtime that `RUNTIME` names: `current_thread`, or what `#[tokio::main]` gives.
pub fn runtime() -> io::Result<tokio::runtime::Runtime> {
    let is_single = std::env::var("RUNTIME").is_ok_and(|name| name == "current_thread");
    let mut builder = if is_single {
        tokio::runtime::Builder::new_current_thread()
    } else {
        tokio::runtime::Builder::new_multi_thread()
    };
    builder.enable_all().build()
}
