//! The scope of a package: facts about all types, computed once.

use std::collections::{HashMap, HashSet};

use proc_macro2::Ident;

use super::{aliases, cycles};
use crate::backend::Options;
use crate::backend::rust::names::{self, SideNames};
use crate::backend::rust::types::{MachineInteger, RustType};
use crate::decode::DecodePlan;
use crate::ir::{Name, Protocol, Type, TypeDef, TypeKind, Union};

/// The protocol, and what has been found out about it.
pub(crate) struct Scope<'a> {
    pub protocol: &'a Protocol,
    pub options: &'a Options,
    /// The plan of each type.
    pub plan: DecodePlan,
    idents: HashMap<&'a str, Ident>,
    cycles: HashMap<&'a str, usize>,
    wrapped: HashSet<&'a str>,
    objects: HashSet<&'a str>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(protocol: &'a Protocol, options: &'a Options) -> Self {
        let sides = protocol.sides.iter().map(|side| SideNames::new(&side.name));
        let sides: HashSet<String> = sides.flat_map(SideNames::exported).collect();
        let named = |def: &TypeDef| names::type_name(&def.name, |name| sides.contains(name));
        let types = protocol.types.iter();
        let idents = types.map(|(wire, def)| (wire.as_str(), named(def))).collect();
        let wrapped = aliases::recursive(protocol);
        let cycles = cycles::by_value(protocol);
        let objects = objects(protocol);
        let plan = DecodePlan::new(protocol, options.unknown_fields);
        Self { protocol, options, plan, idents, cycles, wrapped, objects }
    }

    /// The name of a type in Rust.
    pub(crate) fn ident(&self, wire: &str) -> Ident {
        let unknown = || names::type_name(&Name::new(wire), |_| false);
        self.idents.get(wire).cloned().unwrap_or_else(unknown)
    }

    /// The definition that a type refers to, plain aliases followed.
    pub(crate) fn definition(&self, ty: &Type) -> Option<(&'a str, &'a TypeDef)> {
        let mut current = ty;
        loop {
            let Type::Named { name } = current else { return None };
            let (wire, def) = self.protocol.types.get_key_value(name.as_str())?;
            match &def.kind {
                TypeKind::Alias { target } if self.is_plain_alias(wire, target) => current = target,
                _ => return Some((wire.as_str(), def)),
            }
        }
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
        !scalar && !self.wrapped.contains(wire)
    }

    /// Tells whether an alias refers to itself through arrays or maps, which Rust allows only a
    /// type of its own.
    pub(crate) fn is_recursive_alias(&self, wire: &str) -> bool {
        self.wrapped.contains(wire)
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

    /// Tells whether every value of the type is an object with named members, so that it can share
    /// its object with others.
    pub(crate) fn is_object(&self, ty: &Type) -> bool {
        matches!(self.resolve(ty), Type::Named { name } if self.objects.contains(name.as_str()))
    }

    /// The union that a type is.
    pub(crate) fn union(&self, ty: &Type) -> Option<&'a Union> {
        match &self.definition(ty)?.1.kind {
            TypeKind::Union(union) => Some(union),
            _ => None,
        }
    }

    /// Tells whether a value of the type keeps members that it does not list, so that it has to be
    /// told which of them belong to a union around it.
    pub(crate) fn keeps_members(&self, ty: &Type) -> bool {
        self.keeps_beyond(ty, &mut HashSet::new())
    }

    fn keeps_beyond(&self, ty: &Type, seen: &mut HashSet<&'a str>) -> bool {
        let Some((wire, def)) = self.definition(ty) else { return false };
        match &def.kind {
            TypeKind::Record(_) => self.plan.record(wire).is_some_and(|it| it.kept().is_some()),
            TypeKind::Union(union) if seen.insert(wire) => {
                let mut payloads = union.variants.iter().filter_map(|it| it.payload.as_ref());
                union.open.is_some() || payloads.any(|ty| self.keeps_beyond(ty, seen))
            }
            TypeKind::Union(_) | TypeKind::Enum(_) | TypeKind::Alias { .. } => false,
        }
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
}

/// The types whose values all are objects with named members: records, and unions of such.
///
/// A union counts as one until a variant says otherwise, so that recursive ones do too.
fn objects(protocol: &Protocol) -> HashSet<&str> {
    let mut objects: HashSet<&str> = protocol
        .types
        .iter()
        .filter(|(_, def)| matches!(def.kind, TypeKind::Record(_) | TypeKind::Union(_)))
        .map(|(wire, _)| wire.as_str())
        .collect();
    // Which unions hold a type as a payload.
    let mut holders: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut dropped: Vec<&str> = Vec::new();
    for (wire, def) in &protocol.types {
        let TypeKind::Union(union) = &def.kind else { continue };
        for variant in &union.variants {
            let Some(payload) = &variant.payload else { continue };
            match protocol.resolve(payload) {
                Type::Named { name } if objects.contains(name.as_str()) => {
                    holders.entry(name).or_default().push(wire);
                }
                _ => dropped.push(wire),
            }
        }
        let untagged_unit = union.untagged().any(|variant| variant.payload.is_none());
        if union.tag().is_none() && union.shared.is_empty() && untagged_unit {
            dropped.push(wire);
        }
    }
    while let Some(wire) = dropped.pop() {
        if objects.remove(wire) {
            dropped.extend(holders.remove(wire).into_iter().flatten());
        }
    }
    objects
}
