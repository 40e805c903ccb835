//! The rules of `lint`.

use crate::diagnostic::Severity;
use crate::policy;

/// A rule of `lint`.
#[derive(Debug)]
pub struct Rule {
    /// The part that the rules of all commands have: name, severity and texts.
    pub about: policy::Rule,
    /// True if the profile `recommended` has it.
    pub recommended: bool,
}

impl Rule {
    /// Its name.
    pub fn id(&self) -> &'static str {
        self.about.id
    }
}

/// The texts of a rule, in the order in which people read them.
#[derive(Clone, Copy)]
pub(super) struct Texts {
    pub(super) summary: &'static str,
    pub(super) why: &'static str,
    pub(super) remedy: &'static str,
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

/// A rule of the profile `recommended`.
pub(super) const fn recommended(id: &'static str, severity: Severity, texts: Texts) -> Rule {
    rule(id, severity, texts, true)
}

/// A rule that only the profile `all` has.
pub(super) const fn optional(id: &'static str, severity: Severity, texts: Texts) -> Rule {
    rule(id, severity, texts, false)
}

const fn rule(id: &'static str, severity: Severity, texts: Texts, recommended: bool) -> Rule {
    let Texts { summary, why, remedy, before, after } = texts;
    Rule { about: policy::Rule { id, severity, summary, why, remedy, before, after }, recommended }
}
