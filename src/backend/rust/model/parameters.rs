//! Parameters of constructors and setters.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::scope::Scope;
use crate::backend::rust::names;
use crate::backend::rust::types::RustType;
use crate::ir::{Field, Presence, Type, TypeKind};

/// A parameter of a constructor or a setter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub ident: Ident,
    /// The type of the value that it is for.
    pub ty: RustType,
}

impl Parameter {
    /// A parameter for a value of a type.
    pub(crate) fn new(ident: Ident, ty: RustType) -> Self {
        Self { ident, ty }
    }

    /// `name: type`. What can be converted is taken as whatever can.
    pub(crate) fn declaration(&self) -> TokenStream {
        let Self { ident, ty } = self;
        if ty.is_copied() { quote!(#ident: #ty) } else { quote!(#ident: impl Into<#ty>) }
    }

    /// The argument, as the type it is for.
    pub(crate) fn converted(&self) -> TokenStream {
        let ident = &self.ident;
        if self.ty.is_copied() { quote!(#ident) } else { quote!(#ident.into()) }
    }
}

/// The parameters of the type's own constructor, if it has one: its required fields.
pub(super) fn parameters(scope: &Scope<'_>, ty: &Type) -> Option<Vec<Parameter>> {
    let (wire, def) = scope.definition(ty)?;
    match &def.kind {
        TypeKind::Record(record) => Some(alone(required(scope, wire, &record.fields))),
        TypeKind::Union(union) if !union.shared.is_empty() => {
            let mut parameters = alone(required(scope, wire, &union.shared));
            let field = names::kind_field(union);
            let ty = names::kind_type(&scope.ident(wire), &field);
            parameters.push(Parameter::new(field, RustType::Named(ty)));
            Some(parameters)
        }
        _ => None,
    }
}

/// A parameter for a value of a type.
pub(super) fn value_parameter(scope: &Scope<'_>, ident: Ident, ty: &Type) -> Parameter {
    let resolved = scope.rust_type(scope.resolve(ty));
    let is_plain = resolved.is_copied() || resolved == RustType::Value;
    Parameter::new(ident, if is_plain { resolved } else { scope.rust_type(ty) })
}

/// A parameter for a field's value, which can also be nothing if it is nullable.
pub(super) fn field_parameter(
    scope: &Scope<'_>,
    owner: &str,
    field: &Field,
    nullable: bool,
) -> Parameter {
    let ident = names::value(&field.name);
    if !nullable {
        return value_parameter(scope, ident, &field.ty);
    }
    let boxed = scope.needs_box(owner, &field.ty);
    Parameter::new(ident, scope.rust_type(&field.ty).boxed_if(boxed).optional())
}

/// The parameters of a constructor that is given these fields, with the fields that they fill.
pub(super) fn required<'f>(
    scope: &Scope<'_>,
    owner: &str,
    fields: &'f [Field],
) -> impl Iterator<Item = (&'f Field, Parameter)> {
    fields
        .iter()
        .filter(|field| field.presence.is_required())
        .filter(|field| {
            field.presence == Presence::RequiredNullable
                || !matches!(scope.resolve(&field.ty), Type::Literal { .. })
        })
        .map(|field| (field, field_parameter(scope, owner, field, field.presence.is_nullable())))
}

fn alone<'f>(parameters: impl Iterator<Item = (&'f Field, Parameter)>) -> Vec<Parameter> {
    parameters.map(|(_, parameter)| parameter).collect()
}
