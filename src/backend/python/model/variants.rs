//! Unions: how the variants of each become classes.
//!
//! A union told apart by a tag, or with fields beside it, is a class that all its variants
//! inherit: a variant's fields are those of the object on the wire, flattened. A union told
//! apart by shape alone is an alias, because its variants need no class of their own.

use serde_json::Value;

use super::super::names;
use crate::backend::api::Origin;
use crate::ir::{Docs, Field, KeyRules, Name, Protocol, Record, Type, TypeKind};
use crate::source::Location;

/// The form of a union in Python.
#[derive(Debug)]
pub(super) struct UnionForm<'a> {
    /// True if it is a class that its variants inherit, rather than an alias.
    pub(super) is_class: bool,
    /// The variants that have classes, in schema order, the open one last.
    pub(super) classes: Vec<VariantClass<'a>>,
}

/// A class that a value of a union can have.
#[derive(Debug)]
pub(super) struct VariantClass<'a> {
    /// The class.
    pub(super) name: String,
    /// The function of the union that makes one.
    pub(super) function: String,
    /// The position of the variant in the union. `None` for the open one.
    pub(super) variant: Option<usize>,
    /// The variant's name, for messages.
    pub(super) wire: &'a str,
    pub(super) docs: &'a Docs,
    pub(super) location: &'a Location,
    pub(super) kind: VariantKind<'a>,
}

impl<'a> VariantClass<'a> {
    /// The part of the protocol that the class stands for.
    pub(super) fn origin(&self, union: &str) -> Origin {
        Origin::Variant { ty: union.to_owned(), variant: self.wire.to_owned() }
    }

    /// The fields that its function takes.
    pub(super) fn fields(&self) -> Vec<Attribute<'a>> {
        match &self.kind {
            VariantKind::Record { record, .. } => {
                record.fields.iter().map(Attribute::own).collect()
            }
            VariantKind::Generated(generated) => generated.fields().cloned().collect(),
            VariantKind::Raw { fields, .. } => fields.clone(),
        }
    }

    /// The tag that selects it, if only one does.
    pub(super) fn tag(&self) -> Option<&str> {
        match &self.kind {
            VariantKind::Record { .. } => None,
            VariantKind::Generated(generated) => generated.tag.map(|(_, value)| value),
            VariantKind::Raw { tag, .. } => *tag,
        }
    }
}

/// The origin of a variant's class.
#[derive(Debug)]
pub(super) enum VariantKind<'a> {
    /// The class of a definition as it is.
    Record {
        /// The definition.
        name: &'a str,
        record: &'a Record,
    },
    /// A class of its own.
    Generated(Generated<'a>),
    /// A class that keeps the object as it came, but for the shared fields.
    Raw {
        /// The tag, if only one is possible.
        tag: Option<&'a str>,
        /// The property of the tag.
        property: &'a str,
        /// The shared fields.
        fields: Vec<Attribute<'a>>,
    },
}

/// A class of its own for a variant.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Generated<'a> {
    /// The tag: property and value.
    pub(super) tag: Option<(&'a str, &'a str)>,
    /// Further tags of unions inside the variant.
    pub(super) constants: Vec<(&'a Name, &'a str)>,
    /// The definition it inherits, with its fields.
    pub(super) inherits: Option<(&'a str, Vec<Attribute<'a>>)>,
    /// The fields it declares itself.
    pub(super) declares: Vec<Attribute<'a>>,
    /// The type of the members that nothing names, where they are kept.
    pub(super) rest: Option<&'a Type>,
    /// The sets of properties of which the object must not have all.
    pub(super) forbidden: &'a [Vec<String>],
    /// The rules for the keys of the object, if there are some.
    pub(super) keys: Option<&'a KeyRules>,
    /// True if a strict decoder refuses properties that nothing names.
    pub(super) is_closed: bool,
    /// True if msgspec does not look at all that its properties have to fit.
    pub(super) is_unseen: bool,
    /// True if the tag alone selects it.
    pub(super) is_only_of_its_tag: bool,
    /// True if it cannot be a struct: see [`needs_wire_map`].
    pub(super) needs_wire_map: bool,
}

impl<'a> Generated<'a> {
    /// All fields, the shared ones first.
    pub(super) fn fields(&self) -> impl Iterator<Item = &Attribute<'a>> {
        self.declares.iter().chain(self.inherits.iter().flat_map(|(_, fields)| fields))
    }
}

/// A field and the attribute that holds it.
#[derive(Clone, Debug)]
pub(super) struct Attribute<'a> {
    pub(super) name: String,
    pub(super) field: &'a Field,
    /// True if it is one that the variants of a union share.
    pub(super) shared: bool,
}

impl<'a> Attribute<'a> {
    /// A field of a record.
    pub(super) fn own(field: &'a Field) -> Self {
        Self { name: names::attribute(&field.name), field, shared: false }
    }

    /// A field that the variants of a union share.
    pub(super) fn shared(field: &'a Field) -> Self {
        Self { name: names::shared_attribute(&field.name), field, shared: true }
    }
}

/// The name of the attribute for members that no field names.
pub(super) fn additional(attributes: &[&Attribute<'_>]) -> String {
    let mut name = String::from("additional");
    while attributes.iter().any(|attribute| attribute.name == name) {
        name.push('_');
    }
    name
}

/// Tells whether an object with this field cannot be a struct: msgspec cannot write the field's
/// name, so that the class maps attributes to wire names itself.
pub(super) fn needs_wire_map(field: &Field) -> bool {
    field.name.wire.contains(|character: char| matches!(character, '"' | '\\' | '\0'..='\x1f'))
}

/// The record that a type is, with its name.
pub(super) fn record<'a>(protocol: &'a Protocol, ty: &'a Type) -> Option<(&'a str, &'a Record)> {
    match definition(protocol, ty)? {
        (name, TypeKind::Record(record)) => Some((name, record)),
        _ => None,
    }
}

pub(super) fn definition<'a>(
    protocol: &'a Protocol,
    ty: &'a Type,
) -> Option<(&'a str, &'a TypeKind)> {
    match protocol.resolve(ty) {
        Type::Named { name } => Some((name.as_str(), &protocol.types.get(name)?.kind)),
        _ => None,
    }
}

/// Tells whether a value is an integer that msgspec takes for no constant.
pub(super) fn is_beyond(value: &Value) -> bool {
    value.as_i64().is_none() && value.is_u64()
}

/// Tells whether msgspec has no words for what a type asks of its values.
pub(super) fn is_unseen(protocol: &Protocol, ty: &Type) -> bool {
    match ty {
        Type::Array(array) => protocol.is_distinct(array) || is_unseen(protocol, &array.items),
        Type::Map(map) => !map.keys.is_empty() || is_unseen(protocol, &map.values),
        Type::Nullable { inner } => is_unseen(protocol, inner),
        Type::Literal { value } => value.is_array() || value.is_object() || is_beyond(value),
        Type::Named { name } => match protocol.types.get(name).map(|def| &def.kind) {
            Some(TypeKind::Enum(of)) => of.values.iter().any(|it| is_beyond(&it.value)),
            _ => false,
        },
        _ => false,
    }
}
