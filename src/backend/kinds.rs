//! What sorts of JSON a type is made of, to tell the variants of a union apart at first sight.

use serde_json::Value;

use crate::ir::{EnumBase, Protocol, Type, TypeKind};

/// How deeply unions may be nested in unions before any JSON is taken to be possible.
const MAX_DEPTH: usize = 16;

/// Each sort of JSON, as the runtime's `kind` calls it.
pub(super) const KINDS: [&str; 6] =
    ["null", "a boolean", "a number", "a string", "an array", "an object"];

/// A set of [`KINDS`], by their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    const ALL: Self = Self(63);
    const NULL: Self = Self(1);
    const OBJECT: Self = Self(32);

    /// Whether the kind of this index is in the set.
    pub(super) fn has(self, index: usize) -> bool {
        self.0 & (1 << index) != 0
    }
}

/// The sorts of JSON that a value of the type can be.
pub(super) fn kinds(protocol: &Protocol, ty: &Type) -> Kinds {
    within(protocol, ty, 0)
}

/// Whether every value of a type is an object with named members.
pub(super) fn is_object(protocol: &Protocol, ty: &Type) -> bool {
    let Type::Named { name } = protocol.resolve(ty) else { return false };
    protocol.type_def(name).is_some_and(|def| {
        matches!(def.kind, TypeKind::Record(_) | TypeKind::Union(_))
            && kinds(protocol, ty) == Kinds::OBJECT
    })
}

fn within(protocol: &Protocol, ty: &Type, depth: usize) -> Kinds {
    if depth > MAX_DEPTH {
        return Kinds::ALL;
    }
    match protocol.resolve(ty) {
        Type::Any => Kinds::ALL,
        Type::Null => Kinds::NULL,
        Type::Boolean => Kinds(2),
        Type::Integer(_) | Type::Number(_) => Kinds(4),
        Type::String(_) => Kinds(8),
        Type::Literal { value } => literal(value),
        Type::Array(_) => Kinds(16),
        Type::Map(_) => Kinds::OBJECT,
        Type::Nullable { inner } => Kinds(Kinds::NULL.0 | within(protocol, inner, depth + 1).0),
        Type::Named { name } => match protocol.type_def(name).map(|def| &def.kind) {
            Some(TypeKind::Record(_)) => Kinds::OBJECT,
            Some(TypeKind::Enum(of)) => match of.base {
                EnumBase::String => Kinds(8),
                EnumBase::Integer(_) => Kinds(4),
            },
            Some(TypeKind::Union(union)) => {
                let object = union.tag().is_some() || !union.shared.is_empty();
                let payloads = union.untagged().map(|variant| match &variant.payload {
                    Some(payload) => within(protocol, payload, depth + 1).0,
                    None => Kinds::ALL.0,
                });
                let start = if object { Kinds::OBJECT.0 } else { 0 };
                Kinds(payloads.fold(start, |all, kinds| all | kinds))
            }
            Some(TypeKind::Alias { .. }) | None => Kinds::ALL,
        },
    }
}

fn literal(value: &Value) -> Kinds {
    Kinds(match value {
        Value::Null => 1,
        Value::Bool(_) => 2,
        Value::Number(_) => 4,
        Value::String(_) => 8,
        Value::Array(_) => 16,
        Value::Object(_) => 32,
    })
}

/// What to call a value of the type in a message: `a string`.
pub(super) fn describe(protocol: &Protocol, ty: &Type) -> String {
    let known = kinds(protocol, ty);
    let names: Vec<&str> = KINDS
        .iter()
        .enumerate()
        .filter(|(index, _)| known.has(*index))
        .map(|(_, it)| *it)
        .collect();
    match names.split_last() {
        _ if known == Kinds::ALL => String::from("a value"),
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => (*last).to_owned(),
        None => String::from("nothing"),
    }
}
