//! Sizes of values, roughly.

use super::scope::Scope;
use crate::backend::rust::types::MachineInteger;
use crate::decode::RecordPlan;
use crate::ir::{Enum, EnumBase, Field, Type, TypeKind};

/// The largest payload, in bytes, that a variant of an enum holds without a box. A larger one would
/// be moved about with each value of the enum, whatever that holds.
const MAX_INLINE: usize = 64;
/// The depth of structs in structs from which they count as large.
const MAX_DEPTH: usize = 16;
/// The size of a `String`, a `Vec` or a map.
const HEAP: usize = 24;
/// The size of a box, and of an enum's variant beside its payload.
const WORD: usize = 8;

/// Tells whether a value of the type is better held in a box than in a variant.
pub(super) fn is_large(scope: &Scope<'_>, ty: &Type) -> bool {
    take(scope, "", ty, MAX_INLINE, 0).is_none()
}

/// Subtracts the size of a value of the type from a number of bytes, if it is enough. `owner` is
/// the type that holds the value.
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
                TypeKind::Record(record) => {
                    let kept = scope.plan.record(wire).and_then(RecordPlan::kept);
                    let left = left.checked_sub(kept.map_or(0, |_| HEAP))?;
                    fields(scope, wire, &record.fields, left, depth)
                }
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
