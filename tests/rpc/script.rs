//! Scripts as data: `README.md` beside this file explains their form.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::pattern::Captures;
use super::peer::Program;
use super::protocol::Protocol;
use crate::support;

/// One conversation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// `FILE: NAME`, unique.
    pub(crate) name: String,
    /// The only protocol that has it.
    only: Option<String>,
    /// Whether the conversation is open already.
    #[serde(default)]
    pub(crate) session: bool,
    /// The side that a program is, if not that which it is as a rule.
    pub(crate) side: Option<String>,
    /// What a client sends as prompts.
    #[serde(default)]
    pub(crate) prompts: Vec<String>,
    /// Whether a client prints what its observer is told of trouble.
    #[serde(default)]
    pub(crate) observed: bool,
    /// What happens, in order.
    pub(crate) steps: Vec<Step>,
    /// The most memory, in MiB, that the program may ever have held (where the system tells).
    pub(crate) memory: Option<u64>,
    /// How the program ends.
    #[serde(default)]
    pub(crate) exit: Exit,
    /// Whether an agent is told to say nothing of handlers that fail.
    #[serde(default)]
    pub(crate) quiet: bool,
    /// What is asked of its standard error.
    #[serde(default)]
    pub(crate) told: Told,
    /// The section of the protocol's specification that it is about.
    #[serde(default)]
    pub(crate) section: Option<String>,
    /// What an agent has to have for it: a kind of agent.
    #[serde(default)]
    pub(crate) needs: Option<String>,
    /// Transports on which it means nothing, and why.
    #[serde(default)]
    pub(crate) not_over: BTreeMap<String, String>,
    /// Languages that cannot pass it, and why.
    #[serde(default)]
    pub(crate) skip: BTreeMap<String, String>,
}

impl Case {
    /// Tells whether one protocol alone has it.
    pub(crate) fn is_of_protocol(&self) -> bool {
        self.only.is_some()
    }

    /// Tells whether a step sends a message of this method.
    pub(crate) fn sends(&self, method: &str) -> bool {
        self.steps
            .iter()
            .any(|step| matches!(step, Step::Send(message) if message["method"] == method))
    }
}

/// What is asked of the standard error of a program.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Told {
    /// Texts that are there once.
    #[serde(default)]
    pub(crate) once: Vec<String>,
    /// Texts that are there.
    #[serde(default)]
    pub(crate) has: Vec<String>,
    /// Texts that are not there.
    #[serde(default)]
    pub(crate) lacks: Vec<String>,
}

impl Told {
    /// Says how a text is not what is asked.
    pub(crate) fn refusal(&self, text: &str) -> Option<String> {
        let count = |part: &String| text.matches(part.as_str()).count();
        let bad = |parts: &[String], wrong: &dyn Fn(usize) -> bool| {
            parts.iter().find(|part| wrong(count(part))).cloned()
        };
        let part = bad(&self.once, &|count| count != 1)
            .or_else(|| bad(&self.has, &|count| count == 0))
            .or_else(|| bad(&self.lacks, &|count| count > 0))?;
        Some(format!("{part:?} is {} times on standard error", count(&part)))
    }
}

/// One step of a conversation.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Step {
    /// What conversations begin with, from its Nth exchange on.
    Open(usize),
    /// One message, as a line.
    Send(Value),
    /// Bytes as they are, each piece written and flushed by itself.
    Raw(Pieces),
    /// The next line.
    Expect(Value),
    /// Lines, up to one that is like this; those before it are passed over.
    Until(Value),
    /// The next response; notifications before it are passed over.
    Answer(Value),
    /// The next lines, in any order.
    Unordered(Vec<Value>),
    /// The next line, seen as text too.
    Line(Line),
    /// A request is answered, and nothing comes before its answer.
    Quiet,
    /// So many requests, written at once; all are answered, in any order.
    Flood(usize),
    /// Bytes of which each is written by itself, one every 10 ms.
    Slowly(Pieces),
    /// Messages, written at once so many times, and the answers to their requests in any order.
    Burst(Burst),
    /// The next line that a client prints.
    Report(Value),
    /// So many lines that a client prints about updates.
    Updates(usize),
    /// End of input.
    Close,
    /// End of input, then anything until the end of output.
    Drain,
}

/// Messages, again and again, with another id each time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Burst {
    /// The messages. The number of the time, from 1 on, is captured as `number`.
    pub(crate) of: Vec<Value>,
    /// What is written after all of them, as many times.
    #[serde(default)]
    pub(crate) then: Vec<Value>,
    pub(crate) times: u64,
    /// What each answer is like. Its id is the number.
    pub(crate) answers: Value,
}

