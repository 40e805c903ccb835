//! Reading one value of a keyword: the right kind of JSON, or a finding.

use indexmap::IndexMap;
use serde_json::{Number, Value};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Json, Location, Node, Sources, Span, push_segment};

/// Reads schemas, and knows where it is.
pub(super) struct Reader<'a> {
    pub(super) sources: &'a Sources,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) pointer: String,
    /// The keyword being read.
    pub(super) key: Span,
}

impl Reader<'_> {
    pub(super) fn string(&mut self, keyword: &str, value: &Node) -> Option<String> {
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong(&format!("`{keyword}`"), "a string", value);
        }
        text
    }

    /// An object whose members are all strings.
    pub(super) fn strings(&mut self, keyword: &str, value: &Node) -> IndexMap<String, String> {
        let Some(members) = value.as_object() else {
            self.wrong(&format!("`{keyword}`"), "an object of strings", value);
            return IndexMap::new();
        };
        let mut strings = IndexMap::new();
        for (key, member) in members {
            let text = self.string(&format!("{keyword}/{key}"), &member.value);
            strings.extend(text.map(|text| (key.clone(), text)));
        }
        strings
    }

    /// A string, or a whole number.
    pub(super) fn version(&mut self, keyword: &str, value: &Node) -> Option<Value> {
        match &value.json {
            Json::String(text) => return Some(Value::from(text.clone())),
            Json::Number(number) if number.is_u64() => return Some(Value::Number(number.clone())),
            _ => self.wrong(&format!("`{keyword}`"), "a string or a whole number", value),
        }
        None
    }

    /// An array of strings.
    pub(super) fn names(&mut self, keyword: &str, value: &Node) -> Vec<String> {
        let Some(items) = value.as_array() else {
            self.wrong(&format!("`{keyword}`"), "an array of strings", value);
            return Vec::new();
        };
        items.iter().filter_map(|item| self.string(keyword, item)).collect()
    }

    /// An array of what [`Self::version`] takes.
    pub(super) fn versions(&mut self, keyword: &str, value: &Node) -> Vec<Value> {
        let Some(items) = value.as_array() else {
            self.wrong(&format!("`{keyword}`"), "an array of versions", value);
            return Vec::new();
        };
        items.iter().filter_map(|item| self.version(keyword, item)).collect()
    }

    pub(super) fn flag(&mut self, keyword: &str, value: &Node) -> bool {
        value.as_bool().unwrap_or_else(|| {
            self.wrong(&format!("`{keyword}`"), "a boolean", value);
            false
        })
    }

    pub(super) fn number(&mut self, keyword: &str, value: &Node) -> Option<Number> {
        if let Json::Number(number) = &value.json {
            return Some(number.clone());
        }
        self.wrong(&format!("`{keyword}`"), "a number", value);
        None
    }

    pub(super) fn count(&mut self, keyword: &str, value: &Node) -> Option<u64> {
        let count = match &value.json {
            Json::Number(number) => number.as_u64(),
            _ => None,
        };
        if count.is_none() {
            self.wrong(&format!("`{keyword}`"), "a whole number that is not negative", value);
        }
        count
    }

    pub(super) fn wrong(&mut self, what: &str, expected: &str, value: &Node) {
        let location = self.location(value.span);
        let found = match value.as_array() {
            Some([]) => "an empty array",
            _ => value.describe(),
        };
        let help = if what.starts_with("`x-") {
            "docs/annotations.md says what annotations take"
        } else {
            "see the JSON Schema specification, draft 2020-12"
        };
        self.report(
            Diagnostic::error(
                "malformed-keyword",
                format!("{what} must be {expected}, not {found}"),
            )
            .at(location)
            .help(help),
        );
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The location of the keyword being read: of its name, not its value.
    pub(super) fn key_location(&self) -> Location {
        self.location(self.key)
    }

    pub(super) fn location(&self, span: Span) -> Location {
        self.sources.location(self.pointer.clone(), span)
    }

    pub(super) fn inside<T>(&mut self, segment: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        push_segment(&mut self.pointer, segment);
        let value = read(self);
        self.pointer.truncate(length);
        value
    }
}
