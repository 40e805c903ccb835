//! The keys of objects, by which variants are told apart.

use std::collections::HashSet;

use indexmap::IndexSet;
use serde_json::Value;

use super::plan::KnownKeys;
use crate::ir::{Field, JsonType, JsonTypes, Protocol, Type, TypeKind, Union};

/// The knowledge that a type has of an object's keys.
#[derive(Debug, Default)]
pub(super) struct Keys<'a> {
    /// True if it makes something of every key.
    every: bool,
    /// The keys that it lists.
    known: IndexSet<&'a str>,
    /// The keys without which it accepts no object.
    required: Vec<Required<'a>>,
}

/// A key without which a type accepts no object.
#[derive(Debug)]
struct Required<'a> {
    key: &'a str,
    /// The JSON types that its value can have.
    types: JsonTypes,
    /// The only value, if there is only one.
    literal: Option<&'a Value>,
}

impl<'a> Keys<'a> {
    /// Finds out what the payload of a variant says; without one it says nothing.
    pub(super) fn new(protocol: &'a Protocol, payload: Option<&'a Type>) -> Self {
        let mut keys = Self::default();
        keys.add(protocol, payload, true, &mut HashSet::new());
        keys
    }

    /// Tells whether it knows more keys than the other, or as many if it comes first, of each
    /// object that both accept: those that it requires and the other does not know are all there.
    pub(super) fn outnumbers(&self, other: &Self, is_first: bool) -> bool {
        if other.every {
            return self.every && is_first;
        }
        let required = self.required.iter().filter(|it| !other.known.contains(it.key)).count();
        let is_unknown = |key: &&&str| !self.every && !self.known.contains(**key);
        let unknown = other.known.iter().filter(is_unknown).count();
        required > unknown || required == unknown && is_first
    }

    /// Tells whether no object is accepted by both: they require different values of a key.
    pub(super) fn is_disjoint(&self, other: &Self) -> bool {
        self.required.iter().any(|one| {
            other.required.iter().any(|other| {
                one.key == other.key
                    && (!one.types.intersects(other.types)
                        || one.literal.zip(other.literal).is_some_and(|(one, other)| one != other))
            })
        })
    }

    /// The keys for the plan.
    pub(super) fn listed(self) -> KnownKeys {
        if self.every {
            return KnownKeys::Every;
        }
        KnownKeys::Listed(self.known.into_iter().map(String::from).collect())
    }

    /// Adds what a type says; what it requires only if nothing else will do.
    fn add(
        &mut self,
        protocol: &'a Protocol,
        ty: Option<&'a Type>,
        is_only: bool,
        seen: &mut HashSet<&'a str>,
    ) {
        match ty.map(|ty| protocol.resolve(ty)) {
            None | Some(Type::Any | Type::Map(_)) => self.every = true,
            Some(Type::Nullable { inner }) => self.add(protocol, Some(inner), is_only, seen),
            Some(Type::Named { name }) if seen.insert(name) => {
                match protocol.type_def(name).map(|def| &def.kind) {
                    Some(TypeKind::Record(record)) => {
                        self.every |= record.unknown.kept().is_some();
                        self.fields(protocol, &record.fields, is_only);
                    }
                    Some(TypeKind::Union(union)) => self.union(protocol, union, is_only, seen),
                    _ => {}
                }
            }
            Some(_) => {}
        }
    }

    fn union(
        &mut self,
        protocol: &'a Protocol,
        union: &'a Union,
        is_only: bool,
        seen: &mut HashSet<&'a str>,
    ) {
        self.fields(protocol, &union.shared, is_only);
        if let Some(tag) = union.tag() {
            self.known.insert(&tag.wire);
            if is_only && union.untagged().next().is_none() {
                let types = JsonType::String.into();
                self.required.push(Required { key: &tag.wire, types, literal: None });
            }
        }
        // A tagged variant without a payload, or an open one, lists no further keys.
        let payloads = union.variants.iter().filter_map(|variant| variant.payload.as_ref());
        let open = union.open.iter().filter_map(|open| open.payload.as_ref());
        for payload in payloads.chain(open) {
            self.add(protocol, Some(payload), false, seen);
        }
    }

    fn fields(&mut self, protocol: &'a Protocol, fields: &'a [Field], is_only: bool) {
        for field in fields {
            self.known.insert(&field.name.wire);
            if !is_only || !field.presence.is_required() {
                continue;
            }
            let forgives = field.leniency.on_error.is_some() || field.leniency.on_null.is_some();
            let mut types = if forgives { JsonTypes::ALL } else { protocol.json_types(&field.ty) };
            let mut literal = match protocol.resolve(&field.ty) {
                Type::Literal { value } if !forgives => Some(value),
                _ => None,
            };
            if field.presence.is_nullable() {
                types = types.union(JsonType::Null.into());
                literal = None;
            }
            self.required.push(Required { key: &field.name.wire, types, literal });
        }
    }
}
