//! How the variants of each union become classes.
//!
//! A union told apart by a tag, or with fields beside it, is a class that all its variants
//! inherit: a variant's fields are those of the object on the wire, flattened. A union told
//! apart by shape alone is an alias, because its variants need no class of their own.

use super::super::names;
use crate::backend::api::Origin;
use crate::ir::{Docs, Field, Name, Protocol, Record, Type, TypeKind};
use crate::source::Place;

/// What a union becomes.
#[derive(Debug)]
pub(in crate::backend::python) struct UnionForm<'a> {
    /// Whether it is a class that its variants inherit, rather than an alias.
    pub(in crate::backend::python) is_class: bool,
    /// The variants that have classes, in schema order, the open one last.
    pub(in crate::backend::python) classes: Vec<VariantClass<'a>>,
}

/// A class that a value of a union can have.
#[derive(Debug)]
pub(in crate::backend::python) struct VariantClass<'a> {
    /// The class.
    pub(in crate::backend::python) name: String,
    /// The function of the union that makes one.
    pub(in crate::backend::python) function: String,
    /// The position of the variant in the union. `None` for the open one.
    pub(in crate::backend::python) variant: Option<usize>,
    /// How the variant is spelt, for messages.
    pub(in crate::backend::python) wire: &'a str,
    pub(in crate::backend::python) docs: &'a Docs,
    pub(in crate::backend::python) place: &'a Place,
    pub(in crate::backend::python) kind: VariantKind<'a>,
}

impl VariantClass<'_> {
    /// The part of the protocol that the class stands for.
    pub(in crate::backend::python) fn origin(&self, union: &str) -> Origin {
        Origin::Variant { ty: union.to_owned(), variant: self.wire.to_owned() }
    }

    /// The tag that selects it, if only one does.
    pub(in crate::backend::python) fn tag(&self) -> Option<&str> {
        match &self.kind {
            VariantKind::Record { .. } => None,
            VariantKind::Generated(generated) => generated.tag.map(|(_, value)| value),
            VariantKind::Raw { tag, .. } => *tag,
        }
    }
}

/// What a variant's class is made of.
#[derive(Debug)]
pub(in crate::backend::python) enum VariantKind<'a> {
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
#[derive(Debug)]
pub(in crate::backend::python) struct Generated<'a> {
    /// The tag: property and value.
    pub(in crate::backend::python) tag: Option<(&'a str, &'a str)>,
    /// Further tags of unions inside the variant.
    pub(in crate::backend::python) constants: Vec<(&'a Name, &'a str)>,
    /// The definition it inherits, with its fields.
    pub(in crate::backend::python) inherits: Option<(&'a str, Vec<Attribute<'a>>)>,
    /// The fields it declares itself.
    pub(in crate::backend::python) declares: Vec<Attribute<'a>>,
    /// The type of the members that nothing names, where they are kept.
    pub(in crate::backend::python) rest: Option<&'a Type>,
    /// Whether the tag alone selects it.
    pub(in crate::backend::python) is_only_of_its_tag: bool,
    /// Whether it cannot be a struct: see [`needs_wire_map`].
    pub(in crate::backend::python) needs_wire_map: bool,
}

impl<'a> Generated<'a> {
    /// All fields, the shared ones first.
    pub(in crate::backend::python) fn fields(&self) -> impl Iterator<Item = &Attribute<'a>> {
        self.declares.iter().chain(self.inherits.iter().flat_map(|(_, fields)| fields))
    }
}

/// A field and the attribute that holds it.
#[derive(Clone, Debug)]
pub(in crate::backend::python) struct Attribute<'a> {
    pub(in crate::backend::python) name: String,
    pub(in crate::backend::python) field: &'a Field,
    /// Whether it is one that the variants of a union share.
    pub(in crate::backend::python) shared: bool,
}

impl<'a> Attribute<'a> {
    /// A field of a record.
    pub(in crate::backend::python) fn own(field: &'a Field) -> Self {
        Self { name: names::attribute(&field.name), field, shared: false }
    }

    /// A field that the variants of a union share.
    pub(in crate::backend::python) fn shared(field: &'a Field) -> Self {
        Self { name: names::shared_attribute(&field.name), field, shared: true }
    }
}

/// Whether an object with this field cannot be a struct: msgspec cannot write the field's name, so
/// that the class maps attributes to wire names itself.
pub(in crate::backend::python) fn needs_wire_map(field: &Field) -> bool {
    field.name.wire.contains(|character: char| matches!(character, '"' | '\\' | '\0'..='\x1f'))
}

/// The record that a type is, with its name.
pub(in crate::backend::python) fn record<'a>(
    protocol: &'a Protocol,
    ty: &'a Type,
) -> Option<(&'a str, &'a Record)> {
    match definition(protocol, ty)? {
        (name, TypeKind::Record(record)) => Some((name, record)),
        _ => None,
    }
}

pub(in crate::backend::python) fn definition<'a>(
    protocol: &'a Protocol,
    ty: &'a Type,
) -> Option<(&'a str, &'a TypeKind)> {
    match protocol.resolve(ty) {
        Type::Named { name } => Some((name.as_str(), &protocol.types.get(name)?.kind)),
        _ => None,
    }
}
