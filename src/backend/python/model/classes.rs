//! The classes of all unions' variants.

use std::collections::{HashMap, HashSet};

use super::super::names;
use super::variants::{
    Attribute, Generated, UnionForm, VariantClass, VariantKind, definition, is_unseen,
    needs_wire_map, record,
};
use crate::decode::{DecodePlan, RecordPlan};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    Field, Findings, INNER_DEPTH, KeyRules, Name, OpenVariant, Protocol, Selector, Type, TypeDef,
    TypeKind, Union, Variant,
};

/// Every union's form and variants, and which types are part of another's classes.
#[derive(Debug, Default)]
pub(super) struct Variants<'a> {
    unions: HashMap<&'a str, UnionForm<'a>>,
    /// Inline payloads that are nothing but a part of a variant's own class.
    inlined: HashSet<&'a str>,
    /// The unions whose untagged variants are these very records.
    bases: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Variants<'a> {
    /// Decides for all unions of a protocol.
    pub(super) fn new(
        protocol: &'a Protocol,
        plan: &'a DecodePlan,
        diagnostics: &mut Findings,
    ) -> Self {
        let mut variants = Self::default();
        for def in protocol.types.values() {
            if let TypeKind::Union(union) = &def.kind {
                variants.inline(protocol, union);
            }
        }
        // A union that another merges has the same payloads.
        for def in protocol.types.values() {
            if let TypeKind::Union(union) = &def.kind {
                let others = union.variants.iter().filter(|it| !has_own_class(union, it));
                for payload in others.filter_map(|variant| variant.payload.as_ref()) {
                    if let Type::Named { name } = payload {
                        variants.inlined.remove(name.as_str());
                    }
                }
            }
        }
        for (name, def) in &protocol.types {
            if let TypeKind::Union(union) = &def.kind {
                let is_class = is_class(protocol, union);
                let builder =
                    UnionBuilder { protocol, plan, def, union, inlined: &variants.inlined };
                let classes = builder.classes(diagnostics);
                variants.unions.insert(name, UnionForm { is_class, classes });
            }
        }
        // A union that is only a part of a variant's class has none itself.
        let names = protocol.types.keys().filter(|name| !variants.inlined.contains(name.as_str()));
        for name in names {
            let Some(form) = variants.unions.get(name.as_str()).filter(|form| form.is_class) else {
                continue;
            };
            for class in &form.classes {
                if let VariantKind::Record { name: record, .. } = class.kind {
                    let bases = variants.bases.entry(record).or_default();
                    if !bases.contains(&name.as_str()) {
                        bases.push(name);
                    }
                }
            }
        }
        // The order of definitions says nothing.
        for bases in variants.bases.values_mut() {
            bases.sort_unstable();
        }
        variants
    }

    /// A union's form.
    pub(super) fn form(&self, union: &str) -> Option<&UnionForm<'a>> {
        self.unions.get(union)
    }

    /// Tells whether a definition is only a part of a variant's class, and has none itself.
    pub(super) fn is_inlined(&self, name: &str) -> bool {
        self.inlined.contains(name)
    }

    /// The unions that a record's class inherits.
    pub(super) fn bases(&self, record: &str) -> &[&'a str] {
        self.bases.get(record).map_or(&[], Vec::as_slice)
    }

    /// Inline payloads belong to their variant alone.
    fn inline(&mut self, protocol: &'a Protocol, union: &'a Union) {
        let variants = union.variants.iter().filter(|it| has_own_class(union, it));
        let payloads = variants.map(|variant| &variant.payload);
        let open = union.open.iter().map(|open| &open.payload);
        for payload in payloads.chain(open).flatten() {
            if let Type::Named { name } = payload
                && let Some((name, def)) = protocol.types.get_key_value(name)
                && def.inline
                && matches!(def.kind, TypeKind::Record(_) | TypeKind::Union(_))
            {
                self.inlined.insert(name);
            }
        }
    }
}

/// Tells whether a variant has a class that is no other type.
fn has_own_class(union: &Union, variant: &Variant) -> bool {
    !union.shared.is_empty() || variant.selector != Selector::Untagged
}

/// Tells whether all values of a union can have classes that inherit it.
fn is_class(protocol: &Protocol, union: &Union) -> bool {
    let is_object = |variant: &Variant| match &variant.payload {
        None => true,
        Some(payload) => record(protocol, payload).is_some(),
    };
    !union.shared.is_empty() || union.tag().is_some() && union.untagged().all(is_object)
}

/// The most classes of a variant.
const MAX_PIECES: usize = 64;

