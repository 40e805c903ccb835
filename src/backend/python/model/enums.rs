//! The contents of `enums.py`.

use serde::Serialize;

use super::super::docs::{docstring, inline};
use super::super::imports::{Import, Imports};
use super::super::{literals, names};
use super::fields::description;
use super::scope::Scope;
use super::{BODY, Exports};
use crate::backend::DocsMode;
use crate::ir::{Enum, EnumBase, EnumValue, Findings, Namespace, Things, TypeDef, TypeKind};

/// `enums.py`
#[derive(Debug, Serialize)]
pub(crate) struct EnumsModule {
    pub(crate) imports: Vec<Import>,
    pub(crate) enums: Vec<EnumClass>,
}

/// An enum's class.
#[derive(Debug, Serialize)]
pub(crate) struct EnumClass {
    pub(crate) name: String,
    pub(crate) base: &'static str,
    pub(crate) doc: String,
    pub(crate) members: Vec<Member>,
    /// The lowest and the highest value that an open enum of integers keeps.
    pub(crate) range: Option<[String; 2]>,
    /// The fewest and the most characters of a value that an open enum of strings keeps.
    pub(crate) lengths: Option<[String; 2]>,
    /// The pattern that it matches, if decoders look at one.
    pub(crate) pattern: Option<String>,
}

/// A known value.
#[derive(Debug, Serialize)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) doc: String,
}

/// Writes the model of `enums.py`, and claims the names it defines.
pub(super) fn enums_module(
    scope: &Scope<'_>,
    mode: DocsMode,
    exports: &mut Exports,
    diagnostics: &mut Findings,
) -> EnumsModule {
    let mut imports = Imports::default();
    let mut enums = Vec::new();
    for (name, def) in &scope.protocol.types {
        let TypeKind::Enum(definition) = &def.kind else { continue };
        let class = scope.class(name);
        exports.claim(class, &def.name.wire, &def.location, diagnostics);
        exports.enums.push(class.to_owned());
        let base = match (&definition.base, &definition.open) {
            (EnumBase::String, None) => "StringEnum",
            (EnumBase::String, Some(_)) => "OpenStringEnum",
            (EnumBase::Integer(_), None) => "IntegerEnum",
            (EnumBase::Integer(_), Some(_)) => "OpenIntegerEnum",
        };
        imports.own("runtime/support", base);
        let mut namespace = Namespace::new(
            Things::Members(name.clone()),
            format!("members of `{class}` in Python"),
        );
        let members = definition.values.iter().map(|value| {
            namespace.claim(
                &names::constant(&value.name),
                &value.name.wire,
                &value.location,
                diagnostics,
            );
            member(value, mode)
        });
        let pattern = pattern(definition);
        if pattern.is_some() {
            imports.standard("re", "compile as compile_pattern");
        }
        enums.push(EnumClass {
            name: class.to_owned(),
            base,
            doc: documentation(def, definition, mode),
            members: members.collect(),
            range: range(definition),
            lengths: lengths(definition),
            pattern,
        });
    }
    EnumsModule { imports: imports.statements(scope.modules, "enums"), enums }
}

/// The fewest and the most characters of a value that is not listed, if there are bounds.
fn lengths(of: &Enum) -> Option<[String; 2]> {
    let text = &of.open.as_ref().filter(|_| of.base == EnumBase::String)?.text;
    let high = text.max_length.map_or_else(|| String::from("2**63 - 1"), |high| high.to_string());
    text.is_bounded().then(|| [text.min_length.unwrap_or(0).to_string(), high])
}

/// The pattern that a value matches which is not listed.
fn pattern(of: &Enum) -> Option<String> {
    let text = &of.open.as_ref().filter(|_| of.base == EnumBase::String)?.text;
    text.checked_pattern().map(literals::pattern_of)
}

fn documentation(def: &TypeDef, definition: &Enum, mode: DocsMode) -> String {
    let fallback = format!("The enum `{}`.", inline(&def.name.wire));
    let mut text = description(&def.docs, mode, &fallback, BODY);
    if definition.open.is_some() {
        text.push(String::new());
        text.push(String::from("Open: a value that is not listed here is kept as it came."));
    }
    docstring(&text, BODY)
}

fn member(value: &EnumValue, mode: DocsMode) -> Member {
    let literal = match &value.value {
        serde_json::Value::Number(number) => literals::integer(number),
        other => literals::scalar(other).unwrap_or_else(|| literals::string(&value.name.wire)),
    };
    let described = value.docs.description.is_some() && mode == DocsMode::Full;
    let text = description(&value.docs, mode, "", BODY);
    let text = if described || value.docs.deprecated { text } else { Vec::new() };
    Member { name: names::constant(&value.name), value: literal, doc: docstring(&text, BODY) }
}

/// An open integer enum keeps what lies in its range.
fn range(definition: &Enum) -> Option<[String; 2]> {
    let EnumBase::Integer(integer) = &definition.base else { return None };
    definition.open.as_ref()?;
    let (low, high) = integer.range();
    Some([low.to_string(), high.to_string()])
}
