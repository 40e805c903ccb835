//! Fields of classes: their annotations, defaults and documentation.

use std::collections::HashSet;

use serde::Serialize;

use super::super::expression::Expression;
use super::super::imports::Imports;
use super::super::types::{Reader, optional};
use super::super::{docs, literals, names};
use super::defaults::Default;
use super::scope::Scope;
use super::variants::Attribute;
use super::{BODY, Parameter};
use crate::backend::DocsMode;
use crate::decode::OnAbsent;
use crate::diagnostic::Diagnostic;
use crate::ir::{Docs, Field, Findings, Namespace, Stability, Things};

/// A field of a struct.
#[derive(Debug, Serialize)]
pub(crate) struct StructField {
    /// Its name and type, and the value it has when it is absent.
    #[serde(flatten)]
    pub(crate) parameter: Parameter,
    /// A function that makes that value, where it can change.
    pub(crate) factory: Option<Expression>,
    /// The wire name as a literal, where msgspec would not find it by itself.
    pub(crate) wire: Option<String>,
    /// The docstring below it; empty if there is nothing to say.
    pub(crate) doc: String,
}

impl Scope<'_> {
    /// Writes the annotation of a field.
    pub(super) fn annotation(
        &self,
        field: &Field,
        reader: Reader,
        imports: &mut Imports,
    ) -> Expression {
        let ty = self.ty(&field.ty, reader, imports);
        optional(ty, field.presence.is_nullable(), !field.is_always_present(), imports)
    }

    /// The value of an optional field that is absent. `None` for a required one.
    pub(super) fn absent(&self, field: &Field, imports: &mut Imports) -> Option<Default> {
        let default = match &self.field_plan(field)?.absent {
            OnAbsent::Refuse => return None,
            OnAbsent::Leave => None,
            OnAbsent::Default(value) => {
                self.default(&field.ty, field.presence.is_nullable(), value, imports)
            }
        };
        Some(default.unwrap_or_else(|| {
            imports.msgspec("UNSET");
            Default::Shared(Expression::atom("UNSET"))
        }))
    }

    /// A field of a struct, below the classes that are `defined`.
    pub(super) fn struct_field(
        &self,
        attribute @ Attribute { name, field, .. }: &Attribute<'_>,
        mode: DocsMode,
        defined: &HashSet<String>,
        imports: &mut Imports,
    ) -> StructField {
        let ty = self.annotation(field, Reader::Msgspec, imports);
        let (default, factory) = match self.absent(field, imports) {
            None => (None, None),
            Some(Default::Shared(value)) => (Some(value), None),
            Some(Default::Factory(factory)) => (None, Some(callable(factory, defined))),
        };
        let is_renamed = names::camel(name).as_ref() != Some(&field.name.wire);
        if is_renamed || factory.is_some() {
            imports.msgspec("field");
        }
        let wire = is_renamed.then(|| literals::string(&field.name.wire));
        StructField {
            parameter: Parameter { name: name.clone(), ty, default, wire: field.name.wire.clone() },
            factory,
            wire,
            doc: self.attribute_doc(attribute, mode),
        }
    }

    /// The docstring of an attribute: editors show it wherever the attribute is named.
    pub(super) fn attribute_doc(&self, attribute: &Attribute<'_>, mode: DocsMode) -> String {
        let text = attribute_text(attribute, mode, self);
        docs::docstring(&docs::wrapped(&text, BODY), BODY)
    }
}

/// A class that is defined further down is looked up when it is called.
fn callable(factory: Expression, defined: &HashSet<String>) -> Expression {
    match factory {
        Expression::Atom(class) if !defined.contains(&class) => {
            Expression::Lambda(Box::new(Expression::apply(class, [])))
        }
        factory => factory,
    }
}

