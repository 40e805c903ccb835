//! The model of the page.

use serde::Serialize;

use super::code::{self, Language};
use super::findings::{Finding, finding};
use super::words::{Text, state, text};
use crate::breaking::report::groups::{Group, groups};
use crate::breaking::report::prose::{count, plain, sentence};
use crate::breaking::report::view::{View, outcome_note, source_word, verdict_word};
use crate::breaking::report::{Compared, SourceVerdict, headline};
use crate::breaking::verdict::{Direction, Level};

/// The page.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    title: String,
    old: About,
    new: About,
    headline: String,
    bump: &'static str,
    verdicts: Vec<Card>,
    notes: Vec<Vec<Text>>,
    waivers: Vec<WaiverRow>,
    levels: Vec<LevelCount>,
    sides: Vec<String>,
    groups: Vec<Section>,
    total: String,
    code: Vec<Language>,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct About {
    label: String,
    about: String,
}

/// A verdict, at the top.
#[derive(Debug, Serialize)]
struct Card {
    of: &'static str,
    what: &'static str,
    word: String,
    state: &'static str,
    number: String,
}

#[derive(Debug, Serialize)]
struct WaiverRow {
    state: &'static str,
    finding: String,
    expires: String,
    reason: String,
}

#[derive(Debug, Serialize)]
struct LevelCount {
    name: &'static str,
    count: usize,
}

/// Findings about a method or a type.
#[derive(Debug, Serialize)]
struct Section {
    kind: &'static str,
    name: String,
    level: &'static str,
    findings: Vec<Finding>,
}

impl Page {
    /// Everything that the page shows of a report.
    pub(super) fn new(view: &View<'_>) -> Self {
        let report = view.report;
        let notes = report.notes.iter().cloned().chain(outcome_note(view.outcome));
        let levels = Level::ALL
            .iter()
            .map(|level| LevelCount { name: level.name(), count: report.tally.levels.of(*level) });
        Self {
            title: format!("{} → {}", plain(&report.old.label), plain(&report.new.label)),
            old: about(&report.old),
            new: about(&report.new),
            headline: sentence(&headline(report)),
            bump: report.verdict.suggested.name(),
            verdicts: if report.is_empty() { Vec::new() } else { cards(view) },
            notes: notes.map(|note| text(&sentence(&note))).collect(),
            waivers: waivers(view),
            levels: levels.filter(|level| level.count > 0).collect(),
            sides: sides(view),
            groups: groups(report).iter().map(|group| section(group, view)).collect(),
            total: count(report.changes.len(), "finding"),
            code: view.code.map(code::languages).unwrap_or_default(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

fn about(compared: &Compared) -> About {
    let mut about = Vec::new();
    if let Some(release) = &compared.release {
        about.push(format!("release {release}"));
    }
    match &compared.protocol_version {
        Some(serde_json::Value::String(version)) => about.push(format!("version {version}")),
        Some(version) => about.push(format!("version {version}")),
        None => {}
    }
    about.push(compared.digest.clone());
    About { label: plain(&compared.label), about: plain(&about.join(" · ")) }
}

fn cards(view: &View<'_>) -> Vec<Card> {
    let (verdict, tally) = (&view.report.verdict, &view.report.tally);
    let wire = |direction: Direction, what, breaks: usize, risks: usize| {
        let strict = verdict.wire.of(direction);
        let lenient = verdict.effective_wire.of(direction);
        let forgiven = if lenient == strict {
            String::new()
        } else {
            format!("; {} where receivers forgive", verdict_word(lenient))
        };
        Card {
            of: "wire",
            what,
            word: verdict_word(strict).to_owned(),
            state: state(strict),
            number: format!("{}, {}{forgiven}", count(breaks, "break"), count(risks, "risk")),
        }
    };
    let source = |what, verdict: SourceVerdict, breaks: usize| Card {
        of: "source",
        what,
        word: source_word(verdict).to_owned(),
        state: match verdict {
            SourceVerdict::Ok => "good",
            SourceVerdict::Cond => "warm",
            SourceVerdict::Break => "bad",
        },
        number: count(breaks, "break"),
    };
    let (breaks, risks) = (&tally.wire_breaks, &tally.wire_risks);
    vec![
        wire(Direction::OldToNew, "old → new", breaks.old_to_new, risks.old_to_new),
        wire(Direction::NewToOld, "new → old", breaks.new_to_old, risks.new_to_old),
        source("Rust", verdict.source.rust, tally.source_breaks.rust),
        source("TypeScript", verdict.source.typescript, tally.source_breaks.typescript),
        source("Python", verdict.source.python, tally.source_breaks.python),
    ]
}

fn waivers(view: &View<'_>) -> Vec<WaiverRow> {
    let outcome = view.outcome;
    [("in force", &outcome.waived), ("expired", &outcome.expired), ("unused", &outcome.unused)]
        .into_iter()
        .flat_map(|(state, waivers)| waivers.iter().map(move |waiver| (state, waiver)))
        .map(|(state, waiver)| WaiverRow {
            state,
            finding: plain(&waiver.finding),
            expires: waiver.expires.to_string(),
            reason: plain(&waiver.reason),
        })
        .collect()
}

/// The sides that send or get something that a finding changes, in the order of the findings.
fn sides(view: &View<'_>) -> Vec<String> {
    let mut sides: Vec<String> = Vec::new();
    for affected in view.report.changes.iter().flat_map(|change| &change.affected) {
        for side in [&affected.sender, &affected.receiver] {
            let side = plain(side);
            if side != crate::ir::EITHER && !sides.contains(&side) {
                sides.push(side);
            }
        }
    }
    sides
}

fn section(group: &Group<'_>, view: &View<'_>) -> Section {
    Section {
        kind: group.subject.kind(),
        name: plain(group.subject.name()),
        level: group.level().name(),
        findings: group.changes.iter().map(|change| finding(change, view)).collect(),
    }
}
