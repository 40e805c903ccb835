//! The report as Markdown, for a changelog or a comment on a pull request.
//!
//! It is GitHub's dialect (tables, `<details>`), and no longer than a comment there may be.
//! Every text that a schema has a say in is escaped or stands in code: it cannot become markup, a
//! link, or the mention of a person.

mod escape;

use std::fmt::Write as _;

use escape::{code, fenced};

pub(crate) use escape::prose;

use indexmap::IndexMap;

use super::alike::listed;
use super::first::first;
use super::groups::{Group, groups};
use super::prose::{
    affected, beside, effects, source_verdicts, source_word, told, verdict_word, wire_facts,
};
use super::text::{headline, strictly};
use super::texts::rewritten;
use super::view::View;
use crate::breaking::Rule;
use crate::breaking::change::Change;
use crate::breaking::source::{CodeDiff, DeclarationDiff, Fate};
use crate::breaking::verdict::{Direction, Level};
use crate::policy::Waiver;
use crate::policy::prose::{count, quoted, sentence, until};

/// The most bytes that are written. GitHub takes 65,536 characters in a comment; what is left is
/// for whoever puts something around the report.
const LONGEST: usize = 60_000;

/// The most lines of code that are shown of one declaration.
const CODE_LINES: usize = 60;

/// The report as Markdown, with a newline at the end.
///
/// Findings that do not fit are told in one line, and where that does not fit either they are
/// counted.
pub fn markdown(view: &View<'_>) -> String {
    let mut text = heading(view);
    let groups = groups(view);
    let short: usize = groups.iter().map(|group| short_length(group, view)).sum();
    let headings: usize = groups.iter().map(|group| group_heading(group).len()).sum();
    let room = LONGEST.saturating_sub(text.len() + 500);
    let mut budget = Budget::new(room, short + headings);
    for group in &groups {
        group_section(group, view, &mut budget, &mut text);
    }
    let cut = (budget.short, budget.lost);
    if let Some(code) = view.code {
        code_section(code, &mut budget, &mut text);
    }
    rules_section(view, &mut budget, &mut text);
    let code_cut = (budget.short - cut.0) + (budget.lost - cut.1);
    if budget.short + budget.lost > 0 {
        let mut parts = Vec::new();
        if cut != (0, 0) {
            let (short, lost) = cut;
            parts.push(format!("{} told in one line, {lost} left out", count(short, "finding")));
        }
        if code_cut > 0 {
            parts.push(format!("the code of {} left out", count(code_cut, "declaration")));
        }
        let _ = writeln!(
            text,
            "> [!NOTE]\n> This report was cut to fit: {}. `--format html` and `--format json` have \
             all of it.",
            parts.join("; ")
        );
    }
    text
}

/// The text that may still be written.
///
/// Everything is told in one line at least, as far as there is room for that; what then is left
/// goes to the long forms, first come first served.
struct Budget {
    /// Room for short forms: all that is to be written.
    whole: usize,
    /// Room beyond the short forms of everything.
    spare: usize,
    /// The number of findings in one line.
    short: usize,
    /// The number of findings that are left out.
    lost: usize,
}

impl Budget {
    /// A budget for entries whose short forms are this long together.
    fn new(whole: usize, short: usize) -> Self {
        Self { whole, spare: whole.saturating_sub(short), short: 0, lost: 0 }
    }

    /// The long form if there is room for it, else the short one, else neither.
    fn take(&mut self, long: String, short: String) -> String {
        let extra = long.len().saturating_sub(short.len());
        if extra <= self.spare && long.len() <= self.whole {
            self.spare -= extra;
            self.whole -= long.len();
            long
        } else if short.len() <= self.whole {
            self.short += 1;
            self.whole -= short.len();
            short
        } else {
            self.lost += 1;
            String::new()
        }
    }
}

fn heading(view: &View<'_>) -> String {
    let report = view.report;
    let mut text = format!(
        "## Schema changes: {} → {}\n\n**{}**\n\n",
        code(&report.old.label),
        code(&report.new.label),
        sentence(&headline(report))
    );
    if let Some(note) = view.outcome.note() {
        let _ = writeln!(text, "> {}\n", prose(&sentence(&note)));
    }
    if !report.is_empty() {
        verdicts(view, &mut text);
    }
    for note in &report.notes {
        let _ = writeln!(text, "> {}\n", prose(&sentence(note)));
    }
    waivers(view, &mut text);
    text
}

