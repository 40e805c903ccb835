//! Properties.

use super::{NOTHING, Rule, source, wire};
use crate::breaking::verdict::Effect::{Builders, Readers};
use crate::breaking::verdict::Verdict::{Break, Ok, Risk};
use crate::breaking::verdict::{Effect, Level, Source};

pub(crate) static PROPERTY_ADDED_OPTIONAL: Rule = Rule {
    id: "property-added-optional",
    level: Level::Safe,
    wire: wire(Ok, Risk),
    source: Source::OK,
    summary: "an optional property is new",
    why: "An old receiver ignores what it does not know, which whoever sends something new has to reckon with; an old sender leaves it out.",
    remedy: NOTHING,
    before: r#"{"properties": {}}"#,
    after: r#"{"properties": {"colour": {"type": "string"}}}"#,
};

pub(crate) static PROPERTY_ADDED_REQUIRED: Rule = Rule {
    id: "property-added-required",
    level: Level::Breaking,
    wire: wire(Break, Risk),
    source: source(Builders, Builders, Builders),
    summary: "a required property is new",
    why: "A sender with the old schema does not know that it has to send it, so the receiver finds the message incomplete.",
    remedy: "Make it optional, with a default that means what an old sender means by its silence.",
    before: r#"{"properties": {}}"#,
    after: r#"{"properties": {"colour": {"type": "string"}}, "required": ["colour"]}"#,
};

pub(crate) static PROPERTY_REMOVED_OPTIONAL: Rule = Rule {
    id: "property-removed-optional",
    level: Level::Breaking,
    wire: wire(Risk, Ok),
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "an optional property is gone",
    why: "Old senders go on sending it and nobody reads it any more; code that reads or sets it does not compile.",
    remedy: "Keep it, marked deprecated, while old peers still rely on it.",
    before: r#"{"properties": {"colour": {"type": "string"}}}"#,
    after: r#"{"properties": {}}"#,
};

pub(crate) static PROPERTY_REMOVED_REQUIRED: Rule = Rule {
    id: "property-removed-required",
    level: Level::Breaking,
    wire: wire(Risk, Break),
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "a required property is gone",
    why: "A receiver with the old schema insists on it and no new sender gives it.",
    remedy: "Make it optional first; remove it once no receiver insists any more.",
    before: r#"{"properties": {"colour": {"type": "string"}}, "required": ["colour"]}"#,
    after: r#"{"properties": {}}"#,
};

pub(crate) static PROPERTY_RENAMED_REQUIRED: Rule = Rule {
    id: "property-renamed-required",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "a required property has another name",
    why: "Each side misses the name it knows and ignores the one it is sent.",
    remedy: "Keep the wire name; generated code can call it something else with an overlay (`x-name`).",
    before: r#"{"properties": {"color": {"type": "string"}}, "required": ["color"]}"#,
    after: r#"{"properties": {"colour": {"type": "string"}}, "required": ["colour"]}"#,
};

pub(crate) static PROPERTY_RENAMED_OPTIONAL: Rule = Rule {
    id: "property-renamed-optional",
    level: Level::Breaking,
    wire: wire(Risk, Risk),
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "an optional property has another name",
    why: "The value is sent under a name that the other side ignores, and is lost without a word.",
    remedy: "Keep the wire name; generated code can call it something else with an overlay (`x-name`).",
    before: r#"{"properties": {"color": {"type": "string"}}}"#,
    after: r#"{"properties": {"colour": {"type": "string"}}}"#,
};

pub(crate) static PROPERTY_BECAME_REQUIRED: Rule = Rule {
    id: "property-became-required",
    level: Level::Breaking,
    wire: wire(Break, Ok),
    source: source(Effect::Break, Builders, Builders),
    summary: "an optional property must now be there",
    why: "An old sender may leave it out, and the new receiver then rejects the message.",
    remedy: "Leave it optional and give it a default.",
    before: r#"{"properties": {"level": {"type": "integer"}}}"#,
    after: r#"{"properties": {"level": {"type": "integer"}}, "required": ["level"]}"#,
};

pub(crate) static PROPERTY_BECAME_OPTIONAL: Rule = Rule {
    id: "property-became-optional",
    level: Level::Breaking,
    wire: wire(Ok, Break),
    source: source(Effect::Break, Readers, Readers),
    summary: "a required property may now be left out",
    why: "A new sender may leave out what an old receiver insists on.",
    remedy: "Go on sending it to old peers; let receivers accept its absence one release before senders use it.",
    before: r#"{"properties": {"level": {"type": "integer"}}, "required": ["level"]}"#,
    after: r#"{"properties": {"level": {"type": "integer"}}}"#,
};

pub(crate) static PROPERTY_BECAME_OPTIONAL_WITH_DEFAULT: Rule = Rule {
    id: "property-became-optional-with-default",
    level: Level::Breaking,
    wire: wire(Ok, Risk),
    source: source(Builders, Readers, Effect::Ok),
    summary: "a required property with a default may now be left out",
    why: "The old schema already said what its absence means, so most old receivers cope; one that takes `required` at its word does not. Constructors no longer ask for it.",
    remedy: "Go on sending it to old peers.",
    before: r#"{"properties": {"level": {"type": "integer", "default": 1}}, "required": ["level"]}"#,
    after: r#"{"properties": {"level": {"type": "integer", "default": 1}}}"#,
};

pub(crate) static PROPERTY_BECAME_NULLABLE: Rule = Rule {
    id: "property-became-nullable",
    level: Level::Breaking,
    wire: wire(Ok, Break),
    source: source(Effect::Break, Readers, Readers),
    summary: "a property may now be null",
    why: "A new sender may send a null that an old receiver does not take.",
    remedy: "Leave the property out where there is no value, if it is optional.",
    before: r#"{"level": {"type": "integer"}}"#,
    after: r#"{"level": {"type": ["integer", "null"]}}"#,
};

pub(crate) static PROPERTY_BECAME_NON_NULLABLE: Rule = Rule {
    id: "property-became-non-nullable",
    level: Level::Breaking,
    wire: wire(Break, Ok),
    source: source(Effect::Break, Builders, Builders),
    summary: "a property may no longer be null",
    why: "An old sender may send a null that the new receiver does not take.",
    remedy: "Go on accepting null, or fall back on it (`x-deserialize-default-on-null`).",
    before: r#"{"level": {"type": ["integer", "null"]}}"#,
    after: r#"{"level": {"type": "integer"}}"#,
};

pub(crate) static PROPERTY_MOVED: Rule = Rule {
    id: "property-moved",
    level: Level::Breaking,
    wire: wire(Risk, Risk),
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "a property has moved to another object",
    why: "The value travels in another place than where the other side looks for it, and is lost without a word.",
    remedy: "Send and read it in both places for a while.",
    before: r#"{"Lamp": {"properties": {"watts": {"type": "integer"}}}, "Bulb": {}}"#,
    after: r#"{"Lamp": {}, "Bulb": {"properties": {"watts": {"type": "integer"}}}}"#,
};
