//! The words of a report, explained.

use std::fmt::Write as _;

use super::Report;
use crate::breaking::change::Change;
use crate::breaking::verdict::{Effect, Level};
use crate::breaking::words::WORDS;
use crate::policy::Word;

/// Writes what the words of a report mean, those that it has. Nothing if there are none.
pub(super) fn write(out: &mut String, report: &Report) -> std::fmt::Result {
    let words = printed(report);
    if words.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\nwords (`acp-bindgen explain WORD` tells more, and of the rules in brackets):"
    )?;
    for word in words {
        writeln!(out, "  {}: {}", word.word, word.subject)?;
    }
    Ok(())
}

/// The words that the report of these changes prints and that not everybody knows, in order.
fn printed(report: &Report) -> Vec<&'static Word> {
    let changes = &report.changes;
    let effects: Vec<Effect> = changes
        .iter()
        .flat_map(|change| change.source.languages())
        .map(|(_, effect)| effect)
        .collect();
    let any = |is_so: &dyn Fn(&Change) -> bool| changes.iter().any(is_so);
    let is_printed = |word: &&Word| match word.word {
        "old→new" | "new→old" => any(&Change::is_felt),
        "risky" => any(&|change| change.level == Level::Risky),
        "softened" => any(&|change| change.softened_by.is_some()),
        "by the schemas alone" => any(&Change::is_softened),
        "gated by" => any(&|change| change.gated_by.is_some()),
        "cond" => effects.iter().any(|effect| matches!(effect, Effect::Conditional(_))),
        "name" => effects.contains(&Effect::Name),
        "recv" => effects.contains(&Effect::Readers),
        "send" => effects.contains(&Effect::Builders),
        way => effects.contains(&Effect::Conditional(word.word)) && way.contains('-'),
    };
    WORDS.iter().filter(is_printed).collect()
}
