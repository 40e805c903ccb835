//! The process in which inputs are judged, so that one that overflows the stack, takes all memory or
//! never ends does not end the test.

use std::fs;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::bases::Bases;
use super::input::Input;
use super::judge::{Reached, judge};
use crate::support;

/// The longest time that one input takes: far longer than any should, so that a machine that is busy
/// with other things says nothing wrong.
pub(crate) const WATCHDOG: Duration = Duration::from_secs(120);

/// The memory of a worker in KiB, as address space.
const MEMORY: u64 = 4 << 20;

/// The stack of a program's main thread on most systems.
const STACK: usize = 8 << 20;

/// What a worker has to do.
pub(crate) enum Job {
    /// Judge the file, and say in another what is wrong.
    Replay { input: PathBuf, answer: PathBuf },
    /// Judge inputs of a seed, from this number in these steps, and tell each in a file.
    Numbered { seed: u64, first: u64, step: u64, log: PathBuf },
}

impl Job {
    /// The job of this process, if it has one.
    pub(crate) fn from_environment() -> Option<Self> {
        let words: Vec<String> =
            std::env::var("ACP_FUZZ_JOB").ok()?.split('\n').map(str::to_owned).collect();
        let number = |word: &str| word.parse().ok();
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["replay", input, answer] => {
                Some(Self::Replay { input: input.into(), answer: answer.into() })
            }
            ["numbered", seed, first, step, log] => Some(Self::Numbered {
                seed: number(seed)?,
                first: number(first)?,
                step: number(step)?,
                log: log.into(),
            }),
            _ => None,
        }
    }

    /// Starts a process for it.
    pub(crate) fn start(&self) -> Child {
        let job = match self {
            Self::Replay { input, answer } => {
                format!("replay\n{}\n{}", input.display(), answer.display())
            }
            Self::Numbered { seed, first, step, log } => {
                format!("numbered\n{seed}\n{first}\n{step}\n{}", log.display())
            }
        };
        let program = std::env::current_exe().unwrap();
        let mut command = if cfg!(unix) {
            let mut shell = Command::new("sh");
            let limits = format!("ulimit -c 0; ulimit -v {MEMORY}; exec \"$@\"");
            shell.args(["-c", &limits, "sh"]).arg(program);
            shell
        } else {
            Command::new(program)
        };
        command.args(["--exact", "fuzz::worker", "--ignored", "--test-threads=1"]);
        command.env("ACP_FUZZ_JOB", job).env("RUST_BACKTRACE", "0");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// Does it, in this process.
    pub(crate) fn run(self) {
        remember_panics();
        let worker = thread::Builder::new().stack_size(STACK).spawn(move || match self {
            Self::Replay { input, answer } => {
                let input = Input::parse(&fs::read_to_string(input).unwrap());
                let text = judged(&input).err().unwrap_or_default();
                fs::write(answer, text).unwrap();
            }
            Self::Numbered { seed, first, step, log } => numbered(seed, first, step, &log),
        });
        worker.unwrap().join().unwrap();
    }
}

fn numbered(seed: u64, first: u64, step: u64, log: &Path) {
    let bases = Bases::read();
    let mut log = fs::File::options().create(true).append(true).open(log).unwrap();
    for number in (0..).map(|count| first + count * step) {
        writeln!(log, "begin {number}").unwrap();
        let input = Input::numbered(&bases, seed, number);
        let line = match judged(&input) {
            Ok(Reached { compared, emitted, decoded }) => {
                format!("fine {number} {compared} {emitted} {decoded}")
            }
            Err(failure) => format!("wrong {number} {}", failure.replace('\n', " ")),
        };
        writeln!(log, "{line}").unwrap();
    }
}

/// What is wrong with an input, with the place in the code that found it.
fn judged(input: &Input) -> Result<Reached, String> {
    catch_unwind(AssertUnwindSafe(|| judge(input))).map_err(|_| {
        LAST.lock().map_or_else(|_| String::new(), |mut last| std::mem::take(&mut *last))
    })
}

static LAST: Mutex<String> = Mutex::new(String::new());

fn remember_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, ToString::to_string);
        let payload = panic.payload();
        let literal = payload.downcast_ref::<&str>().copied();
        let message = literal.or(payload.downcast_ref::<String>().map(String::as_str));
        let message = message.unwrap_or_default();
        let message: String = message.chars().take(2000).collect();
        if let Ok(mut last) = LAST.lock() {
            *last = format!("{place}: {message}");
        }
    }));
}

/// Judges a saved input in a process of its own. The error says what is wrong.
pub(crate) fn replay(input: &Path) -> Result<(), String> {
    let answer = support::target().join(format!("tmp/fuzz-answer-{}", std::process::id()));
    fs::create_dir_all(answer.parent().unwrap()).unwrap();
    let _ = fs::remove_file(&answer);
    let job = Job::Replay { input: input.to_owned(), answer: answer.clone() };
    let mut child = job.start();
    let start = Instant::now();
    let ended = loop {
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        if start.elapsed() > WATCHDOG {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err(String::from("it does not end"));
        }
        thread::sleep(Duration::from_millis(2));
    };
    match fs::read_to_string(&answer) {
        Ok(text) if text.is_empty() => Ok(()),
        Ok(text) => Err(text),
        Err(_) => Err(format!("it crashes: {ended}")),
    }
}
