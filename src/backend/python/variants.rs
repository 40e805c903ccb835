//! How the variants of each union become classes.
//!
//! A union told apart by a tag, or with fields beside it, is a class that all its variants
//! inherit: a variant's fields are those of the object on the wire, flattened. A union told
//! apart by shape alone is an alias, because its variants need no class of their own.

use std::collections::{HashMap, HashSet};

use super::names;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{
    Docs, Field, Name, OpenVariant, Protocol, Record, Type, TypeDef, TypeKind, Union, Variant,
};
use crate::source::Place;

/// How deeply unions inside the variants of unions are taken apart, and into how many classes.
const MAX_DEPTH: usize = 4;
const MAX_PIECES: usize = 64;

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
}

impl<'a> Attribute<'a> {
    /// A field of a record.
    pub(super) fn own(field: &'a Field) -> Self {
        Self { name: names::attribute(&field.name), field }
    }

    /// A field that the variants of a union share.
    pub(super) fn shared(field: &'a Field) -> Self {
        Self { name: names::shared_attribute(&field.name), field }
    }
}

/// A part of a variant that stands in the same JSON object, taken apart as far as one class can
/// hold it.
#[derive(Clone, Debug, Default)]
struct Piece<'a> {
    path: Vec<&'a Name>,
    tags: Vec<(&'a Name, &'a str)>,
    shared: Vec<&'a Field>,
    record: Option<&'a str>,
    fields: &'a [Field],
    raw: bool,
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
        let own_class = |variant: &&Variant| {
            !union.shared.is_empty() || variant.selector != crate::ir::Selector::Untagged
        };
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

/// Whether all values of a union can have classes that inherit it.
fn is_class(protocol: &Protocol, union: &Union) -> bool {
    let is_object = |variant: &Variant| match &variant.payload {
        None => true,
        Some(payload) => record(protocol, payload).is_some(),
    };
    !union.shared.is_empty() || union.tag().is_some() && union.untagged().all(is_object)
}

/// The record that a type is, with its name.
fn record<'a>(protocol: &'a Protocol, ty: &'a Type) -> Option<(&'a str, &'a Record)> {
    match definition(protocol, ty)? {
        (name, TypeKind::Record(record)) => Some((name, record)),
        _ => None,
    }
}

fn definition<'a>(protocol: &'a Protocol, ty: &'a Type) -> Option<(&'a str, &'a TypeKind)> {
    match protocol.resolve(ty) {
        Type::Named { name } => Some((name.as_str(), &protocol.types.get(name)?.kind)),
        _ => None,
    }
}

/// Makes the classes of one union.
struct Builder<'a, 'v> {
    protocol: &'a Protocol,
    def: &'a TypeDef,
    union: &'a Union,
    folded: &'v HashSet<&'a str>,
}

