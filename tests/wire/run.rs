//! Runs the corpus through the interpreter, and through the harness program of a language.

use std::io::Write;
use std::process::{Command, Stdio};

use acp_bindgen::decode::UnknownFields;
use serde::Deserialize;
use serde_json::Value;

use super::corpus::{Entry, Verdict, same};
use super::{Corpus, interpret, support};

/// A language, and what it does by default with properties it does not know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Language {
    /// Its name, as the harness takes it; `interpreter` is none of a harness.
    pub(crate) name: &'static str,
    /// Whether it sends them back.
    pub(crate) preserves_unknown: bool,
    /// Whether its numbers are doubles, and no others.
    pub(crate) has_doubles_only: bool,
}

/// What the harness answers to one message.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) ok: bool,
    #[serde(default)]
    pub(crate) value: Value,
    #[serde(default)]
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) error: String,
    /// All of the answer.
    #[serde(skip)]
    pub(crate) line: String,
}

impl Answer {
    /// In what another answer differs. Where one has no place that it must name, any will do.
    pub(crate) fn difference(&self, other: &Self, names_location: bool) -> Option<String> {
        match (self.ok, other.ok) {
            (true, true) if same(&self.value, &other.value) => None,
            (true, true) => Some(format!("encoded as {}, not {}", other.value, self.value)),
            (true, false) => Some(format!("rejected at `{}`: {}", other.path, other.error)),
            (false, true) => Some(format!("accepted as {}, not: {}", other.value, self.error)),
            (false, false) if !names_location => None,
            (false, false) if self.path == other.path => self.other_words(other),
            (false, false) => {
                Some(format!("rejected at `{}`, not `{}`: {}", other.path, self.path, other.error))
            }
        }
    }

    /// In what another error about the same location differs: each language expects the same there.
    fn other_words(&self, other: &Self) -> Option<String> {
        let (expected, other) = (expected(&self.error)?, expected(&other.error)?);
        // What JavaScript holds exactly is another range.
        let is_of_doubles = other.contains("9007199254740991");
        // A number can be written in several ways.
        let plain = |text: &str| text.replace("e+", "e").replace(".0", "");
        let differs = plain(expected) != plain(other) && !is_of_doubles;
        differs.then(|| format!("expected {other}, not {expected}"))
    }
}

/// What an error says was expected.
fn expected(error: &str) -> Option<&str> {
    let (_, rest) = error.split_once("expected ")?;
    rest.rsplit_once(", found ").map(|(expected, _)| expected)
}

/// Everything in which a language departs from the corpus.
pub(crate) fn departures(
    language: Language,
    corpus: &Corpus,
    strict: bool,
    entries: &[Entry],
) -> Vec<String> {
    let entries: Vec<&Entry> =
        entries.iter().filter(|entry| !entry.skip.contains_key(language.name)).collect();
    let answers = ask(language, corpus, strict, &entries);
    let interpreter = Language { name: "interpreter", ..language };
    let references = ask(interpreter, corpus, strict, &entries);
    entries
        .iter()
        .zip(answers.into_iter().zip(references))
        .filter_map(|(entry, (answer, reference))| {
            let of_doubles = entry.verdict_of_doubles(strict);
            let verdict = if let Some(verdict) = of_doubles.filter(|_| language.has_doubles_only) {
                verdict
            } else if language.preserves_unknown {
                entry.verdict_preserving(strict)
            } else {
                entry.verdict(strict)
            };
            let is_exact = of_doubles.is_none() || !language.has_doubles_only;
            let lacks =
                |holds: &&String| is_exact && answer.ok && !answer.line.contains(holds.as_str());
            let lacking = || {
                let lacking = entry.holds.as_ref().filter(lacks)?;
                Some(format!("encoded without {lacking}: {}", answer.line))
            };
            let is_same = answer.path == reference.path && !answer.ok && !reference.ok;
            let other_words = || reference.other_words(&answer).filter(|_| is_same);
            let departure = departure(verdict, &answer).or_else(lacking).or_else(other_words)?;
            Some(format!("{} ({} {}): {departure}", entry.name, entry.type_name, entry.raw))
        })
        .collect()
}

fn departure(verdict: Verdict<'_>, answer: &Answer) -> Option<String> {
    match verdict {
        Verdict::Accept(encoded) if answer.ok && same(encoded, &answer.value) => None,
        Verdict::Accept(encoded) if answer.ok => {
            Some(format!("encoded as {}, not {encoded}", answer.value))
        }
        Verdict::Accept(_) => Some(format!("rejected at `{}`: {}", answer.path, answer.error)),
        Verdict::Reject(_) if answer.ok => Some(format!("accepted as {}", answer.value)),
        Verdict::Reject(path) if path == answer.path => None,
        Verdict::Reject(path) => {
            Some(format!("rejected at `{}`, not `{path}`: {}", answer.path, answer.error))
        }
    }
}

/// One answer for each entry, in order.
pub(crate) fn ask(
    language: Language,
    corpus: &Corpus,
    strict: bool,
    entries: &[&Entry],
) -> Vec<Answer> {
    if language.name == "interpreter" {
        let keeps = language.preserves_unknown;
        let unknown = if keeps { UnknownFields::Preserve } else { UnknownFields::Drop };
        return interpret::answers(&corpus.protocol, unknown, strict, entries);
    }
    let mut command = Command::new(support::root().join("tests/harness/wire"));
    command.env("SDK", &corpus.name).arg(language.name).args(strict.then_some("--strict"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the harness starts");
    let mut input = child.stdin.take().expect("its input is piped");
    let lines = entries
        .iter()
        .map(|entry| {
            let text = Value::from(entry.raw.as_str());
            let (key, given) =
                if entry.is_text() { ("text", &text.to_string()) } else { ("value", &entry.raw) };
            format!("{{\"type\": \"{}\", \"{key}\": {given}}}\n", entry.type_name)
        })
        .collect::<Vec<_>>()
        .concat();
    // From a thread of its own: the harness answers while it reads.
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("the harness ends");
    let written = writer.join().expect("the writer ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the harness failed: {errors}");
    written.expect("the harness reads all");
    let answers: Vec<Answer> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| {
            let text = String::from_utf8_lossy(line);
            let answer = serde_json::from_slice(line)
                .unwrap_or_else(|error| panic!("{error} in the answer {text}"));
            Answer { line: text.into_owned(), ..answer }
        })
        .collect();
    assert_eq!(answers.len(), entries.len(), "one answer a line: {errors}");
    answers
}
