//! Types and type definitions.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Docs, Enum, Field, IntegerType, KeyRules, Name, NumberType, Record, StringType, Union,
};
use crate::source::Location;

/// A type where it is used: the type of a field, an item, a payload.
///
/// Records, unions, enums and tuples are always definitions of their own, referred to by
/// [`Type::Named`]; lowering hoists the inline ones and names them after their place.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Type {
    /// Any JSON value, `null` included.
    Any,
    /// Only `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer(IntegerType),
    /// A number.
    Number(NumberType),
    /// A string.
    String(StringType),
    /// A constant.
    Literal {
        /// The only value.
        value: Value,
    },
    /// An array whose items all have one type.
    Array(ArrayType),
    /// An object used as a map: any keys, one type of value.
    Map(MapType),
    /// `null`, or the inner type.
    Nullable {
        /// The type of a value that is not `null`. Never itself nullable.
        inner: Box<Type>,
    },
    /// A definition in [`Protocol::types`](super::Protocol::types).
    Named {
        /// The key of the definition.
        name: String,
    },
}

/// An array.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct ArrayType {
    /// The type of each item.
    pub items: Box<Type>,
    /// `minItems`: enforced.
    pub min_items: Option<u64>,
    /// `maxItems`: enforced.
    pub max_items: Option<u64>,
    /// `uniqueItems`: no two items are the same. Enforced where the items have no parts: see
    /// [`Protocol::is_distinct`](super::Protocol::is_distinct).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "super::is_false"))]
    pub unique: bool,
}

/// An array whose first items have types of their own, by their places.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Tuple {
    /// The items, at least one.
    pub items: Vec<TupleItem>,
    /// The number of items that are always there. An array may end before any of the others.
    pub required: usize,
    /// The items after those, where there may be any: the bounds count only them. If there have to
    /// be some, all items are required.
    pub rest: Option<ArrayType>,
    /// `uniqueItems`: no two items are the same. Not enforced.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "super::is_false"))]
    pub unique: bool,
}

/// An item of a tuple.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct TupleItem {
    /// Its type.
    pub ty: Type,
    /// Its documentation.
    pub docs: Docs,
    /// Its location in the schema.
    pub location: Location,
}

impl Tuple {
    /// Tells whether every value has all items and no others.
    pub fn is_exact(&self) -> bool {
        self.required == self.items.len() && self.rest.is_none()
    }

    /// The number of items that a value has at least.
    pub fn least(&self) -> u64 {
        let rest = self.rest.as_ref().and_then(|rest| rest.min_items).unwrap_or(0);
        rest.saturating_add(self.required as u64)
    }

    /// The number of items that a value has at most, if there is an end.
    pub fn most(&self) -> Option<u64> {
        let own = self.items.len() as u64;
        match &self.rest {
            Some(rest) => Some(rest.max_items?.saturating_add(own)),
            None => Some(own),
        }
    }

    /// The type of the item at a place. None where no value has one.
    pub fn item(&self, at: usize) -> Option<&Type> {
        let rest = || self.rest.as_ref().map(|rest| rest.items.as_ref());
        self.items.get(at).map(|item| &item.ty).or_else(rest)
    }

    /// The types of the items by their places, and of those after them.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        let rest = self.rest.iter().map(|rest| rest.items.as_ref());
        self.items.iter().map(|item| &item.ty).chain(rest)
    }
}

/// An object used as a map.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct MapType {
    /// The type of each value.
    pub values: Box<Type>,
    /// The rules for its keys.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "super::KeyRules::is_empty")
    )]
    pub keys: Box<KeyRules>,
}

/// A named type.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct TypeDef {
    /// The definition's key in `$defs`, or the name made from an inline type's path
    /// (owner, then property or tag). `name.wire` is the key in
    /// [`Protocol::types`](super::Protocol::types).
    pub name: Name,
    /// Its documentation.
    pub docs: Docs,
    /// Its kind.
    pub kind: TypeKind,
    /// The methods whose messages it makes up, if it is a payload.
    pub roles: Vec<TypeRole>,
    /// True if it was written inline in another definition.
    pub inline: bool,
    /// True if it is an old name of another type, kept for a while: an entry of a file of aliases.
    /// Nothing refers to it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub old_name: bool,
    /// Its location in the schema.
    pub location: Location,
}

/// The kind of a named type.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[allow(clippy::large_enum_variant, reason = "a protocol has hundreds of them, not millions")]
pub enum TypeKind {
    /// An object with named fields.
    Record(Record),
    /// A choice of several variants.
    Union(Union),
    /// A choice of several constants.
    Enum(Enum),
    /// An array whose items have types of their own, by their places.
    Tuple(Tuple),
    /// Another name for a type: a newtype where the target is a scalar (`SessionId`), a plain
    /// alias where it is anything else.
    Alias {
        /// The type it stands for.
        target: Type,
    },
}

impl TypeKind {
    /// The fields of a record, or those that all variants of a union share.
    pub fn fields(&self) -> &[Field] {
        match self {
            Self::Record(record) => &record.fields,
            Self::Union(union) => &union.shared,
            Self::Enum(_) | Self::Tuple(_) | Self::Alias { .. } => &[],
        }
    }
}

/// The part a payload type plays in a method.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct TypeRole {
    /// The method's wire name.
    pub method: String,
    /// Which of its payloads.
    pub position: super::Position,
}
