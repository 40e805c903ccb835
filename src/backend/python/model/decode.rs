//! Which decoder a type has, and how properties become attributes.

use serde::Serialize;
use serde_json::Value;

use super::super::expression::Expression;
use super::super::{literals, names};
use super::decoders::DecoderBuilder;
use super::variants::Attribute;
use crate::ir::{
    ArrayType, Fallback, IntegerFormat, IntegerType, NumberType, StringType, Type, TypeKind,
};

/// How one property of an object becomes an attribute.
#[derive(Debug, Serialize)]
pub(crate) struct FieldDecoder {
    /// The names of the attribute and of the property, as literals.
    pub(crate) name: String,
    pub(crate) wire: String,
    pub(crate) decode: Expression,
    pub(crate) is_required: bool,
    pub(crate) is_nullable: bool,
    /// What makes the JSON that stands for a value that is malformed, or `null`.
    pub(crate) on_error: Option<Expression>,
    pub(crate) on_null: Option<Expression>,
}

impl DecoderBuilder<'_, '_> {
    /// The properties of an object that have attributes.
    pub(super) fn fields<'f>(
        &mut self,
        attributes: impl Iterator<Item = Attribute<'f>>,
    ) -> Vec<FieldDecoder> {
        let fields: Vec<_> = attributes.map(|attribute| self.field(&attribute)).collect();
        if !fields.is_empty() {
            self.helper("Field");
        }
        fields
    }

    fn field(&mut self, Attribute { name, field, .. }: &Attribute<'_>) -> FieldDecoder {
        let decode = if field.leniency.skip_invalid_items {
            self.lenient(&field.ty)
        } else {
            self.ty(&field.ty)
        };
        FieldDecoder {
            name: literals::string(name),
            wire: literals::string(&field.name.wire),
            decode,
            is_required: field.presence.is_required(),
            is_nullable: field.presence.is_nullable(),
            on_error: field.leniency.on_error.as_ref().map(|it| self.fallback(it)),
            on_null: field.leniency.on_null.as_ref().map(|it| self.fallback(it)),
        }
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
            Fallback::Value { value } => Expression::Lambda(Box::new(Expression::json(value))),
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
            Type::Literal { value } => {
                Expression::apply(self.value("literal"), [Expression::json(value)])
            }
            Type::Array(array) => self.array(array, "items"),
            Type::Map(map) => {
                let values = self.ty(&map.values);
                Expression::apply(self.value("members"), [values])
            }
            Type::Nullable { inner } => {
                let inner = self.ty(inner);
                Expression::apply(self.value("nullable"), [inner])
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
                Expression::apply(self.value("nullable"), [inner])
            }
            _ => self.ty(ty),
        }
    }

    /// What is nothing but a scalar needs no function of its own.
    fn named(&mut self, name: &str) -> Expression {
        let Some(def) = self.scope.def(name) else { return self.atom("anything") };
        match &def.kind {
            TypeKind::Alias {
                target:
                    target @ (Type::Any
                    | Type::Null
                    | Type::Boolean
                    | Type::String(_)
                    | Type::Named { .. }),
            } => self.ty(target),
            _ => Expression::atom(names::decoder(&def.name)),
        }
    }

    fn atom(&mut self, helper: &'static str) -> Expression {
        Expression::atom(self.value(helper))
    }

    fn integer(&mut self, integer: &IntegerType) -> Expression {
        let (low, high) = integer.range();
        let is_whole = (low, high) == IntegerFormat::Int64.range();
        let bounds = [low, high].map(|bound| Expression::atom(bound.to_string()));
        let bounds = if is_whole { Vec::new() } else { Vec::from(bounds) };
        Expression::apply(self.value("integer"), bounds)
    }

    fn number(&mut self, number: &NumberType) -> Expression {
        if number.minimum.is_none() && number.maximum.is_none() {
            return self.atom("number");
        }
        let bounds = [("low", number.minimum), ("high", number.maximum)];
        let bounds = bounds.into_iter().filter_map(|(name, bound)| {
            Some((String::from(name), Expression::atom(format!("{:?}", bound?))))
        });
        Expression::call(self.value("real"), bounds)
    }

    fn string(&mut self, string: &StringType) -> Expression {
        let bounds = lengths(string.min_length, string.max_length);
        if bounds.is_empty() {
            return self.atom("string");
        }
        Expression::apply(self.value("text"), bounds)
    }

    fn array(&mut self, array: &ArrayType, helper: &'static str) -> Expression {
        let mut arguments = vec![self.ty(&array.items)];
        arguments.extend(lengths(array.min_items, array.max_items));
        Expression::apply(self.value(helper), arguments)
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
