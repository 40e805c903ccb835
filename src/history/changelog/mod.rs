//! Changelogs: the changes from each version to the next.

mod markdown;
mod section;

use std::collections::HashSet;

use indexmap::IndexMap;
use semver::Version as Semver;
use serde::Serialize;

pub use markdown::markdown;
pub use section::Section;

use super::Version;
use crate::breaking::report::{Bump, is_none_left_out, place, told};
use crate::breaking::{
    Change, CompareOptions, Direction, Level, Report, Source, Subject, Verdict, Wire, compare_with,
    release,
};
use crate::ir::Part;

/// The changes of several versions. Its JSON form is what `changelog --format json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changelog {
    /// The versions, the newest first.
    pub releases: Vec<Release>,
}

/// The changes of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Release {
    /// The version; `None` where it has no name yet.
    pub version: Option<String>,
    /// The day on which it was made, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The version it is compared with.
    pub since: String,
    /// The step in the version that the changes ask for.
    pub bump: Bump,
    /// The next version, where the one before is a version by semver.org.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggested: Option<String>,
    /// The changes, section by section.
    pub sections: IndexMap<Section, Vec<Entry>>,
    /// The number of further ones, which are about what is unstable.
    #[serde(skip_serializing_if = "is_none_left_out")]
    pub left_out: usize,
}

/// A line of a changelog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The finding's id, as `diff` has it.
    pub id: String,
    /// The change, in a sentence without a full stop.
    pub text: String,
    /// The directions and the languages that it breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<String>,
    /// Those that it would break by the schemas alone, and does not where they soften it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaks_alone: Vec<String>,
}

/// Compares each version with the one before it.
pub fn changelog(versions: &[Version], options: &CompareOptions) -> Changelog {
    let mut releases: Vec<Release> = versions
        .windows(2)
        .filter_map(|pair| <&[Version; 2]>::try_from(pair).ok())
        .map(|[old, new]| release(old, new, options))
        .collect();
    releases.reverse();
    Changelog { releases }
}

fn release(old: &Version, new: &Version, options: &CompareOptions) -> Release {
    let [before, after] =
        [old, new].map(|it| Subject { protocol: &it.protocol, document: Some(&it.schema.root) });
    let report = compare_with(before, after, options).report;
    let mut sections: IndexMap<Section, Vec<Entry>> = IndexMap::new();
    let removed = removed_methods(&report);
    for section in Section::ALL {
        let told = report.changes.iter().filter(|change| {
            section::section_for(change.rule) == Some(section)
                && !is_told_by_method(change, &removed)
        });
        let entries: Vec<Entry> = told.map(entry).collect();
        if !entries.is_empty() {
            sections.insert(section, entries);
        }
    }
    let bump = report.verdict.suggested;
    Release {
        version: new.version.clone(),
        date: new.date.clone(),
        since: old.label.clone(),
        bump,
        suggested: next(&old.label, bump),
        sections,
        left_out: report.left_out,
    }
}

/// The methods that are gone.
fn removed_methods(report: &Report) -> HashSet<&str> {
    let gone = report.changes.iter().filter(|change| change.rule.id == "method-removed");
    gone.map(|change| change.path.as_str()).collect()
}

/// Tells whether a change is part of another one's line: a type that came or went with what uses
/// it.
fn is_told_by_method(change: &Change, removed: &HashSet<&str>) -> bool {
    match change.rule.id {
        "type-added" => change.level == Level::Info,
        "type-removed" => {
            let mut methods = change.positions.iter().map(|payload| payload.method.as_str());
            !change.positions.is_empty() && methods.all(|method| removed.contains(method))
        }
        _ => false,
    }
}

fn entry(change: &Change) -> Entry {
    let mut text = if change.rule.id == "annotation-only" {
        format!("`{}`", place(&change.ty, &change.path))
    } else {
        told(change)
    };
    if !change.also_types.is_empty() {
        let others: Vec<String> = change.also_types.iter().map(|ty| format!("`{ty}`")).collect();
        text = format!("{text} (also in {})", others.join(", "));
    }
    if let Some(capability) = &change.gated_by {
        text = format!("{text}, if `{capability}`");
    }
    let breaks = broken(change, change.counted_wire(), change.counted_source());
    let mut breaks_alone = broken(change, change.wire, change.source);
    breaks_alone.retain(|end| !breaks.contains(end));
    Entry { id: change.id.clone(), text, breaks, breaks_alone }
}

/// The directions and languages in which a change breaks somebody, by these effects.
fn broken(change: &Change, wire: Wire, source: Source) -> Vec<String> {
    let mut broken = Vec::new();
    for direction in Direction::BOTH {
        if wire.towards(direction) != Verdict::Break {
            continue;
        }
        let [sender, receiver] = match direction {
            Direction::OldToNew => ["old", "new"],
            Direction::NewToOld => ["new", "old"],
        };
        let mut ends: Vec<String> = Vec::new();
        for payload in &change.positions {
            let answer = if payload.part == Part::Result { "answers of " } else { "" };
            let end =
                format!("{answer}{sender} {} → {receiver} {}", payload.sender, payload.receiver);
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        broken.extend(ends);
    }
    let languages = source.languages().into_iter();
    let code = languages.filter(|(_, effect)| effect.is_breaking());
    broken.extend(code.map(|(language, _)| format!("{language} code")));
    broken
}

/// The version after one of semver.org, behind whatever a tag has before it: `v2.0.0`,
/// `schema-v2.0.0`.
fn next(label: &str, bump: Bump) -> Option<String> {
    let is_start = |at: usize| !label.get(..at).unwrap_or_default().ends_with(is_number_part);
    let starts = label.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at);
    starts.filter(|at| is_start(*at)).find_map(|at| {
        let (prefix, number) = label.split_at_checked(at)?;
        let next = release::next(&Semver::parse(number).ok()?, bump);
        Some(format!("{prefix}{next}"))
    })
}

/// Tells whether a character can be a part of a number's name, so that no version begins after it.
fn is_number_part(c: char) -> bool {
    c.is_ascii_digit() || c == '.'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_version_follows_the_last() {
        let next = |label, bump| next(label, bump).unwrap_or_default();
        assert_eq!(next("v1.6.0", Bump::Major), "v2.0.0");
        assert_eq!(next("v2.0.0-alpha.3", Bump::Major), "v2.0.0-alpha.4");
        assert_eq!(next("schema-v1.2.0", Bump::Minor), "schema-v1.3.0");
        assert_eq!(next("acp2/1.2.0", Bump::Minor), "acp2/1.3.0");
        assert_eq!(next("kettle@1.2.0+3", Bump::Patch), "kettle@1.2.1");
        assert_eq!(next("main", Bump::Minor), "");
        assert_eq!(next("v1.2", Bump::Minor), "");
        assert_eq!(next("1.2.3.4", Bump::Minor), "");
    }
}
