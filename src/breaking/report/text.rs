//! The report for people at a terminal.

use std::collections::HashSet;
use std::fmt::Write as _;

use indexmap::IndexMap;

use super::alike::{alike, listed};
use super::first::first;
use super::prose::{ALONE, wire_words};
use super::texts::{Rewritten, rewritten};
use super::view::View;
use super::{Report, Verdicts, legend};
use crate::breaking::change::{Affected, Change};
use crate::breaking::policy::PolicyOutcome;
use crate::breaking::verdict::{Direction, Directions, Languages, Level, Verdict};
use crate::policy::prose::{count, plain};

/// The report as text: a line that sums it up, then what breaks or is risky, by method and type,
/// the worst first, then everything else in a line each. Findings that are waived are left out.
pub fn text(view: &View<'_>) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(&mut out, view);
    out
}

/// The line that sums a report up.
pub fn headline(report: &Report) -> String {
    let tally = &report.tally;
    if report.changes.is_empty() {
        return "no difference".to_owned();
    }
    let (wire, strict) = (tally.counted_wire_breaks, tally.wire_breaks);
    let ways = |wire: Directions<usize>| {
        format!("old→new {}, new→old {}", wire.old_to_new, wire.new_to_old)
    };
    let (code, strict_code) = (tally.counted_source_breaks, tally.source_breaks);
    let by_language = |code: Languages<usize>| {
        code.languages().map(|(language, breaks)| format!("{language} {breaks}")).join(", ")
    };
    let in_code = if code.languages().iter().all(|(_, breaks)| *breaks == 0) {
        "no code breaks".to_owned()
    } else {
        format!("breaking for code: {}", by_language(code))
    };
    let code_beside = if strict_code == code {
        String::new()
    } else {
        format!(" ({ALONE}: {})", by_language(strict_code))
    };
    let on_the_wire = if wire.old_to_new + wire.new_to_old == 0 {
        "nothing breaks on the wire".to_owned()
    } else {
        format!("breaking on the wire: {}", ways(wire))
    };
    let beside =
        if strict == wire { String::new() } else { format!(" ({ALONE}: {})", ways(strict)) };
    let verdict = &report.verdict;
    let suggested = verdict.suggested.name();
    let strictly = strictly(verdict);
    format!("{on_the_wire}{beside}; {in_code}{code_beside}; suggested: {suggested}{strictly}")
}

/// The next version if nothing were softened, in brackets, if it is another.
pub(super) fn strictly(verdict: &Verdicts) -> String {
    if verdict.strictly_suggested == verdict.suggested {
        return String::new();
    }
    format!(" ({ALONE}: {})", verdict.strictly_suggested.name())
}

fn write_report(out: &mut String, view: &View<'_>) -> std::fmt::Result {
    let (report, outcome) = (view.report, view.outcome);
    let open = report.changes.iter().filter(|change| outcome.waiver(&change.id).is_none());
    let (told, rest): (Vec<&Change>, Vec<&Change>) = open.partition(|change| is_told(change));
    writeln!(out, "{}", headline(report))?;
    let levels =
        Level::ALL.map(|level| format!("{} {}", report.tally.levels.count(level), level.name()));
    if !report.changes.is_empty() {
        writeln!(
            out,
            "{} → {}: {}: {}",
            plain(&report.old.label),
            plain(&report.new.label),
            count(report.changes.len(), "finding"),
            levels.join(", ")
        )?;
    }
    for note in &report.notes {
        writeln!(out, "note: {}", plain(note))?;
    }
    if let Some(first) = first(report, outcome) {
        writeln!(out, "\nlook first at:")?;
        for line in &first.lines {
            writeln!(out, "  {} [{}]", plain(&line.text), line.first.rule.id)?;
        }
        writeln!(out, "  and {}", first.rest)?;
    }
    let mut groups: IndexMap<String, Vec<&Change>> = IndexMap::new();
    for change in told {
        groups.entry(heading(change)).or_default().push(change);
    }
    // What a rule says of all its findings is said with the first.
    let mut explained = HashSet::new();
    for (heading, changes) in groups {
        writeln!(out, "\n{}", plain(&heading))?;
        for change in changes {
            write_change(out, view, change, explained.insert(change.rule.id))?;
        }
    }
    write_rest(out, rest, outcome)?;
    legend::write(out, report)
}

