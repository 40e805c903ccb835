//! Types and type definitions.

use indexmap::IndexMap;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Docs, Enum, Field, Name, Record, Union};
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

/// A whole number and its bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct IntegerType {
    /// The machine representation that the schema's `format` asks for, if any.
    pub format: Option<IntegerFormat>,
    /// The smallest value allowed, from `minimum` or `exclusiveMinimum`. A bound that only
    /// repeats the format's own is kept: `format` alone does not bound in JSON Schema.
    #[cfg_attr(feature = "serde", serde(with = "bound"))]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<i128>"))]
    pub minimum: Option<i128>,
    /// The largest value allowed.
    #[cfg_attr(feature = "serde", serde(with = "bound"))]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<i128>"))]
    pub maximum: Option<i128>,
    /// `multipleOf`: enforced. Of a fraction it is what whole numbers can be multiples of: 5 where
    /// the schema has 2.5.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub multiple_of: Option<u64>,
}

/// Bounds as JSON numbers. `serde_json` itself cannot read an `i128` inside a tagged enum.
#[cfg(feature = "serde")]
mod bound {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Number;

    #[allow(clippy::ref_option, reason = "serde asks for this signature")]
    pub(super) fn serialize<S: Serializer>(
        bound: &Option<i128>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        bound.and_then(Number::from_i128).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<i128>, D::Error> {
        Ok(Option::<Number>::deserialize(deserializer)?.and_then(|number| number.as_i128()))
    }
}

/// The fixed-width integer formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum IntegerFormat {
    /// Signed, 8 bits.
    Int8,
    /// Signed, 16 bits.
    Int16,
    /// Signed, 32 bits.
    Int32,
    /// Signed, 64 bits.
    Int64,
    /// Unsigned, 8 bits.
    Uint8,
    /// Unsigned, 16 bits.
    Uint16,
    /// Unsigned, 32 bits.
    Uint32,
    /// Unsigned, 64 bits.
    Uint64,
}

impl IntegerFormat {
    /// Smallest and largest value of the format.
    pub fn range(self) -> (i128, i128) {
        match self {
            Self::Int8 => (i8::MIN.into(), i8::MAX.into()),
            Self::Int16 => (i16::MIN.into(), i16::MAX.into()),
            Self::Int32 => (i32::MIN.into(), i32::MAX.into()),
            Self::Int64 => (i64::MIN.into(), i64::MAX.into()),
            Self::Uint8 => (0, u8::MAX.into()),
            Self::Uint16 => (0, u16::MAX.into()),
            Self::Uint32 => (0, u32::MAX.into()),
            Self::Uint64 => (0, u64::MAX.into()),
        }
    }
}

impl IntegerType {
    /// The bounds a decoder enforces: the schema's and the format's, whichever is tighter.
    /// Without a format a value must still fit a signed 64-bit integer.
    pub fn range(&self) -> (i128, i128) {
        let (low, high) = self.format.unwrap_or(IntegerFormat::Int64).range();
        (low.max(self.minimum.unwrap_or(low)), high.min(self.maximum.unwrap_or(high)))
    }
}

/// A number and its bounds.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct NumberType {
    /// The smallest value allowed.
    pub minimum: Option<f64>,
    /// The largest value allowed.
    pub maximum: Option<f64>,
    /// `exclusiveMinimum`: values are above it. Enforced.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub above: Option<f64>,
    /// `exclusiveMaximum`: values are below it. Enforced.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub below: Option<f64>,
    /// `multipleOf`: enforced, as far as doubles tell.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub multiple_of: Option<f64>,
    /// The schema's `format` (`double`, `float`), as written.
    pub format: Option<String>,
}

/// A string and its constraints. Lengths count Unicode code points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct StringType {
    /// `format`, as written (`uri`, `date-time`): an annotation, not enforced.
    pub format: Option<String>,
    /// `contentEncoding`, as written (`base64`): an annotation, not enforced.
    pub encoding: Option<String>,
    /// `pattern`, as written: shown in docs, not enforced (no regular expressions at run time).
    pub pattern: Option<String>,
    /// `minLength`: enforced.
    pub min_length: Option<u64>,
    /// `maxLength`: enforced.
    pub max_length: Option<u64>,
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
    pub keys: KeyRules,
}

/// The rules for the keys of an object: how many there are, how they are spelled, and which ask for
/// others. All keys count that are on the wire, the tag of a union around it among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct KeyRules {
    /// `minProperties`: enforced.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub min_properties: Option<u64>,
    /// `maxProperties`: enforced.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_properties: Option<u64>,
    /// `propertyNames`: enforced in strict mode.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub names: Option<KeyNames>,
    /// `dependentRequired`: where the key is there, so are these. Enforced.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "IndexMap::is_empty"))]
    pub dependent: IndexMap<String, Vec<String>>,
}

/// The keys that `propertyNames` allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct KeyNames {
    /// The lengths and the pattern of a key.
    pub text: StringType,
    /// The only keys allowed, from `enum` or `const`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub listed: Option<Vec<String>>,
}

impl KeyRules {
    /// The keywords that say them.
    pub fn keywords(&self) -> impl Iterator<Item = &'static str> {
        [
            ("minProperties", self.min_properties.is_some()),
            ("maxProperties", self.max_properties.is_some()),
            ("propertyNames", self.names.is_some()),
            ("dependentRequired", !self.dependent.is_empty()),
        ]
        .into_iter()
        .filter_map(|(keyword, is_said)| is_said.then_some(keyword))
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
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
