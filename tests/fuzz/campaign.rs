//! Judging many inputs with several workers, which are started again where they crash.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use super::bases::Bases;
use super::input::Input;
use super::judge::Reached;
use super::shrink::save_shrunk;
use super::worker::{Job, WATCHDOG};
use crate::support;

/// The most failures of one place in the code that are made small and saved.
const SAVED: usize = 8;

/// Which inputs to judge, and for how long.
#[derive(Clone, Copy)]
pub(crate) struct Campaign {
    pub(crate) seed: u64,
    pub(crate) first: u64,
    pub(crate) inputs: u64,
    pub(crate) time: Option<Duration>,
}

/// What came of it.
pub(crate) struct Outcome {
    seed: u64,
    pub(crate) judged: u64,
    pub(crate) reached: Reached,
    /// What is wrong, by the number of the input.
    wrong: Vec<(u64, String)>,
    workers: u64,
    took: Duration,
}

impl Campaign {
    pub(crate) fn run(&self) -> Outcome {
        let workers = thread::available_parallelism().map_or(1, |it| it.get().min(8)) as u64;
        let start = Instant::now();
        let mut outcome = Outcome {
            seed: self.seed,
            judged: 0,
            reached: Reached::default(),
            wrong: Vec::new(),
            workers,
            took: Duration::ZERO,
        };
        let folder = support::scratch("fuzz");
        let mut running: Vec<Running> = (0..workers)
            .map(|which| {
                let log = folder.join(format!("{which}.log"));
                Running::start(self.seed, self.first + which, workers, log)
            })
            .collect();
        let end = self.first.saturating_add(self.inputs);
        loop {
            thread::sleep(Duration::from_millis(50));
            for worker in &mut running {
                worker.follow(end, &mut outcome);
            }
            let is_over = self.time.is_some_and(|time| start.elapsed() > time);
            if is_over || running.iter().all(|worker| worker.next >= end) {
                break;
            }
        }
        for worker in &mut running {
            worker.child.kill().ok();
            worker.child.wait().ok();
        }
        outcome.took = start.elapsed();
        outcome.wrong.sort();
        outcome
    }
}

/// A worker, and how far it is.
struct Running {
    child: Child,
    seed: u64,
    step: u64,
    log: PathBuf,
    /// The lines of its log that were read.
    read: usize,
    /// The input that it is at.
    next: u64,
    since: Instant,
}

impl Running {
    fn start(seed: u64, first: u64, step: u64, log: PathBuf) -> Self {
        let child = Job::Numbered { seed, first, step, log: log.clone() }.start();
        Self { child, seed, step, log, read: 0, next: first, since: Instant::now() }
    }

    /// Reads what it has said since, and starts it again if it crashed or does not go on.
    fn follow(&mut self, end: u64, outcome: &mut Outcome) {
        if self.next >= end {
            return;
        }
        let ended = self.child.try_wait().unwrap();
        let text = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.split_inclusive('\n').filter(|it| it.ends_with('\n')).collect();
        for line in lines.get(self.read..).unwrap_or_default() {
            self.hear(line.trim_end(), end, outcome);
        }
        self.read = lines.len();
        let is_stuck = self.since.elapsed() > WATCHDOG;
        if self.next < end && (ended.is_some() || is_stuck) {
            self.child.kill().ok();
            self.child.wait().ok();
            let told = ended.map_or("it does not end".to_owned(), |it| format!("it crashes: {it}"));
            outcome.wrong.push((self.next, told));
            outcome.judged += 1;
            let log = self.log.with_extension(format!("{}.log", self.next));
            *self = Self::start(self.seed, self.next + self.step, self.step, log);
        }
    }

    fn hear(&mut self, line: &str, end: u64, outcome: &mut Outcome) {
        let mut words = line.splitn(3, ' ');
        let (kind, number) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let Ok(number) = number.parse::<u64>() else { return };
        let rest = words.next().unwrap_or_default();
        if kind == "begin" || number >= end {
            (self.next, self.since) = (number, Instant::now());
            return;
        }
        outcome.judged += 1;
        if kind == "wrong" {
            outcome.wrong.push((number, rest.to_owned()));
            return;
        }
        let counts: Vec<u64> = rest.split(' ').filter_map(|it| it.parse().ok()).collect();
        if let [compared, emitted, decoded] = counts[..] {
            outcome.reached.compared += compared;
            outcome.reached.emitted += emitted;
            outcome.reached.decoded += decoded;
        }
    }
}

impl Outcome {
    /// Makes one failure of each kind small, saves it, and says where it is and how to see it again.
    pub(crate) fn saved(&self) -> Vec<String> {
        if self.wrong.is_empty() {
            return Vec::new();
        }
        let bases = Bases::read();
        let mut kinds: Vec<String> = Vec::new();
        let mut said = Vec::new();
        for (number, failure) in &self.wrong {
            let kind = kind(failure);
            if kinds.contains(&kind) || kinds.len() >= SAVED {
                continue;
            }
            let count = self.wrong.iter().filter(|(_, other)| self::kind(other) == kind).count();
            let path = save_shrunk(&Input::numbered(&bases, self.seed, *number), &kind, failure);
            said.push(format!(
                "input {number} and {} more: {failure}\n  saved as {}; `cargo test --test properties \
                 fuzz::saved` judges it again",
                count - 1,
                path.display()
            ));
            kinds.push(kind);
        }
        said
    }
}

/// What two failures have in common: the place in the code that found them.
pub(crate) fn kind(failure: &str) -> String {
    match failure.split_once(": ") {
        Some((place, _)) => place.to_owned(),
        None => failure.to_owned(),
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reached { compared, emitted, decoded } = self.reached;
        write!(
            formatter,
            "seed {}: {} inputs in {} s with {} workers: {compared} compared, {emitted} emitted, \
             {decoded} values decoded; {} failed",
            self.seed,
            self.judged,
            self.took.as_secs(),
            self.workers,
            self.wrong.len()
        )
    }
}
