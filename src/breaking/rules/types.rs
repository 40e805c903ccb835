//! Types, and values as a whole.

use super::{NOTHING, Rule, source, wire};
use crate::breaking::verdict::Effect::{Builders, Name, Readers};
use crate::breaking::verdict::Verdict::{Break, Ok};
use crate::breaking::verdict::{Effect, Level, Source, Wire};

pub(crate) static TYPE_ADDED: Rule = Rule {
    id: "type-added",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "a type is new",
    why: "Nothing that exists uses the name yet.",
    remedy: NOTHING,
    before: "{}",
    after: r#"{"Lamp": {"type": "object"}}"#,
};

pub(crate) static TYPE_REMOVED: Rule = Rule {
    id: "type-removed",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Name, Name, Name),
    summary: "a type is gone",
    why: "Code that names the type does not compile any more. Messages are judged where the type was used.",
    remedy: "Leave an alias in a release before the name goes.",
    before: r#"{"Lamp": {"type": "object"}}"#,
    after: "{}",
};

pub(crate) static TYPE_RENAMED: Rule = Rule {
    id: "type-renamed",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Name, Name, Name),
    summary: "a type has another name",
    why: "Messages hold no type names, so nothing changes for them; code that uses the name does not compile any more.",
    remedy: "Keep the name with an overlay (`x-name`), or leave an alias for one release (`--write-aliases`).",
    before: r#"{"Lamp": {"type": "object"}}"#,
    after: r#"{"Light": {"type": "object"}}"#,
};

pub(crate) static TYPE_INLINED: Rule = Rule {
    id: "type-inlined",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "a named type is written out where it is used",
    why: "The same values, but the shared name is gone from generated code.",
    remedy: "Keep the definition and refer to it.",
    before: r##"{"lamp": {"$ref": "#/$defs/Lamp"}}"##,
    after: r#"{"lamp": {"properties": {"on": {"type": "boolean"}}}}"#,
};

pub(crate) static TYPE_HOISTED: Rule = Rule {
    id: "type-hoisted",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Name, Name, Name),
    summary: "an inline type has got a name",
    why: "The same values under a better name. Only code that spelt out the name made from its place notices.",
    remedy: "Use the new name.",
    before: r#"{"lamp": {"properties": {"on": {"type": "boolean"}}}}"#,
    after: r##"{"lamp": {"$ref": "#/$defs/Lamp"}}"##,
};

pub(crate) static SCALAR_NEWTYPE_HOISTED: Rule = Rule {
    id: "scalar-newtype-hoisted",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Effect::Break, Effect::Ok, Effect::Ok),
    summary: "a plain value has got a type of its own",
    why: "The same JSON; in languages in which the type is one of its own, code has to wrap the bare value.",
    remedy: "Wrap the value in its new type.",
    before: r#"{"id": {"type": "string"}}"#,
    after: r##"{"id": {"$ref": "#/$defs/LampId"}}"##,
};

pub(crate) static SCALAR_NEWTYPE_INLINED: Rule = Rule {
    id: "scalar-newtype-inlined",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Effect::Break, Name, Name),
    summary: "a type of a plain value is gone",
    why: "The same JSON, but the name that wrapped it has vanished from generated code.",
    remedy: "Keep the definition and refer to it.",
    before: r##"{"id": {"$ref": "#/$defs/LampId"}}"##,
    after: r#"{"id": {"type": "string"}}"#,
};

pub(crate) static TYPE_WIDENED: Rule = Rule {
    id: "type-widened",
    level: Level::Breaking,
    wire: wire(Ok, Break),
    source: source(Effect::Break, Effect::Ok, Readers),
    summary: "a value may now be more than before",
    why: "New senders may send values that old receivers have never heard of.",
    remedy: "Send the new kinds of value only to peers that say they understand them.",
    before: r#"{"level": {"type": "integer"}}"#,
    after: r#"{"level": {"type": "number"}}"#,
};

pub(crate) static TYPE_NARROWED: Rule = Rule {
    id: "type-narrowed",
    level: Level::Breaking,
    wire: wire(Break, Ok),
    source: source(Effect::Break, Effect::Ok, Builders),
    summary: "a value may now be less than before",
    why: "Old senders may still send values that the new receiver refuses.",
    remedy: "Go on accepting what used to be valid.",
    before: r#"{"level": {"type": "number"}}"#,
    after: r#"{"level": {"type": "integer"}}"#,
};

pub(crate) static TYPE_CHANGED: Rule = Rule {
    id: "type-changed",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "a value is now something else",
    why: "Neither side accepts what the other sends.",
    remedy: "Add a new property for the new type, and retire this one.",
    before: r#"{"level": {"type": "integer"}}"#,
    after: r#"{"level": {"type": "string"}}"#,
};

pub(crate) static ANY_TO_OBJECT: Rule = Rule {
    id: "any-to-object",
    level: Level::Breaking,
    wire: wire(Break, Ok),
    source: source(Effect::Break, Builders, Builders),
    summary: "a value that could be any JSON must now be an object",
    why: "An old sender may send a string, a number or an array there, which the new receiver refuses.",
    remedy: "Go on accepting any JSON, or fall back on an empty object (`x-deserialize-default-on-error`).",
    before: r#"{"extra": {}}"#,
    after: r#"{"extra": {"type": "object"}}"#,
};

pub(crate) static OBJECT_TO_UNION_SUPERSET: Rule = Rule {
    id: "object-to-union-superset",
    level: Level::Breaking,
    wire: wire(Ok, Break),
    source: source(Effect::Break, Readers, Readers),
    summary: "an object has become one of several alternatives",
    why: "What old senders send is still one of them; old receivers do not know the others.",
    remedy: "Send the new alternatives only to peers that say they understand them.",
    before: r#"{"Lamp": {"properties": {"watts": {}}}}"#,
    after: r#"{"Lamp": {"anyOf": [{"properties": {"watts": {}}}, {"properties": {"volts": {}}}]}}"#,
};

pub(crate) static OBJECT_TO_SINGLETON_UNION: Rule = Rule {
    id: "object-to-singleton-union",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Effect::Break, Effect::Ok, Effect::Ok),
    summary: "an object has become a union of itself alone",
    why: "The same values, prepared for alternatives to come; in some languages the generated type is another.",
    remedy: "Use the one variant where the object was used.",
    before: r#"{"Lamp": {"properties": {"watts": {}}}}"#,
    after: r#"{"Lamp": {"anyOf": [{"properties": {"watts": {}}}]}}"#,
};

pub(crate) static SCALAR_TO_OPEN_ENUM: Rule = Rule {
    id: "scalar-to-open-enum",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Effect::Break, Effect::Ok, Effect::Break),
    summary: "a plain value has got names for some of its values",
    why: "The same values as before: those without a name are still accepted. Code that passes the bare value may have to wrap it.",
    remedy: "Use the names.",
    before: r#"{"code": {"type": "integer"}}"#,
    after: r#"{"code": {"anyOf": [{"const": 1, "title": "Busy"}, {"type": "integer"}]}}"#,
};
