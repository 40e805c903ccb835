//! The parameters of functions that make an object of its fields: the methods by which a side is
//! called from the other end, and those that make the variants of unions.

use serde::Serialize;

use super::super::expression::{Expression, LITERAL};
use super::super::imports::{Imports, Used};
use super::super::literals;
use super::super::types::optional;
use super::Parameter;
use super::defaults::Default;
use super::scope::Scope;
use super::shorthands::ShortField;
use super::variants::Attribute;
use crate::ir::{Field, Type, TypeKind};

/// The fields of an object as parameters, and how the object is made of them.
///
/// Only the first of the required ones can be given by position: no call depends on the order of
/// the others.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Params {
    /// The parameter by position, if there is one.
    pub(crate) positional: Option<Parameter>,
    /// Parameters by keyword, the required ones first.
    pub(crate) keywords: Vec<Parameter>,
    /// The class that is made of them. Without one, the only parameter is the value itself.
    pub(crate) class: Option<String>,
    /// The attributes that the class is given.
    pub(crate) arguments: Vec<Argument>,
    /// The attributes that are set afterwards, if they were given: those whose default is a fresh
    /// value each time.
    pub(crate) later: Vec<String>,
    /// The variable for the object.
    pub(crate) variable: String,
}

/// An attribute, and what it is given.
#[derive(Debug, Serialize)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) value: Expression,
}

/// The type that a parameter takes, and the function, with its first arguments, that turns an
/// argument into the attribute.
type Accepted = (Expression, (&'static str, Vec<Expression>));

impl Scope<'_> {
    /// The type that a parameter takes instead of its attribute's: any sequence for a list, any
    /// mapping for a dictionary, and the values on the wire for an enum.
    pub(super) fn accepted(
        &self,
        field: &Field,
        ty: &Expression,
        imports: &mut Imports,
    ) -> Option<Accepted> {
        if let (Type::Array(_), Expression::Index("list", items)) = (&field.ty, ty) {
            imports.collections("Sequence");
            let taken = Expression::Index("Sequence", items.clone());
            return Some((taken, ("_taking.listed", Vec::new())));
        }
        // A dictionary of `Any` takes every dictionary as it is.
        if let (Type::Map(_), Expression::Index("dict", items)) = (&field.ty, ty)
            && items.last().is_some_and(|values| *values != Expression::atom("Any"))
        {
            imports.collections("Mapping");
            let taken = Expression::Index("Mapping", items.clone());
            return Some((taken, ("_taking.mapped", Vec::new())));
        }
        let Some(TypeKind::Enum(values)) = field.ty.named().and_then(|name| self.kind(name)) else {
            return None;
        };
        let known = values.values.iter().filter_map(|value| literals::scalar(&value.value));
        let known: Vec<_> = known.map(Expression::Atom).collect();
        if known.is_empty() {
            return None;
        }
        imports.typing(LITERAL);
        let taken = Expression::union([ty.clone(), Expression::Index(LITERAL, known)]);
        Some((taken, ("_taking.chosen", vec![ty.clone()])))
    }
}

impl Params {
    /// Decides what a method takes.
    pub(super) fn new(scope: &Scope<'_>, ty: &Type, used: &mut Used) -> Self {
        if let Type::Named { name } = ty
            && let Some(TypeKind::Record(record)) = scope.kind(name)
        {
            let class = scope.class(name);
            used.runtime.own("types", class);
            let attributes: Vec<_> = record.fields.iter().map(Attribute::own).collect();
            let annotations = &mut used.annotations;
            let annotate = |field: &Field| scope.typed(&field.ty, annotations);
            let mut imports = Imports::default();
            let params =
                Self::of_fields(scope, class, "params", &attributes, annotate, &mut imports);
            used.runtime.extend(imports);
            return params;
        }
        Self {
            positional: Some(Parameter::new("params", scope.typed(ty, &mut used.annotations))),
            variable: String::from("params"),
            ..Self::default()
        }
    }

    /// The fields of a class as parameters, whose types `annotate` writes, but for what is beside
    /// a value.
    pub(super) fn of_fields(
        scope: &Scope<'_>,
        class: &str,
        variable: &str,
        attributes: &[Attribute<'_>],
        mut annotate: impl FnMut(&Field) -> Expression,
        imports: &mut Imports,
    ) -> Self {
        let is_taken = attributes.iter().any(|attribute| attribute.name == variable);
        let variable = if is_taken { format!("{variable}_") } else { variable.to_owned() };
        let (mut required, mut optionals) = (Vec::new(), Vec::new());
        let (mut arguments, mut later) = (Vec::new(), Vec::new());
        for Attribute { name, field, .. } in attributes {
            let mut absent = Imports::default();
            let default = scope.absent(field, &mut absent);
            let ty = annotate(field);
            let is_made_later =
                !matches!(default, None | Some(Default::Shared(Expression::Atom(_))));
            let short = if is_made_later { None } else { scope.short_field(field, imports) };
            let mut value = Expression::atom(name.clone());
            let ty = match short {
                Some(ShortField { ty: short, function }) => {
                    imports.module("_shorthands", "_shorthands");
                    value = Expression::apply(format!("_shorthands.{function}"), [value]);
                    match short {
                        Expression::Index(..) => short,
                        short => Expression::union([ty, short]),
                    }
                }
                None if is_made_later => ty,
                None => match scope.accepted(field, &ty, imports) {
                    Some((accepted, (function, first))) => {
                        imports.module("runtime/taking", "_taking");
                        value = Expression::apply(function, first.into_iter().chain([value]));
                        accepted
                    }
                    None => ty,
                },
            };
            let mut parameter = |default: Option<Expression>, is_optional| {
                let ty = optional(ty.clone(), field.presence.is_nullable(), is_optional, imports);
                Parameter { name: name.clone(), ty, default, wire: field.name.wire.clone() }
            };
            match default {
                None => required.push(parameter(None, false)),
                Some(Default::Shared(value @ Expression::Atom(_))) => {
                    optionals.push(parameter(Some(value), !field.is_always_present()));
                    imports.extend(absent);
                }
                Some(_) => {
                    optionals.push(parameter(Some(Expression::atom("UNSET")), true));
                    imports.msgspec("UNSET");
                    later.push(name.clone());
                    continue;
                }
            }
            arguments.push(Argument { name: name.clone(), value });
        }
        let mut required = required.into_iter();
        let positional = required.next();
        Self {
            positional,
            keywords: required.chain(optionals).collect(),
            class: Some(class.to_owned()),
            arguments,
            later,
            variable,
        }
    }

    /// Tells whether nothing is taken.
    pub(super) fn is_empty(&self) -> bool {
        self.positional.is_none() && self.keywords.is_empty()
    }
}
