//! The corpus: messages, and what a decoder must make of them. `README.md` beside it explains
//! the form.

use std::collections::BTreeMap;
use std::fs;

use acp_bindgen::diagnostic::{Diagnostics, parse};
use acp_bindgen::source::{SourceText, Sources};
use serde::Deserialize;
use serde_json::Value;

use super::support;

/// One message.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// `FOLDER/FILE: NAME`, unique.
    pub(crate) name: String,
    /// The definition it is decoded as.
    #[serde(rename = "type")]
    pub(crate) type_name: String,
    /// The message; `null` where its text is no JSON.
    #[serde(default)]
    pub(crate) value: Value,
    /// The text of the message, where `value` could not say it.
    text: Option<String>,
    /// Whether that text is refused as a whole, as no JSON is.
    #[serde(default)]
    pub(crate) invalid: bool,
    /// What the JSON that it encodes to has in it.
    #[serde(default)]
    pub(crate) holds: Option<String>,
    /// What a language makes of it whose numbers are doubles, where that differs.
    doubles: Option<Doubles>,
    /// What it encodes to again, where that is not the message itself.
    #[serde(default, deserialize_with = "present")]
    encoded: Option<Value>,
    /// The same, for a language that keeps unknown properties.
    #[serde(default, deserialize_with = "present")]
    preserved: Option<Value>,
    /// The path at which it is rejected.
    reject: Option<String>,
    /// What strict mode makes of it, where that differs.
    strict: Option<Strict>,
    /// Why JSON Schema judges it otherwise than strict mode does.
    pub(crate) schema_disagrees: Option<String>,
    /// Why what it encodes to is not valid: that is the message itself, which strict mode rejects.
    pub(crate) passed_on: Option<String>,
    /// Languages that cannot pass it, and why.
    #[serde(default)]
    pub(crate) skip: BTreeMap<String, String>,
    /// The message, exactly as the file spells it.
    #[serde(skip)]
    pub(crate) raw: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    reject: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Doubles {
    #[serde(default, deserialize_with = "present")]
    encoded: Option<Value>,
    reject: Option<String>,
    strict: Option<Strict>,
}

/// What a decoder must make of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Verdict<'a> {
    /// It decodes, and encodes to this.
    Accept(&'a Value),
    /// It is rejected at this path.
    Reject(&'a str),
}

impl Entry {
    /// A message that encodes to itself.
    pub(crate) fn accepted(type_name: &str, value: Value) -> Self {
        Self {
            name: "generated".to_owned(),
            type_name: type_name.to_owned(),
            raw: value.to_string(),
            value,
            text: None,
            invalid: false,
            holds: None,
            doubles: None,
            encoded: None,
            preserved: None,
            reject: None,
            strict: None,
            schema_disagrees: None,
            passed_on: None,
            skip: BTreeMap::new(),
        }
    }

    /// A message by its text.
    pub(crate) fn of_text(type_name: &str, text: String) -> Self {
        let value = serde_json::from_str(&text).unwrap_or_default();
        Self { raw: text.clone(), text: Some(text), ..Self::accepted(type_name, value) }
    }

    /// A message by what a line of the corpus would say of it, but for its name.
    pub(crate) fn of_row(name: &str, row: &Value) -> Self {
        let mut row = row.clone();
        row["name"] = name.into();
        let mut entry: Self = serde_json::from_value(row).expect("the row is one");
        entry.raw = entry.value.to_string();
        entry
    }

    /// Whether it is given as text, perhaps one that is no JSON.
    pub(crate) fn is_text(&self) -> bool {
        self.text.is_some()
    }

    /// What a language must make of it whose numbers are doubles, if that differs.
    pub(crate) fn verdict_of_doubles(&self, strict: bool) -> Option<Verdict<'_>> {
        let doubles = self.doubles.as_ref()?;
        Some(match (&doubles.strict, &doubles.reject, &doubles.encoded) {
            (Some(Strict { reject }), ..) if strict => Verdict::Reject(reject),
            (_, Some(path), _) => Verdict::Reject(path),
            (.., encoded) => Verdict::Accept(encoded.as_ref().unwrap_or(&self.value)),
        })
    }

    /// What a decoder must make of it that drops unknown properties.
    pub(crate) fn verdict(&self, strict: bool) -> Verdict<'_> {
        self.verdict_of(strict, self.encoded.as_ref())
    }

    /// What a decoder must make of it that keeps unknown properties.
    pub(crate) fn verdict_preserving(&self, strict: bool) -> Verdict<'_> {
        self.verdict_of(strict, self.preserved.as_ref().or(self.encoded.as_ref()))
    }

    fn verdict_of<'a>(&'a self, strict: bool, encoded: Option<&'a Value>) -> Verdict<'a> {
        match (&self.strict, &self.reject) {
            _ if self.invalid => Verdict::Reject(""),
            (Some(Strict { reject }), _) if strict => Verdict::Reject(reject),
            (_, Some(path)) => Verdict::Reject(path),
            _ => Verdict::Accept(encoded.unwrap_or(&self.value)),
        }
    }

    /// Whether the entry says what a rejected message encodes to, or twice where it is rejected.
    pub(crate) fn is_contradictory(&self) -> bool {
        let encodes = self.encoded.is_some() || self.preserved.is_some();
        let is_strict_too =
            self.strict.as_ref().is_some_and(|it| Some(&it.reject) == self.reject.as_ref());
        self.reject.is_some() && (encodes || is_strict_too)
            || self.invalid && (encodes || self.strict.is_some())
    }
}

/// All entries of a corpus folder, file by file.
pub(crate) fn entries(folder: &str) -> Vec<Entry> {
    let path = support::root().join("tests/wire").join(folder);
    let mut files: Vec<_> = fs::read_dir(&path)
        .expect("the corpus is there")
        .map(|file| file.expect("its files can be listed").path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    files
        .iter()
        .flat_map(|file| {
            let topic = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read_to_string(file).expect("a corpus file can be read");
            let lines: Vec<String> = text.lines().map(String::from).collect();
            lines.into_iter().enumerate().map(move |(index, line)| {
                let location = format!("{topic}.jsonl:{}", index + 1);
                let mut entry: Entry = serde_json::from_str(&line)
                    .unwrap_or_else(|error| panic!("{location}: {error}"));
                entry.name = format!("{topic}: {}", entry.name);
                entry.raw = entry.text.clone().unwrap_or_else(|| raw_value(&line));
                if entry.is_text() {
                    entry.value = serde_json::from_str(&entry.raw).unwrap_or_default();
                }
                entry
            })
        })
        .collect()
}

/// Whether two JSON values are the same: objects in any order, numbers by value.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, l)| right.get(key).is_some_and(|r| same(l, r)))
        }
        (Value::Number(left), Value::Number(right)) => {
            left == right
                || (left.is_f64() || right.is_f64()) && {
                    let (left, right) = (left.as_f64(), right.as_f64());
                    left.is_some() && left.map(f64::to_bits) == right.map(f64::to_bits)
                        || left == Some(0.0) && right == Some(0.0)
                }
        }
        _ => left == right,
    }
}

/// The text of the line's `value`, spelled as it is: number forms and escapes matter.
fn raw_value(line: &str) -> String {
    let mut sources = Sources::default();
    let source = sources.add(SourceText::new("corpus", line));
    let mut diagnostics = Diagnostics::new();
    let node = parse(&sources, source, &mut diagnostics).expect("the line is JSON");
    let span = node.get("value").expect("there is a value").span;
    line[span.start as usize..span.end as usize].to_owned()
}

/// Tells a `null` that is there from no value.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
