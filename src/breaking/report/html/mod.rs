//! The report as one page of HTML that needs nothing else: filters, search, links to each
//! finding, the locations in both schemas side by side, code.
//!
//! The templates escape whatever they print; the page's policy (CSP) allows no resource and no
//! address. The only scripts and styles are the page's own.

mod excerpt;
mod finding;
mod json;

use finding::{finding, state};
use indexmap::IndexSet;
use serde_json::{Value, json};

use super::first::first;
use super::groups::groups;
use super::prose::{beside, pieces, source_verdicts, source_word, verdict_word};
use super::view::View;
use super::{Compared, SourceVerdict, headline};
use crate::backend::template::{TemplateText, Templates};
use crate::breaking::change::Affected;
use crate::breaking::verdict::Direction;
use crate::diagnostic::Diagnostic;
use crate::ir::EITHER;
use crate::policy::prose::{count, percent_encoded, plain, sentence};

const TEMPLATES: &[TemplateText] = &[
    ("report.html", include_str!("../../../../templates/report/report.html.jinja")),
    ("finding.html", include_str!("../../../../templates/report/finding.html.jinja")),
    ("pieces.html", include_str!("../../../../templates/report/pieces.html.jinja")),
    ("report.css", include_str!("../../../../templates/report/report.css.jinja")),
    ("report.js", include_str!("../../../../templates/report/report.js.jinja")),
];

/// The page. Fails only if a template and its model do not fit.
pub fn html(view: &View<'_>) -> Result<String, Diagnostic> {
    Templates::escaping_html(TEMPLATES)?
        .with_filter("plain", plain)
        .with_filter("prose", paragraphs)
        .with_filter("identifier", identifier)
        .with_filter("fragment", fragment)
        .render("report.html", page(view))
}

/// The data of a report that the page shows.
fn page(view: &View<'_>) -> Value {
    let report = view.report;
    let notes = report.notes.iter().cloned().chain(view.outcome.note());
    let groups = groups(view).into_iter().map(|group| {
        let findings = group.changes.iter().map(|change| finding(change, view));
        json!({
            "kind": group.subject.kind(),
            "name": group.subject.name(),
            "level": group.level(),
            "said": group.said.as_deref().map(pieces),
            "findings": findings.collect::<Value>(),
        })
    });
    // Those that send or get something that a finding changes, in the order of the findings.
    let sides = report.changes.iter().flat_map(|change| &change.affected);
    let sides = sides.flat_map(Affected::sides).filter(|side| *side != EITHER);
    json!({
        "old": about(&report.old),
        "new": about(&report.new),
        "headline": sentence(&headline(report)),
        "bump": report.verdict.suggested,
        "verdicts": if report.is_empty() { Vec::new() } else { cards(view) },
        "notes": notes.map(|note| json!(pieces(&sentence(&note)))).collect::<Value>(),
        "policy": view.outcome,
        "levels": report.tally.levels,
        "sides": sides.collect::<IndexSet<&str>>(),
        "first": first(report, view.outcome).map(|first| {
            let lines = first.lines.iter().map(|line| {
                json!({ "id": line.first.id, "rule": line.first.rule.id, "text": pieces(&line.text) })
            });
            json!({ "lines": lines.collect::<Value>(), "rest": first.rest })
        }),
        "groups": groups.collect::<Value>(),
        "total": count(report.changes.len(), "finding"),
        "code": view.code.filter(|code| !code.is_empty()),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn about(compared: &Compared) -> Value {
    let release = compared.release.iter().map(|release| format!("release {release}"));
    let version = compared.protocol_version.iter().map(|version| {
        let text = version.as_str().map_or_else(|| version.to_string(), str::to_owned);
        format!("version {text}")
    });
    let about: Vec<String> = release.chain(version).chain([compared.digest.clone()]).collect();
    json!({ "label": compared.label, "about": about.join(" · ") })
}

/// The verdicts at the top.
fn cards(view: &View<'_>) -> Vec<Value> {
    let (verdict, tally) = (&view.report.verdict, &view.report.tally);
    let wire = Direction::BOTH.into_iter().map(|direction| {
        let counted = verdict.counted_wire.towards(direction);
        let breaks = count(tally.counted_wire_breaks.towards(direction), "break");
        let risks = count(tally.counted_wire_risks.towards(direction), "risk");
        let beside = beside(verdict, direction, "; ");
        json!({
            "of": "wire",
            "what": direction.arrow().replace('→', " → "),
            "word": verdict_word(counted),
            "state": state(counted),
            "number": format!("{breaks}, {risks}{beside}"),
        })
    });
    let source = source_verdicts(view.report, "; ").into_iter();
    let source = source.map(|(what, verdict, beside, breaks)| {
        json!({
            "of": "source",
            "what": what,
            "word": source_word(verdict),
            "state": match verdict {
                SourceVerdict::Ok => "good",
                SourceVerdict::Cond => "warm",
                SourceVerdict::Break => "bad",
            },
            "number": count(breaks, "break") + &beside,
        })
    });
    wire.chain(source).collect()
}

/// A text of several lines, each harmless.
fn paragraphs(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// A finding's id as the id of an element, which has no white space.
fn identifier(id: &str) -> String {
    plain(id).replace(char::is_whitespace, "_")
}

/// An element's id as the fragment of an address.
fn fragment(id: &str) -> String {
    percent_encoded(id, "!$'()*+,;=:@/?")
}
