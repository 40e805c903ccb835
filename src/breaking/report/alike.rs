//! Findings that say the same of many places, told once.

use indexmap::IndexMap;

use super::prose::place;
use crate::breaking::change::Change;
use crate::breaking::policy::PolicyOutcome;
use crate::policy::prose::quoted;

/// From how many places on findings that say the same are told once.
const MANY: usize = 4;

/// Findings that say the same, but for the place.
#[derive(Debug)]
pub(super) struct Alike<'a> {
    /// The text that all of them share, with `…` for the name of the place. Where there is only one, its
    /// summary.
    pub(super) said: String,
    /// The findings: one, or many.
    pub(super) changes: Vec<&'a Change>,
}

impl Alike<'_> {
    /// Tells whether it is many findings.
    pub(super) fn is_many(&self) -> bool {
        self.changes.len() > 1
    }
}

/// Puts findings together that say the same of many places, each where the first of them stands.
///
/// Those that messages notice, that have texts to show or that are waived stand alone.
pub(super) fn alike<'a>(
    changes: impl IntoIterator<Item = &'a Change>,
    outcome: &PolicyOutcome,
) -> Vec<Alike<'a>> {
    let mut by_key: IndexMap<String, Vec<&Change>> = IndexMap::new();
    for change in changes {
        let is_alone =
            change.is_felt() || !change.texts.is_empty() || outcome.waiver(&change.id).is_some();
        let key = if is_alone { change.id.clone() } else { key(change) };
        by_key.entry(key).or_default().push(change);
    }
    let mut found = Vec::new();
    for changes in by_key.into_values() {
        match changes.first() {
            Some(first) if changes.len() >= MANY => {
                found.push(Alike { said: said(first), changes });
            }
            _ => found.extend(
                changes
                    .into_iter()
                    .map(|change| Alike { said: change.summary.clone(), changes: vec![change] }),
            ),
        }
    }
    found
}

/// The text that findings share if they say the same.
fn key(change: &Change) -> String {
    let Change { rule, level, breaking, wire, effective_wire, softened_by, source, .. } = change;
    let facts = (level, breaking, wire, effective_wire, softened_by, source);
    format!("{}\n{}\n{}\n{facts:?}", rule.id, said(change), change.remedy)
}

/// The summary of a finding without the name of what it is about.
fn said(change: &Change) -> String {
    let path = change.path.trim_end_matches(['[', ']', '{', '}']);
    let name = if change.rule.id.starts_with("method-") {
        &change.path
    } else if path.is_empty() {
        &change.ty
    } else if let Some((_, variant)) = path.strip_suffix('>').and_then(|path| path.rsplit_once('<'))
    {
        variant
    } else {
        path.rsplit_once('.').map_or(path, |(_, name)| name)
    };
    let bare = change.summary.replacen(&quoted(name), "…", 1);
    if name.contains('=') { bare.replacen(name, "…", 1) } else { bare }
}

/// The place of a finding, as lists of places have it.
pub(super) fn listed(change: &Change) -> String {
    if change.rule.id.starts_with("method-") {
        return change.path.clone();
    }
    place(&change.ty, &change.path)
}
