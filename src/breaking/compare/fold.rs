//! Equal findings in many definitions, joined into one.

use std::collections::{HashMap, HashSet};

use super::finding::Finding;

/// From how many places on a finding that is the same at all of them is one finding.
const MANY: usize = 4;

/// Folds findings that say the same of many definitions. The first one stays, and names the
/// others.
pub(super) fn fold<'a>(findings: Vec<Finding<'a>>) -> Vec<Finding<'a>> {
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, finding) in findings.iter().enumerate() {
        if let Some(key) = key(finding) {
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
    let mut kept: Vec<Option<Finding<'a>>> = Vec::with_capacity(findings.len());
    for (index, finding) in findings.into_iter().enumerate() {
        match into.get(&index) {
            None => kept.push(Some(finding)),
            Some(first) => {
                if let Some(Some(first)) = kept.get_mut(*first) {
                    take_in(first, finding);
                }
                kept.push(None);
            }
        }
    }
    let mut kept: Vec<Finding<'a>> = kept.into_iter().flatten().collect();
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
    first.positions.extend(other.positions);
    first.reaches.extend(other.reaches);
}
