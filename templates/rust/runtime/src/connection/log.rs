//! A log of all messages.

use std::env;
use std::fmt::{self, Write as _};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::super::json::{self, Reader};
use super::options::{Observed, Options};
use super::rules::Rules;

/// What lines are written to.
pub(super) type Sink = Arc<Mutex<dyn Write + Send>>;

/// The log of a connection.
pub(super) struct Log {
    sink: Sink,
    rules: &'static Rules,
}

impl Log {
    /// The log that was chosen, or else that of the environment: the variable says where it goes, to
    /// a file or to `stderr`.
    pub(super) fn new(options: &Options, variable: &str, rules: &'static Rules) -> Option<Self> {
        let sink = options.log.clone().or_else(|| wanted(variable))?;
        Some(Self { sink, rules })
    }

    /// Writes a message that passed. What cannot be written is lost, and nothing else.
    pub(super) fn write(&self, observed: &Observed<'_>) {
        let Rules { near, far, .. } = *self.rules;
        let (line, from, to) = match observed {
            Observed::Received(line) => (line, far, Some(near)),
            Observed::Sent(line) => (line, Some(near), far),
            _ => return,
        };
        let record = record(line.trim_ascii(), from, to, near);
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = sink.write_all(record.as_bytes());
            let _ = sink.flush();
        }));
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Log");
        debug
            .field("near", &self.rules.near)
            .finish_non_exhaustive()
    }
}

/// What the environment asks for.
fn wanted(variable: &str) -> Option<Sink> {
    let place = env::var_os(variable).filter(|place| !place.is_empty())?;
    sink(Path::new(&place), variable)
}

/// A file to write at its end, or standard error. What cannot be opened is told, in a line that
/// begins with who wants it.
pub(super) fn sink(path: &Path, whose: &str) -> Option<Sink> {
    if path == Path::new("stderr") {
        return Some(Arc::new(Mutex::new(io::stderr())));
    }
    match OpenOptions::new().append(true).create(true).open(path) {
        Ok(file) => Some(Arc::new(Mutex::new(file))),
        Err(error) => {
            let _ = writeln!(io::stderr(), "{whose}: {}: {error}", path.display());
            None
        }
    }
}

/// The record of a line, and of who writes it. What is not JSON is in it as a string.
fn record(line: &[u8], from: Option<&str>, to: Option<&str>, by: &str) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let mut record = format!("{{\"time\":\"{}\"", time(since.unwrap_or_default()));
    for (name, side) in [("by", Some(by)), ("from", from), ("to", to)] {
        if let Some(side) = side.and_then(|side| json::encode(side).ok()) {
            let _ = write!(record, ",\"{name}\":{side}");
        }
    }
    let text = String::from_utf8_lossy(line);
    record.push_str(",\"message\":");
    if is_json(&text) {
        record.push_str(&text);
    } else {
        record.push_str(&json::encode(&*text).unwrap_or_default());
    }
    record.push_str("}\n");
    record
}

fn is_json(text: &str) -> bool {
    let mut reader = Reader::over(text);
    reader.skip().and_then(|()| reader.finish()).is_ok()
}

/// A time since the beginning of 1970 as RFC 3339 has it: `2026-01-31T12:00:00.123Z`.
fn time(since: Duration) -> String {
    let seconds = since.as_secs();
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    // Days are counted from the first of March of the year 0, so that a leap day is the last of
    // its year. An era has 400 years.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = 400 * era + year + next;
    let (second, milli) = (second % 60, since.subsec_millis());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}
