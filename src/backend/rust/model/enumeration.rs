//! Enums.

use super::scope::{Scope, machine_integer};
use crate::backend::names::Namespace;
use crate::backend::rust::{docs, ident, literal};
use crate::diagnostic::Diagnostics;
use crate::ir::{Enum, EnumBase};

/// One of several strings or integers.
#[derive(Debug)]
pub(in crate::backend::rust) struct EnumModel {
    /// The integer type, where the values are integers.
    pub integer: Option<&'static str>,
    pub values: Vec<EnumValueModel>,
    /// The variant for other values, and its doc comment.
    pub open: Option<(String, Vec<String>)>,
}

/// A known value.
#[derive(Debug)]
pub(in crate::backend::rust) struct EnumValueModel {
    pub ident: String,
    /// The same as the name of a function.
    pub snake: String,
    /// A literal of the value.
    pub literal: String,
    pub docs: Vec<String>,
}

/// Decides an enum.
pub(super) fn enumeration(
    scope: &Scope<'_>,
    owner: &str,
    values: &Enum,
    diagnostics: &mut Diagnostics,
) -> EnumModel {
    let mut names = Namespace::new(format!("values of `{owner}` in Rust"));
    let integer = match &values.base {
        EnumBase::String => None,
        EnumBase::Integer(integer) => Some(machine_integer(integer).name),
    };
    let known = values.values.iter().map(|value| {
        let ident = ident::variant(&value.name);
        names.claim(&ident, &value.name.wire, &value.place, diagnostics);
        EnumValueModel {
            ident,
            snake: ident::value(&value.name),
            literal: match &value.value {
                serde_json::Value::String(text) => literal::string(text),
                other => number(other),
            },
            docs: docs::comment(&value.docs, scope.options),
        }
    });
    EnumModel {
        integer,
        values: known.collect(),
        open: values
            .open
            .as_ref()
            .map(|open| (ident::variant(&open.name), docs::comment(&open.docs, scope.options))),
    }
}

fn number(value: &serde_json::Value) -> String {
    let number = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    literal::integer(number.unwrap_or_default())
}
