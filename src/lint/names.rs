//! Rules about names, and about definitions that are one and the same.

use indexmap::IndexMap;

use super::context::Context;
use super::finding::Finding;
use super::rule::{Rule, Texts, optional, recommended};
use crate::diagnostic::Severity::Info;
use crate::ir::{EnumBase, Name, TypeKind};
use crate::schema::SchemaObject;
use crate::source::Location;

pub(super) static NAME_STYLE: Rule = recommended(
    "name-style",
    Info,
    Texts {
        summary: "a name is written in another way than most names of its kind",
        why: "Whoever writes messages by hand has to remember the exception, and generated code has two names that differ by more than their words.",
        remedy: "Write it as the others are, if no peer knows it yet.",
        before: r#"{"properties": {"maxWatts": {}, "minWatts": {}, "max_hours": {}}}"#,
        after: r#"{"properties": {"maxWatts": {}, "minWatts": {}, "maxHours": {}}}"#,
    },
);

pub(super) static STRUCTURAL_DUPLICATE: Rule = optional(
    "structural-duplicate",
    Info,
    Texts {
        summary: "two definitions say exactly the same of values",
        why: "They are two types to generated code, and have to be changed together.",
        remedy: "Refer to the one from the other, unless they are meant to grow apart.",
        before: r#"{"A": {"properties": {"x": {}, "y": {}}}, "B": {"properties": {"x": {}, "y": {}}}}"#,
        after: r##"{"A": {"properties": {"x": {}, "y": {}}}, "B": {"$ref": "#/$defs/A"}}"##,
    },
);

pub(super) static RULES: [&Rule; 2] = [&NAME_STYLE, &STRUCTURAL_DUPLICATE];

/// A way of writing names of several words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Style {
    Camel,
    Pascal,
    Snake,
    Screaming,
    Kebab,
}

impl Style {
    const ALL: [Self; 5] = [Self::Camel, Self::Pascal, Self::Snake, Self::Screaming, Self::Kebab];

    fn name(self) -> &'static str {
        match self {
            Self::Camel => "camelCase",
            Self::Pascal => "PascalCase",
            Self::Snake => "snake_case",
            Self::Screaming => "SCREAMING_CASE",
            Self::Kebab => "kebab-case",
        }
    }

    /// The name as this style writes it.
    fn write(self, name: &Name) -> String {
        match self {
            Self::Camel => name.camel(),
            Self::Pascal => name.pascal(),
            Self::Snake => name.snake(),
            Self::Screaming => name.screaming(),
            Self::Kebab => name.kebab(),
        }
    }

    /// Tells whether a name may have been written in this style: abbreviations may be capitals, and
    /// digits stand where they like.
    fn fits(self, wire: &str) -> bool {
        let is =
            |allowed: fn(char) -> bool| wire.chars().all(|it| allowed(it) || it.is_ascii_digit());
        let starts = |allowed: fn(char) -> bool| wire.starts_with(allowed);
        match self {
            Self::Camel => is(char::is_alphabetic) && starts(char::is_lowercase),
            Self::Pascal => is(char::is_alphabetic) && starts(char::is_uppercase),
            Self::Snake => is(|it| it.is_lowercase() || it == '_'),
            Self::Screaming => is(|it| it.is_uppercase() || it == '_'),
            Self::Kebab => is(|it| it.is_lowercase() || it == '-'),
        }
    }
}

/// A name of some kind, and where it is.
struct Named {
    label: String,
    name: Name,
    location: Location,
}

pub(super) fn check(context: &mut Context<'_>) {
    styles(context);
    duplicates(context);
}

