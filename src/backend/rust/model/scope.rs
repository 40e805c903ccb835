//! The scope of a package: facts about all types, computed once.

use std::collections::{HashMap, HashSet};

use proc_macro2::Ident;

use super::{cycles, floats, plain};
use crate::backend::Options;
use crate::backend::rust::names::{self, SideNames};
use crate::backend::rust::types::{MachineInteger, RustType};
use crate::decode::DecodePlan;
use crate::ir::{Name, Protocol, Tuple, Type, TypeDef, TypeKind, Union};

/// The protocol, and what has been found out about it.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    pub protocol: &'a Protocol,
    pub options: &'a Options,
    /// The plan of each type.
    pub plan: DecodePlan,
    idents: HashMap<&'a str, Ident>,
    cycles: HashMap<&'a str, usize>,
    wrapped: HashMap<&'a str, usize>,
    floats: HashSet<&'a str>,
    /// The tuples that are Rust's own.
    plain_tuples: HashSet<&'a str>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(protocol: &'a Protocol, options: &'a Options) -> Self {
        let sides = protocol.sides.iter().map(|side| SideNames::new(&side.name));
        let sides: HashSet<String> = sides.flat_map(SideNames::exported).collect();
        let named = |def: &TypeDef| names::type_name(&def.name, |name| sides.contains(name));
        let types = protocol.types.iter();
        let idents = types.map(|(wire, def)| (wire.as_str(), named(def))).collect();
        let (cycles, wrapped) = (cycles::by_value(protocol), cycles::of_aliases(protocol));
        Self {
            protocol,
            options,
            plan: DecodePlan::new(protocol, options.unknown_fields),
            idents,
            floats: floats::with_floats(protocol),
            plain_tuples: plain::plain(protocol, &cycles, &wrapped),
            cycles,
            wrapped,
        }
    }

    /// The name of a type in Rust.
    pub(crate) fn ident(&self, wire: &str) -> Ident {
        let unknown = || names::type_name(&Name::new(wire), |_| false);
        self.idents.get(wire).cloned().unwrap_or_else(unknown)
    }

    /// The definition that a type refers to, plain aliases followed.
    pub(crate) fn definition(&self, ty: &Type) -> Option<(&'a str, &'a TypeDef)> {
        let Type::Named { name } = self.resolve(ty) else { return None };
        let (wire, def) = self.protocol.types.get_key_value(name.as_str())?;
        Some((wire.as_str(), def))
    }

    /// A type with plain aliases followed.
    pub(crate) fn resolve<'t>(&self, ty: &'t Type) -> &'t Type
    where
        'a: 't,
    {
        let mut current = ty;
        while let Type::Named { name } = current {
            let Some((wire, def)) = self.protocol.types.get_key_value(name.as_str()) else { break };
            match &def.kind {
                TypeKind::Alias { target } if self.is_plain_alias(wire, target) => current = target,
                _ => break,
            }
        }
        current
    }

    /// Tells whether an alias is only another spelling in Rust too, and not a type of its own.
    pub(crate) fn is_plain_alias(&self, wire: &str, target: &Type) -> bool {
        let scalar = matches!(target, Type::String(_) | Type::Integer(_) | Type::Number(_));
        !scalar && !self.is_recursive_alias(wire)
    }

    /// Tells whether an alias refers to itself through arrays or maps, which Rust allows only a
    /// type of its own.
    pub(crate) fn is_recursive_alias(&self, wire: &str) -> bool {
        self.wrapped.contains_key(wire)
    }

    /// The tuple of this name, if it is one of Rust's own: `(A, B)`.
    pub(crate) fn plain_tuple(&self, wire: &str) -> Option<&'a Tuple> {
        match &self.protocol.types.get(wire)?.kind {
            TypeKind::Tuple(tuple) => self.plain_tuples.contains(wire).then_some(tuple),
            _ => None,
        }
    }

    /// Tells whether a value of the type within one of `owner` would make that infinitely large.
    pub(crate) fn needs_box(&self, owner: &str, ty: &Type) -> bool {
        let Some(cycle) = self.cycles.get(owner) else { return false };
        let mut ty = self.resolve(ty);
        while let Type::Nullable { inner } = ty {
            ty = self.resolve(inner);
        }
        matches!(ty, Type::Named { name } if self.cycles.get(name.as_str()) == Some(cycle))
    }

    /// Tells whether a value of the type is a struct, or may be one. A variant holds it in a box,
    /// however few fields it has: so none that it gains changes what the variant holds.
    pub(crate) fn is_struct(&self, ty: &Type) -> bool {
        match self.resolve(ty) {
            Type::Nullable { inner } => self.is_struct(inner),
            other => match self.definition(other).map(|(wire, def)| (wire, &def.kind)) {
                Some((_, TypeKind::Record(_))) => true,
                Some((_, TypeKind::Union(union))) => !union.shared.is_empty(),
                Some((wire, TypeKind::Tuple(_))) => self.plain_tuple(wire).is_none(),
                Some((_, TypeKind::Enum(_) | TypeKind::Alias { .. })) | None => false,
            },
        }
    }

    /// Tells whether every value of the type is an object with named members, so that it can share
    /// its object with others.
    pub(crate) fn is_object(&self, ty: &Type) -> bool {
        self.is_of(ty, |part| match part.map(|(_, def)| &def.kind) {
            Some(TypeKind::Record(_)) => true,
            Some(TypeKind::Union(union)) => {
                let has_unit = union.untagged().any(|variant| variant.payload.is_none());
                !has_unit || union.tag().is_some() || !union.shared.is_empty()
            }
            Some(TypeKind::Enum(_) | TypeKind::Tuple(_) | TypeKind::Alias { .. }) | None => false,
        })
    }

    /// Tells whether two values of a definition can always be compared, so that it has `Eq`.
    pub(crate) fn has_eq(&self, wire: &str) -> bool {
        !self.floats.contains(wire)
    }

    /// The union that a type is.
    pub(crate) fn union(&self, ty: &Type) -> Option<&'a Union> {
        match &self.definition(ty)?.1.kind {
            TypeKind::Union(union) => Some(union),
            _ => None,
        }
    }

    /// Tells whether a value of the type keeps members that it does not list, or denies them, so that
    /// it has to be told which of them belong to a union around it.
    pub(crate) fn keeps_members(&self, ty: &Type) -> bool {
        !self.is_of(ty, |part| match part.map(|(wire, def)| (wire, &def.kind)) {
            Some((wire, TypeKind::Record(_))) => {
                self.plan.record(wire).is_none_or(|it| it.kept().is_none() && !it.closed)
            }
            Some((_, TypeKind::Union(union))) => union.open.is_none(),
            Some((_, TypeKind::Enum(_) | TypeKind::Tuple(_) | TypeKind::Alias { .. })) | None => {
                true
            }
        })
    }

    /// Tells whether a value of the type looks at all keys of its object.
    pub(crate) fn looks_at_keys(&self, ty: &Type) -> bool {
        !self.is_of(ty, |part| {
            let plan = part.and_then(|(wire, _)| self.plan.record(wire));
            plan.is_none_or(|plan| plan.keys.is_empty())
        })
    }

    /// Tells whether something holds of a type's definition and, if that is a union, of those of
    /// all payloads that its values can have, which are unions or not in their turn.
    fn is_of(&self, ty: &Type, holds: impl Fn(Option<(&'a str, &'a TypeDef)>) -> bool) -> bool {
        let mut seen = HashSet::new();
        let mut next = vec![self.definition(ty)];
        while let Some(part) = next.pop() {
            if !holds(part) {
                return false;
            }
            if let Some((wire, TypeDef { kind: TypeKind::Union(union), .. })) = part
                && seen.insert(wire)
            {
                let payloads = union.variants.iter().filter_map(|it| it.payload.as_ref());
                next.extend(payloads.map(|payload| self.definition(payload)));
            }
        }
        true
    }

    /// The type in Rust.
    pub(crate) fn rust_type(&self, ty: &Type) -> RustType {
        match ty {
            Type::Any => RustType::Value,
            Type::Null => RustType::Unit,
            Type::Boolean => RustType::Bool,
            Type::Integer(integer) => MachineInteger::new(integer).ty(),
            Type::Number(_) => RustType::Number("f64"),
            Type::String(_) => RustType::String,
            Type::Literal { value } => RustType::of_literal(value),
            Type::Array(array) => RustType::Vec(Box::new(self.rust_type(&array.items))),
            Type::Map(map) if matches!(self.resolve(&map.values), Type::Any) => RustType::Object,
            Type::Map(map) => RustType::Map(Box::new(self.rust_type(&map.values))),
            Type::Nullable { inner } => self.rust_type(inner).optional(),
            Type::Named { name } => RustType::Named(self.ident(name)),
        }
    }

    /// The Rust type with every plain alias in it written out: equal for types that Rust takes for
    /// the same.
    pub(crate) fn written_out(&self, ty: &Type) -> RustType {
        match self.resolve(ty) {
            Type::Array(array) => RustType::Vec(Box::new(self.written_out(&array.items))),
            Type::Map(map) if !matches!(self.resolve(&map.values), Type::Any) => {
                RustType::Map(Box::new(self.written_out(&map.values)))
            }
            Type::Nullable { inner } => self.written_out(inner).optional(),
            Type::Named { name } if self.plain_tuple(name).is_some() => {
                let items = self.plain_tuple(name).into_iter().flat_map(Tuple::types);
                RustType::Tuple(items.map(|ty| self.written_out(ty)).collect())
            }
            other => self.rust_type(other),
        }
    }
}
