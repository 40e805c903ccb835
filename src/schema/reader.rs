//! Reading one value of a keyword: the right kind of JSON, or a finding.

use indexmap::IndexMap;
use serde_json::{Number, Value};

use super::dialect::SourceDialects;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Json, Location, Node, Sources, Span, push_segment};

/// Reads schemas, and knows where it is.
pub(super) struct Reader<'a> {
    pub(super) sources: &'a Sources,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) pointer: String,
    /// The keyword being read.
    pub(super) key: Span,
    /// The dialects of the document and of what it refers to.
    pub(super) dialects: &'a SourceDialects,
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
            Json::Number(number) => number.as_u64().or_else(|| whole(number)),
            _ => None,
        };
        if count.is_none() {
            self.wrong(&format!("`{keyword}`"), "a whole number that is not negative", value);
        }
        count.map(|it| it.min(MOST))
    }

    /// The same as a limit: none where no value has as many.
    pub(super) fn most(&mut self, keyword: &str, value: &Node) -> Option<u64> {
        self.count(keyword, value).filter(|most| *most < MOST)
    }

    /// A number above zero.
    pub(super) fn step(&mut self, keyword: &str, value: &Node) -> Option<Number> {
        let number = match &value.json {
            Json::Number(number) => Some(number.clone()),
            _ => None,
        };
        let step = number.filter(|it| it.as_f64().is_some_and(|number| number > 0.0));
        if step.is_none() {
            self.wrong(&format!("`{keyword}`"), "a number above zero", value);
        }
        step
    }

    /// A regular expression. Warns where it is none in any dialect.
    pub(super) fn pattern(&mut self, keyword: &str, value: &Node) -> Option<String> {
        let text = self.string(keyword, value)?;
        if let Some(why) = slip(&text) {
            let message = format!("`{keyword}` must be a regular expression: {why}");
            let location = self.location(value.span);
            let warning = Diagnostic::warning("malformed-keyword", message).at(location);
            self.report(warning.help("see the JSON Schema specification, draft 2020-12"));
        }
        Some(text)
    }

    /// Warns of what stands in a list a second time.
    pub(super) fn twice(&mut self, keyword: &str, value: &Node) {
        let said = value.as_str().unwrap_or_default();
        let message = format!("`{keyword}` lists `{said}` twice");
        let location = self.location(value.span);
        let warning = Diagnostic::warning("duplicate-value", message).at(location);
        self.report(warning.help("keep one of the two"));
    }

    pub(super) fn wrong(&mut self, what: &str, expected: &str, value: &Node) {
        let location = self.location(value.span);
        let found = match &value.json {
            Json::Array(items) if items.is_empty() => "an empty array".to_owned(),
            // Its kind is right: what is wrong is which it is.
            Json::Number(number) if expected.contains("number") => number.to_string(),
            _ => value.describe().to_owned(),
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

/// A whole number that is written with a point or an exponent: `2.0`.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "it is whole, not negative, and exact"
)]
fn whole(number: &Number) -> Option<u64> {
    let value = number.as_f64().filter(|value| value.fract() == 0.0 && *value >= 0.0)?;
    Some(if value < MOST as f64 { value as u64 } else { MOST })
}

/// More than anything is counted to: the largest integer that all languages know exactly.
const MOST: u64 = (1 << 53) - 1;

/// Finds a mistake in a regular expression that is one in every dialect.
fn slip(pattern: &str) -> Option<&'static str> {
    let (mut groups, mut in_class, mut is_repeatable) = (0_usize, false, false);
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                if letters.next().is_none() {
                    return Some("it ends in a `\\`");
                }
                is_repeatable = true;
            }
            ']' if in_class => (in_class, is_repeatable) = (false, true),
            _ if in_class => {}
            '[' => in_class = true,
            '(' => {
                groups += 1;
                // `(?` begins a group of some kind, and repeats nothing.
                letters.next_if_eq(&'?');
                is_repeatable = false;
            }
            ')' => {
                groups = match groups.checked_sub(1) {
                    Some(groups) => groups,
                    None => return Some("a `)` closes no group"),
                };
                is_repeatable = true;
            }
            '*' | '+' | '?' if !is_repeatable => return Some("there is nothing to repeat"),
            '|' => is_repeatable = false,
            _ => is_repeatable = true,
        }
    }
    let unclosed_group = (groups > 0).then_some("a `(` is not closed");
    in_class.then_some("a `[` is not closed").or(unclosed_group)
}

#[cfg(test)]
mod tests {
    use super::slip;

    #[test]
    fn only_what_no_dialect_takes_is_a_slip() {
        for good in [
            "",
            "^a+?$",
            "(?<=a)b|(?!c)d",
            "[(*+?]",
            r"[\]a]\(",
            "(?:a|b)*",
            "(?<name>x)+",
            r"(a)\1",
            "a{2,}+",
            "x*",
            r"\p{L}+",
            "[[a]",
        ] {
            assert_eq!(slip(good), None, "{good}");
        }
        for bad in ["a(", "a)", "[a", "a\\", "*a", "(+a)", "a|?", "(?:a"] {
            assert!(slip(bad).is_some(), "{bad}");
        }
    }
}
