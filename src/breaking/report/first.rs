//! The findings to look at first in a long report.

use indexmap::IndexMap;

use super::Report;
use super::alike::listed;
use super::prose::told;
use crate::breaking::change::Change;
use crate::breaking::policy::PolicyOutcome;
use crate::breaking::rules::RULES;
use crate::breaking::verdict::{Level, Verdict};
use crate::policy::prose::{count, quoted};

/// From how many findings on a report is too long to be read from the top.
const LONG: usize = 20;

/// From how many findings that break something on one does not see all of them at the top.
const MANY: usize = 4;

/// The most lines.
const LINES: usize = 6;

/// The most places that a line names.
const PLACES: usize = 4;

/// The worst findings of a long report, in a few lines.
#[derive(Debug)]
pub(super) struct First<'a> {
    /// The lines, the worst first.
    pub(super) lines: Vec<Line<'a>>,
    /// The count of what else there is, in words.
    pub(super) rest: String,
}

/// Findings of one rule that hurt in the same way.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The first of the findings.
    pub(super) first: &'a Change,
    /// The affected sides, and how often what has happened, names between backticks.
    pub(super) text: String,
}

/// The ways in which something breaks, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Hurt {
    BothWays,
    OldToNew,
    NewToOld,
    Code,
    Nothing,
}

impl Hurt {
    fn new(change: &Change) -> Self {
        let wire = change.counted_wire();
        match (wire.old_to_new, wire.new_to_old) {
            (Verdict::Break, Verdict::Break) => Self::BothWays,
            (Verdict::Break, _) => Self::OldToNew,
            (_, Verdict::Break) => Self::NewToOld,
            _ if change.source.is_breaking() => Self::Code,
            _ => Self::Nothing,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::BothWays => "messages both ways",
            Self::OldToNew => "messages old→new",
            Self::NewToOld => "messages new→old",
            Self::Code => "code",
            Self::Nothing => "by choice",
        }
    }
}

/// The worst findings of a report that is too long to be read from the top, by what they hurt and
/// by rule. `None`: it is short, or little in it breaks.
pub(super) fn first<'a>(report: &'a Report, outcome: &PolicyOutcome) -> Option<First<'a>> {
    if report.changes.len() < LONG {
        return None;
    }
    let breaking = report
        .changes
        .iter()
        .filter(|change| change.level == Level::Breaking && outcome.waiver(&change.id).is_none());
    let mut groups: IndexMap<_, Vec<&Change>> = IndexMap::new();
    for change in breaking {
        let rule = RULES.iter().position(|rule| rule.id == change.rule.id);
        // What is about the protocol as a whole comes first, the largest things next.
        let is_part = !change.path.starts_with("x-") || !change.positions.is_empty();
        groups.entry((Hurt::new(change), is_part, rule)).or_default().push(change);
    }
    let number: usize = groups.values().map(Vec::len).sum();
    if number < MANY {
        return None;
    }
    groups.sort_unstable_keys();
    let lines: Vec<Line<'_>> = groups
        .iter()
        .take(LINES)
        .filter_map(|((hurt, ..), changes)| line(*hurt, changes))
        .collect();
    let others = report.changes.len() - number;
    let rest = match groups.len().saturating_sub(LINES) {
        0 => format!("{others} more that break nothing"),
        kinds => {
            let more: usize = groups.values().skip(LINES).map(Vec::len).sum();
            let kinds = count(kinds, "kind");
            format!("{more} more of {kinds} that break something, {others} that break nothing")
        }
    };
    Some(First { lines, rest })
}

fn line<'a>(hurt: Hurt, changes: &[&'a Change]) -> Option<Line<'a>> {
    let first = *changes.first()?;
    let hurt = hurt.words();
    let text = if changes.len() == 1 {
        format!("{hurt}: {}", told(first))
    } else {
        let places = changes.iter().take(PLACES).map(|change| quoted(&listed(change)));
        let places = places.collect::<Vec<_>>().join(", ");
        let more = match changes.len().saturating_sub(PLACES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{hurt}: {}, {} times: {places}{more}", first.rule.summary, changes.len())
    };
    Some(Line { first, text })
}
