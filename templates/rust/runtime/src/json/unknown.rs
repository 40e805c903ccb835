//! Variants of open unions that this version of the protocol does not know.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::Object;
use super::error::Result;
use super::reader::Reader;

/// An object whose tag is not one of those this crate knows, kept as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVariant(Box<Tagged>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Tagged {
    tag: String,
    members: Object,
}

impl UnknownVariant {
    /// An object with this tag, the value of `property`.
    pub fn new(property: &str, tag: impl Into<String>, mut members: Object) -> Self {
        let tag = tag.into();
        members.insert(property.to_owned(), Value::String(tag.clone()));
        Self(Box::new(Tagged { tag, members }))
    }

    /// The tag.
    pub fn tag(&self) -> &str {
        &self.0.tag
    }

    /// All members of the object, the tag among them.
    pub fn members(&self) -> &Object {
        &self.0.members
    }

    /// All members of the object, the tag among them.
    pub fn into_members(self) -> Object {
        self.0.members
    }

    /// Reads the rest of the object that the reader is in, without the members that are not the
    /// variant's own.
    #[doc(hidden)]
    pub fn read(
        reader: &mut Reader<'_>,
        property: &str,
        tag: &str,
        shared: &[&str],
    ) -> Result<Self> {
        let mut members = Object::new();
        while let Some(key) = reader.key()? {
            if shared.contains(&&*key) || reader.is_owned(&key) {
                reader.skip()?;
            } else {
                let value = reader.field(&key)?;
                members.insert(key.into_owned(), value);
            }
        }
        Ok(Self::new(property, tag, members))
    }

    /// Writes the members.
    #[doc(hidden)]
    pub fn write<M: SerializeMap>(&self, object: &mut M) -> std::result::Result<(), M::Error> {
        self.members()
            .iter()
            .try_for_each(|(name, value)| object.serialize_entry(name, value))
    }
}

impl Serialize for UnknownVariant {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.members().serialize(serializer)
    }
}
