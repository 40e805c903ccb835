//! The words of a report, and what they mean.

use crate::policy::Word;

const fn word(word: &'static str, subject: &'static str, meaning: &'static str) -> Word {
    Word { word, subject, meaning }
}

/// Every word that a report prints beside names, rules and sentences.
pub static WORDS: &[Word] = &[
    word(
        "breaking",
        "somebody breaks",
        "A level. Valid messages that somebody can get are rejected, or code does not compile any more. The next version is a major one.",
    ),
    word(
        "risky",
        "something may be lost",
        "A level. Nothing is rejected, but data can be lost without a word, or something behaves in another way.",
    ),
    word(
        "safe",
        "something is new",
        "A level. An addition that disturbs nobody. The next version is a minor one.",
    ),
    word("info", "good to know", "A level. Nothing that a user of the protocol could notice."),
    word(
        "ignore",
        "not reported",
        "A level that a project can give a rule: its findings are only counted.",
    ),
    word(
        "old→new",
        "the sender has the old schema, the receiver the new",
        "A direction. A peer that was built for the old schema sends to one that was built for the new.",
    ),
    word(
        "new→old",
        "the sender has the new schema, the receiver the old",
        "A direction. A peer that was built for the new schema sends to one that was built for the old.",
    ),
    word(
        "rejected",
        "the receiver refuses a valid message",
        "What happens to messages. Some message that the sender's schema allows is refused by the receiver's. In JSON the verdict is `break`.",
    ),
    word(
        "something may be lost",
        "accepted, but not as it was meant",
        "What happens to messages. They are accepted, and a part of them is ignored or means something else. In JSON the verdict is `risk`.",
    ),
    word(
        "arrives all the same",
        "nothing happens to messages",
        "What happens to messages: nothing. In JSON the verdict is `ok`.",
    ),
    word(
        "softened",
        "what real receivers make of it",
        "Schemas are taken at their word. Where receivers are known to be milder, because the schema lets them forgive, because generated code does not look at it (patterns, exclusive bounds, items that must differ, properties that are not listed), because nobody sends it without a capability, because it is unstable, or because it was deprecated, this says why. A capability, stability, what the schema lets receivers forgive, and that no message holds it decide the level, too. In JSON the milder verdict is `effective_wire`; `--fail-on effective` goes by it.",
    ),
    word(
        "by the schemas alone",
        "what does not decide",
        "Beside a verdict that is milder in effect: what would happen to messages and code if nothing softened it (see `softened`), and the next version then. `--fail-on wire` goes by it.",
    ),
    word(
        "gated by",
        "only peers with this capability meet it",
        "The capability that the receiver must have told before it is sent.",
    ),
    word(
        "proof",
        "a message that shows the break",
        "A message that is valid for its sender and refused by its receiver, built and checked before it is shown. `--witness DIR` writes them to files.",
    ),
    word(
        "no proof",
        "why there is no such message",
        "The verdict follows from the schemas, but no message was built that shows it; the reason is given.",
    ),
    word(
        "name",
        "a generated name is gone",
        "What happens to code. A type, function or constant that code may name does not exist any more.",
    ),
    word(
        "recv",
        "code that reads the value breaks",
        "What happens to code. Whoever gets the value has to be ready for more than before.",
    ),
    word(
        "send",
        "code that builds the value breaks",
        "What happens to code. Whoever builds the value, or implements the handler, has to give more or something else.",
    ),
    word(
        "break",
        "all code that uses it breaks",
        "What happens to code that uses it, whether it reads or builds the value.",
    ),
    word(
        "cond",
        "only code written in a certain way breaks",
        "What happens to code: `cond:WAY` breaks only code that is written in the way named. It does not count as breaking.",
    ),
    word(
        "exhaustive-match",
        "code that tells all alternatives apart",
        "A way to write code: all alternatives of a value are told apart, without a branch for any other.",
    ),
    word(
        "lost-trait",
        "code that relies on a trait or base class",
        "A way to write code: a value is used by way of a trait or a base class that it no longer has.",
    ),
    word(
        "unstable-feature",
        "users of the feature `unstable`",
        "A way to use code: only those who asked for what may still change, with the feature `unstable` of the Rust crate, have it.",
    ),
    word(
        "wire",
        "messages",
        "What `--fail-on wire` asks for: messages that are rejected by the schemas alone, whatever softens it.",
    ),
    word(
        "effective",
        "messages, as real receivers take them",
        "What `--fail-on effective` asks for: messages that are rejected by generated receivers, which forgive what the schema says they may and leave some keywords unchecked (see `softened`).",
    ),
    word(
        "source",
        "code",
        "What `--fail-on source` asks for: code that does not compile any more, but for code that uses what is unstable.",
    ),
    word("ok", "nothing happens", "A verdict, on messages or code: nothing happens to them."),
    word(
        "risk",
        "something may be lost",
        "A verdict on messages: they are accepted, and a part of them is ignored or means something else.",
    ),
    word(
        "suggested",
        "the next version by semantic versioning",
        "The next version of a package that is made of the schema: `major` if anything breaks, `minor` if anything is new, else `patch`.",
    ),
    word(
        "waived",
        "accepted for a while",
        "A finding that somebody has agreed to, with a reason and a last day, in the file of waivers.",
    ),
    word(
        "also in",
        "exactly the same elsewhere",
        "Other definitions that have changed in exactly the same way. They are one finding.",
    ),
];
