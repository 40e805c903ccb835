//! Findings: what is wrong with a message, and where.

use std::collections::HashSet;

use crate::diagnostic::Severity;
use crate::policy::Rule;
use crate::source::{Location, Node, Sources, Span};

/// A finding about a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// `RULE:METHOD:PATH`: the same for the same mistake in other messages.
    pub id: String,
    /// The rule.
    pub rule: &'static Rule,
    /// Its severity.
    pub severity: Severity,
    /// The message: a sentence without a full stop.
    pub message: String,
    /// The method of the message, if it is known.
    pub method: Option<String>,
    /// The side that sends the message, if it is known.
    pub from: Option<String>,
    /// The side that gets the message, if it is known.
    pub to: Option<String>,
    /// The path in the message: `params.update.status`, nothing for the message itself.
    pub path: String,
    /// The place in the file. The pointer is that in the JSON text of the line.
    pub location: Location,
    /// The place in the schema that says otherwise, if there is one.
    pub schema: Option<Location>,
}

/// A message that is being judged.
#[derive(Clone, Debug)]
pub(super) struct At<'m> {
    /// The message.
    pub(super) node: &'m Node,
    /// Its JSON pointer in its line.
    pub(super) pointer: String,
    /// The side that sends it.
    pub(super) from: Option<String>,
    /// The side that gets it.
    pub(super) to: Option<String>,
    /// True if the record says who gets it.
    pub(super) is_said: bool,
    /// Its method, or that of the request that it answers.
    pub(super) method: Option<String>,
}

/// A place in a message.
#[derive(Clone, Debug, Default)]
pub(super) struct Spot {
    /// The bytes. `None`: those of the message.
    pub(super) span: Option<Span>,
    /// The JSON pointer in the message.
    pub(super) pointer: String,
    /// The path in the message.
    pub(super) path: String,
    /// The place in the schema.
    pub(super) schema: Option<Location>,
}

impl Spot {
    /// A member of the message itself.
    pub(super) fn member(key: &str, span: Span) -> Self {
        Self { span: Some(span), pointer: format!("/{key}"), path: key.to_owned(), schema: None }
    }
}

/// The findings so far.
#[derive(Debug)]
pub(super) struct Findings<'s> {
    sources: &'s Sources,
    pub(super) list: Vec<Finding>,
    /// The values that cannot be read. Nothing more is said of them.
    pub(super) unread: HashSet<Span>,
}

impl<'s> Findings<'s> {
    pub(super) fn new(sources: &'s Sources) -> Self {
        Self { sources, list: Vec::new(), unread: HashSet::new() }
    }

    /// The text of a file.
    pub(super) fn text(&self, source: u32) -> &'s str {
        self.sources.get(source).map_or("", |text| text.text.as_str())
    }

    /// Adds a finding about a message.
    pub(super) fn add(&mut self, rule: &'static Rule, at: &At<'_>, spot: Spot, message: String) {
        let span = spot.span.unwrap_or(at.node.span);
        if self.unread.contains(&span) {
            return;
        }
        let pointer = format!("{}{}", at.pointer, spot.pointer);
        let method = at.method.clone();
        self.list.push(Finding {
            id: id(rule, method.as_deref(), &spot.path),
            rule,
            severity: rule.severity,
            message,
            method,
            from: at.from.clone(),
            to: at.to.clone(),
            path: spot.path,
            location: self.sources.location(pointer, span),
            schema: spot.schema,
        });
    }

    /// Adds a finding about a place in a file that is in no message.
    pub(super) fn add_at(&mut self, rule: &'static Rule, location: Location, message: String) {
        self.list.push(Finding {
            id: id(rule, None, ""),
            rule,
            severity: rule.severity,
            message,
            method: None,
            from: None,
            to: None,
            path: String::new(),
            location,
            schema: None,
        });
    }

    /// The location of bytes.
    pub(super) fn location(&self, span: Span) -> Location {
        self.sources.location("", span)
    }
}

/// The name of a mistake, without the numbers of items.
fn id(rule: &Rule, method: Option<&str>, path: &str) -> String {
    let mut general = String::with_capacity(path.len());
    let mut in_index = false;
    for character in path.chars() {
        in_index = (in_index || character == '[') && character != ']';
        if !in_index || character == '[' {
            general.push(character);
        }
    }
    format!("{}:{}:{general}", rule.id, method.unwrap_or_default())
}
