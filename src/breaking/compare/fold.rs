//! The same change in many definitions, as one.

use std::collections::{HashMap, HashSet};

use crate::breaking::change::Change;

/// From how many places on a change that is the same at all of them is one change.
const MANY: usize = 4;

/// Folds changes that say the same of many definitions. The first one stays, and names the
/// others.
pub(super) fn fold(changes: Vec<Change>) -> Vec<Change> {
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, change) in changes.iter().enumerate() {
        if let Some(key) = key(change) {
            alike.entry(key).or_default().push(index);
        }
    }
    let mut into: HashMap<usize, usize> = HashMap::new();
    for group in alike.into_values() {
        if group.len() >= MANY
            && let Some((first, others)) = group.split_first()
        {
            into.extend(others.iter().map(|other| (*other, *first)));
        }
    }
    let mut kept: Vec<Option<Change>> = Vec::with_capacity(changes.len());
    for (index, change) in changes.into_iter().enumerate() {
        match into.get(&index) {
            None => kept.push(Some(change)),
            Some(first) => {
                if let Some(Some(first)) = kept.get_mut(*first) {
                    take_in(first, change);
                }
                kept.push(None);
            }
        }
    }
    let mut kept: Vec<Change> = kept.into_iter().flatten().collect();
    for change in &mut kept {
        change.positions.sort();
        change.positions.dedup();
        let mut seen = HashSet::new();
        change.reaches.retain(|name| seen.insert(name.clone()));
    }
    kept
}

/// What two changes must have in common to be one: all but the definition. Only changes inside
/// of definitions can be: two definitions that are gone are two.
fn key(change: &Change) -> Option<String> {
    let whole = ["annotation-only", "structure-only"].contains(&change.rule.id);
    // Where a type is written out several times, so is its property.
    let last = change.path.rsplit('.').next().unwrap_or_default();
    (!change.path.is_empty() || whole).then(|| {
        format!(
            "{}\n{}\n{}\n{:?}\n{:?}",
            change.rule.id, last, change.summary, change.wire, change.effective_wire
        )
    })
}

fn take_in(first: &mut Change, other: Change) {
    // They come in the order of the schema, all of one definition together.
    if other.ty != first.ty && first.also_types.last() != Some(&other.ty) {
        first.also_types.push(other.ty);
    }
    first.positions.extend(other.positions);
    first.reaches.extend(other.reaches);
    for affected in other.affected {
        if !first.affected.contains(&affected) {
            first.affected.push(affected);
        }
    }
}