/// What is asked of a line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    /// The pattern that its value has.
    pub(crate) is: Value,
    /// Texts in it (its insignificant white space aside).
    #[serde(default)]
    pub(crate) has: Vec<String>,
    /// Texts that are not in it.
    #[serde(default)]
    pub(crate) lacks: Vec<String>,
    /// Its greatest length in bytes.
    pub(crate) at_most: Option<usize>,
}

/// Bytes.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Pieces {
    /// UTF-8.
    Text(String),
    /// Any bytes, two hexadecimal digits each, with spaces between them.
    Hex { hex: String },
    /// The same again and again.
    Repeated { repeat: Box<Pieces>, times: usize },
    /// What was captured, as JSON.
    Captured { captured: String },
    /// One message, as a line.
    Line { line: Value },
    /// One after another.
    Many(Vec<Pieces>),
}

impl Pieces {
    /// The bytes, in the pieces in which they are written.
    pub(crate) fn writes(&self, captures: &Captures) -> Vec<Vec<u8>> {
        match self {
            Self::Many(pieces) => pieces.iter().map(|piece| piece.bytes(captures)).collect(),
            piece => vec![piece.bytes(captures)],
        }
    }

    fn bytes(&self, captures: &Captures) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Hex { hex } => hex
                .split_whitespace()
                .map(|byte| u8::from_str_radix(byte, 16).expect("a byte is two digits"))
                .collect(),
            Self::Repeated { repeat, times } => repeat.bytes(captures).repeat(*times),
            Self::Captured { captured } => captures[captured].to_string().into_bytes(),
            Self::Line { line } => format!("{line}\n").into_bytes(),
            Self::Many(pieces) => pieces.iter().flat_map(|piece| piece.bytes(captures)).collect(),
        }
    }
}

/// How a program ends.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Exit {
    /// With any status, but it does.
    Any,
    /// With this one.
    #[serde(untagged)]
    Status(i32),
}

impl Default for Exit {
    fn default() -> Self {
        Self::Status(0)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "about")]
    _about: String,
    /// Transports on which all cases mean nothing, and why.
    #[serde(default)]
    not_over: BTreeMap<String, String>,
    cases: Vec<Value>,
}

/// All cases about a program in a protocol, those with `each` written out.
pub(crate) fn cases(program: Program, protocol: &Protocol) -> Vec<Case> {
    cases_in(&support::root().join("tests/rpc").join(program.name()), protocol)
}

/// All cases in the files of a folder.
pub(crate) fn cases_in(folder: &Path, protocol: &Protocol) -> Vec<Case> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the folder is there").flatten().map(|it| it.path()).collect();
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let topic = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a script can be read");
        let file: File = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for mut written in file.cases {
            if !protocol.has(written.get("only").and_then(Value::as_str)) {
                continue;
            }
            let each = written.as_object_mut().and_then(|case| case.remove("each"));
            let variants = match each {
                Some(Value::Array(variants)) => protocol.each(variants),
                Some(other) => panic!("{topic}: `each` is {other}"),
                None => vec![Value::Object(Map::new())],
            };
            for variant in variants {
                let variables = variant.as_object().expect("a variant is an object");
                let case = protocol.written(&substituted(&written, variables));
                let shown = case["name"].to_string();
                let mut case: Case = serde_json::from_value(case)
                    .unwrap_or_else(|error| panic!("{topic}, {shown}: {error}"));
                case.name = format!("{topic}: {}", case.name);
                case.not_over.extend(file.not_over.clone());
                cases.push(case);
            }
        }
    }
    cases
}

/// A value with `<NAME>` replaced wherever it stands in a string; a string that is nothing else
/// becomes the variable's value.
fn substituted(value: &Value, variables: &Map<String, Value>) -> Value {
    match value {
        Value::String(text) => {
            let mut text = text.clone();
            for (name, value) in variables {
                let mark = format!("<{name}>");
                if text == mark {
                    return value.clone();
                }
                if text.contains(&mark) {
                    let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    text = text.replace(&mark, &shown);
                }
            }
            Value::String(text)
        }
        Value::Array(items) => items.iter().map(|item| substituted(item, variables)).collect(),
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(key, value)| (key.clone(), substituted(value, variables)))
                .collect(),
        ),
        other => other.clone(),
    }
}
