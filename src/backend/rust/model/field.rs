//! Records and their fields.

use super::default::{self, DefaultValue, Form};
use super::parameters::{Parameter, field_parameter};
use super::read::{self, Helper, Read};
use super::scope::Scope;
use crate::backend::names::Namespace;
use crate::backend::rust::{docs, ident};
use crate::diagnostic::Diagnostics;
use crate::ir::{Fallback, Field, Presence, Type};

/// An object with named fields.
#[derive(Debug)]
pub(in crate::backend::rust) struct RecordModel {
    pub fields: Vec<FieldModel>,
    /// Functions that read values of fields.
    pub helpers: Vec<Helper>,
}

/// A field.
#[derive(Debug)]
pub(in crate::backend::rust) struct FieldModel {
    /// The property's name.
    pub wire: String,
    /// The field's name.
    pub ident: String,
    /// The name of the method that sets it.
    pub setter: String,
    /// What that method, or a constructor, is given.
    pub parameter: Parameter,
    pub docs: Vec<String>,
    /// The type of a value: the field's own, but for the `Option` or `Patch` of an optional field
    /// and for the box.
    pub value: String,
    /// Whether the value is in a box.
    pub boxed: bool,
    /// The function that makes the default, if that takes one, and what it does.
    pub maker: Option<(String, String)>,
    pub slot: Slot,
    pub reading: Reading,
    pub read: Read,
}

/// How a field holds its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::backend::rust) enum Slot {
    /// The value, which must be there.
    Required,
    /// The value, or the default.
    Defaulted(DefaultValue),
    /// `Option`.
    Optional,
    /// `Patch`.
    Patch,
    /// Not at all: the value is always this (an expression of a reference to it).
    Constant(String),
}

/// What is done about a malformed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::backend::rust) enum Reading {
    /// It is an error.
    Strict,
    /// It is as if there were none.
    Lenient,
    /// It becomes another value.
    LenientOr(DefaultValue),
    /// `null` is as if there were no value.
    NonNull,
    /// `null` becomes another value.
    NonNullOr(DefaultValue),
}

impl FieldModel {
    /// The type of the value, in its box.
    pub(in crate::backend::rust) fn held(&self) -> String {
        if self.boxed { format!("Box<{}>", self.value) } else { self.value.clone() }
    }

    /// The type of the field.
    pub(in crate::backend::rust) fn ty(&self) -> String {
        match self.slot {
            Slot::Required | Slot::Defaulted(_) | Slot::Constant(_) => self.held(),
            Slot::Optional => format!("Option<{}>", self.held()),
            Slot::Patch => format!("Patch<{}>", self.held()),
        }
    }
}

impl RecordModel {
    /// The fields that a constructor must be given.
    pub(in crate::backend::rust) fn required(&self) -> impl Iterator<Item = &FieldModel> {
        self.fields.iter().filter(|field| field.slot == Slot::Required)
    }

    /// Whether it can be made of nothing.
    pub(in crate::backend::rust) fn is_defaultable(&self) -> bool {
        self.required().next().is_none()
    }

    /// Whether what is made of nothing is what deriving `Default` gives.
    pub(in crate::backend::rust) fn derives_default(&self) -> bool {
        self.fields.iter().all(|field| match &field.slot {
            Slot::Required => false,
            Slot::Defaulted(default) => default.form == Form::Standard,
            Slot::Optional | Slot::Patch | Slot::Constant(_) => true,
        })
    }
}

/// Decides a record.
pub(super) fn record(
    scope: &Scope<'_>,
    owner: &str,
    fields: &[Field],
    diagnostics: &mut Diagnostics,
) -> RecordModel {
    let mut names = Namespace::new(format!("fields of `{owner}` in Rust"));
    let mut helpers = Vec::new();
    let idents: Vec<String> = fields.iter().map(|field| ident::value(&field.name)).collect();
    let fields = fields
        .iter()
        .zip(&idents)
        .map(|(field, ident)| {
            names.claim(ident, &field.name.wire, &field.place, diagnostics);
            let mut helper = format!("decode_{}", field.name.snake());
            while idents.contains(&helper)
                || idents.contains(&helper.replacen("decode", "default", 1))
            {
                helper.push('_');
            }
            lower(scope, owner, field, ident, &helper, &mut helpers)
        })
        .collect();
    RecordModel { fields, helpers }
}

