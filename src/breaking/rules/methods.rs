//! Methods.

use super::{NOTHING, Rule, source, wire};
use crate::breaking::verdict::Effect::{Builders, Name};
use crate::breaking::verdict::Verdict::{Break, Ok};
use crate::breaking::verdict::{Effect, Level, Source, Wire};

pub(crate) static METHOD_ADDED_REQUEST: Rule = Rule {
    id: "method-added-request",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Builders, Builders, Builders),
    summary: "a request is new",
    why: "An old handler does not know the method and answers that it does not exist; whoever calls it has to be ready for that. Code that implements the handler does not compile without it, unless the method is optional or needs a capability.",
    remedy: "Gate the method behind a capability: handlers need not have it then, and callers know whether they do.",
    before: "{}",
    after: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "house"}}"#,
};

pub(crate) static METHOD_ADDED_NOTIFICATION: Rule = Rule {
    id: "method-added-notification",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Effect::Ok, Builders, Builders),
    summary: "a notification is new",
    why: "A receiver ignores notifications that it does not know, so nothing fails; the news just does not arrive. In languages whose handlers have no default, code that implements them does not compile without it.",
    remedy: "Do not rely on an old peer having noticed.",
    before: "{}",
    after: r#"{"RangNotification": {"x-method": "door/rang", "x-side": "guest"}}"#,
};

pub(crate) static METHOD_REMOVED: Rule = Rule {
    id: "method-removed",
    level: Level::Breaking,
    wire: wire(Break, Ok),
    source: source(Name, Name, Name),
    summary: "a method is gone",
    why: "A caller that still uses the method is answered that it does not exist, and the generated names of its call and handler are gone.",
    remedy: "Keep the method, marked deprecated, until no peer calls it any more.",
    before: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "house"}}"#,
    after: "{}",
};

pub(crate) static METHOD_RENAMED: Rule = Rule {
    id: "method-renamed",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: source(Effect::Ok, Name, Effect::Ok),
    summary: "a method has another name on the wire",
    why: "Neither side knows the name that the other one uses, though they would agree on what the messages hold.",
    remedy: "Handle both names for as long as peers of both kinds exist, or keep the old name.",
    before: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "house"}}"#,
    after: r#"{"OpenRequest": {"x-method": "door/unlock", "x-side": "house"}}"#,
};

pub(crate) static METHOD_SIDE_MOVED: Rule = Rule {
    id: "method-side-moved",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "a method is handled by another side",
    why: "Caller and handler change places: what used to answer now asks.",
    remedy: "Give the opposite call a method of its own.",
    before: r#"{"RingRequest": {"x-method": "ring", "x-side": "house"}}"#,
    after: r#"{"RingRequest": {"x-method": "ring", "x-side": "guest"}}"#,
};

pub(crate) static METHOD_KIND_CHANGED: Rule = Rule {
    id: "method-kind-changed",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "a request has become a notification, or the other way round",
    why: "One side waits for an answer that never comes, or gets an answer that it did not ask for.",
    remedy: "Add a second method of the other kind and retire this one.",
    before: r#"{"RingRequest": {"x-method": "ring"}, "RingResponse": {"x-method": "ring"}}"#,
    after: r#"{"RingNotification": {"x-method": "ring"}}"#,
};

pub(crate) static METHOD_RESULT_NULL_TO_OBJECT: Rule = Rule {
    id: "method-result-null-to-object",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "a result has changed between null and an object",
    why: "A strict reader of the one takes the other for malformed, whichever way round.",
    remedy: "Accept both forms in readers before any writer sends the new one; begin new methods with an empty object.",
    before: r#"{"result": {"type": "null"}}"#,
    after: r#"{"result": {"type": "object"}}"#,
};

pub(crate) static METHOD_BINDING_ANNOTATED: Rule = Rule {
    id: "method-binding-annotated",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "the schema now says which method a type belongs to",
    why: "Only what the schema tells about the method is new; messages have always been so.",
    remedy: NOTHING,
    before: r#"{"OpenRequest": {"type": "object"}}"#,
    after: r#"{"OpenRequest": {"type": "object", "x-method": "door/open", "x-side": "house"}}"#,
};

pub(crate) static METHOD_PAYLOAD_TYPE_SWAPPED: Rule = Rule {
    id: "method-payload-type-swapped",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Effect::Break, Effect::Break, Effect::Break),
    summary: "a method carries another type",
    why: "The messages are the same, but code that names the payload, or the method named after it, has to use the new name.",
    remedy: "Keep the type's name, or leave an alias for one release.",
    before: r#"{"OpenRequest": {"x-method": "door/open"}}"#,
    after: r#"{"UnlockRequest": {"x-method": "door/open"}}"#,
};