/// Makes the classes of one union.
struct UnionBuilder<'a, 'v> {
    protocol: &'a Protocol,
    plan: &'a DecodePlan,
    def: &'a TypeDef,
    union: &'a Union,
    /// The payloads that are nothing but a part of a variant's own class.
    inlined: &'v HashSet<&'a str>,
}

impl<'a> UnionBuilder<'a, '_> {
    /// Makes them all, in schema order, that of the open variant last.
    fn classes(&self, diagnostics: &mut Findings) -> Vec<VariantClass<'a>> {
        let mut classes = Vec::new();
        for (index, variant) in self.union.variants.iter().enumerate() {
            let tag = match &variant.selector {
                Selector::Tag { value } => Some(value.as_str()),
                Selector::Untagged => None,
            };
            if tag.is_none() && self.union.shared.is_empty() {
                classes.extend(self.untagged(index, variant));
                continue;
            }
            let pieces = self.pieces(variant.payload.as_ref(), INNER_DEPTH).unwrap_or_else(|| {
                diagnostics.push(
                    Diagnostic::warning(
                        "python-raw-variant",
                        format!(
                            "Python keeps the variant `{}` of {} as plain JSON: its payload is not made of objects with known fields, or of too many kinds of them",
                            variant.name.wire, self.def.name.wire
                        ),
                    )
                    .at(variant.location.clone()),
                );
                vec![Piece { raw: true, ..Piece::default() }]
            });
            let only = pieces.len() == 1;
            classes
                .extend(pieces.iter().map(|piece| self.tagged((index, variant), tag, piece, only)));
        }
        classes.extend(self.union.open.as_ref().map(|open| self.open(open)));
        classes
    }

    /// A variant that is just its payload.
    fn untagged(&self, index: usize, variant: &'a Variant) -> Option<VariantClass<'a>> {
        let kind = match &variant.payload {
            None => VariantKind::Generated(Generated::default()),
            Some(payload) => {
                let (name, record) = record(self.protocol, payload)?;
                VariantKind::Record { name, record }
            }
        };
        let class = match &kind {
            VariantKind::Record { name, .. } => names::class(&self.protocol.types.get(*name)?.name),
            _ => self.class(&[&variant.name], None),
        };
        Some(VariantClass {
            name: class,
            function: names::function(&variant.name),
            variant: Some(index),
            wire: &variant.name.wire,
            docs: &variant.docs,
            location: &variant.location,
            kind,
        })
    }

    fn tagged(
        &self,
        (index, variant): (usize, &'a Variant),
        tag: Option<&'a str>,
        piece: &Piece<'a>,
        only: bool,
    ) -> VariantClass<'a> {
        let mut path = vec![&variant.name];
        path.extend(&piece.path);
        let payload = match &variant.payload {
            Some(Type::Named { name }) => Some(name.as_str()),
            _ => piece.record,
        };
        let mut tags: Vec<(&Name, &str)> =
            self.union.tag().zip(tag).into_iter().chain(piece.tags.iter().copied()).collect();
        // A tag is no attribute of its own, though a union around may list its property.
        let is_tag = |field: &Field| tags.iter().any(|(name, _)| name.wire == field.name.wire);
        let shared = self.union.shared.iter().chain(piece.shared.iter().copied());
        let shared = shared.filter(|field| !is_tag(field)).collect::<Vec<_>>().into_iter();
        let words: Vec<String> = path.iter().map(|name| name.snake()).collect();
        let kind = if piece.raw {
            VariantKind::Raw {
                tag,
                property: self.union.tag().map_or("", |name| &name.wire),
                fields: distinct(shared, &[]),
            }
        } else {
            let first = if tags.is_empty() { None } else { Some(tags.remove(0)) };
            let (inherits, declares) = self.fields(shared, piece);
            let needs_map = piece.rest.is_some()
                || declares.iter().any(|attribute| needs_wire_map(attribute.field));
            let inner = inherits.iter().flat_map(|(_, fields)| fields);
            let mut all = declares.iter().chain(inner);
            let is_unseen = all.any(|it| is_unseen(self.protocol, &it.field.ty));
            VariantKind::Generated(Generated {
                needs_wire_map: needs_map,
                tag: first.map(|(property, value)| (property.wire.as_str(), value)),
                constants: tags,
                inherits,
                declares,
                rest: piece.rest,
                forbidden: piece.forbidden,
                keys: piece.rules,
                is_unseen,
                is_closed: piece.is_closed,
                is_only_of_its_tag: only && tag.is_some(),
            })
        };
        VariantClass {
            name: self.variant_class(variant, (&path, &piece.keys.join("/")), payload),
            function: names::function_of(&words.join("_")),
            variant: Some(index),
            wire: &variant.name.wire,
            docs: &variant.docs,
            location: &variant.location,
            kind,
        }
    }

    /// The class of a variant, or of a piece of it: `path` is the way to it, the variant first, and
    /// `key` what `x-class-names` calls the piece.
    fn variant_class(
        &self,
        variant: &Variant,
        (path, key): (&[&Name], &str),
        payload: Option<&str>,
    ) -> String {
        if let Some(name) = variant.inner_class_names.get(key) {
            return names::class(name);
        }
        let Some(name) = &variant.class_name else { return self.class(path, payload) };
        let inner = path.iter().skip(1).map(|name| name.pascal());
        names::class_of(&std::iter::once(name.pascal()).chain(inner).collect::<String>())
    }

    fn open(&self, open: &'a OpenVariant) -> VariantClass<'a> {
        VariantClass {
            name: open.class_name.as_ref().map_or_else(
                || self.class(&[&open.name], payload_name(open.payload.as_ref())),
                names::class,
            ),
            function: names::function(&open.name),
            variant: None,
            wire: &open.name.wire,
            docs: &open.docs,
            location: &open.location,
            kind: VariantKind::Raw {
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
        let own: HashSet<&str> = fields.iter().map(|attribute| attribute.name.as_str()).collect();
        let overlap = declares.len() < self.union.shared.len() + piece.shared.len()
            || declares.iter().any(|attribute| own.contains(attribute.name.as_str()));
        let plain = piece.rest.is_some() || piece.fields.iter().any(needs_wire_map);
        let inherited =
            piece.record.filter(|name| !overlap && !plain && !self.inlined.contains(name));
        if let Some(name) = inherited {
            return (Some((name, fields)), declares);
        }
        declares.extend(fields);
        (None, declares)
    }

    /// `<Union><Variant>`; the other way round where the payload's own definition is called
    /// just that.
    fn class(&self, path: &[&Name], payload: Option<&str>) -> String {
        let union = self.def.name.pascal();
        let variant: String = path.iter().map(|name| name.pascal()).collect();
        let class = names::class_of(&format!("{union}{variant}"));
        let payload = payload
            .filter(|name| !self.inlined.contains(name))
            .and_then(|name| self.protocol.types.get(name));
        if payload.is_some_and(|def| names::class(&def.name) == class) {
            return names::class_of(&format!("{variant}{union}"));
        }
        class
    }

    /// Takes a payload apart into pieces of one class each. `None` if that cannot be said.
    fn pieces(&self, payload: Option<&'a Type>, depth: usize) -> Option<Vec<Piece<'a>>> {
        let Some(payload) = payload else { return Some(vec![Piece::default()]) };
        let (name, kind) = definition(self.protocol, payload)?;
        let union = match kind {
            TypeKind::Record(record) => {
                let fields = &record.fields;
                let plan = self.plan.record(name);
                return Some(vec![Piece {
                    record: Some(name),
                    fields,
                    rest: plan.and_then(RecordPlan::kept),
                    forbidden: plan.map_or(&[], |plan| &plan.forbidden),
                    rules: plan.map(|plan| &plan.keys).filter(|keys| !keys.is_empty()),
                    is_closed: plan.is_some_and(|plan| plan.closed),
                    ..Piece::default()
                }]);
            }
            TypeKind::Union(union) if depth > 0 => union,
            _ => return None,
        };
        let mut pieces = Vec::new();
        for variant in &union.variants {
            for mut piece in self.pieces(variant.payload.as_ref(), depth - 1)? {
                piece.path.insert(0, &variant.name);
                piece.keys.insert(0, variant.tag_or_name());
                if let (Some(tag), Selector::Tag { value }) = (union.tag(), &variant.selector) {
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
            keys: vec![&open.name.wire],
            raw: true,
            ..Piece::default()
        }));
        for piece in &mut pieces {
            piece.shared.splice(0..0, &union.shared);
        }
        Some(pieces)
    }
}

/// A part of a variant that stands in the same JSON object, taken apart as far as one class can
/// hold it.
#[derive(Clone, Debug, Default)]
struct Piece<'a> {
    path: Vec<&'a Name>,
    /// The same as tags, or names where there is none.
    keys: Vec<&'a str>,
    tags: Vec<(&'a Name, &'a str)>,
    shared: Vec<&'a Field>,
    record: Option<&'a str>,
    fields: &'a [Field],
    rest: Option<&'a Type>,
    forbidden: &'a [Vec<String>],
    rules: Option<&'a KeyRules>,
    is_closed: bool,
    raw: bool,
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
