//! What constructors must be given.

use super::scope::Scope;
use super::union::{kind_field, kind_ident};
use crate::backend::rust::ident;
use crate::ir::{Field, Presence, Type, TypeKind};

/// A parameter of a constructor or a setter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::backend::rust) struct Parameter {
    pub ident: String,
    /// Its type: `impl Into<String>`, `bool`.
    pub ty: String,
    /// Whether the argument still has to be turned into the type it is for.
    pub converts: bool,
}

impl Parameter {
    /// A parameter for a value of a type of Rust.
    pub(in crate::backend::rust) fn new(ident: &str, ty: &str) -> Self {
        let converts = !Self::is_copied(ty);
        let ty = if converts { format!("impl Into<{ty}>") } else { ty.to_owned() };
        Self { ident: ident.to_owned(), ty, converts }
    }

    /// Whether a type is so simple that values are passed as they are.
    pub(in crate::backend::rust) fn is_copied(ty: &str) -> bool {
        matches!(
            ty,
            "bool" | "f64" | "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "()"
        )
    }

    /// `name: type`
    pub(in crate::backend::rust) fn declaration(&self) -> String {
        format!("{}: {}", self.ident, self.ty)
    }

    /// The argument, as the type it is for.
    pub(in crate::backend::rust) fn converted(&self) -> String {
        if self.converts { format!("{}.into()", self.ident) } else { self.ident.clone() }
    }
}

/// The parameters of the type's own constructor, if it has one: its required fields.
pub(super) fn parameters(scope: &Scope<'_>, ty: &Type) -> Option<Vec<Parameter>> {
    let (wire, def) = scope.definition(ty)?;
    match &def.kind {
        TypeKind::Record(record) => Some(required(scope, wire, &record.fields)),
        TypeKind::Union(union) if !union.shared.is_empty() => {
            let mut parameters = required(scope, wire, &union.shared);
            let kind = kind_ident(scope, wire, union);
            parameters.push(Parameter::new(&kind_field(union), &kind));
            Some(parameters)
        }
        _ => None,
    }
}

/// A parameter for a value of a type.
pub(super) fn value_parameter(scope: &Scope<'_>, ident: &str, ty: &Type) -> Parameter {
    let resolved = scope.expression(scope.resolve(ty));
    if Parameter::is_copied(&resolved) {
        Parameter::new(ident, &resolved)
    } else {
        Parameter::new(ident, &scope.expression(ty))
    }
}

/// A parameter for a field's value, which can also be nothing if it is nullable.
pub(super) fn field_parameter(
    scope: &Scope<'_>,
    owner: &str,
    field: &Field,
    nullable: bool,
) -> Parameter {
    let ident = ident::value(&field.name);
    if nullable {
        let inner = scope.expression(&field.ty);
        let boxed = scope.needs_box(owner, &field.ty);
        let held = if boxed { format!("Box<{inner}>") } else { inner };
        Parameter::new(&ident, &format!("Option<{held}>"))
    } else {
        value_parameter(scope, &ident, &field.ty)
    }
}

fn required(scope: &Scope<'_>, owner: &str, fields: &[Field]) -> Vec<Parameter> {
    fields
        .iter()
        .filter(|field| field.presence.is_required())
        .filter(|field| {
            field.presence == Presence::RequiredNullable
                || !matches!(scope.resolve(&field.ty), Type::Literal { .. })
        })
        .map(|field| field_parameter(scope, owner, field, field.presence.is_nullable()))
        .collect()
}