/// Tells whether a change is told in full: something happens to messages.
fn is_told(change: &Change) -> bool {
    change.is_felt()
}

/// The heading of a change: its method, or its type with the messages that hold it.
fn heading(change: &Change) -> String {
    if change.rule.id.starts_with("method-") {
        let method = change.positions.first().map_or(change.path.as_str(), |at| at.method.as_str());
        return method.to_owned();
    }
    let positions: Vec<String> = change.positions.iter().take(3).map(ToString::to_string).collect();
    let more = match change.positions.len().saturating_sub(3) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let others = match change.also_types.len() {
        0 => String::new(),
        others => format!(" and {others} more types"),
    };
    let within = if positions.is_empty() { "" } else { ", in " };
    format!("{}{others}{within}{}{more}", change.ty, positions.join(", "))
}

fn write_change(
    out: &mut String,
    view: &View<'_>,
    change: &Change,
    is_first: bool,
) -> std::fmt::Result {
    let at = if change.path.is_empty() || change.rule.id.starts_with("method-") {
        String::new()
    } else {
        format!("{}: ", change.path)
    };
    writeln!(
        out,
        "  {}: {}{} [{}]",
        change.level.name(),
        plain(&at),
        plain(&change.summary),
        change.rule.id
    )?;
    if is_first {
        writeln!(out, "    why: {}", change.rule.why)?;
    }
    for direction in Direction::BOTH {
        if let Some(line) = affected(change, direction) {
            writeln!(out, "    {}: {}", direction.arrow(), plain(&line))?;
        }
    }
    if let Some(reason) = &change.softened_by {
        writeln!(out, "    softened: {}", plain(reason))?;
    }
    if let Some(gate) = &change.gated_by {
        writeln!(out, "    gated by: {}", plain(gate))?;
    }
    if !change.also_types.is_empty() {
        writeln!(out, "    also in: {}", plain(&change.also_types.join(", ")))?;
    }
    let effects = effects(change);
    if !effects.is_empty() {
        writeln!(out, "    source: {effects}")?;
    }
    for witness in &change.witness {
        let direction = witness.direction.arrow();
        if let Some(message) = &witness.message {
            let rejected = witness.rejected.as_deref().unwrap_or_default();
            writeln!(out, "    proof {direction}: {}", plain(&message.to_string()))?;
            writeln!(out, "      rejected: {}", plain(rejected))?;
        } else {
            let reason = witness.missing.as_deref().unwrap_or_default();
            writeln!(out, "    no proof {direction}: {}", plain(reason))?;
        }
    }
    if is_first || change.remedy != change.rule.remedy {
        writeln!(out, "    remedy: {}", plain(&change.remedy))?;
    }
    let labels = [&view.report.old.label, &view.report.new.label];
    let locations = view.locations(change).into_iter().zip(labels).filter_map(|(at, label)| {
        let (text, at) = at?;
        // The schema has the name that it was asked for by: `schema.json of HEAD`.
        let label = if at.location.span.source == 0 { label } else { &text.label };
        Some(format!("{label}:{}:{} #{}", at.line, at.column, at.pointer))
    });
    let locations: Vec<String> = locations.collect();
    if !locations.is_empty() {
        writeln!(out, "    at: {}", plain(&locations.join(" → ")))?;
    }
    Ok(())
}

/// Says what happens in a direction, and to whom.
fn affected(change: &Change, direction: Direction) -> Option<String> {
    let word = |verdict: Verdict| match verdict {
        Verdict::Ok => "arrives all the same",
        Verdict::Risk => "something may be lost",
        Verdict::Break => "rejected",
    };
    let (strict, verdict) =
        (change.wire.towards(direction), change.counted_wire().towards(direction));
    if strict == Verdict::Ok {
        return None;
    }
    let effective = change.effective_wire.map_or(verdict, |wire| wire.towards(direction));
    let softened = if strict != verdict {
        format!(", {ALONE}: {}", word(strict))
    } else if effective == verdict {
        String::new()
    } else {
        format!(", in effect: {}", word(effective))
    };
    let sides: Vec<String> = change
        .affected
        .iter()
        .filter(|affected| affected.direction == direction)
        .map(|Affected { sender, receiver, .. }| format!("{sender} sends, {receiver} gets"))
        .collect();
    let sides = if sides.is_empty() { String::new() } else { format!(" ({})", sides.join("; ")) };
    Some(format!("{}{softened}{sides}", word(verdict)))
}

