//! A finding on the page.

use serde::Serialize;

use super::code::{CodeOfFinding, code_of};
use super::excerpt::{Pane, panes};
use super::json::{Token, tokens};
use super::words::{Text, fragment, identifier, name, state, text};
use crate::breaking::Witness;
use crate::breaking::change::Change;
use crate::breaking::report::prose::{plain, told};
use crate::breaking::report::view::{View, effect_words, verdict_word, wire_words};
use crate::breaking::report::witness::shown;
use crate::breaking::verdict::{Direction, Effect, Verdict};

/// A finding.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    id: String,
    /// The id as the fragment of an address.
    href: String,
    level: &'static str,
    rule: &'static str,
    waived: bool,
    summary: Vec<Text>,
    why: &'static str,
    remedy: Vec<Text>,
    chips: Vec<Chip>,
    facts: Vec<Fact>,
    panes: Vec<Pane>,
    witnesses: Vec<Proof>,
    code: Vec<CodeOfFinding>,
    /// The ways it does something to, separated by spaces.
    ways: String,
    /// The sides it concerns, one a line.
    sides: String,
    /// The languages whose code it does something to, separated by spaces.
    affected: String,
}

/// A verdict in brief.
#[derive(Debug, Serialize)]
struct Chip {
    label: String,
    state: &'static str,
    words: String,
}

/// Something to know, with a name.
#[derive(Debug, Serialize)]
struct Fact {
    label: &'static str,
    values: Vec<Vec<Text>>,
}

/// A witness.
#[derive(Debug, Serialize)]
struct Proof {
    caption: Vec<Text>,
    lines: Vec<Vec<Token>>,
}

/// Builds the page's model of a finding.
pub(super) fn finding(change: &Change, view: &View<'_>) -> Finding {
    let wire = change.wire;
    let ways = Direction::BOTH.into_iter().filter(|direction| wire.of(*direction) != Verdict::Ok);
    let ways: Vec<&str> = ways
        .map(|direction| match direction {
            Direction::OldToNew => "old_to_new",
            Direction::NewToOld => "new_to_old",
        })
        .collect();
    let mut sides: Vec<String> = Vec::new();
    for affected in &change.affected {
        for side in [&affected.sender, &affected.receiver].map(|side| plain(side)) {
            if !sides.contains(&side) {
                sides.push(side);
            }
        }
    }
    let affected = change.source.languages().into_iter();
    let affected = affected.filter(|(_, effect)| *effect != Effect::Ok);
    let affected: Vec<String> = affected.map(|(name, _)| name.to_lowercase()).collect();
    Finding {
        id: identifier(&change.id),
        href: fragment(&identifier(&change.id)),
        level: change.level.name(),
        rule: change.rule.id,
        waived: view.outcome.waiver(change).is_some(),
        summary: text(&told(change)),
        why: change.rule.why,
        remedy: text(&change.remedy),
        chips: chips(change),
        facts: facts(change, view),
        panes: panes(change, view),
        witnesses: change.witness.iter().flat_map(proofs).collect(),
        code: view.code.map(|diff| code_of(diff, change)).unwrap_or_default(),
        ways: ways.join(" "),
        sides: sides.join("\n"),
        affected: affected.join(" "),
    }
}

fn proofs(witness: &Witness) -> Vec<Proof> {
    let shown = shown(witness);
    let lines = |json: &str| json.lines().map(tokens).collect();
    let message = shown.message.as_deref().map(lines).unwrap_or_default();
    let mut proofs = vec![Proof { caption: text(&shown.caption), lines: message }];
    if let Some(forgiven) = shown.forgiven.as_deref().map(lines) {
        let caption = text("A receiver that forgives takes it as:");
        proofs.push(Proof { caption, lines: forgiven });
    }
    proofs
}

fn chips(change: &Change) -> Vec<Chip> {
    let mut chips = Vec::new();
    for direction in Direction::BOTH {
        let verdict = change.wire.of(direction);
        if verdict == Verdict::Ok {
            continue;
        }
        chips.push(Chip {
            label: format!("{} {}", direction.arrow(), verdict_word(verdict)),
            state: state(verdict),
            words: "on the wire".to_owned(),
        });
    }
    for (name, effect) in change.source.languages() {
        let state = match effect {
            Effect::Ok => continue,
            Effect::Conditional(_) => "plain",
            _ => "bad",
        };
        let words = format!("{name}: {}", effect_words(effect));
        chips.push(Chip { label: name.to_owned(), state, words });
    }
    chips
}

fn facts(change: &Change, view: &View<'_>) -> Vec<Fact> {
    let mut facts = vec![
        Fact { label: "wire", values: vec![text(&wire_words(change.wire))] },
        Fact {
            label: "source",
            values: change
                .source
                .languages()
                .iter()
                .map(|(name, effect)| text(&format!("{name}: {}", effect_words(*effect))))
                .collect(),
        },
    ];
    let mut push = |label, values: Vec<Vec<Text>>| {
        if !values.is_empty() {
            facts.push(Fact { label, values });
        }
    };
    if let Some(effective) = change.effective_wire {
        let why = change.softened_by.as_deref().unwrap_or("receivers forgive it");
        push("in effect", vec![text(&format!("{} ({why})", wire_words(effective)))]);
    }
    let affected = change.affected.iter().map(|affected| {
        let mut line = text(&format!("{}: ", affected.direction.arrow()));
        line.extend(name(&affected.sender));
        line.extend(text(" sends, "));
        line.extend(name(&affected.receiver));
        line.extend(text(&format!(" receives: {}", verdict_word(affected.verdict))));
        line
    });
    push("affected", affected.collect());
    push("gated by", change.gated_by.iter().map(|gate| name(gate)).collect());
    push("travels in", change.positions.iter().map(|at| name(&at.to_string())).collect());
    push("reached through", change.reaches.iter().map(|ty| name(ty)).collect());
    push("also in", change.also_types.iter().map(|ty| name(ty)).collect());
    if let Some(waiver) = view.outcome.waiver(change) {
        push("waived", vec![text(&format!("until {}: {}", waiver.expires, waiver.reason))]);
    }
    facts
}
