//! The parameters of the methods by which a side is called from the other end.

use serde::Serialize;

use super::super::expression::Expression;
use super::super::imports::{Imports, Used};
use super::super::types::optional;
use super::Parameter;
use super::defaults::Default;
use super::scope::Scope;
use super::variants::Attribute;
use crate::ir::{Record, Type, TypeKind};

/// The params of a method, made of a call's arguments.
#[derive(Debug, Serialize)]
pub(crate) struct Params {
    /// Parameters by position.
    pub(crate) required: Vec<Parameter>,
    /// Parameters by keyword.
    pub(crate) optional: Vec<Parameter>,
    /// The class that is made of them. Without one, the only parameter is the params.
    pub(crate) class: Option<String>,
    /// The attributes that the class is given.
    pub(crate) arguments: Vec<String>,
    /// The attributes that are set afterwards, if they were given: those whose default is a fresh
    /// value each time.
    pub(crate) later: Vec<String>,
    /// The variable for the params.
    pub(crate) variable: &'static str,
}

impl Params {
    /// Decides what a method takes.
    pub(super) fn new(scope: &Scope<'_>, ty: &Type, used: &mut Used) -> Self {
        if let Type::Named { name } = ty
            && let Some(TypeKind::Record(record)) = scope.kind(name)
        {
            let class = scope.class(name).to_owned();
            used.runtime.own(".types", &class);
            return Self::of_fields(scope, class, record, used);
        }
        let annotation = scope.typed(ty, &mut used.annotations);
        Self {
            required: vec![Parameter::new("params", annotation)],
            optional: Vec::new(),
            class: None,
            arguments: Vec::new(),
            later: Vec::new(),
            variable: "params",
        }
    }

    /// The fields of params as parameters: those that are required by position, others by keyword.
    fn of_fields(scope: &Scope<'_>, class: String, record: &Record, used: &mut Used) -> Self {
        let attributes: Vec<_> = record.fields.iter().map(Attribute::own).collect();
        let is_taken = attributes.iter().any(|attribute| attribute.name == "params");
        let (mut required, mut others) = (Vec::new(), Vec::new());
        let (mut arguments, mut later) = (Vec::new(), Vec::new());
        for Attribute { name, field, .. } in attributes {
            let mut absent = Imports::default();
            let default = scope.absent(field, &mut absent);
            let ty = scope.typed(&field.ty, &mut used.annotations);
            let mut parameter = |default: Option<Expression>, is_optional| {
                let is_nullable = field.presence.is_nullable();
                let ty = optional(ty.clone(), is_nullable, is_optional, &mut used.annotations);
                Parameter { name: name.clone(), ty, default, wire: field.name.wire.clone() }
            };
            match default {
                None => required.push(parameter(None, false)),
                Some(Default::Shared(value @ Expression::Atom(_))) => {
                    others.push(parameter(Some(value), !field.is_always_present()));
                    used.runtime.extend(absent);
                }
                Some(_) => {
                    others.push(parameter(Some(Expression::atom("UNSET")), true));
                    used.runtime.msgspec("UNSET");
                    later.push(name);
                    continue;
                }
            }
            arguments.push(name);
        }
        let variable = if is_taken { "params_" } else { "params" };
        Self { required, optional: others, class: Some(class), arguments, later, variable }
    }

    /// Tells whether nothing is taken.
    pub(super) fn is_empty(&self) -> bool {
        self.required.is_empty() && self.optional.is_empty()
    }
}
