//! The report in a line for each finding.

use std::fmt::Write as _;

use super::alike::listed;
use super::prose::{ALONE, wire_words};
use super::text::headline;
use super::{Report, left_out};
use crate::breaking::change::Change;
use crate::breaking::policy::PolicyOutcome;
use crate::breaking::verdict::{Direction, Level, Source, Verdict};
use crate::policy::prose::plain;

/// The line that sums a report up, and a line for each finding that breaks or is risky: its level,
/// what it is, and whom it hurts. Findings that are waived are only counted, like all others.
pub fn summary(report: &Report, outcome: &PolicyOutcome) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_summary(&mut out, report, outcome);
    out
}

fn write_summary(out: &mut String, report: &Report, outcome: &PolicyOutcome) -> std::fmt::Result {
    let labels = format!("{} → {}", report.old.label, report.new.label);
    writeln!(out, "{}: {}", plain(&labels), headline(report))?;
    let is_told =
        |change: &&Change| change.level <= Level::Risky && outcome.waiver(&change.id).is_none();
    for change in report.changes.iter().filter(is_told) {
        let line = format!("{}: {} ({})", listed(change), change.summary, whom(change));
        writeln!(out, "  {:<9} {}", change.level.name(), plain(&line))?;
    }
    let more = report.changes.iter().filter(|change| !is_told(change)).count();
    if more > 0 {
        let waived = report.changes.iter().filter(|change| outcome.waiver(&change.id).is_some());
        let waived = match waived.count() {
            0 => String::new(),
            waived => format!(", {waived} of them waived"),
        };
        writeln!(out, "  and {more} more that break nothing{waived}")?;
    }
    if let Some(left_out) = left_out(report.left_out) {
        writeln!(out, "  {left_out}")?;
    }
    Ok(())
}

/// Tells whom a change affects: messages each way, and the languages whose code breaks.
fn whom(change: &Change) -> String {
    let word = |verdict: Verdict| if verdict == Verdict::Break { "rejected" } else { "lost" };
    let wire = change.counted_wire();
    let mut parts: Vec<String> = match (wire.old_to_new, wire.new_to_old) {
        (Verdict::Ok, Verdict::Ok) => Vec::new(),
        (there, back) if there == back => vec![format!("both ways: {}", word(there))],
        _ => Direction::BOTH
            .into_iter()
            .filter(|direction| wire.towards(*direction) != Verdict::Ok)
            .map(|direction| format!("{}: {}", direction.arrow(), word(wire.towards(direction))))
            .collect(),
    };
    if let Some(alone) = change.wire_alone() {
        parts.push(format!("{ALONE}: {}", wire_words(alone)));
    }
    let (counted, source) = (code(change.counted_source()), code(change.source));
    parts.extend(counted.clone());
    parts.extend(source.filter(|_| counted.is_none()).map(|code| format!("{ALONE}: {code}")));
    parts.join("; ")
}

/// The languages whose code breaks, if there are any.
fn code(source: Source) -> Option<String> {
    let broken = source.languages().into_iter().filter(|(_, effect)| effect.is_breaking());
    let broken: Vec<&str> = broken.map(|(language, _)| language).collect();
    match broken.as_slice() {
        [] => None,
        [_, _, _] => Some(String::from("code in all languages")),
        some => Some(format!("code in {}", some.join(" and "))),
    }
}
