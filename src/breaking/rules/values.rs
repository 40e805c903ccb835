//! Defaults, constraints, leniency, and what is no change at all.

use super::{NOTHING, Rule, source, wire};
use crate::breaking::verdict::Effect::{Builders, Readers};
use crate::breaking::verdict::Verdict::{Break, Ok, Risk};
use crate::breaking::verdict::{Effect, Level, Source, Wire};

pub(crate) static DEFAULT_CHANGED: Rule = Rule {
    id: "default-changed",
    level: Level::Risky,
    wire: wire(Risk, Risk),
    source: Source::OK,
    summary: "a missing value now means something else",
    why: "A sender that leaves the property out relies on the default it knows; the receiver takes its own.",
    remedy: "Send the value explicitly where it matters.",
    before: r#"{"level": {"type": "integer", "default": 1}}"#,
    after: r#"{"level": {"type": "integer", "default": 2}}"#,
};

pub(crate) static DEFAULT_REMOVED: Rule = Rule {
    id: "default-removed",
    level: Level::Breaking,
    wire: wire(Risk, Risk),
    source: source(Effect::Break, Effect::Ok, Readers),
    summary: "a missing value no longer means anything in particular",
    why: "A sender that leaves the property out relied on the default; the receiver now sees that nothing was said, and code that reads the value has to be ready for none.",
    remedy: "Keep the default, or send the value explicitly.",
    before: r#"{"level": {"type": "integer", "default": 1}}"#,
    after: r#"{"level": {"type": "integer"}}"#,
};

pub(crate) static DEFAULT_DERIVED: Rule = Rule {
    id: "default-derived",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "the default of an object follows its properties",
    why: "The object has gained or lost properties that have defaults of their own; its default only repeats them.",
    remedy: NOTHING,
    before: r#"{"lamp": {"default": {"on": false}}}"#,
    after: r#"{"lamp": {"default": {"on": false, "level": 1}}}"#,
};

pub(crate) static CONSTRAINT_TIGHTENED: Rule = Rule {
    id: "constraint-tightened",
    level: Level::Breaking,
    wire: wire(Break, Ok),
    source: Source::OK,
    summary: "fewer values satisfy a constraint",
    why: "Old senders may send values outside the new bounds.",
    remedy: "Go on accepting what used to be valid.",
    before: r#"{"level": {"type": "integer", "maximum": 100}}"#,
    after: r#"{"level": {"type": "integer", "maximum": 10}}"#,
};

pub(crate) static CONSTRAINT_LOOSENED: Rule = Rule {
    id: "constraint-loosened",
    level: Level::Breaking,
    wire: wire(Ok, Break),
    source: Source::OK,
    summary: "more values satisfy a constraint",
    why: "New senders may send values outside the bounds that old receivers enforce.",
    remedy: "Keep to the old bounds with old peers.",
    before: r#"{"level": {"type": "integer", "maximum": 10}}"#,
    after: r#"{"level": {"type": "integer", "maximum": 100}}"#,
};

pub(crate) static FORMAT_ADDED: Rule = Rule {
    id: "format-added",
    level: Level::Risky,
    wire: wire(Risk, Ok),
    source: Source::OK,
    summary: "a string or number now has a format",
    why: "Most receivers do not check it; those that do, or that use a type of their own for it, may refuse what old senders send.",
    remedy: "Make sure that senders have kept to the format all along.",
    before: r#"{"url": {"type": "string"}}"#,
    after: r#"{"url": {"type": "string", "format": "uri"}}"#,
};

pub(crate) static FORMAT_REPRESENTATION_CHANGED: Rule = Rule {
    id: "format-representation-changed",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "the same encoding is said with another keyword",
    why: "The text on the wire is encoded as before.",
    remedy: NOTHING,
    before: r#"{"data": {"type": "string", "format": "byte"}}"#,
    after: r#"{"data": {"type": "string", "contentEncoding": "base64"}}"#,
};

pub(crate) static LENIENT_ADDED: Rule = Rule {
    id: "lenient-added",
    level: Level::Info,
    wire: wire(Ok, Risk),
    source: Source::OK,
    summary: "a receiver now forgives malformed values",
    why: "More is accepted than the schema asks for; nothing valid changes. An old receiver does not forgive yet what a new one does.",
    remedy: NOTHING,
    before: r#"{"level": {"type": "integer"}}"#,
    after: r#"{"level": {"type": "integer", "x-deserialize-default-on-error": true}}"#,
};

pub(crate) static LENIENT_REMOVED: Rule = Rule {
    id: "lenient-removed",
    level: Level::Risky,
    wire: wire(Risk, Ok),
    source: Source::OK,
    summary: "a receiver no longer forgives malformed values",
    why: "What used to be dropped or replaced now fails the whole message.",
    remedy: "Go on forgiving while old senders may send values of schemas yet to come.",
    before: r#"{"level": {"type": "integer", "x-deserialize-default-on-error": true}}"#,
    after: r#"{"level": {"type": "integer"}}"#,
};

pub(crate) static ANNOTATION_ONLY: Rule = Rule {
    id: "annotation-only",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "only what is said about a type has changed",
    why: "Descriptions and titles are for people.",
    remedy: NOTHING,
    before: r#"{"Lamp": {"description": "Gives light."}}"#,
    after: r#"{"Lamp": {"description": "Turns power into light."}}"#,
};

pub(crate) static STRUCTURE_ONLY: Rule = Rule {
    id: "structure-only",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "the same values are described in another way",
    why: "The schema is written differently and accepts exactly what it did.",
    remedy: NOTHING,
    before: r##"{"lamp": {"$ref": "#/$defs/Lamp"}}"##,
    after: r##"{"lamp": {"allOf": [{"$ref": "#/$defs/Lamp"}]}}"##,
};

pub(crate) static ENVELOPE_RESTRUCTURED: Rule = Rule {
    id: "envelope-restructured",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "the definitions of JSON-RPC messages are arranged in another way",
    why: "They only wrap payloads; the payloads are compared on their own. Types of ids and errors are public in code.",
    remedy: "Do not name these definitions in code.",
    before: r#"{"HouseRequest": {"anyOf": []}}"#,
    after: r#"{"HouseMessage": {"properties": {"params": {"anyOf": []}}}}"#,
};

pub(crate) static GENERATED_API_CHANGED: Rule = Rule {
    id: "generated-api-changed",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Builders, Effect::Ok, Effect::Ok),
    summary: "generated code has other names or signatures, though the schema says the same",
    why: "Code follows more of a schema than messages do: the order of required properties is that of parameters, titles name things, and a type is what its alternatives are arranged as.",
    remedy: "Keep the order, the title or the arrangement; an overlay can say them for code alone.",
    before: r#"{"required": ["lamp", "level"]}"#,
    after: r#"{"required": ["level", "lamp"]}"#,
};
