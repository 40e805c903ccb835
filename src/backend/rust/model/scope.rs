//! What lowering a type needs to know of all others, computed once.

use std::collections::{HashMap, HashSet};

use super::{aliases, cycles};
use crate::backend::Options;
use crate::backend::rust::ident;
use crate::ir::{IntegerFormat, IntegerType, Protocol, Type, TypeDef, TypeKind, Union};

/// The protocol, and what has been found out about it.
pub(in crate::backend::rust) struct Scope<'a> {
    pub protocol: &'a Protocol,
    pub options: &'a Options,
    idents: HashMap<&'a str, String>,
    cycles: HashMap<&'a str, usize>,
    wrapped: HashSet<&'a str>,
    objects: HashSet<&'a str>,
}

impl<'a> Scope<'a> {
    pub(in crate::backend::rust) fn new(protocol: &'a Protocol, options: &'a Options) -> Self {
        let sides: HashSet<String> =
            protocol.sides.iter().flat_map(|side| ident::side_names(&side.name)).collect();
        let idents = protocol
            .types
            .iter()
            .map(|(wire, def)| {
                (wire.as_str(), ident::type_name(&def.name, |name| sides.contains(name)))
            })
            .collect();
        let wrapped = aliases::recursive(protocol);
        let cycles = cycles::by_value(protocol);
        let objects = objects(protocol);
        Self { protocol, options, idents, cycles, wrapped, objects }
    }

    /// What a type is called in Rust.
    pub(in crate::backend::rust) fn ident(&self, wire: &str) -> &str {
        self.idents.get(wire).map_or("()", String::as_str)
    }

    /// The definition that a type refers to, plain aliases followed.
    pub(in crate::backend::rust) fn definition(&self, ty: &Type) -> Option<(&'a str, &'a TypeDef)> {
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
    pub(in crate::backend::rust) fn resolve<'t>(&self, ty: &'t Type) -> &'t Type
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

    /// Whether an alias is only another spelling in Rust too, and not a type of its own.
    pub(in crate::backend::rust) fn is_plain_alias(&self, wire: &str, target: &Type) -> bool {
        let scalar = matches!(target, Type::String(_) | Type::Integer(_) | Type::Number(_));
        !scalar && !self.wrapped.contains(wire)
    }

    /// Whether an alias refers to itself through arrays or maps, which Rust allows only a type of
    /// its own.
    pub(in crate::backend::rust) fn is_recursive_alias(&self, wire: &str) -> bool {
        self.wrapped.contains(wire)
    }

    /// Whether a value of the type within one of `owner` would make that infinitely large.
    pub(in crate::backend::rust) fn needs_box(&self, owner: &str, ty: &Type) -> bool {
        let Some(cycle) = self.cycles.get(owner) else { return false };
        let mut ty = self.resolve(ty);
        while let Type::Nullable { inner } = ty {
            ty = self.resolve(inner);
        }
        matches!(ty, Type::Named { name } if self.cycles.get(name.as_str()) == Some(cycle))
    }

    /// Whether every value of the type is an object with named members, so that it can share its
    /// object with others.
    pub(in crate::backend::rust) fn is_object(&self, ty: &Type) -> bool {
        matches!(self.resolve(ty), Type::Named { name } if self.objects.contains(name.as_str()))
    }

    /// The union that a type is.
    pub(in crate::backend::rust) fn union(&self, ty: &Type) -> Option<&'a Union> {
        match &self.definition(ty)?.1.kind {
            TypeKind::Union(union) => Some(union),
            _ => None,
        }
    }

    /// The type in Rust.
    pub(in crate::backend::rust) fn expression(&self, ty: &Type) -> String {
        match ty {
            Type::Any => String::from("json::Value"),
            Type::Null => String::from("()"),
            Type::Boolean => String::from("bool"),
            Type::Integer(integer) => String::from(machine_integer(integer).name),
            Type::Number(_) => String::from("f64"),
            Type::String(_) => String::from("String"),
            Type::Literal { value } => String::from(literal_type(value)),
            Type::Array(array) => format!("Vec<{}>", self.expression(&array.items)),
            Type::Map(map) if matches!(self.resolve(&map.values), Type::Any) => {
                String::from("json::Object")
            }
            Type::Map(map) => format!("json::Map<{}>", self.expression(&map.values)),
            Type::Nullable { inner } => format!("Option<{}>", self.expression(inner)),
            Type::Named { name } => self.ident(name).to_owned(),
        }
    }
}

/// Rust's type of a constant.
pub(in crate::backend::rust) fn literal_type(value: &serde_json::Value) -> &'static str {
    match value {
        serde_json::Value::Bool(_) => "bool",
        serde_json::Value::String(_) => "String",
        serde_json::Value::Number(number) if number.is_i64() => "i64",
        _ => "json::Value",
    }
}

/// An integer type of Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::backend::rust) struct MachineInteger {
    pub name: &'static str,
    pub range: (i128, i128),
}

/// The type that an integer is held in.
pub(in crate::backend::rust) fn machine_integer(integer: &IntegerType) -> MachineInteger {
    let format = integer.format.unwrap_or(IntegerFormat::Int64);
    let name = match format {
        IntegerFormat::Int8 => "i8",
        IntegerFormat::Int16 => "i16",
        IntegerFormat::Int32 => "i32",
        IntegerFormat::Int64 => "i64",
        IntegerFormat::Uint8 => "u8",
        IntegerFormat::Uint16 => "u16",
        IntegerFormat::Uint32 => "u32",
        IntegerFormat::Uint64 => "u64",
    };
    MachineInteger { name, range: format.range() }
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
