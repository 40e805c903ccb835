//! Waivers that `diff` and `lint` write.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use acp_bindgen::diagnostic::Diagnostic;
use acp_bindgen::output::replace;
use acp_bindgen::policy::{Date, day_in};

use super::terminal::Terminal;

/// The days for which a finding is waived, unless another last day is chosen.
pub(super) const DAYS: u64 = 90;

/// Options that write waivers.
#[derive(clap::Args)]
pub(super) struct WriteWaivers {
    /// Agree to what makes it fail: add a waiver for each such finding to this file.
    #[arg(id = "write_waivers", long = "write-waivers", value_name = "FILE")]
    file: Option<PathBuf>,

    /// Why they are accepted.
    #[arg(long, value_name = "TEXT", requires = "write_waivers")]
    reason: Option<String>,

    /// The last day on which they are, as in `2030-12-31`. By default in ninety days.
    #[arg(long, value_name = "DATE", requires = "write_waivers", value_parser = day)]
    expires: Option<Date>,
}

impl WriteWaivers {
    /// Tells whether waivers are to be written.
    pub(super) fn is_asked_for(&self) -> bool {
        self.file.is_some()
    }

    /// Adds waivers for these findings to the file. `None` if an error was reported.
    pub(super) fn write(&self, findings: &[&str], terminal: &mut Terminal) -> Option<()> {
        let Some(path) = &self.file else { return Some(()) };
        let reason = self.reason.as_deref().unwrap_or("accepted as it is");
        let expires = self.expires.unwrap_or_else(|| day_in(DAYS));
        let before = fs::read_to_string(path);
        let before = before.or_else(|error| {
            if error.kind() == std::io::ErrorKind::NotFound {
                Ok(String::new())
            } else {
                Err(error)
            }
        });
        let written =
            before.and_then(|before| replace(path, &added(&before, findings, reason, expires)));
        match written {
            Ok(()) => Some(()),
            Err(error) => {
                let what = format!("cannot write to `{}`", path.display());
                let error = Diagnostic::system("unwritable", &what, &error);
                terminal.fail(error.help("name a file that can be made or written to"))
            }
        }
    }
}

/// The text of a file of waivers, without those for these findings.
fn without(text: &str, findings: &[&str]) -> String {
    let mut kept = String::new();
    let mut block = String::new();
    let is_start = |line: &str| line.trim_start().starts_with(['[', '#']);
    for line in text.split_inclusive('\n').chain(std::iter::once("[")) {
        if is_start(line) {
            let waiver = toml::from_str::<toml::Table>(&block).ok();
            let waiver = waiver.as_ref().and_then(|it| it.get("waiver")?.as_array()?.first());
            let finding = waiver.and_then(|it| it.get("finding")?.as_str());
            if finding.is_none_or(|finding| !findings.contains(&finding)) {
                kept.push_str(&block);
            }
            block.clear();
        }
        block.push_str(line);
    }
    kept
}

/// Reads a day.
fn day(text: &str) -> Result<Date, String> {
    let moment: Option<toml::value::Datetime> = text.parse().ok();
    let day = moment.filter(|moment| moment.time.is_none() && moment.offset.is_none());
    day.and_then(|moment| moment.date).ok_or_else(|| String::from("a day is like 2030-12-31"))
}

/// The text of a file of waivers, with more of them: in place of those for the same findings, which
/// have run out.
pub(super) fn added(text: &str, findings: &[&str], reason: &str, expires: Date) -> String {
    let mut text = without(text, findings);
    for finding in findings {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let space = if text.is_empty() { "" } else { "\n" };
        let string = |text: &str| toml::Value::String(text.to_owned()).to_string();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{space}[[waiver]]\nfinding = {}\nreason = {}\nexpires = {expires}\n",
            string(finding),
            string(reason)
        );
    }
    text
}
