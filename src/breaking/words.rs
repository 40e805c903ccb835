//! The words of a report.

use crate::policy::Word;

const fn word(word: &'static str, subject: &'static str, meaning: &'static str) -> Word {
    Word { word, subject, meaning }
}

const LEVEL: &str = "level of a finding of diff";
const WAY: &str = "direction of messages";
const WIRE: &str = "effect on messages";
const CODE: &str = "effect on code";

/// The words that a report of `diff` prints beside the names of rules.
pub static WORDS: [Word; 16] = [
    word(
        "breaking",
        LEVEL,
        "Someone breaks: valid messages are rejected, or code does not compile.",
    ),
    word("risky", LEVEL, "Something may be lost or behave in another way."),
    word("safe", LEVEL, "An addition that disturbs nobody."),
    word("info", LEVEL, "Good to know: neither messages nor code notice."),
    word("ignore", LEVEL, "Findings of the rule are not reported."),
    word("old→new", WAY, "The sender has the old schema, the receiver the new."),
    word("new→old", WAY, "The sender has the new schema, the receiver the old."),
    word("ok", WIRE, "Every valid message of the sender means the same to the receiver."),
    word("risk", WIRE, "Data is silently lost, or something behaves in another way."),
    word(
        "break",
        WIRE,
        "Some valid message of the sender is rejected by the receiver; code that uses it breaks, whatever it does.",
    ),
    word("recv", CODE, "Code that reads the value breaks."),
    word("send", CODE, "Code that builds the value, or that implements the method, breaks."),
    word("name", CODE, "A generated name is gone."),
    word("cond", CODE, "Only code that is written in the way named after it breaks."),
    word("wire", "what --fail-on asks for", "Messages that are rejected."),
    word("source", "what --fail-on asks for", "Code that does not compile any more."),
];
