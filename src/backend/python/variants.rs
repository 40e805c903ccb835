//! How the variants of each union become classes.
//!
//! A union told apart by a tag, or with fields beside it, is a class that all its variants
//! inherit: a variant's fields are those of the object on the wire, flattened. A union told
//! apart by shape alone is an alias, because its variants need no class of their own.

use std::collections::{HashMap, HashSet};

use super::leaves::Builder;
use super::names;
use crate::diagnostic::Diagnostics;
use crate::ir::{Docs, Field, Name, Protocol, Record, Selector, Type, TypeKind, Union, Variant};
use crate::source::Place;

/// Every union's form and variants, and which types are part of another's classes.
#[derive(Debug, Default)]
pub(super) struct Variants<'a> {
    unions: HashMap<&'a str, UnionForm<'a>>,
    /// Inline payloads that are nothing but a part of a variant's own class.
    folded: HashSet<&'a str>,
    /// The unions whose untagged variants are these very records.
    bases: HashMap<&'a str, Vec<&'a str>>,
}

/// What a union becomes.
#[derive(Debug)]
pub(super) struct UnionForm<'a> {
    /// Whether it is a class that its variants inherit, rather than an alias.
    pub(super) is_class: bool,
    /// The variants that have classes, in schema order, the open one last.
    pub(super) leaves: Vec<Leaf<'a>>,
}

/// A class that a value of a union can have.
#[derive(Debug)]
pub(super) struct Leaf<'a> {
    /// The class.
    pub(super) class: String,
    /// The function of the union that makes one.
    pub(super) function: String,
    /// The position of the variant in the union. `None` for the open one.
    pub(super) variant: Option<usize>,
    /// How the variant is spelt, for messages.
    pub(super) wire: &'a str,
    pub(super) docs: &'a Docs,
    pub(super) place: &'a Place,
    pub(super) kind: LeafKind<'a>,
}

impl Leaf<'_> {
    /// The tag that selects it, if only one does.
    pub(super) fn tag(&self) -> Option<&str> {
        match &self.kind {
            LeafKind::Record { .. } => None,
            LeafKind::Built(built) => built.tag.map(|(_, value)| value),
            LeafKind::Raw { tag, .. } => *tag,
        }
    }
}

/// What a variant's class is made of.
#[derive(Debug)]
pub(super) enum LeafKind<'a> {
    /// The class of a definition as it is.
    Record {
        /// The definition.
        name: &'a str,
        record: &'a Record,
    },
    /// A class of its own.
    Built(Built<'a>),
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
pub(super) struct Built<'a> {
    /// The tag: property and value.
    pub(super) tag: Option<(&'a str, &'a str)>,
    /// Further tags of unions inside the variant.
    pub(super) constants: Vec<(&'a Name, &'a str)>,
    /// The definition it inherits, with its fields.
    pub(super) inherits: Option<(&'a str, Vec<Attribute<'a>>)>,
    /// The fields it declares itself.
    pub(super) declares: Vec<Attribute<'a>>,
    /// Whether the tag alone selects it.
    pub(super) is_only_of_its_tag: bool,
    /// Whether it cannot be a struct.
    pub(super) is_plain: bool,
}

impl<'a> Built<'a> {
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
    /// Whether it is one that the variants of a union share.
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

impl<'a> Variants<'a> {
    /// Decides for all unions of a protocol.
    pub(super) fn new(protocol: &'a Protocol, diagnostics: &mut Diagnostics) -> Self {
        let mut variants = Self::default();
        for def in protocol.types.values() {
            if let TypeKind::Union(union) = &def.kind {
                variants.fold(protocol, union);
            }
        }
        for (name, def) in &protocol.types {
            if let TypeKind::Union(union) = &def.kind {
                let is_class = is_class(protocol, union);
                let builder = Builder { protocol, def, union, folded: &variants.folded };
                let leaves = builder.leaves(diagnostics);
                variants.unions.insert(name, UnionForm { is_class, leaves });
            }
        }
        for name in protocol.types.keys() {
            let Some(form) = variants.unions.get(name.as_str()).filter(|form| form.is_class) else {
                continue;
            };
            for leaf in &form.leaves {
                if let LeafKind::Record { name: record, .. } = leaf.kind {
                    let bases = variants.bases.entry(record).or_default();
                    if !bases.contains(&name.as_str()) {
                        bases.push(name);
                    }
                }
            }
        }
        variants
    }

    /// A union's form.
    pub(super) fn form(&self, union: &str) -> Option<&UnionForm<'a>> {
        self.unions.get(union)
    }

    /// Whether a definition is only a part of a variant's class, and has none itself.
    pub(super) fn is_folded(&self, name: &str) -> bool {
        self.folded.contains(name)
    }

    /// The unions that a record's class inherits.
    pub(super) fn bases(&self, record: &str) -> &[&'a str] {
        self.bases.get(record).map_or(&[], Vec::as_slice)
    }

    /// Inline payloads belong to their variant alone.
    fn fold(&mut self, protocol: &'a Protocol, union: &'a Union) {
        let own_class =
            |variant: &&Variant| !union.shared.is_empty() || variant.selector != Selector::Untagged;
        let payloads = union.variants.iter().filter(own_class).map(|variant| &variant.payload);
        let open = union.open.iter().map(|open| &open.payload);
        for payload in payloads.chain(open).flatten() {
            if let Type::Named { name } = payload
                && let Some((name, def)) = protocol.types.get_key_value(name)
                && def.inline
                && matches!(def.kind, TypeKind::Record(_) | TypeKind::Union(_))
            {
                self.folded.insert(name);
            }
        }
    }
}

/// Whether the object cannot be a struct, because msgspec cannot write the name of a field.
pub(super) fn is_plain(record: &Record) -> bool {
    record.fields.iter().any(is_unspeakable)
}

pub(super) fn is_unspeakable(field: &Field) -> bool {
    field.name.wire.contains(|character: char| matches!(character, '"' | '\\' | '\0'..='\x1f'))
}

/// Whether all values of a union can have classes that inherit it.
fn is_class(protocol: &Protocol, union: &Union) -> bool {
    let is_object = |variant: &Variant| match &variant.payload {
        None => true,
        Some(payload) => record(protocol, payload).is_some(),
    };
    !union.shared.is_empty() || union.tag().is_some() && union.untagged().all(is_object)
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
