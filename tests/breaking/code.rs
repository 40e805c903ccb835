//! What is said of code is what `--code` shows of it.

use std::collections::BTreeSet;

use acp_bindgen::breaking::Effect;
use acp_bindgen::breaking::source::{Fate, Language};

use super::pair::Pair;

/// Asserts that a declaration is shown as gone or changed for users just where a finding says
/// that its users break, in each language.
pub(crate) fn assert_agrees(pair: &Pair) {
    let comparison = pair.comparison();
    let code = comparison.source.diff(Language::ALL);
    let is_guessed =
        [&pair.old, &pair.new].iter().any(|text| text.methods.is_some()) || pair.is_unbound();
    for (at, language) in code.languages.iter().enumerate() {
        let mut shown = BTreeSet::new();
        for declaration in &language.declarations {
            let at = format!("{}: {} {}", pair.name, language.name, declaration.name);
            for effect in &declaration.effects {
                if effect.effect.is_breaking() {
                    assert!(!effect.findings.is_empty() || is_guessed, "{at}: {}", effect.text);
                    shown.extend(effect.findings.iter().map(String::as_str));
                }
            }
            let is_gone = declaration.fate == Fate::Removed;
            let names = declaration.effects.iter().any(|effect| effect.effect == Effect::Name);
            assert!(names || !is_gone, "{at} is gone");
        }
        let changes = comparison.report.changes.iter();
        let said = changes.filter(|change| change.source.languages()[at].1.is_breaking());
        let said: BTreeSet<&str> = said.map(|change| change.id.as_str()).collect();
        assert_eq!(said, shown, "{}: {}", pair.name, language.name);
    }
}