fn styles(context: &mut Context<'_>) {
    let properties = context.fields().into_iter().map(|(_, field, label)| Named {
        label,
        name: field.name.clone(),
        location: field.location.clone(),
    });
    let properties = properties.collect();
    let types = context.protocol.types.iter().filter(|(_, def)| !def.inline);
    let types = types.map(|(name, def)| Named {
        label: name.clone(),
        name: Name::new(name),
        location: def.location.clone(),
    });
    let types = types.collect();
    let mut constants = Vec::new();
    for (ty, def) in &context.protocol.types {
        let mut add = |wire: &str, location: &Location| {
            let label = format!("{ty}<{wire}>");
            constants.push(Named { label, name: Name::new(wire), location: location.clone() });
        };
        match &def.kind {
            TypeKind::Enum(of) if of.base == EnumBase::String => {
                of.values.iter().for_each(|value| add(&value.name.wire, &value.location));
            }
            TypeKind::Union(union) => {
                union.tagged().for_each(|(tag, variant)| add(tag, &variant.location));
            }
            _ => {}
        }
    }
    let mut segments = Vec::new();
    for method in &context.protocol.methods {
        for segment in method.name.wire.split('/').filter(|segment| *segment != "$") {
            segments.push(Named {
                label: method.name.wire.clone(),
                name: Name::new(segment),
                location: method.location.clone(),
            });
        }
    }
    for (kind, names) in [
        ("property", properties),
        ("definition", types),
        ("constant", constants),
        ("method", segments),
    ] {
        exceptions(context, kind, names);
    }
}

/// Reports the names that are not written as three in four are. A name of one word tells nothing
/// but whether it begins with a capital.
fn exceptions(context: &mut Context<'_>, kind: &str, names: Vec<Named>) {
    let names: Vec<Named> = names.into_iter().filter(|it| !it.name.wire.starts_with('_')).collect();
    let several: Vec<&Named> = names.iter().filter(|named| named.name.words.len() > 1).collect();
    let uses = |style: Style| several.iter().filter(|named| style.fits(&named.name.wire)).count();
    let Some(usual) = Style::ALL.into_iter().max_by_key(|style| uses(*style)) else { return };
    if several.len() < 3 || uses(usual) * 4 < several.len() * 3 {
        return;
    }
    for Named { label, name, location } in names.iter().filter(|it| !usual.fits(&it.name.wire)) {
        let (wire, style, better) = (&name.wire, usual.name(), usual.write(name));
        let message = format!("the {kind} `{wire}` is not in {style}, as most are: `{better}`");
        context.report(&NAME_STYLE, label, location, message);
    }
}

/// Reports definitions of several properties or alternatives that are the same but for what they say
/// to people.
fn duplicates(context: &mut Context<'_>) {
    let mut seen: IndexMap<String, &str> = IndexMap::new();
    let mut found = Vec::new();
    for (name, schema) in &context.document.definitions {
        if context.protocol.envelope.contains(name) {
            continue;
        }
        let is_small = schema.properties.len() < 2 && schema.branches().len() < 2;
        if is_small || schema.annotations.method.is_some() {
            continue;
        }
        let shape = format!("{:?}", bare(schema));
        match seen.get(&shape) {
            Some(first) => {
                let message = format!("`{name}` says the same of values as `{first}`");
                let finding = Finding::new(&STRUCTURAL_DUPLICATE, name, &schema.location, message);
                let other = context.document.definitions.get(*first);
                found.push(match other {
                    Some(other) => finding.related(&other.location, "the other one"),
                    None => finding,
                });
            }
            None => {
                seen.insert(shape, name);
            }
        }
    }
    context.findings.extend(found);
}

/// A schema without what it says to people, and without where it stands.
fn bare(schema: &SchemaObject) -> SchemaObject {
    let mut bare = schema.clone();
    strip(&mut bare);
    bare
}

fn strip(schema: &mut SchemaObject) {
    schema.location = Location::default();
    schema.title = None;
    schema.docs = crate::ir::Docs::default();
    schema.examples.clear();
    if let Some(reference) = &mut schema.reference {
        reference.location = Location::default();
    }
    for (_, location) in
        schema.enumeration.iter_mut().flatten().chain(schema.default.as_deref_mut())
    {
        *location = Location::default();
    }
    schema.parts_mut().for_each(strip);
}
