//! The JSON types of a type's values, which tell the variants of a union apart at once.

use std::collections::HashSet;
use std::fmt;

use serde_json::Value;

use super::{ArrayType, EnumBase, Protocol, Type, TypeKind};

/// A type of JSON's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonType {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number, whole or not
    Number,
    /// A string
    String,
    /// An array
    Array,
    /// An object
    Object,
}

impl JsonType {
    /// Each of them.
    pub const EACH: [Self; 6] =
        [Self::Null, Self::Boolean, Self::Number, Self::String, Self::Array, Self::Object];

    /// The JSON type of a value.
    pub fn from_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// Names a value of it for messages: `a string`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// A set of JSON types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JsonTypes(u8);

impl JsonTypes {
    /// All of them.
    pub const ALL: Self = Self(63);
    /// None of them.
    pub const NONE: Self = Self(0);

    /// Tells whether a JSON type is in the set.
    pub fn contains(self, ty: JsonType) -> bool {
        self.intersects(ty.into())
    }

    /// Tells whether the sets have a JSON type in common.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Joins two sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The JSON types that are in both sets.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The JSON types in the set.
    pub fn iter(self) -> impl Iterator<Item = JsonType> {
        JsonType::EACH.into_iter().filter(move |ty| self.contains(*ty))
    }
}

impl From<JsonType> for JsonTypes {
    fn from(ty: JsonType) -> Self {
        Self(1 << ty as u8)
    }
}

/// `null, a string or an object`
impl fmt::Display for JsonTypes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.iter().map(JsonType::words).collect();
        match words.split_last() {
            _ if *self == Self::ALL => formatter.write_str("a value"),
            Some((last, [])) => formatter.write_str(last),
            Some((last, rest)) => write!(formatter, "{} or {last}", rest.join(", ")),
            None => formatter.write_str("nothing"),
        }
    }
}

impl Protocol {
    /// The JSON types that values of a type have.
    pub fn json_types(&self, ty: &Type) -> JsonTypes {
        self.json_types_beyond(ty, &mut HashSet::new())
    }

    /// Tells whether decoders see to it that the items of an array differ: its schema says so
    /// (`uniqueItems`), and they have no parts that would have to be compared.
    pub fn is_distinct(&self, array: &ArrayType) -> bool {
        let with_parts = JsonTypes::from(JsonType::Array).union(JsonType::Object.into());
        array.unique && !self.json_types(&array.items).intersects(with_parts)
    }

    /// Tells whether every value of a type is an object with named members, so that it can stand in
    /// one object with other members.
    pub fn is_object(&self, ty: &Type) -> bool {
        let Type::Named { name } = self.resolve(ty) else { return false };
        self.type_def(name).is_some_and(|def| {
            matches!(def.kind, TypeKind::Record(_) | TypeKind::Union(_))
                && self.json_types(ty) == JsonType::Object.into()
        })
    }

    /// Names a value of a type for messages: `a string`, or the name of its definition.
    pub fn describe(&self, ty: &Type) -> String {
        match ty {
            Type::Any => String::from("any value"),
            Type::Integer(_) => String::from("an integer"),
            Type::Literal { value } => value.to_string(),
            Type::Nullable { inner } => format!("{} or null", self.describe(inner)),
            Type::Named { name } => match self.type_def(name) {
                Some(def) if def.inline => self.json_types(ty).to_string(),
                _ => name.clone(),
            },
            _ => self.json_types(ty).to_string(),
        }
    }

    /// Adds nothing for the unions that have been `seen`.
    fn json_types_beyond<'a>(&'a self, ty: &'a Type, seen: &mut HashSet<&'a str>) -> JsonTypes {
        match self.resolve(ty) {
            Type::Any => JsonTypes::ALL,
            Type::Null => JsonType::Null.into(),
            Type::Boolean => JsonType::Boolean.into(),
            Type::Integer(_) | Type::Number(_) => JsonType::Number.into(),
            Type::String(_) => JsonType::String.into(),
            Type::Literal { value } => JsonType::from_value(value).into(),
            Type::Array(_) => JsonType::Array.into(),
            Type::Map(_) => JsonType::Object.into(),
            Type::Nullable { inner } => {
                self.json_types_beyond(inner, seen).union(JsonType::Null.into())
            }
            Type::Named { name } => match self.type_def(name).map(|def| &def.kind) {
                Some(TypeKind::Record(_)) => JsonType::Object.into(),
                Some(TypeKind::Tuple(_)) => JsonType::Array.into(),
                Some(TypeKind::Enum(values)) => match values.base {
                    EnumBase::String => JsonType::String.into(),
                    EnumBase::Integer(_) => JsonType::Number.into(),
                },
                Some(TypeKind::Union(_)) if !seen.insert(name) => JsonTypes::NONE,
                Some(TypeKind::Union(union)) if !union.shared.is_empty() => JsonType::Object.into(),
                Some(TypeKind::Union(union)) => {
                    let payloads = union.untagged().map(|variant| match &variant.payload {
                        Some(payload) => self.json_types_beyond(payload, seen),
                        None => JsonTypes::ALL,
                    });
                    let untagged = payloads.fold(JsonTypes::NONE, JsonTypes::union);
                    match union.tag() {
                        Some(_) => untagged.union(JsonType::Object.into()),
                        None => untagged,
                    }
                }
                Some(TypeKind::Alias { .. }) | None => JsonTypes::ALL,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonType, JsonTypes};

    #[test]
    fn sets_are_said_in_words() {
        let types = |list: &[JsonType]| {
            list.iter().fold(JsonTypes::NONE, |set, ty| set.union((*ty).into())).to_string()
        };
        assert_eq!(types(&[]), "nothing");
        assert_eq!(types(&[JsonType::Array]), "an array");
        let three = [JsonType::Object, JsonType::Null, JsonType::String];
        assert_eq!(types(&three), "null, a string or an object");
        assert_eq!(types(&JsonType::EACH), "a value");
    }
}
