//! The lines in which two forms of a declaration differ.

use serde::Serialize;
use similar::{Algorithm, ChangeTag, TextDiff};

use super::alike::{by_key, is_alike_member, member_key};
use crate::backend::api::{Declaration, Member};

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// `+` for one of the new API, `-` for one of the old, a space for one of both, and `…` for
    /// lines that were left out.
    pub mark: char,
    /// The line.
    pub text: String,
}

/// Lines around a difference that are shown with it.
const CONTEXT: usize = 1;

/// Shows the difference of two forms of a declaration, lines far from any left out.
pub(super) fn lines(old: Option<&Declaration>, new: Option<&Declaration>) -> Vec<DiffLine> {
    let text = |declaration: Option<&Declaration>| -> Vec<String> {
        declaration.into_iter().flat_map(Declaration::lines).map(str::to_owned).collect()
    };
    let new = new.map(|new| in_order_of(old, new));
    let (old, new) = (text(old), text(new.as_ref()));
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).diff_slices(&old, &new);
    let mut lines = Vec::new();
    let mut at = 0;
    for group in diff.grouped_ops(CONTEXT) {
        let start = group.first().map_or(0, |op| op.old_range().start);
        if start > at {
            // A line at the margin says what the rest is about.
            let skipped = old.get(at..start).unwrap_or_default();
            let opening = skipped.iter().rposition(|line| !line.starts_with(' '));
            let before = opening.unwrap_or(0);
            // Attributes before the first such line are not missed.
            lines.extend(gap(before > 0 && at > 0));
            if let Some(text) = opening.and_then(|opening| skipped.get(opening)) {
                lines.push(DiffLine { mark: ' ', text: (*text).to_owned() });
            }
            lines.extend(gap(opening.is_none() || before + 1 < skipped.len()));
        }
        for op in &group {
            for change in diff.iter_changes(op) {
                let mark = match change.tag() {
                    ChangeTag::Equal => ' ',
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                };
                lines.push(DiffLine { mark, text: change.value().to_owned() });
            }
            at = op.old_range().end;
        }
    }
    lines.extend(gap(at < old.len()));
    lines
}

/// A declaration with its members in the order of the old one, and as they are written there where
/// only the order of what is given by name differs. What is new stands after what it follows.
fn in_order_of(old: Option<&Declaration>, new: &Declaration) -> Declaration {
    let mut ordered = new.clone();
    let Some(old) = old else { return ordered };
    let before = by_key(&old.members);
    let mut place = 0;
    let mut places: Vec<(usize, Member)> = Vec::new();
    for mut member in ordered.members {
        if let Some((at, was)) = before.get(&member_key(&member)).copied() {
            place = at + 1;
            if is_alike_member(was, &member) {
                member.text.clone_from(&was.text);
            }
        }
        places.push((place, member));
    }
    places.sort_by_key(|(place, _)| *place);
    ordered.members = places.into_iter().map(|(_, member)| member).collect();
    ordered
}

/// The mark for lines that were left out, if any were.
fn gap(is_there: bool) -> Option<DiffLine> {
    is_there.then(|| DiffLine { mark: '…', text: String::new() })
}