fn lower(
    scope: &Scope<'_>,
    owner: &str,
    field: &Field,
    ident: &str,
    helper: &str,
    helpers: &mut Vec<Helper>,
) -> FieldModel {
    let boxed = scope.needs_box(owner, &field.ty);
    let mut slot = slot(scope, field, boxed);
    let maker = maker(&mut slot, helper);
    let inner = scope.expression(&field.ty);
    let held = if boxed { format!("Box<{inner}>") } else { inner.clone() };
    let optional = match slot {
        Slot::Patch => Some(("patch", format!("Patch<{held}>"))),
        Slot::Required | Slot::Defaulted(_) if field.presence.is_nullable() => {
            Some(("nullable", format!("Option<{held}>")))
        }
        _ => None,
    };
    let inner_helper =
        if optional.is_some() { format!("{helper}_value") } else { helper.to_owned() };
    let read = if field.leniency.skip_invalid_items {
        read::read_valid_items(scope, &field.ty, &inner_helper, helpers)
    } else {
        read::read(scope, &field.ty, &inner_helper, helpers)
    };
    let read = match &optional {
        Some((combinator, returns)) => read::wrapped(&read, helper, combinator, returns, helpers),
        None => read,
    };
    let nullable = matches!(optional, Some(("nullable", _)));
    FieldModel {
        wire: field.name.wire.clone(),
        ident: ident.to_owned(),
        setter: if ident == "new" { String::from("with_new") } else { ident.to_owned() },
        docs: docs::comment(&field.docs, scope.options),
        parameter: field_parameter(scope, owner, field, nullable),
        value: if nullable { format!("Option<{held}>") } else { inner },
        boxed: boxed && !nullable,
        maker,
        reading: reading(scope, field, boxed),
        slot,
        read,
    }
}

fn slot(scope: &Scope<'_>, field: &Field, boxed: bool) -> Slot {
    match (field.presence, &field.default) {
        (Presence::Required, _) => match scope.resolve(&field.ty) {
            Type::Literal { value } => Slot::Constant(read::literal_reference(value)),
            _ => Slot::Required,
        },
        (Presence::RequiredNullable, _) => Slot::Required,
        (_, Some(default)) => Slot::Defaulted(value(scope, field, default, boxed)),
        (Presence::Optional, None) => Slot::Optional,
        (Presence::OptionalNullable, None) => Slot::Patch,
    }
}

/// Puts a call that makes a default into a function of its own: its name, and the call.
fn maker(slot: &mut Slot, helper: &str) -> Option<(String, String)> {
    let Slot::Defaulted(default) = slot else { return None };
    if default.form != Form::Call {
        return None;
    }
    let name = helper.replacen("decode_", "default_", 1);
    let call = format!("Self::{name}()");
    let inner = default.code.strip_prefix("Some(").and_then(|code| code.strip_suffix(')'));
    let (code, call) = match inner {
        Some(inner) => (inner.to_owned(), format!("Some({call})")),
        None => (default.code.clone(), call),
    };
    default.code = call;
    Some((name, code))
}

/// What a field holds for a JSON value.
fn value(scope: &Scope<'_>, field: &Field, value: &serde_json::Value, boxed: bool) -> DefaultValue {
    if field.presence.is_nullable() && value.is_null() {
        return DefaultValue { code: String::from("None"), form: Form::Standard };
    }
    let inner = default::default(scope, &field.ty, value);
    let inner = if boxed { inner.boxed() } else { inner };
    if field.presence.is_nullable() {
        let form = if inner.form == Form::Constant { Form::Constant } else { Form::Call };
        DefaultValue { code: format!("Some({})", inner.code), form }
    } else {
        inner
    }
}

fn reading(scope: &Scope<'_>, field: &Field, boxed: bool) -> Reading {
    match (&field.leniency.on_error, &field.leniency.on_null) {
        (Some(Fallback::Absent), _) => Reading::Lenient,
        (Some(Fallback::Value { value: json }), _) => {
            Reading::LenientOr(value(scope, field, json, boxed))
        }
        (None, Some(Fallback::Absent)) => Reading::NonNull,
        (None, Some(Fallback::Value { value: json })) => {
            Reading::NonNullOr(value(scope, field, json, boxed))
        }
        (None, None) => Reading::Strict,
    }
}
