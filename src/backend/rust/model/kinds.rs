//! JSON types of a type, until the decode plan is printed.

use super::scope::Scope;
use crate::ir::{JsonType, JsonTypes, Type};

/// JSON types of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kinds(JsonTypes);

impl Kinds {
    pub(super) const ALL: Self = Self(JsonTypes::ALL);

    /// Each JSON type, and the name of its variant in the runtime.
    pub(crate) const EACH: [(JsonType, &'static str); 6] = [
        (JsonType::Null, "Null"),
        (JsonType::Boolean, "Boolean"),
        (JsonType::Number, "Number"),
        (JsonType::String, "String"),
        (JsonType::Array, "Array"),
        (JsonType::Object, "Object"),
    ];

    /// Whether a JSON type is one of these.
    pub(crate) fn intersects(self, other: JsonType) -> bool {
        self.0.contains(other)
    }
}

/// The JSON types that a value of the type can have.
pub(super) fn kinds(scope: &Scope<'_>, ty: &Type) -> Kinds {
    Kinds(scope.protocol.json_types(ty))
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
