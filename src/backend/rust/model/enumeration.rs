//! Enums.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use serde_json::Value;

use super::scope::Scope;
use crate::backend::names::Namespace;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::types::MachineInteger;
use crate::backend::rust::{literals, names};
use crate::diagnostic::Diagnostics;
use crate::ir::{Enum, EnumBase};

/// An enum: a string or an integer out of several.
#[derive(Debug)]
pub(crate) struct EnumModel {
    /// The integer type, where the values are integers.
    pub integer: Option<MachineInteger>,
    pub values: Vec<EnumValueModel>,
    /// The variant for other values, and its doc comment.
    pub open: Option<(Ident, DocComment)>,
}

/// A known value.
#[derive(Debug)]
pub(crate) struct EnumValueModel {
    pub ident: Ident,
    /// The name of a function for the value.
    pub function: Ident,
    pub constant: Constant,
    pub docs: DocComment,
}

/// The value in messages.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    Text(String),
    Number(i128),
}

impl ToTokens for Constant {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Text(text) => quote!(#text),
            Self::Number(number) => literals::integer(*number),
        });
    }
}

/// Decides an enum.
pub(super) fn enumeration(
    scope: &Scope<'_>,
    owner: &str,
    values: &Enum,
    diagnostics: &mut Diagnostics,
) -> EnumModel {
    let mut names = Namespace::new(format!("values of `{owner}` in Rust"));
    let known = values.values.iter().map(|value| {
        let ident = names::variant(&value.name);
        names.claim(&ident.to_string(), &value.name.wire, &value.place, diagnostics);
        EnumValueModel {
            ident,
            function: names::value(&value.name),
            constant: match &value.value {
                Value::String(text) => Constant::Text(text.clone()),
                other => Constant::Number(number(other)),
            },
            docs: DocComment::new(&value.docs, scope.options),
        }
    });
    let open = values.open.as_ref();
    EnumModel {
        integer: match &values.base {
            EnumBase::String => None,
            EnumBase::Integer(integer) => Some(MachineInteger::new(integer)),
        },
        values: known.collect(),
        open: open
            .map(|open| (names::variant(&open.name), DocComment::new(&open.docs, scope.options))),
    }
}

fn number(value: &Value) -> i128 {
    let number = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    number.unwrap_or_default()
}
