//! The findings in the order in which people look at them: by method and type, the worst first.

use indexmap::IndexMap;

use super::alike::alike;
use super::view::View;
use crate::breaking::change::Change;
use crate::breaking::verdict::Level;

/// Findings about one method, or about one type that several methods carry; or those that say the
/// same of many.
#[derive(Debug)]
pub(super) struct Group<'a> {
    /// The subject of the findings.
    pub(super) subject: Subject<'a>,
    /// The text of all findings in the group, where they say the same.
    pub(super) said: Option<String>,
    /// The findings, the worst first.
    pub(super) changes: Vec<&'a Change>,
}

/// The subject of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Subject<'a> {
    /// A method, by its wire name: all messages that the findings touch are its own.
    Method(&'a str),
    /// A definition.
    Type(&'a str),
    /// A rule: the findings say the same of many methods and types.
    Rule(&'a str),
}

impl<'a> Subject<'a> {
    fn new(change: &'a Change) -> Self {
        if change.rule.id.starts_with("method-") && !change.path.is_empty() {
            return Self::Method(&change.path);
        }
        let mut methods = change.positions.iter().map(|payload| payload.method.as_str());
        match methods.next() {
            Some(first) if methods.all(|method| method == first) => Self::Method(first),
            _ => Self::Type(&change.ty),
        }
    }

    /// The word for what it is.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Method(_) => "method",
            Self::Type(_) => "type",
            Self::Rule(_) => "rule",
        }
    }

    /// Its name.
    pub(super) fn name(self) -> &'a str {
        match self {
            Self::Method(name) | Self::Type(name) | Self::Rule(name) => name,
        }
    }
}

impl Group<'_> {
    /// The worst level of the findings.
    pub(super) fn level(&self) -> Level {
        self.changes.iter().map(|change| change.level).min().unwrap_or(Level::Info)
    }
}

/// Sorts the findings into groups. Those with the worst findings come first; among equals a
/// group stands where its first finding does, those that say the same of many after the others.
pub(super) fn groups<'a>(view: &View<'a>) -> Vec<Group<'a>> {
    let mut by_subject: IndexMap<Subject<'_>, Vec<&Change>> = IndexMap::new();
    let mut many = Vec::new();
    for alike in alike(&view.report.changes, view.outcome) {
        match alike.changes.as_slice() {
            [change] => by_subject.entry(Subject::new(change)).or_default().push(change),
            [first, ..] => many.push(Group {
                subject: Subject::Rule(first.rule.id),
                said: Some(alike.said),
                changes: alike.changes,
            }),
            [] => {}
        }
    }
    let mut groups: Vec<Group<'_>> = by_subject
        .into_iter()
        .map(|(subject, mut changes)| {
            changes.sort_by_key(|change| change.level);
            Group { subject, said: None, changes }
        })
        .collect();
    groups.extend(many);
    groups.sort_by_key(Group::level);
    groups
}
