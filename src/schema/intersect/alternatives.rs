//! Alternatives: which fit one of each of two lists, and which fit the same.

use super::meet::{constraints, meet, unsayable};
use crate::schema::SchemaObject;
use crate::schema::described::{constrain, described_as};
use crate::source::Location;

/// The most alternatives that are made of what stands at one place.
const MAX_ALTERNATIVES: usize = 16;

/// The part of a schema beside references and alternatives. Apart, so that looking into many of them
/// takes less of the stack.
pub(super) fn alternatives_beside(schema: &SchemaObject) -> Option<Vec<SchemaObject>> {
    let own = SchemaObject { unmodelled: unsayable(schema), ..constraints(schema) };
    product(&[SchemaObject::default()], &[own])
}

/// The alternatives that fit one of each of two lists.
pub(super) fn product(one: &[SchemaObject], other: &[SchemaObject]) -> Option<Vec<SchemaObject>> {
    let mut all: Vec<SchemaObject> = Vec::new();
    for first in one {
        for second in other {
            let (both, wider) = meet(first, second);
            if both.boolean == Some(false) {
                continue;
            }
            let mut described = described_as(first);
            constrain(&mut described, both);
            described.unmodelled.clone_from(&first.unmodelled);
            described.unmodelled.extend(second.unmodelled.iter().cloned());
            let wider = wider.into_iter().map(|it| (it.to_owned(), Location::default()));
            described.unmodelled.extend(wider);
            if !all.iter().any(|it| is_part(&described, it)) {
                all.retain(|it| !is_part(it, &described));
                all.push(described);
            }
        }
    }
    if all.is_empty() {
        all.push(SchemaObject { boolean: Some(false), ..SchemaObject::default() });
    }
    (all.len() <= MAX_ALTERNATIVES).then_some(all)
}

/// Tells whether what fits one alternative fits another, too.
fn is_part(one: &SchemaObject, other: &SchemaObject) -> bool {
    let (both, wider) = meet(one, other);
    wider.is_empty() && is_same(&both, one)
}

/// Tells whether two schemas of values fit the same, as far as keywords say so. Formats count where
/// they are sizes of integers.
fn is_same(one: &SchemaObject, other: &SchemaObject) -> bool {
    let is_size = |format: &String| format.starts_with("int") || format.starts_with("uint");
    let plain = |it: &SchemaObject| SchemaObject {
        location: Location::default(),
        format: it.format.clone().filter(is_size),
        ..constraints(it)
    };
    plain(one) == plain(other)
}

/// Tells the same of two lists of alternatives.
pub(super) fn are_same(one: &[SchemaObject], other: &[SchemaObject]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
}