/// Says what happens to code, where something does.
fn effects(change: &Change) -> String {
    let languages = change.source.languages();
    let told: Vec<String> = languages
        .iter()
        .map(|(language, effect)| (language, effect.text()))
        .filter(|(_, effect)| effect != "ok")
        .map(|(language, effect)| format!("{language} {effect}"))
        .collect();
    told.join(", ")
}

/// The changes that messages do not notice, by rule and by what they do.
fn write_rest(
    out: &mut String,
    changes: Vec<&Change>,
    outcome: &PolicyOutcome,
) -> std::fmt::Result {
    let mut rules: IndexMap<_, Vec<&Change>> = IndexMap::new();
    for change in changes {
        let effects = told_effects(change);
        rules.entry((change.level, change.rule.id, effects)).or_default().push(change);
    }
    for ((level, id, effects), all) in rules {
        let Some(first) = all.first().copied() else { continue };
        writeln!(out, "\n{}: {} [{id}]{effects}", level.name(), first.rule.summary)?;
        if let Some(reason) = first.softened_by.as_ref().filter(|_| first.is_softened()) {
            writeln!(out, "  softened: {}", plain(reason))?;
        }
        for alike in alike(all, outcome) {
            if alike.is_many() {
                let number = alike.changes.len();
                writeln!(out, "  {}, {number} times:", plain(&alike.said))?;
                let places = alike.changes.iter().map(|change| listed(change) + &remarks(change));
                writeln!(out, "    {}", plain(&places.collect::<Vec<_>>().join(", ")))?;
                continue;
            }
            for change in alike.changes {
                let name = if change.rule.id.starts_with("method-") {
                    String::new()
                } else {
                    format!("{}: ", listed(change))
                };
                let line = format!("{name}{}{}", change.summary, remarks(change));
                writeln!(out, "  {}", plain(&line))?;
                for text in rewritten(&change.texts) {
                    write_text(out, &text)?;
                }
            }
        }
        if level == Level::Breaking {
            writeln!(out, "  remedy: {}", plain(&first.remedy))?;
        }
    }
    Ok(())
}

/// The effects on code, and on messages by the schemas alone, after a finding that messages do not
/// notice.
fn told_effects(change: &Change) -> String {
    let effects = Some(effects(change)).filter(|effects| !effects.is_empty());
    let alone = change.wire_alone().filter(|_| change.is_softened()).map(wire_words);
    let told = [("source", effects), (ALONE, alone)].into_iter();
    told.filter_map(|(what, words)| Some(format!("; {what}: {}", words?))).collect()
}

/// The location of a finding, what it needs, and where else it is.
fn remarks(change: &Change) -> String {
    let mut remarks = Vec::new();
    let at = change.new.as_ref().or(change.old.as_ref());
    remarks.extend(at.map(|at| format!("line {}", at.line)));
    remarks.extend(change.gated_by.as_ref().map(|gate| format!("gated by {gate}")));
    if let others @ 1.. = change.also_types.len() {
        remarks.push(format!("and in {others} more types"));
    }
    if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join(", ")) }
}

/// The most of a description that is shown.
const SHOWN: usize = 300;

/// Writes a description that has changed, as it was and as it is.
fn write_text(out: &mut String, text: &Rewritten<'_>) -> std::fmt::Result {
    writeln!(out, "    {}", plain(&text.at))?;
    for (mark, text) in [('-', text.old), ('+', text.new)] {
        let Some(text) = text else { continue };
        let words: Vec<&str> = text.split_whitespace().collect();
        let words = words.join(" ");
        let shown: String = words.chars().take(SHOWN).collect();
        let rest = if shown.len() < words.len() { "…" } else { "" };
        writeln!(out, "      {mark} {}{rest}", plain(&shown))?;
    }
    Ok(())
}