fn verdicts(view: &View<'_>, text: &mut String) {
    let report = view.report;
    let (verdict, tally) = (&report.verdict, &report.tally);
    text.push_str("| | verdict | breaks | risks |\n|---|---|---:|---:|\n");
    for direction in Direction::BOTH {
        let breaks = tally.counted_wire_breaks.towards(direction);
        let risks = tally.counted_wire_risks.towards(direction);
        let _ = writeln!(
            text,
            "| wire, {} | {}{} | {breaks} | {risks} |",
            direction.arrow(),
            verdict_word(verdict.counted_wire.towards(direction)),
            beside(verdict, direction, ", ")
        );
    }
    for (name, verdict, beside, breaks) in source_verdicts(report, ", ") {
        let word = source_word(verdict);
        let _ = writeln!(text, "| source, {name} | {word}{beside} | {breaks} | |");
    }
    let levels: Vec<String> = Level::ALL
        .iter()
        .filter(|level| tally.levels.count(**level) > 0)
        .map(|level| format!("{} {}", tally.levels.count(*level), level.name()))
        .collect();
    let _ = writeln!(
        text,
        "\n{}: {}. Suggested next version: **{}**{}.\n",
        count(report.changes.len(), "finding"),
        levels.join(", "),
        verdict.suggested.name(),
        strictly(verdict)
    );
    if let Some(first) = first(report, view.outcome) {
        text.push_str("### Look first at\n\n");
        for line in &first.lines {
            let _ = writeln!(text, "1. {} · {}", prose(&line.text), code(line.first.rule.id));
        }
        let _ = writeln!(text, "\nAnd {}.\n", first.rest);
    }
}

fn waivers(view: &View<'_>, text: &mut String) {
    for (what, waivers) in [("expired", &view.outcome.expired), ("unused", &view.outcome.unused)] {
        for Waiver { finding, reason, expires, .. } in waivers {
            let _ = writeln!(
                text,
                "- {what} waiver for {} (until {expires}): {}",
                code(finding),
                prose(reason)
            );
        }
        if !waivers.is_empty() {
            text.push('\n');
        }
    }
}

fn group_heading(group: &Group<'_>) -> String {
    let kind = sentence(group.subject.kind());
    format!("### {} {}\n\n", kind.trim_end_matches('.'), code(group.subject.name()))
}

fn group_section(group: &Group<'_>, view: &View<'_>, budget: &mut Budget, text: &mut String) {
    let heading = group_heading(group);
    let before = budget.whole;
    budget.whole = before.saturating_sub(heading.len());
    let mut section = String::new();
    if let Some(said) = &group.said {
        section += &budget.take(many(group, said), many_line(group, said) + "\n");
    } else {
        for change in &group.changes {
            section += &budget.take(finding(change, view), line(change, view) + "\n");
        }
    }
    if section.is_empty() {
        budget.whole = before;
        return;
    }
    text.push_str(&heading);
    text.push_str(&section);
}

/// The length of the short forms of a group's findings.
fn short_length(group: &Group<'_>, view: &View<'_>) -> usize {
    match &group.said {
        Some(said) => many_line(group, said).len() + 1,
        None => group.changes.iter().map(|change| line(change, view).len() + 1).sum(),
    }
}

/// Findings that say the same in one line.
fn many_line(group: &Group<'_>, said: &str) -> String {
    format!("- **{}** {} times: {}\n", group.level().name(), group.changes.len(), prose(said))
}

/// Findings that say the same, with a list of where.
fn many(group: &Group<'_>, said: &str) -> String {
    let mut text = many_line(group, said);
    text.push_str("  <details><summary>details</summary>\n\n");
    if let Some(first) = group.changes.first() {
        for (label, words) in wire_facts(first) {
            let _ = writeln!(text, "  - {label}: {}", prose(&words));
        }
        let _ = writeln!(text, "  - source: {}", prose(&effects(first)));
    }
    for change in &group.changes {
        let gate = change.gated_by.as_deref();
        let gate = gate.map_or_else(String::new, |gate| format!(", gated by {}", code(gate)));
        let _ = writeln!(text, "  - {}{gate}", code(&listed(change)));
    }
    text.push_str("\n  </details>\n\n");
    text
}

/// A finding in one line.
fn line(change: &Change, view: &View<'_>) -> String {
    let waived = if view.outcome.waiver(&change.id).is_some() { " (waived)" } else { "" };
    format!(
        "- **{}**{waived} {} · {}\n",
        change.level.name(),
        prose(&told(change)),
        code(change.rule.id)
    )
}

