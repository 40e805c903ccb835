//! A finding on the page.

use indexmap::IndexSet;
use serde_json::{Value, json};

use super::excerpt::panes;
use super::json::tokens;
use crate::breaking::Witness;
use crate::breaking::change::{Affected, Change};
use crate::breaking::report::prose::{
    ALONE, Piece, affected, effect_words, pieces, told, verdict_word, wire_facts,
};
use crate::breaking::report::texts::{Rewritten, rewritten};
use crate::breaking::report::view::View;
use crate::breaking::report::witness::shown;
use crate::breaking::source::LanguageDiff;
use crate::breaking::verdict::{Direction, Effect, Verdict};
use crate::policy::prose::{plain, until};

/// The most effects that are told of a finding in one language.
const EFFECTS: usize = 12;

/// The data of a finding that the page shows.
pub(super) fn finding(change: &Change, view: &View<'_>) -> Value {
    let ways = Direction::BOTH.into_iter();
    let ways =
        ways.filter(|way| change.is_felt() && change.counted_wire().towards(*way) != Verdict::Ok);
    let languages = change.source.languages().into_iter();
    let languages = languages.filter(|(_, effect)| *effect != Effect::Ok);
    let sides: IndexSet<&str> = change.affected.iter().flat_map(Affected::sides).collect();
    let code = view.code.iter().flat_map(|code| &code.languages);
    json!({
        "id": change.id,
        "level": change.level,
        "rule": change.rule.id,
        "waived": view.outcome.waiver(&change.id).is_some(),
        "summary": pieces(&told(change)),
        "why": change.rule.why,
        "remedy": pieces(&change.remedy),
        "chips": chips(change),
        "facts": facts(change, view),
        "panes": panes(change, view),
        "texts": rewritten(&change.texts).iter().map(text).collect::<Value>(),
        "witnesses": change.witness.iter().flat_map(proofs).collect::<Value>(),
        "code": code.filter_map(|language| code_of(language, change)).collect::<Value>(),
        "ways": ways.collect::<Vec<_>>(),
        "sides": sides,
        "languages": languages.map(|(name, _)| name.to_lowercase()).collect::<Vec<_>>(),
    })
}

fn proofs(witness: &Witness) -> Vec<Value> {
    let shown = shown(witness);
    let proof = |caption: &str, json: Option<&str>| {
        let lines = json.iter().flat_map(|json| json.lines()).map(tokens);
        json!({ "caption": pieces(caption), "lines": lines.collect::<Vec<_>>() })
    };
    let forgiven = shown.forgiven.as_deref();
    let forgiven = forgiven.map(|json| proof("A receiver that forgives takes it as:", Some(json)));
    [proof(&shown.caption, shown.message.as_deref())].into_iter().chain(forgiven).collect()
}

/// A description that has changed.
fn text(changed: &Rewritten<'_>) -> Value {
    json!({ "at": changed.at, "old": changed.old, "new": changed.new })
}

/// The verdicts of a finding in brief.
fn chips(change: &Change) -> Vec<Value> {
    let wire = Direction::BOTH.into_iter().filter_map(|direction| {
        let (strict, counted) =
            (change.wire.towards(direction), change.counted_wire().towards(direction));
        let (state, words) = if strict == counted {
            (state(strict), "on the wire".to_owned())
        } else {
            ("plain", format!("{ALONE}; in effect: {}", verdict_word(counted)))
        };
        let label = format!("{} {}", direction.arrow(), verdict_word(strict));
        (strict != Verdict::Ok).then(|| json!({ "label": label, "state": state, "words": words }))
    });
    let languages = change.source.languages().into_iter().zip(change.counted_source().languages());
    let source = languages.filter_map(|((name, effect), (_, counted))| {
        let state = match counted {
            Effect::Ok => return None,
            Effect::Conditional(_) => "plain",
            _ => "bad",
        };
        let words = format!("{name}: {}", effect_words(effect));
        Some(json!({ "label": name, "state": state, "words": words }))
    });
    wire.chain(source).collect()
}

/// The facts about a finding, each with a name; a fact without a value is left out.
fn facts(change: &Change, view: &View<'_>) -> Value {
    let name = |name: &str| vec![Piece { is_name: true, text: plain(name) }];
    let source = change.source.languages();
    let source = source.map(|(name, effect)| pieces(&format!("{name}: {}", effect_words(effect))));
    let affected = change.affected.iter().map(affected);
    let waiver = view.outcome.waiver(&change.id).map(until);
    let wire = wire_facts(change).into_iter().map(|(label, words)| (label, vec![pieces(&words)]));
    let facts = [
        ("source", source.to_vec()),
        ("affected", affected.map(|words| pieces(&words)).collect()),
        ("gated by", change.gated_by.iter().map(|gate| name(gate)).collect()),
        ("travels in", change.positions.iter().map(|at| name(&at.to_string())).collect()),
        ("reached through", change.reaches.iter().map(|ty| name(ty)).collect()),
        ("also in", change.also_types.iter().map(|ty| name(ty)).collect()),
        ("waived", waiver.iter().map(|words| pieces(words)).collect()),
    ];
    let facts = wire.chain(facts).filter(|(_, values)| !values.is_empty());
    facts.map(|(label, values)| json!({ "label": label, "values": values })).collect()
}

/// The effects of a finding on code of a language, if there are any.
fn code_of(language: &LanguageDiff, change: &Change) -> Option<Value> {
    let declarations: Vec<&str> =
        language.declarations(change).map(|each| each.name.as_str()).collect();
    let effects = language.effects(change).into_iter().take(EFFECTS);
    let effects =
        effects.map(|effect| json!({ "who": effect.kind.label(), "text": pieces(&effect.text) }));
    (!declarations.is_empty()).then(|| {
        json!({
            "id": language.id,
            "name": language.name,
            "effects": effects.collect::<Value>(),
            "declarations": declarations,
        })
    })
}

/// The look of a verdict.
pub(super) fn state(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "good",
        Verdict::Risk => "warm",
        Verdict::Break => "bad",
    }
}
