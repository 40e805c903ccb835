//! The words of changelogs and matrices.

use crate::policy::Word;

const fn word(word: &'static str, subject: &'static str, meaning: &'static str) -> Word {
    Word { word, subject, meaning }
}

const SECTION: &str = "section of a changelog";
const CELL: &str = "cell of a matrix";

/// The words that `changelog` and `matrix` print beside those of `diff`.
pub static WORDS: [Word; 12] = [
    word("Added", SECTION, "What is new in the version."),
    word("Changed", SECTION, "What is not as it was in the version before."),
    word("Deprecated", SECTION, "What is going to be removed one day."),
    word("Removed", SECTION, "What was in the version before, and is gone."),
    word("Fixed wording", SECTION, "Where descriptions say something in other words."),
    word(
        "Breaking",
        "line of a changelog",
        "Somebody has to act. The brackets at its end say who: peers of two versions, or the users of a language's code.",
    ),
    word("Unreleased", "version of a changelog", "What has no name of its own yet."),
    word(".", CELL, "All messages fit. On the page of HTML: `fits`, and a dot."),
    word(
        "~",
        CELL,
        "Something may be lost: a part of some message is ignored or means something else. On the page of HTML: `may lose something`.",
    ),
    word(
        "x",
        CELL,
        "Some messages are rejected. On the page of HTML: `rejects messages`, and a cross.",
    ),
    word("strict", "verdict of a matrix", "Schemas are taken at their word."),
    word("lenient", "verdict of a matrix", "Receivers forgive what their schema says they do."),
];
