//! The contents of `enums.py`.

use super::declarations::{BODY, Exports, FUNCTION};
use super::doc::{docstring, inline};
use super::fields::description;
use super::imports::Imports;
use super::layout::{Expression, assignment, listed};
use super::literal;
use super::model::{self, EnumsModule, Function, Member};
use super::names;
use super::scope::Scope;
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{Enum, EnumBase, EnumValue, TypeDef, TypeKind};

/// Writes the model of `enums.py`, and claims the names it defines.
pub(super) fn enums_module(
    scope: &Scope<'_>,
    mode: DocsMode,
    exports: &mut Exports,
    diagnostics: &mut Diagnostics,
) -> EnumsModule {
    let mut imports = Imports::default();
    let mut enums = Vec::new();
    for (name, def) in &scope.protocol.types {
        let TypeKind::Enum(definition) = &def.kind else { continue };
        let class = scope.class(name);
        exports.claim(class, &def.name.wire, &def.place, diagnostics);
        exports.enums.push(class.to_owned());
        let base = match (&definition.base, &definition.open) {
            (EnumBase::String, None) => "StringEnum",
            (EnumBase::String, Some(_)) => "OpenStringEnum",
            (EnumBase::Integer(_), None) => "IntegerEnum",
            (EnumBase::Integer(_), Some(_)) => "OpenIntegerEnum",
        };
        imports.own("._support", base);
        let mut namespace = Namespace::new(format!("members of `{class}` in Python"));
        let members = definition.values.iter().map(|value| {
            namespace.claim(
                &names::constant(&value.name),
                &value.name.wire,
                &value.place,
                diagnostics,
            );
            member(value, mode)
        });
        enums.push(model::Enum {
            header: listed(0, &format!("class {class}"), &[String::from(base)], ":"),
            doc: documentation(def, definition, mode),
            members: members.collect(),
            unknown: unknown(class, definition),
        });
    }
    EnumsModule { imports: imports.lines(), enums }
}

fn documentation(def: &TypeDef, definition: &Enum, mode: DocsMode) -> Vec<String> {
    let fallback = format!("The enum `{}`.", inline(&def.name.wire));
    let mut text = description(&def.docs, mode, &fallback, BODY);
    if definition.open.is_some() {
        text.push(String::new());
        text.push(String::from("Open: a value that is not listed here is kept as it came."));
    }
    docstring(&text, BODY).unwrap_or_default()
}

fn member(value: &EnumValue, mode: DocsMode) -> Member {
    let name = names::constant(&value.name);
    let literal = match &value.value {
        serde_json::Value::Number(number) => literal::integer(number),
        other => literal::scalar(other).unwrap_or_else(|| literal::string(&value.name.wire)),
    };
    let described = value.docs.description.is_some() && mode == DocsMode::Full;
    let text = description(&value.docs, mode, "", BODY);
    let text = if described || value.docs.deprecated { text } else { Vec::new() };
    Member {
        lines: assignment(BODY, &name, None, Some(&Expression::atom(literal))),
        doc: docstring(&text, BODY).unwrap_or_default(),
    }
}

/// An open integer enum keeps what lies in its range.
fn unknown(class: &str, definition: &Enum) -> Option<Function> {
    let EnumBase::Integer(integer) = &definition.base else { return None };
    definition.open.as_ref()?;
    let (low, high) = integer.range();
    let parameters = [String::from("cls"), String::from("value: object")];
    let arguments = [String::from("value"), low.to_string(), high.to_string()];
    Some(Function {
        header: listed(BODY, "def _missing_", &parameters, &format!(" -> {class} | None:")),
        doc: Vec::new(),
        body: listed(FUNCTION, "return cls._within", &arguments, ""),
    })
}
