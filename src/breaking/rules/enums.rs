//! Enums.

use super::{NOTHING, Rule, source, wire};
use crate::breaking::verdict::Effect::{Builders, Conditional, Name};
use crate::breaking::verdict::Verdict::{Break, Ok};
use crate::breaking::verdict::{Effect, Level, Source, Wire};

pub(crate) static ENUM_VALUE_ADDED_CLOSED: Rule = Rule {
    id: "enum-value-added-closed",
    level: Level::Breaking,
    wire: wire(Ok, Break),
    source: source(Effect::Ok, Conditional("exhaustive-match"), Conditional("exhaustive-match")),
    summary: "a closed enum has a new value",
    why: "An old receiver takes only the values it knows.",
    remedy: "Open the enum first: with a fallback for unknown values, later additions disturb nobody.",
    before: r#"{"enum": ["on", "off"]}"#,
    after: r#"{"enum": ["on", "off", "dimmed"]}"#,
};

pub(crate) static ENUM_VALUE_ADDED_OPEN: Rule = Rule {
    id: "enum-value-added-open",
    level: Level::Safe,
    wire: Wire::OK,
    source: Source::OK,
    summary: "an open enum has a new named value",
    why: "Unknown values were accepted before, so the new name is only one of them with a name.",
    remedy: NOTHING,
    before: r#"{"anyOf": [{"const": "on"}, {"type": "string"}]}"#,
    after: r#"{"anyOf": [{"const": "on"}, {"const": "dimmed"}, {"type": "string"}]}"#,
};

pub(crate) static ENUM_VALUE_REMOVED_CLOSED: Rule = Rule {
    id: "enum-value-removed-closed",
    level: Level::Breaking,
    wire: wire(Break, Ok),
    source: source(Name, Name, Name),
    summary: "an enum has lost a value",
    why: "An old sender may still send it; a receiver whose enum is closed refuses it.",
    remedy: "Keep the value, marked deprecated, until no sender uses it.",
    before: r#"{"enum": ["on", "off", "dimmed"]}"#,
    after: r#"{"enum": ["on", "off"]}"#,
};

pub(crate) static ENUM_VALUE_RENAMED: Rule = Rule {
    id: "enum-value-renamed",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: source(Name, Name, Name),
    summary: "a value of an enum is spelt in another way",
    why: "Each side sends a spelling that the other does not know.",
    remedy: "Keep the spelling on the wire; generated code can call it something else with an overlay (`x-names`).",
    before: r#"{"enum": ["on", "off", "canceled"]}"#,
    after: r#"{"enum": ["on", "off", "cancelled"]}"#,
};

pub(crate) static ENUM_OPENED: Rule = Rule {
    id: "enum-opened",
    level: Level::Breaking,
    wire: wire(Ok, Break),
    source: source(
        Conditional("lost-trait"),
        Conditional("exhaustive-match"),
        Conditional("exhaustive-match"),
    ),
    summary: "a closed enum now takes unknown values",
    why: "New senders may send values that old receivers refuse; from now on additions are safe.",
    remedy: "Send only the values of the old enum to old peers.",
    before: r#"{"enum": ["on", "off"]}"#,
    after: r#"{"anyOf": [{"const": "on"}, {"const": "off"}, {"type": "string"}]}"#,
};

pub(crate) static ENUM_CLOSED: Rule = Rule {
    id: "enum-closed",
    level: Level::Breaking,
    wire: wire(Break, Ok),
    source: source(Name, Builders, Builders),
    summary: "an open enum now takes only the values it lists",
    why: "Old senders may send values that the new receiver refuses.",
    remedy: "Leave it open.",
    before: r#"{"anyOf": [{"const": "on"}, {"const": "off"}, {"type": "string"}]}"#,
    after: r#"{"enum": ["on", "off"]}"#,
};
