//! The words of a report.

use crate::policy::Word;

const fn word(word: &'static str, subject: &'static str, meaning: &'static str) -> Word {
    Word { word, subject, meaning }
}

const SEVERITY: &str = "severity of a finding of lint";
const PROFILE: &str = "profile of lint";

/// The words that a report of `lint` prints beside the names of rules.
pub static WORDS: [Word; 6] = [
    word("error", SEVERITY, "It is wrong."),
    word("warning", SEVERITY, "It is probably not what was meant, or will be in the way one day."),
    word("info", SEVERITY, "Good to know."),
    word("ignore", SEVERITY, "Findings of the rule are not reported."),
    word("recommended", PROFILE, "The rules whose findings are worth acting on in most schemas."),
    word("all", PROFILE, "Every rule."),
];
