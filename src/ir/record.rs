//! Records and their fields.

#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{Docs, Name, NeededCapability, Type};
use crate::source::Location;

/// An object with named fields.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Record {
    /// The fields, in schema order; but the required ones stand in the order of `required`, so
    /// that the order of properties decides nothing that generated code promises.
    pub fields: Vec<Field>,
    /// The properties beside those.
    pub unknown: UnknownProperties,
    /// Sets of properties: an object that has all of one is no value of the record (`not` with
    /// nothing but `required`).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub forbidden: Vec<Vec<String>>,
    /// The rules for its keys.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "super::KeyRules::is_empty")
    )]
    pub keys: super::KeyRules,
}

/// The rule for properties that a record does not list. A lenient decoder accepts them in any case.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[allow(clippy::large_enum_variant, reason = "a protocol has hundreds of them, not millions")]
pub enum UnknownProperties {
    /// Nothing. Like those that are denied they are dropped, or kept as any JSON where the user
    /// asks for that.
    #[default]
    Unspecified,
    /// They are part of the record (`additionalProperties: true`, or a schema), and kept.
    Kept {
        /// The type of each.
        ty: Type,
    },
    /// There are none (`additionalProperties: false`): a strict decoder refuses them.
    Denied,
}

impl UnknownProperties {
    /// Tells whether the schema allows none.
    pub fn is_denied(&self) -> bool {
        *self == Self::Denied
    }

    /// The type of each, where they are part of the record.
    pub fn kept(&self) -> Option<&Type> {
        match self {
            Self::Kept { ty } => Some(ty),
            Self::Unspecified | Self::Denied => None,
        }
    }
}

/// A property of a record, or a property that all variants of a union share.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Field {
    /// The property's name.
    pub name: Name,
    /// The type of a value that is present and not `null`. Nullability is in `presence`; the
    /// type can still be one that admits `null` by itself (`Any`).
    pub ty: Type,
    /// Says whether it may be absent, and whether it may be `null`.
    pub presence: Presence,
    /// The value an absent optional field takes: the schema's `default`, checked against the
    /// type, with the defaults of absent nested fields *not* yet filled in. `Some(Null)` is a
    /// default of `null`, so that in the JSON form no default is no key. A default on a required
    /// field is not here: the field cannot be absent.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")
    )]
    pub default: Option<Value>,
    /// The `default` of a required field, which is never taken: the schema says what the absence
    /// of the field would mean and does not allow it. Decoders keep to the latter; this is for
    /// comparing schemas.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")
    )]
    pub formal_default: Option<Value>,
    /// The leniency of a receiver.
    pub leniency: Leniency,
    /// `x-capability`: what the receiver must have told before the property is sent.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub capabilities: Vec<NeededCapability>,
    /// `x-merge`: in a patch, an object here changes the members of the one that is there.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "super::is_false"))]
    pub merge: bool,
    /// Its documentation.
    pub docs: Docs,
    /// Its location in the schema.
    pub location: Location,
}

/// Tells a `null` that is there from no value.
#[cfg(feature = "serde")]
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The presence of a field: whether it may be absent, and whether it may be `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Presence {
    /// Always there, never `null`.
    Required,
    /// Always there, may be `null`.
    RequiredNullable,
    /// May be absent, never `null`.
    Optional,
    /// May be absent, and may be `null`: two different things.
    OptionalNullable,
}

impl Presence {
    /// Puts the two questions together.
    pub fn new(required: bool, nullable: bool) -> Self {
        match (required, nullable) {
            (true, false) => Self::Required,
            (true, true) => Self::RequiredNullable,
            (false, false) => Self::Optional,
            (false, true) => Self::OptionalNullable,
        }
    }

    /// Tells whether a message without the field is invalid.
    pub fn is_required(self) -> bool {
        matches!(self, Self::Required | Self::RequiredNullable)
    }

    /// Tells whether `null` is allowed.
    pub fn is_nullable(self) -> bool {
        matches!(self, Self::RequiredNullable | Self::OptionalNullable)
    }
}

impl Field {
    /// Tells whether the decoded field always holds something: it is required, or has a default.
    pub fn is_always_present(&self) -> bool {
        self.presence.is_required() || self.default.is_some()
    }

    /// Tells whether its value is an array that stays valid whichever of its items are malformed:
    /// they are left out, and it may be empty.
    pub fn forgives_items(&self) -> bool {
        let Type::Array(array) = &self.ty else { return false };
        self.leniency.skip_invalid_items && array.min_items.is_none()
    }
}

/// The leniency of a receiver with a field's value. Strict mode has none.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Leniency {
    /// `x-deserialize-default-on-error`: a value that is present and invalid becomes this.
    pub on_error: Option<Fallback>,
    /// `x-deserialize-default-on-null`: a `null` that the type does not allow becomes this.
    pub on_null: Option<Fallback>,
    /// `x-deserialize-skip-invalid-items`: invalid items of the array are dropped. What is left
    /// is held to the array's bounds.
    pub skip_invalid_items: bool,
}

impl Leniency {
    /// Tells whether nothing is forgiven.
    pub fn is_strict(&self) -> bool {
        self.on_error.is_none() && self.on_null.is_none() && !self.skip_invalid_items
    }
}

/// The substitute for a forgiven value.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Fallback {
    /// As if the field had not been there; where it has a default, that default.
    Absent,
    /// This value: the empty array, object or `null` of a required field without a default. The
    /// empty array stands even where the array has a `minItems`: forgiving is the point.
    Value {
        /// The value.
        value: Value,
    },
}