fn finding(change: &Change, view: &View<'_>) -> String {
    let mut text = line(change, view);
    let mut rows = wire_facts(change);
    rows.push(("source", effects(change)));
    if !change.affected.is_empty() {
        let affected: Vec<String> = change.affected.iter().map(affected).collect();
        rows.push(("affected", affected.join("; ")));
    }
    if let Some(gate) = &change.gated_by {
        rows.push(("gated by", format!("the capability {}", quoted(gate))));
    }
    if change.remedy != change.rule.remedy {
        rows.push(("remedy", change.remedy.clone()));
    }
    let names = |names: Vec<String>| -> String {
        let shown: Vec<String> = names.iter().take(8).map(|name| quoted(name)).collect();
        let more = names.len().saturating_sub(shown.len());
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        shown.join(", ") + &rest
    };
    if !change.positions.is_empty() {
        let positions = change.positions.iter().map(ToString::to_string).collect();
        rows.push(("travels in", names(positions)));
    }
    if !change.also_types.is_empty() {
        rows.push(("also in", names(change.also_types.clone())));
    }
    rows.extend(view.outcome.waiver(&change.id).map(|waiver| ("waived", until(waiver))));
    let _ = writeln!(text, "  <details><summary>details</summary>\n");
    for (label, value) in rows {
        let _ = writeln!(text, "  - {label}: {}", prose(&value));
    }
    for (label, location) in ["old", "new"].into_iter().zip(view.locations(change)) {
        if let Some((source, at)) = location {
            let location = format!("{}:{}:{}", source.label, at.line, at.column);
            let _ = writeln!(text, "  - {label}: {} {}", code(&location), code(&at.pointer));
        }
    }
    let _ = writeln!(text, "  - id: {}", code(&change.id));
    for language in view.code.iter().flat_map(|code| &code.languages) {
        for effect in language.effects(change).into_iter().take(6) {
            let told = format!("{}, {}: {}", language.name, effect.kind.label(), effect.text);
            let _ = writeln!(text, "  - {}", prose(&told));
        }
    }
    for changed in rewritten(&change.texts) {
        let _ = writeln!(text, "\n  {}\n", code(&changed.at));
        let lines =
            [('-', changed.old), ('+', changed.new)].into_iter().flat_map(|(mark, text)| {
                text.into_iter().flat_map(str::lines).map(move |line| format!("{mark}{line}"))
            });
        text.push_str(&fenced("diff", &lines.collect::<Vec<_>>().join("\n"), "  "));
    }
    for witness in &change.witness {
        let shown = super::witness::shown(witness);
        let _ = writeln!(text, "\n  {}\n", prose(&shown.caption));
        if let Some(message) = &shown.message {
            text.push_str(&fenced("json", message, "  "));
        }
        if let Some(forgiven) = &shown.forgiven {
            text.push_str("\n  A receiver that forgives takes it as:\n\n");
            text.push_str(&fenced("json", forgiven, "  "));
        }
    }
    text.push_str("\n  </details>\n\n");
    text
}

/// Writes the reason and the remedy of each rule that has findings, each rule once.
fn rules_section(view: &View<'_>, budget: &mut Budget, text: &mut String) {
    let rules = view.report.changes.iter().map(|change| (change.rule.id, change.rule));
    let rules: IndexMap<&str, &Rule> = rules.collect();
    let opening = "<details><summary>Why, and what to do instead</summary>\n\n";
    let closing = "\n</details>\n\n";
    let mut section = String::new();
    for rule in rules.into_values() {
        let line =
            format!("- {}: {} *Remedy:* {}\n", code(rule.id), prose(rule.why), prose(rule.remedy));
        if line.len() + opening.len() + closing.len() <= budget.spare.min(budget.whole) {
            budget.spare -= line.len();
            budget.whole -= line.len();
            section.push_str(&line);
        }
    }
    if !section.is_empty() {
        text.extend([opening, &section, closing]);
    }
}

fn code_section(diff: &CodeDiff, budget: &mut Budget, text: &mut String) {
    if diff.is_empty() {
        return;
    }
    text.push_str("## Generated code\n\n");
    for language in diff.languages.iter().filter(|language| !language.declarations.is_empty()) {
        let number = count(language.declarations.len(), "declaration");
        let opening = format!("<details><summary>{}: {number}</summary>\n\n", language.name);
        // The section's own lines.
        budget.whole = budget.whole.saturating_sub(opening.len() + 40);
        budget.spare = budget.spare.saturating_sub(opening.len() + 40);
        let mut section = String::new();
        for declaration in &language.declarations {
            let fate = match declaration.fate {
                Fate::Added => "is new",
                Fate::Removed => "is gone",
                Fate::Changed => "has changed",
            };
            let short = format!("- {} {fate}\n\n", code(&declaration.name));
            budget.spare = budget.spare.saturating_sub(short.len());
            section += &budget.take(declaration_diff(declaration), short);
        }
        if !section.is_empty() {
            text.push_str(&opening);
            text.push_str(&section);
            text.push_str("</details>\n\n");
        }
    }
}

fn declaration_diff(declaration: &DeclarationDiff) -> String {
    let mut lines: Vec<String> = declaration
        .lines
        .iter()
        .take(CODE_LINES)
        .map(|line| match line.mark {
            '…' => " …".to_owned(),
            mark => format!("{mark}{}", line.text),
        })
        .collect();
    let hidden = declaration.lines.len().saturating_sub(CODE_LINES);
    if hidden > 0 {
        lines.push(format!(" … and {hidden} more lines"));
    }
    fenced("diff", &lines.join("\n"), "") + "\n"
}
