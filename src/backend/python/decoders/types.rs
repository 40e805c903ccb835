//! Which decoder a type has, and how properties become attributes.

use serde_json::Value;

use super::{Writer, call, flag, function, string};
use crate::backend::python::defaults;
use crate::backend::python::layout::Expression;
use crate::backend::python::variants::Attribute;
use crate::ir::{
    ArrayType, Fallback, IntegerFormat, IntegerType, NumberType, StringType, Type, TypeKind,
};

impl Writer<'_, '_> {
    /// A table of properties.
    pub(super) fn fields<'f>(
        &mut self,
        attributes: impl Iterator<Item = Attribute<'f>>,
    ) -> Expression {
        let fields: Vec<_> = attributes.map(|attribute| self.field(&attribute)).collect();
        if fields.is_empty() { Expression::atom("()") } else { Expression::List(fields) }
    }

    fn field(&mut self, Attribute { name, field, .. }: &Attribute<'_>) -> Expression {
        let decode = if field.leniency.skip_invalid_items {
            self.lenient(&field.ty)
        } else {
            self.ty(&field.ty)
        };
        let on_error = field.leniency.on_error.as_ref().map(|it| self.fallback(it));
        let on_null = field.leniency.on_null.as_ref().map(|it| self.fallback(it));
        let named = [
            ("required", flag(field.presence.is_required())),
            ("nullable", flag(field.presence.is_nullable())),
            ("on_error", on_error),
            ("on_null", on_null),
        ];
        call(self.helper("Field"), [string(name), string(&field.name.wire), decode], named)
    }

    /// A function that makes what a forgiven value becomes.
    fn fallback(&mut self, fallback: &Fallback) -> Expression {
        match fallback {
            Fallback::Absent => Expression::atom(self.helper("absent")),
            Fallback::Value { value: Value::Array(items) } if items.is_empty() => {
                Expression::atom("list")
            }
            Fallback::Value { value: Value::Object(members) } if members.is_empty() => {
                Expression::atom("dict")
            }
            Fallback::Value { value } => Expression::Lambda(Box::new(defaults::any(value))),
        }
    }

    /// The decoder of a type.
    pub(super) fn ty(&mut self, ty: &Type) -> Expression {
        match ty {
            Type::Any => self.atom("anything"),
            Type::Null => self.atom("nothing"),
            Type::Boolean => self.atom("boolean"),
            Type::Integer(integer) => self.integer(integer),
            Type::Number(number) => self.number(number),
            Type::String(string) => self.string(string),
            Type::Literal { value } => call(self.value("literal"), [defaults::any(value)], []),
            Type::Array(array) => self.array(array, "items"),
            Type::Map(map) => {
                let values = self.ty(&map.values);
                call(self.value("members"), [values], [])
            }
            Type::Nullable { inner } => {
                let inner = self.ty(inner);
                call(self.value("nullable"), [inner], [])
            }
            Type::Named { name } => self.named(name),
        }
    }

    /// The same for an array whose malformed items are left out.
    fn lenient(&mut self, ty: &Type) -> Expression {
        match self.scope.protocol.resolve(ty) {
            Type::Array(array) => self.array(array, "valid_items"),
            Type::Nullable { inner } => {
                let inner = self.lenient(inner);
                call(self.value("nullable"), [inner], [])
            }
            _ => self.ty(ty),
        }
    }

    /// What is nothing but a scalar needs no function of its own.
    fn named(&mut self, name: &str) -> Expression {
        let Some(def) = self.scope.def(name) else { return self.atom("anything") };
        if self.scope.variants.is_folded(name) {
            return self.check(def);
        }
        match &def.kind {
            TypeKind::Alias {
                target:
                    target @ (Type::Any
                    | Type::Null
                    | Type::Boolean
                    | Type::String(_)
                    | Type::Named { .. }),
            } => self.ty(target),
            _ => Expression::atom(function(&def.name)),
        }
    }

    pub(super) fn atom(&mut self, helper: &'static str) -> Expression {
        Expression::atom(self.value(helper))
    }

    fn integer(&mut self, integer: &IntegerType) -> Expression {
        let (low, high) = integer.range();
        let is_whole = (low, high) == IntegerFormat::Int64.range();
        let bounds = [low, high].map(|bound| Expression::atom(bound.to_string()));
        let bounds = if is_whole { Vec::new() } else { Vec::from(bounds) };
        call(self.value("integer"), bounds, [])
    }

    fn number(&mut self, number: &NumberType) -> Expression {
        let bound = |bound: Option<f64>| Some(Expression::atom(format!("{:?}", bound?)));
        if number.minimum.is_none() && number.maximum.is_none() {
            return self.atom("number");
        }
        let named = [("low", bound(number.minimum)), ("high", bound(number.maximum))];
        call(self.value("real"), [], named)
    }

    fn string(&mut self, string: &StringType) -> Expression {
        let bounds = lengths(string.min_length, string.max_length);
        if bounds.is_empty() { self.atom("string") } else { call(self.value("text"), bounds, []) }
    }

    fn array(&mut self, array: &ArrayType, helper: &'static str) -> Expression {
        let mut arguments = vec![self.ty(&array.items)];
        arguments.extend(lengths(array.min_items, array.max_items));
        call(self.value(helper), arguments, [])
    }
}

/// Bounds of a length as arguments.
fn lengths(low: Option<u64>, high: Option<u64>) -> Vec<Expression> {
    let mut bounds = vec![low.unwrap_or(0)];
    bounds.extend(high);
    if bounds == [0] {
        bounds.clear();
    }
    bounds.into_iter().map(|bound| Expression::atom(bound.to_string())).collect()
}