/// The text of a docstring with a section for the attributes of its class.
pub(super) fn with_attributes(
    mut text: Vec<String>,
    mode: DocsMode,
    attributes: &[&Attribute<'_>],
    scope: &Scope<'_>,
) -> Vec<String> {
    if !attributes.is_empty() {
        text.push(String::new());
        text.push(String::from("Attributes:"));
        for attribute in attributes {
            let entry = attribute_text(attribute, mode, scope);
            let end = if entry.is_empty() { ":" } else { ": " };
            let entry = format!("{}{end}{entry}", attribute.name);
            let lines = docs::wrapped(&entry, BODY + 8).into_iter().enumerate();
            text.extend(lines.map(|(index, line)| hanging(index, &line)));
        }
    }
    text
}

/// A description with what the schema says of a thing's status; never empty.
pub(super) fn description(
    docs: &Docs,
    mode: DocsMode,
    fallback: &str,
    indent: usize,
) -> Vec<String> {
    let mut text = match (&docs.description, mode) {
        (Some(description), DocsMode::Full) => docs::lines(description, indent),
        _ => Vec::new(),
    };
    if text.is_empty() {
        text = docs::lines(fallback, indent);
    }
    if mode == DocsMode::Off && docs.stability == Stability::Unstable {
        text.extend([String::new(), String::from("Unstable: not yet part of the protocol.")]);
    }
    if docs.deprecated {
        text.extend([String::new(), String::from("Deprecated.")]);
    }
    text
}

/// The description of an attribute, with what is special about it.
fn attribute_text(
    Attribute { name, field, .. }: &Attribute<'_>,
    mode: DocsMode,
    scope: &Scope<'_>,
) -> String {
    let mut facts = Vec::new();
    if field.presence.is_required() {
        facts.push(String::from("required"));
    }
    if *name != field.name.wire {
        facts.push(format!("wire name {}", docs::code(&field.name.wire)));
    }
    if let Some(absent) = scope.absent(field, &mut Imports::default()) {
        facts.push(match absent {
            Default::Shared(value) => format!("`{value}` if absent"),
            Default::Factory(Expression::Lambda(body)) => format!("`{body}` if absent"),
            Default::Factory(class) => format!("`{class}()` if absent"),
        });
    }
    if field.presence.is_nullable() {
        facts.push(String::from("`None` if `null`"));
    }
    if field.docs.deprecated {
        facts.push(String::from("deprecated"));
    }
    if mode == DocsMode::Off && field.docs.stability == Stability::Unstable {
        facts.push(String::from("unstable"));
    }
    let facts = sentence(&facts);
    let described = match &field.docs.description {
        Some(description) if mode == DocsMode::Full => docs::cleaned(description),
        _ => String::new(),
    };
    match described.as_str() {
        "" => facts,
        _ if facts.is_empty() => described,
        words => format!("{words}\n\n{facts}"),
    }
}

/// A line of an entry of a section, by its index in the entry.
pub(super) fn hanging(index: usize, line: &str) -> String {
    let indent = if index == 0 { 4 } else { 8 };
    if line.is_empty() { String::new() } else { format!("{:indent$}{line}", "") }
}

/// Facts as one sentence, or nothing.
fn sentence(facts: &[String]) -> String {
    let mut joined = facts.join("; ");
    if let Some(first) = joined.get_mut(..1) {
        first.make_ascii_uppercase();
        joined.push('.');
    }
    joined
}

/// Claims the attributes of a class. Two of one name are reported with both locations.
pub(super) fn claim<'f, 'a: 'f>(
    class: &str,
    attributes: impl IntoIterator<Item = &'f Attribute<'a>>,
    diagnostics: &mut Findings,
) {
    let mut namespace =
        Namespace::new(Things::MembersOfAny, format!("attributes of `{class}` in Python"));
    for Attribute { name, field, .. } in attributes {
        namespace.claim(name, &field.name.wire, &field.location, diagnostics);
    }
}

/// Says where a default cannot be written.
pub(super) fn check_default(
    scope: &Scope<'_>,
    class: &str,
    field: &Field,
    diagnostics: &mut Findings,
) {
    if let Some(default) = &field.default
        && !field.presence.is_required()
        && scope
            .default(&field.ty, field.presence.is_nullable(), default, &mut Imports::default())
            .is_none()
    {
        diagnostics.push(
            Diagnostic::warning(
                "python-default",
                format!("the default of {class}.{} cannot be written in Python", field.name.wire),
            )
            .at(field.location.clone())
            .help("the field is `UNSET` where it is absent"),
        );
    }
}
