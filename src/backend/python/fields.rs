//! Fields of structs: their annotations, defaults and documentation.

use std::collections::HashSet;

use super::defaults::Default;
use super::doc;
use super::imports::Imports;
use super::layout::{self, Expression};
use super::literal;
use super::names;
use super::scope::Scope;
use super::types::{Reader, optional};
use super::variants::Attribute;
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Docs, Field, Stability};

/// The indentation of a class body.
const BODY: usize = 4;

impl Scope<'_> {
    /// What a field's annotation says.
    pub(super) fn annotation(
        &self,
        field: &Field,
        reader: Reader,
        imports: &mut Imports,
    ) -> Expression {
        let ty = self.ty(&field.ty, reader, imports);
        optional(ty, field.presence.is_nullable(), !field.is_always_present(), imports)
    }

    /// What an optional field is when it is absent. `None` for a required one.
    pub(super) fn absent(&self, field: &Field, imports: &mut Imports) -> Option<Default> {
        if field.presence.is_required() {
            return None;
        }
        let default = field.default.as_ref().and_then(|value| {
            self.default(&field.ty, field.presence.is_nullable(), value, imports)
        });
        Some(default.unwrap_or_else(|| {
            imports.msgspec("UNSET");
            Default::Shared(Expression::atom("UNSET"))
        }))
    }

    /// The lines that declare a field of a struct.
    pub(super) fn declare(
        &self,
        Attribute { name, field, .. }: &Attribute<'_>,
        defined: &HashSet<String>,
        imports: &mut Imports,
    ) -> Vec<String> {
        let annotation = self.annotation(field, Reader::Msgspec, imports);
        let mut arguments = Vec::new();
        let value = match self.absent(field, imports) {
            None => None,
            Some(Default::Shared(value)) => {
                arguments.push((String::from("default"), value.clone()));
                Some(value)
            }
            Some(Default::Factory(factory)) => {
                let factory = callable(factory, defined);
                arguments.push((String::from("default_factory"), factory.clone()));
                Some(factory)
            }
        };
        let is_factory = arguments.first().is_some_and(|(name, _)| name == "default_factory");
        let renamed = names::camel(name).as_ref() != Some(&field.name.wire);
        if renamed {
            let wire = Expression::atom(literal::string(&field.name.wire));
            arguments.push((String::from("name"), wire));
        }
        let value = if renamed || is_factory {
            imports.msgspec("field");
            Some(Expression::call("field", arguments))
        } else {
            value
        };
        layout::assignment(BODY, name, Some(&annotation), value.as_ref())
    }
}

/// A class that is defined further down is looked up when it is called.
fn callable(factory: Expression, defined: &HashSet<String>) -> Expression {
    match factory {
        Expression::Atom(class) if !defined.contains(&class) => {
            Expression::Lambda(Box::new(Expression::Call(class, Vec::new())))
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
            attribute_text(attribute, mode, scope, &mut text);
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
        (Some(description), DocsMode::Full) => doc::lines(description, indent),
        _ => Vec::new(),
    };
    if text.is_empty() {
        text = doc::lines(fallback, indent);
    }
    if mode == DocsMode::Off && docs.stability == Stability::Unstable {
        text.extend([String::new(), String::from("Unstable: not yet part of the protocol.")]);
    }
    if docs.deprecated {
        text.extend([String::new(), String::from("Deprecated.")]);
    }
    text
}

fn attribute_text(
    Attribute { name, field, .. }: &Attribute<'_>,
    mode: DocsMode,
    scope: &Scope<'_>,
    text: &mut Vec<String>,
) {
    let mut facts = Vec::new();
    if field.presence.is_required() {
        facts.push(String::from("required"));
    }
    if *name != field.name.wire {
        facts.push(format!("wire name {}", doc::code(&field.name.wire)));
    }
    if let Some(absent) = scope.absent(field, &mut Imports::default()) {
        facts.push(match absent {
            Default::Shared(value) => format!("`{}` if absent", value.flat()),
            Default::Factory(Expression::Lambda(body)) => format!("`{}` if absent", body.flat()),
            Default::Factory(class) => format!("`{}()` if absent", class.flat()),
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
    let described = match (&field.docs.description, mode) {
        (Some(description), DocsMode::Full) => doc::lines(description, 0),
        _ => Vec::new(),
    };
    let entry = match described.join("\n").as_str() {
        "" => format!("{name}: {facts}"),
        words if facts.is_empty() => format!("{name}: {words}"),
        words => format!("{name}: {words}\n\n{facts}"),
    };
    for (index, line) in doc::lines(&entry, BODY + 8).into_iter().enumerate() {
        let indent = if index == 0 { 4 } else { 8 };
        text.push(layout::indented(indent, &line));
    }
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

/// Claims the attributes of a class. Two of one name are reported with both places.
pub(super) fn claim<'f, 'a: 'f>(
    class: &str,
    attributes: impl IntoIterator<Item = &'f Attribute<'a>>,
    diagnostics: &mut Diagnostics,
) {
    let mut namespace = Namespace::new(format!("attributes of `{class}` in Python"));
    for Attribute { name, field, .. } in attributes {
        namespace.claim(name, &field.name.wire, &field.place, diagnostics);
    }
}

/// Says where a default cannot be written.
pub(super) fn check_default(
    scope: &Scope<'_>,
    class: &str,
    field: &Field,
    diagnostics: &mut Diagnostics,
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
            .at(field.place.clone())
            .help("the field is `UNSET` where it is absent"),
        );
    }
}
