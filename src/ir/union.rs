//! Unions.

use indexmap::IndexMap;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Docs, Field, Name, NeededCapability, Protocol, State, Type, TypeKind};
use crate::source::Location;

/// A choice of several variants.
///
/// A decoder proceeds like this. With [`Tagging::Internal`] it reads the tag: a tag of a variant
/// selects that variant, and an invalid body is then an error. When no tag matches, it tries the
/// open variant (if the tag is there and is a string) and the untagged variants in `order`. With
/// [`Tagging::Shape`] it tries all variants in order. If nothing fits, the value is invalid.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Union {
    /// The tagging: how the variants are told apart.
    pub tagging: Tagging,
    /// The fields beside the union in the same object, the same for every variant. Where there
    /// are any, every variant's payload is an object or empty, and all its fields stand in one
    /// JSON object with these.
    pub shared: Vec<Field>,
    /// The variants, in schema order.
    pub variants: Vec<Variant>,
    /// The variant of unknown tags, if the union is open.
    pub open: Option<OpenVariant>,
    /// The property that the schema's `discriminator` names: a hint for tools. How variants are
    /// told apart is in `tagging`; this is for comparing schemas.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub discriminator: Option<String>,
    /// `x-shorthand`: a variant whose one value can be given alone.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub shorthand: Option<Shorthand>,
    /// The state that a series of its values makes up (annotations `x-key` and `x-patch-of`).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub state: Option<State>,
}

/// A variant that can be written as the value of its one required field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Shorthand {
    /// The variant's tag.
    pub variant: String,
    /// The field: a string, a number or a boolean.
    pub field: String,
}

/// The way in which the variants of a union are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Tagging {
    /// By a string property of the object itself.
    Internal {
        /// The property's name.
        property: Name,
    },
    /// By which variant's type fits, in order.
    Shape,
}

/// A variant of a union.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Variant {
    /// Its name, from the tag, the title, the `$ref` or the JSON type.
    pub name: Name,
    /// `x-class-names`: the name of its class, in languages that have a class for each variant. If
    /// there is none, the class is named for the union and the variant.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub class_name: Option<Name>,
    /// `x-class-names`: the names of its classes where there is one for each variant of its payload,
    /// by the names of those.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "IndexMap::is_empty"))]
    pub inner_class_names: IndexMap<String, Name>,
    /// The selector: how it is recognised.
    pub selector: Selector,
    /// The payload beside the tag and the shared fields: a record or union in the same object for a
    /// tagged variant, any type for an untagged one. `None`: nothing more. A record here never
    /// lists the tag among its fields.
    pub payload: Option<Type>,
    /// `x-capability`: what the receiver must have told before it is sent.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub capabilities: Vec<NeededCapability>,
    /// Its documentation.
    pub docs: Docs,
    /// The documentation of its tag.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Docs::is_empty"))]
    pub tag_docs: Docs,
    /// Its location in the schema.
    pub location: Location,
}

/// The way in which a variant is recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Selector {
    /// The tag has this value.
    Tag {
        /// The value.
        value: String,
    },
    /// The payload's type fits.
    Untagged,
}

/// The variant of an open union for tags it does not know. Its value is kept raw, all
/// properties of the object with the tag, and encodes back as it came.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct OpenVariant {
    /// Its name: the branch's title, or `other`; never that of another variant.
    pub name: Name,
    /// `x-class-names`: the name of its class.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub class_name: Option<Name>,
    /// The payload that the object must have beside the tag and the shared fields, if the branch
    /// says so: a record or union that the raw value has to decode as. `None`: any object with a
    /// tag.
    pub payload: Option<Type>,
    /// The number of variants before this one in the schema: an untagged variant before it is tried
    /// first.
    pub position: usize,
    /// Its documentation.
    pub docs: Docs,
    /// The documentation of its tag.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Docs::is_empty"))]
    pub tag_docs: Docs,
    /// Its location in the schema.
    pub location: Location,
}

impl Variant {
    /// The tag that selects it, if one does.
    pub fn tag(&self) -> Option<&str> {
        match &self.selector {
            Selector::Tag { value } => Some(value),
            Selector::Untagged => None,
        }
    }

    /// Gives the word that the variant is known by: its tag, or its name.
    pub fn tag_or_name(&self) -> &str {
        self.tag().unwrap_or(&self.name.wire)
    }
}

impl Union {
    /// The tag property, if there is one.
    pub fn tag(&self) -> Option<&Name> {
        match &self.tagging {
            Tagging::Internal { property } => Some(property),
            Tagging::Shape => None,
        }
    }

    /// The variants that a tag selects, with their tags.
    pub fn tagged(&self) -> impl Iterator<Item = (&str, &Variant)> {
        self.variants.iter().filter_map(|variant| Some((variant.tag()?, variant)))
    }

    /// The variants that are tried by shape, in order.
    pub fn untagged(&self) -> impl Iterator<Item = &Variant> {
        self.variants.iter().filter(|variant| variant.selector == Selector::Untagged)
    }
}

/// The depth to which unions in the payload of a variant are taken apart.
pub(crate) const INNER_DEPTH: usize = 4;

impl Protocol {
    /// The ways to the variants of the unions that a payload is made of: tags, or names where there
    /// is none, with `/` between them; each with the words of the names.
    pub fn inner_variants(&self, payload: &Type) -> Vec<(String, Vec<String>)> {
        self.ways(payload, INNER_DEPTH)
    }

    fn ways(&self, payload: &Type, depth: usize) -> Vec<(String, Vec<String>)> {
        let union = match self.resolve(payload) {
            Type::Named { name } => match self.types.get(name).map(|def| &def.kind) {
                Some(TypeKind::Union(union)) if depth > 0 => union,
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let mut found = Vec::new();
        for variant in &union.variants {
            let (key, words) = (variant.tag_or_name(), &variant.name.words);
            found.push((key.to_owned(), words.clone()));
            let inner = variant.payload.iter().flat_map(|payload| self.ways(payload, depth - 1));
            found.extend(inner.map(|(inner, more)| {
                (format!("{key}/{inner}"), words.iter().chain(&more).cloned().collect())
            }));
        }
        let open = union.open.iter();
        found.extend(open.map(|open| (open.name.wire.clone(), open.name.words.clone())));
        found
    }
}
