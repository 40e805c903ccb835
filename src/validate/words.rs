//! The words of a report.

use crate::policy::Word;

const SEVERITY: &str = "severity of a finding of validate";

/// The words that a report of `validate` prints beside the names of rules.
pub static WORDS: [Word; 4] = [
    Word {
        word: "error",
        subject: SEVERITY,
        meaning: "A receiver refuses the message, or it breaks the order of the conversation.",
    },
    Word {
        word: "warning",
        subject: SEVERITY,
        meaning: "Something may be lost, such as a value that a receiver forgives.",
    },
    Word {
        word: "note",
        subject: SEVERITY,
        meaning: "Good to know, such as what the schema does not name. In JSON and in the configuration it is `info`.",
    },
    Word {
        word: "waived",
        subject: "mark of a finding of validate",
        meaning: "A waiver that holds is for the finding, so that it does not count.",
    },
];
