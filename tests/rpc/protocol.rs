//! What the scripts leave to the protocol: `README.md` beside this file explains its form.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::peer::Program;
use crate::support;

/// The protocols that the scripts are played in: the names of their SDKs, and of their files.
pub(crate) const PROTOCOLS: [&str; 3] = ["acp-v1", "agent-communication", "workshop"];

/// What takes the place of marks in scripts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Protocol {
    /// The name of its SDK.
    #[serde(skip)]
    pub(crate) name: String,
    #[serde(rename = "about")]
    _about: String,
    /// Whether it has no other cases than those that are about it only.
    #[serde(default)]
    alone: bool,
    /// Its schema, as the command line takes it.
    pub(crate) schema: String,
    /// What a conversation begins with.
    opening: Roles<Vec<Exchange>>,
    /// A request that is answered at once, whatever else goes on.
    marker: Roles<Marker>,
    #[serde(default)]
    words: BTreeMap<String, Value>,
    /// More of what a case is once for each of.
    #[serde(default)]
    rows: BTreeMap<String, Vec<Value>>,
}

/// Something of each program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Roles<T> {
    agent: T,
    client: T,
}

impl<T> Roles<T> {
    fn of(&self, program: Program) -> &T {
        match program {
            Program::Agent => &self.agent,
            Program::Client => &self.client,
        }
    }
}

/// A message from the client to the agent that belongs to the opening, and its answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exchange {
    pub(crate) method: String,
    /// What an agent is sent.
    #[serde(default)]
    pub(crate) params: Value,
    /// The pattern of what an agent answers, or what a client is answered. A notification has none.
    pub(crate) result: Option<Value>,
}

/// A request, and the pattern of its answer. In all of it `<>` stands for the id.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Marker {
    pub(crate) method: String,
    pub(crate) params: Value,
    pub(crate) answer: Value,
}

impl Protocol {
    /// Tells whether it has the scripts of the first protocol in its own words.
    pub(crate) fn shares_scripts(&self) -> bool {
        !self.alone && self.name != PROTOCOLS[0]
    }

    /// Reads `protocols/NAME.json`.
    ///
    /// # Panics
    ///
    /// If it is not as it should be.
    pub(crate) fn read(name: &str) -> Self {
        Self::read_from(&support::root().join(format!("tests/rpc/protocols/{name}.json")), name)
    }

    /// Reads a file of such.
    ///
    /// # Panics
    ///
    /// If it is not as it should be.
    pub(crate) fn read_from(path: &Path, name: &str) -> Self {
        let text = fs::read_to_string(path).expect("a protocol can be read");
        let mut protocol: Self = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        name.clone_into(&mut protocol.name);
        protocol
    }

    /// What a conversation with this program begins with.
    pub(crate) fn opening(&self, program: Program) -> Vec<Exchange> {
        let exchanges = self.opening.of(program).iter();
        let written = |exchange: &Exchange| Exchange {
            method: exchange.method.clone(),
            params: self.written(&exchange.params),
            result: exchange.result.as_ref().map(|result| self.written(result)),
        };
        exchanges.map(written).collect()
    }

    /// The request that this program answers at once, with an id.
    pub(crate) fn marker(&self, program: Program, id: &str) -> Marker {
        let marker = self.marker.of(program);
        let id = Value::from(id);
        let written = |value: &Value| filled(&self.written(value), &id);
        Marker {
            method: self.text(&marker.method),
            params: written(&marker.params),
            answer: written(&marker.answer),
        }
    }

    /// What a case is once for each of: rows by their mark become those of the protocol.
    pub(crate) fn each(&self, variants: Vec<Value>) -> Vec<Value> {
        let mut all = Vec::new();
        for variant in variants {
            match variant.as_str().and_then(marked) {
                Some(name) => all.extend(self.rows(name).iter().cloned()),
                None => all.push(variant),
            }
        }
        all
    }

    fn rows(&self, name: &str) -> &[Value] {
        self.rows.get(name).unwrap_or_else(|| panic!("{}: no rows <{name}>", self.name))
    }

    /// A value with the protocol's words in place of their marks.
    pub(crate) fn written(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match marked(text) {
                Some(name) => self.word(name).clone(),
                None => Value::String(self.text(text)),
            },
            Value::Array(items) => items.iter().map(|item| self.written(item)).collect(),
            Value::Object(members) => {
                let mut all = members.iter();
                if let (Some((key, operand)), None) = (all.next(), all.next())
                    && let Some(name) = marked(key)
                {
                    return filled(self.word(name), &self.written(operand));
                }
                let written = |(key, value): (&String, &Value)| (key.clone(), self.written(value));
                Value::Object(members.iter().map(written).collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }

    fn word(&self, name: &str) -> &Value {
        self.words.get(name).unwrap_or_else(|| panic!("{}: no word <{name}>", self.name))
    }

    /// A text with words in it.
    fn text(&self, text: &str) -> String {
        let words = self.words.iter().filter_map(|(name, word)| Some((name, word.as_str()?)));
        words.fold(text.to_owned(), |text, (name, word)| text.replace(&format!("<{name}>"), word))
    }

    /// Whether a case that is about one protocol only, or about all, is about this one.
    pub(crate) fn has(&self, only: Option<&str>) -> bool {
        only.map_or(!self.alone, |only| only == self.name)
    }
}

/// The name in a text that is nothing but a mark.
fn marked(text: &str) -> Option<&str> {
    let name = text.strip_prefix('<')?.strip_suffix('>')?;
    (!name.is_empty() && !name.contains(['<', '>'])).then_some(name)
}

/// A value with another in place of each `<>`.
fn filled(value: &Value, hole: &Value) -> Value {
    match value {
        Value::String(text) if text == "<>" => hole.clone(),
        Value::Array(items) => items.iter().map(|item| filled(item, hole)).collect(),
        Value::Object(members) => {
            let filled = |(key, value): (&String, &Value)| (key.clone(), filled(value, hole));
            Value::Object(members.iter().map(filled).collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

#[test]
fn marks_become_words() {
    use serde_json::json;
    let protocol = Protocol::read("agent-communication");
    let written = |value: Value| protocol.written(&value);
    assert_eq!(written(json!("<run>")), json!("agents/run"));
    assert_eq!(written(json!("a <run> b <> <none>")), json!("a agents/run b <> <none>"));
    assert_eq!(
        written(json!([{"<echoed>": [1, "<run>"]}])),
        json!([{"output": [1, "agents/run"]}])
    );
    assert_eq!(written(json!({"<echoed>": "<>"})), json!({"output": "<>"}));
    let params = protocol.marker(Program::Agent, "m").params;
    assert_eq!(params, json!({"name": "echo", "input": {"text": "m"}}));
}
