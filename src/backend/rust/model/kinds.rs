//! What JSON a type is made of, for telling the variants of a union apart by their first byte.

use serde_json::Value;

use super::scope::Scope;
use crate::ir::{EnumBase, Tagging, Type, TypeKind};

/// How deeply unions may be nested in unions before any JSON is taken to be possible.
const MAX_DEPTH: usize = 16;

/// Kinds of JSON values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kinds(u8);

impl Kinds {
    const NULL: Self = Self(1);
    const BOOLEAN: Self = Self(2);
    const NUMBER: Self = Self(4);
    const STRING: Self = Self(8);
    const ARRAY: Self = Self(16);
    const OBJECT: Self = Self(32);
    pub(super) const ALL: Self = Self(63);

    /// Each kind, and the name of its variant in the runtime.
    pub(crate) const EACH: [(Self, &'static str); 6] = [
        (Self::NULL, "Null"),
        (Self::BOOLEAN, "Boolean"),
        (Self::NUMBER, "Number"),
        (Self::STRING, "String"),
        (Self::ARRAY, "Array"),
        (Self::OBJECT, "Object"),
    ];

    /// Whether one of these kinds is one of those.
    pub(crate) fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The kinds of JSON that a value of the type can be.
pub(super) fn kinds(scope: &Scope<'_>, ty: &Type) -> Kinds {
    within(scope, ty, 0)
}

fn within(scope: &Scope<'_>, ty: &Type, depth: usize) -> Kinds {
    if depth > MAX_DEPTH {
        return Kinds::ALL;
    }
    match scope.resolve(ty) {
        Type::Any => Kinds::ALL,
        Type::Null => Kinds::NULL,
        Type::Boolean => Kinds::BOOLEAN,
        Type::Integer(_) | Type::Number(_) => Kinds::NUMBER,
        Type::String(_) => Kinds::STRING,
        Type::Literal { value } => literal(value),
        Type::Array(_) => Kinds::ARRAY,
        Type::Map(_) => Kinds::OBJECT,
        Type::Nullable { inner } => Kinds(Kinds::NULL.0 | within(scope, inner, depth + 1).0),
        named @ Type::Named { .. } => match scope.definition(named).map(|(_, def)| &def.kind) {
            Some(TypeKind::Record(_)) => Kinds::OBJECT,
            Some(TypeKind::Enum(values)) => match values.base {
                EnumBase::String => Kinds::STRING,
                EnumBase::Integer(_) => Kinds::NUMBER,
            },
            Some(TypeKind::Alias { target }) => within(scope, target, depth + 1),
            Some(TypeKind::Union(union)) => {
                let tagged = matches!(union.tagging, Tagging::Internal { .. });
                let object = tagged || !union.shared.is_empty();
                let start = if object { Kinds::OBJECT.0 } else { 0 };
                let payloads = union.untagged().map(|variant| match &variant.payload {
                    Some(payload) => within(scope, payload, depth + 1).0,
                    None => Kinds::ALL.0,
                });
                Kinds(payloads.fold(start, |all, kinds| all | kinds))
            }
            None => Kinds::ALL,
        },
    }
}

fn literal(value: &Value) -> Kinds {
    match value {
        Value::Null => Kinds::NULL,
        Value::Bool(_) => Kinds::BOOLEAN,
        Value::Number(_) => Kinds::NUMBER,
        Value::String(_) => Kinds::STRING,
        Value::Array(_) => Kinds::ARRAY,
        Value::Object(_) => Kinds::OBJECT,
    }
}

/// What to call a value of the type in a message: `a string`.
pub(super) fn describe(scope: &Scope<'_>, ty: &Type) -> String {
    match ty {
        Type::Any => String::from("any value"),
        Type::Null => String::from("null"),
        Type::Boolean => String::from("a boolean"),
        Type::Integer(_) => String::from("an integer"),
        Type::Number(_) => String::from("a number"),
        Type::String(_) => String::from("a string"),
        Type::Literal { value } => value.to_string(),
        Type::Array(_) => String::from("an array"),
        Type::Map(_) => String::from("an object"),
        Type::Nullable { inner } => format!("{} or null", describe(scope, inner)),
        Type::Named { name } => scope.ident(name).to_string(),
    }
}
