//! Equal findings in many definitions, joined into one.

use std::collections::{HashMap, HashSet};

use super::finding::Finding;

/// From how many places on a finding that is the same at all of them is one finding.
const MANY: usize = 4;

/// Folds findings that say the same of many definitions. The first one stays, and names the
/// others.
pub(super) fn fold<'a>(findings: Vec<Finding<'a>>) -> Vec<Finding<'a>> {
    let keys: Vec<Option<String>> = findings.iter().map(key).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for key in keys.iter().flatten() {
        *counts.entry(key).or_default() += 1;
    }
    let mut kept: Vec<Finding<'a>> = Vec::with_capacity(findings.len());
    let mut firsts: HashMap<&str, usize> = HashMap::new();
    for (finding, key) in findings.into_iter().zip(&keys) {
        let key = key.as_deref().filter(|key| counts.get(key).is_some_and(|count| *count >= MANY));
        let location = key.map(|key| *firsts.entry(key).or_insert(kept.len()));
        match location.and_then(|location| kept.get_mut(location)) {
            Some(first) => take_in(first, finding),
            None => kept.push(finding),
        }
    }
    for finding in &mut kept {
        finding.positions.sort();
        finding.positions.dedup();
        let mut seen = HashSet::new();
        finding.reaches.retain(|name| seen.insert(name.clone()));
    }
    kept
}

/// The key that two findings share if they are one: all but the definition. Only findings inside of
/// definitions can be: two definitions that are gone are two.
fn key(finding: &Finding<'_>) -> Option<String> {
    let whole = ["annotation-only", "structure-only"].contains(&finding.rule.id);
    // Where a type is written out several times, so is its property.
    let path = &finding.location.path;
    let last = path.rsplit('.').next().unwrap_or_default();
    (!path.is_empty() || whole).then(|| {
        format!(
            "{}\n{last}\n{}\n{:?}\n{:?}",
            finding.rule.id, finding.summary, finding.wire, finding.softened
        )
    })
}

fn take_in<'a>(first: &mut Finding<'a>, other: Finding<'a>) {
    first.also.push(other.location);
    first.texts.extend(other.texts);
    first.positions.extend(other.positions);
    first.reaches.extend(other.reaches);
}
