//! Unions.

use super::{NOTHING, Rule, source, wire};
use crate::breaking::verdict::Effect::{Conditional, Name};
use crate::breaking::verdict::Verdict::{Break, Ok, Risk};
use crate::breaking::verdict::{Effect, Level, Source, Wire};

pub(crate) static UNION_VARIANT_ADDED_CLOSED: Rule = Rule {
    id: "union-variant-added-closed",
    level: Level::Breaking,
    wire: wire(Ok, Break),
    source: source(Effect::Ok, Conditional("exhaustive-match"), Conditional("exhaustive-match")),
    summary: "a closed union has a new variant",
    why: "An old receiver does not know the variant and rejects the message that holds it.",
    remedy: "Open the union first, with a branch for tags it does not know; or send the variant only to peers with the capability for it.",
    before: r#"{"oneOf": [{"properties": {"type": {"const": "lamp"}}}]}"#,
    after: r#"{"oneOf": [{"properties": {"type": {"const": "lamp"}}}, {"properties": {"type": {"const": "fan"}}}]}"#,
};

pub(crate) static UNION_VARIANT_ADDED_OPEN: Rule = Rule {
    id: "union-variant-added-open",
    level: Level::Safe,
    wire: Wire::OK,
    source: source(Effect::Ok, Conditional("exhaustive-match"), Conditional("exhaustive-match")),
    summary: "an open union has a new variant",
    why: "The tag was one of those an old receiver keeps as unknown.",
    remedy: NOTHING,
    before: r#"{"anyOf": [{"properties": {"type": {"const": "lamp"}}}, {"properties": {"type": {"type": "string"}}}]}"#,
    after: r#"{"anyOf": [{"properties": {"type": {"const": "lamp"}}}, {"properties": {"type": {"const": "fan"}}}, {"properties": {"type": {"type": "string"}}}]}"#,
};

pub(crate) static UNION_VARIANT_ADDED_ABSORBED: Rule = Rule {
    id: "union-variant-added-absorbed",
    level: Level::Risky,
    wire: wire(Ok, Risk),
    source: source(Effect::Ok, Conditional("exhaustive-match"), Conditional("exhaustive-match")),
    summary: "a new variant looks to old receivers like another one",
    why: "An old receiver does not fail: it takes the new variant for the one that has no tag, and acts accordingly.",
    remedy: "Give the new variant a required property that keeps it apart, or a capability.",
    before: r#"{"anyOf": [{"title": "lamp", "properties": {"name": {}}}]}"#,
    after: r#"{"anyOf": [{"properties": {"type": {"const": "fan"}, "name": {}}}, {"title": "lamp", "properties": {"name": {}}}]}"#,
};

pub(crate) static UNION_VARIANT_REMOVED: Rule = Rule {
    id: "union-variant-removed",
    level: Level::Breaking,
    wire: wire(Break, Ok),
    source: source(Name, Name, Name),
    summary: "a union has lost a variant",
    why: "Old senders may still send it, and the new receiver does not know it.",
    remedy: "Keep the variant, marked deprecated, until no sender uses it.",
    before: r#"{"oneOf": [{"properties": {"type": {"const": "lamp"}}}, {"properties": {"type": {"const": "fan"}}}]}"#,
    after: r#"{"oneOf": [{"properties": {"type": {"const": "lamp"}}}]}"#,
};

pub(crate) static UNION_TAG_VALUE_RENAMED: Rule = Rule {
    id: "union-tag-value-renamed",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: source(Name, Name, Name),
    summary: "a variant has another tag",
    why: "Each side sends a tag that the other does not know, for the same content.",
    remedy: "Keep the tag; generated code can call the variant something else with an overlay (`x-name`).",
    before: r#"{"properties": {"type": {"const": "lamp"}}}"#,
    after: r#"{"properties": {"type": {"const": "light"}}}"#,
};

pub(crate) static UNION_TAG_PROPERTY_RENAMED: Rule = Rule {
    id: "union-tag-property-renamed",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: source(Effect::Ok, Effect::Break, Effect::Ok),
    summary: "a union is told apart by another property",
    why: "Neither side finds the property that tells it which variant it got.",
    remedy: "Keep the property; or send both for a while.",
    before: r#"{"oneOf": [{"properties": {"type": {"const": "lamp"}}}]}"#,
    after: r#"{"oneOf": [{"properties": {"kind": {"const": "lamp"}}}]}"#,
};

pub(crate) static UNION_OPENED: Rule = Rule {
    id: "union-opened",
    level: Level::Breaking,
    wire: wire(Ok, Break),
    source: source(Effect::Ok, Conditional("exhaustive-match"), Conditional("exhaustive-match")),
    summary: "a closed union now takes unknown variants",
    why: "New senders may send variants that old receivers refuse; from now on additions are safe.",
    remedy: "Send only the variants of the old union to old peers.",
    before: r#"{"anyOf": [{"properties": {"type": {"const": "lamp"}}}]}"#,
    after: r#"{"anyOf": [{"properties": {"type": {"const": "lamp"}}}, {"properties": {"type": {"type": "string"}}}]}"#,
};

pub(crate) static DISCRIMINATOR_ANNOTATION_ADDED: Rule = Rule {
    id: "discriminator-annotation-added",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "a hint now names the property that tells variants apart",
    why: "The hint is for tools: the property and its values are as they were.",
    remedy: NOTHING,
    before: r#"{"oneOf": []}"#,
    after: r#"{"discriminator": {"propertyName": "type"}, "oneOf": []}"#,
};

pub(crate) static DISCRIMINATOR_ANNOTATION_REMOVED: Rule = Rule {
    id: "discriminator-annotation-removed",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "the hint that names the property that tells variants apart is gone",
    why: "The hint is for tools: the property and its values are as they were.",
    remedy: NOTHING,
    before: r#"{"discriminator": {"propertyName": "type"}, "oneOf": []}"#,
    after: r#"{"oneOf": []}"#,
};