impl<'a> Builder<'a, '_> {
    fn leaves(&self, diagnostics: &mut Diagnostics) -> Vec<Leaf<'a>> {
        let mut leaves = Vec::new();
        for variant in &self.union.variants {
            let tag = match &variant.selector {
                crate::ir::Selector::Tag { value } => Some(value.as_str()),
                crate::ir::Selector::Untagged => None,
            };
            if tag.is_none() && self.union.shared.is_empty() {
                leaves.extend(self.untagged(variant));
                continue;
            }
            let pieces = self.pieces(variant.payload.as_ref(), MAX_DEPTH).unwrap_or_else(|| {
                diagnostics.push(
                    Diagnostic::warning(
                        "python-raw-variant",
                        format!(
                            "Python keeps the variant `{}` of {} as plain JSON: its payload is not made of objects with known fields, or of too many kinds of them",
                            variant.name.wire, self.def.name.wire
                        ),
                    )
                    .at(variant.place.clone()),
                );
                vec![Piece { raw: true, ..Piece::default() }]
            });
            let only = pieces.len() == 1;
            leaves.extend(pieces.iter().map(|piece| self.leaf(variant, tag, piece, only)));
        }
        leaves.extend(self.union.open.as_ref().map(|open| self.open(open)));
        leaves
    }

    /// A variant that is just its payload.
    fn untagged(&self, variant: &'a Variant) -> Option<Leaf<'a>> {
        let kind = match &variant.payload {
            None => LeafKind::Built(Built {
                tag: None,
                constants: Vec::new(),
                inherits: None,
                declares: Vec::new(),
                is_only_of_its_tag: false,
            }),
            Some(payload) => {
                let (name, record) = record(self.protocol, payload)?;
                LeafKind::Record { name, record }
            }
        };
        let class = match &kind {
            LeafKind::Record { name, .. } => names::class(&self.protocol.types.get(*name)?.name),
            _ => self.class(&[&variant.name], None),
        };
        Some(Leaf {
            class,
            function: names::function(&variant.name),
            wire: &variant.name.wire,
            docs: &variant.docs,
            place: &variant.place,
            kind,
        })
    }

    fn leaf(
        &self,
        variant: &'a Variant,
        tag: Option<&'a str>,
        piece: &Piece<'a>,
        only: bool,
    ) -> Leaf<'a> {
        let mut path = vec![&variant.name];
        path.extend(&piece.path);
        let payload = match &variant.payload {
            Some(Type::Named { name }) => Some(name.as_str()),
            _ => piece.record,
        };
        let shared = self.union.shared.iter().chain(piece.shared.iter().copied());
        let mut tags: Vec<(&Name, &str)> =
            self.union.tag().zip(tag).into_iter().chain(piece.tags.iter().copied()).collect();
        let words: Vec<String> = path.iter().map(|name| name.snake()).collect();
        let kind = if piece.raw {
            LeafKind::Raw {
                tag,
                property: self.union.tag().map_or("", |name| &name.wire),
                fields: distinct(shared, &[]),
            }
        } else {
            let first = if tags.is_empty() { None } else { Some(tags.remove(0)) };
            let (inherits, declares) = self.fields(shared, piece);
            LeafKind::Built(Built {
                tag: first.map(|(property, value)| (property.wire.as_str(), value)),
                constants: tags,
                inherits,
                declares,
                is_only_of_its_tag: only && tag.is_some(),
            })
        };
        Leaf {
            class: self.class(&path, payload),
            function: names::function_of(&words.join("_")),
            wire: &variant.name.wire,
            docs: &variant.docs,
            place: &variant.place,
            kind,
        }
    }

    fn open(&self, open: &'a OpenVariant) -> Leaf<'a> {
        Leaf {
            class: self.class(&[&open.name], payload_name(open.payload.as_ref())),
            function: names::function(&open.name),
            wire: &open.name.wire,
            docs: &open.docs,
            place: &open.place,
            kind: LeafKind::Raw {
                tag: None,
                property: self.union.tag().map_or("", |name| &name.wire),
                fields: distinct(self.union.shared.iter(), &[]),
            },
        }
    }

    /// The payload's class is inherited where none of its fields is also a shared one.
    #[allow(clippy::type_complexity, reason = "two lists of fields, one with its owner")]
    fn fields(
        &self,
        shared: impl Iterator<Item = &'a Field>,
        piece: &Piece<'a>,
    ) -> (Option<(&'a str, Vec<Attribute<'a>>)>, Vec<Attribute<'a>>) {
        let mut declares = distinct(shared, piece.fields);
        let fields: Vec<_> = piece.fields.iter().map(Attribute::own).collect();
        let overlap =
            declares.iter().any(|attribute| fields.iter().any(|own| own.name == attribute.name))
                || declares.len() < self.union.shared.len() + piece.shared.len();
        match piece.record.filter(|name| !overlap && !self.folded.contains(name)) {
            Some(name) => (Some((name, fields)), declares),
            None => {
                declares.extend(fields);
                (None, declares)
            }
        }
    }

    /// `<Union><Variant>`; the other way round where the payload's own definition is called
    /// just that.
    fn class(&self, path: &[&Name], payload: Option<&str>) -> String {
        let union = self.def.name.pascal();
        let variant: String = path.iter().map(|name| name.pascal()).collect();
        let class = names::class_of(&format!("{union}{variant}"));
        let payload = payload
            .filter(|name| !self.folded.contains(name))
            .and_then(|name| self.protocol.types.get(name));
        if payload.is_some_and(|def| names::class(&def.name) == class) {
            return names::class_of(&format!("{variant}{union}"));
        }
        class
    }

    /// What a payload can be, each in one class. `None` if that cannot be said.
    fn pieces(&self, payload: Option<&'a Type>, depth: usize) -> Option<Vec<Piece<'a>>> {
        let Some(payload) = payload else { return Some(vec![Piece::default()]) };
        let (name, kind) = definition(self.protocol, payload)?;
        let union = match kind {
            TypeKind::Record(record) => {
                let fields = &record.fields;
                return Some(vec![Piece { record: Some(name), fields, ..Piece::default() }]);
            }
            TypeKind::Union(union) if depth > 0 => union,
            _ => return None,
        };
        let mut pieces = Vec::new();
        for variant in &union.variants {
            for mut piece in self.pieces(variant.payload.as_ref(), depth - 1)? {
                piece.path.insert(0, &variant.name);
                if let (Some(tag), crate::ir::Selector::Tag { value }) =
                    (union.tag(), &variant.selector)
                {
                    piece.tags.insert(0, (tag, value));
                }
                pieces.push(piece);
            }
            if pieces.len() > MAX_PIECES {
                return None;
            }
        }
        pieces.extend(union.open.iter().map(|open| Piece {
            path: vec![&open.name],
            raw: true,
            ..Piece::default()
        }));
        for piece in &mut pieces {
            piece.shared.splice(0..0, &union.shared);
        }
        Some(pieces)
    }
}

fn payload_name(payload: Option<&Type>) -> Option<&str> {
    match payload {
        Some(Type::Named { name }) => Some(name),
        _ => None,
    }
}

/// Shared fields, each wire name once, without those that a payload has itself.
fn distinct<'a>(shared: impl Iterator<Item = &'a Field>, payload: &[Field]) -> Vec<Attribute<'a>> {
    let mut taken: HashSet<&str> = payload.iter().map(|field| field.name.wire.as_str()).collect();
    shared.filter(|field| taken.insert(&field.name.wire)).map(Attribute::shared).collect()
}
