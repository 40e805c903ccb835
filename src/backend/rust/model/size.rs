//! How much room values take, about.

use super::scope::Scope;
use crate::backend::rust::types::MachineInteger;
use crate::ir::{Enum, EnumBase, Field, Type, TypeKind};

/// The largest payload, in bytes, that a variant of an enum holds without a box. A larger one would
/// be moved about with each value of the enum, whatever that holds.
const MAX_INLINE: usize = 64;
/// How deeply structs may be nested in structs before they count as large.
const MAX_DEPTH: usize = 16;
/// What a `String`, a `Vec` or a map takes.
const HEAP: usize = 24;
/// What a box takes, and what an enum's variant takes beside its payload.
const WORD: usize = 8;

/// Whether a value of the type is better held in a box than in a variant.
pub(super) fn is_large(scope: &Scope<'_>, ty: &Type) -> bool {
    take(scope, "", ty, MAX_INLINE, 0).is_none()
}

/// What is left of a number of bytes when a value of the type has taken its share, if it is
/// enough. `owner` is the type that holds the value.
fn take(scope: &Scope<'_>, owner: &str, ty: &Type, left: usize, depth: usize) -> Option<usize> {
    if scope.needs_box(owner, ty) {
        return left.checked_sub(WORD);
    }
    match scope.resolve(ty) {
        Type::Null => Some(left),
        Type::Boolean => left.checked_sub(1),
        Type::Integer(integer) => left.checked_sub(bytes(MachineInteger::new(integer).name)),
        Type::Number(_) => left.checked_sub(WORD),
        Type::Any | Type::String(_) | Type::Literal { .. } | Type::Array(_) | Type::Map(_) => {
            left.checked_sub(HEAP)
        }
        Type::Nullable { inner } => take(scope, owner, inner, left, depth),
        named @ Type::Named { .. } => {
            let (wire, def) = scope.definition(named).filter(|_| depth < MAX_DEPTH)?;
            match &def.kind {
                TypeKind::Record(record) => fields(scope, wire, &record.fields, left, depth),
                TypeKind::Enum(values) => left.checked_sub(enumeration(values)),
                TypeKind::Alias { target } => take(scope, wire, target, left, depth + 1),
                // Payloads are no larger than `MAX_INLINE`, but most are boxed.
                TypeKind::Union(union) => {
                    fields(scope, wire, &union.shared, left, depth)?.checked_sub(HEAP)
                }
            }
        }
    }
}

fn fields(
    scope: &Scope<'_>,
    owner: &str,
    fields: &[Field],
    left: usize,
    depth: usize,
) -> Option<usize> {
    fields.iter().try_fold(left, |left, field| take(scope, owner, &field.ty, left, depth + 1))
}

fn enumeration(values: &Enum) -> usize {
    match (&values.base, &values.open) {
        (EnumBase::String, Some(_)) => HEAP,
        (EnumBase::Integer(_), Some(_)) => WORD,
        (_, None) => 1,
    }
}

fn bytes(integer: &str) -> usize {
    match integer {
        "i8" | "u8" => 1,
        "i16" | "u16" => 2,
        "i32" | "u32" => 4,
        _ => WORD,
    }
}
