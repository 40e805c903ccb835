//! Rules of what messages carry.

use crate::diagnostic::Severity;
use crate::policy::Rule;

pub(in crate::validate) static INVALID_VALUE: Rule = Rule {
    id: "invalid-value",
    severity: Severity::Error,
    summary: "a value is none that the schema allows",
    why: "A receiver refuses the message: a request is answered with an error, a notification is lost, and an answer fails its call.",
    remedy: "Send what the schema asks for.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": {"door": 1}}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": {"door": "front"}}"#,
};

pub(in crate::validate) static MISSING_PROPERTY: Rule = Rule {
    id: "missing-property",
    severity: Severity::Error,
    summary: "a property that has to be there is missing",
    why: "A receiver refuses the message: a request is answered with an error, a notification is lost, and an answer fails its call.",
    remedy: "Send the property.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": {}}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": {"door": "front"}}"#,
};

pub(in crate::validate) static FORGIVEN_VALUE: Rule = Rule {
    id: "forgiven-value",
    severity: Severity::Warning,
    summary: "a value is not allowed, but receivers forgive it",
    why: "The schema has receivers put something else in its place, so what it says is lost without an error. A receiver in strict mode refuses the message.",
    remedy: "Send what the schema asks for. With `--strict` it is an error.",
    before: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {"times": "twice"}}"#,
    after: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {"times": 2}}"#,
};

pub(in crate::validate) static DENIED_PROPERTY: Rule = Rule {
    id: "denied-property",
    severity: Severity::Warning,
    summary: "an object has a property where the schema allows no others",
    why: "The schema closes the object (`additionalProperties: false`). Generated code passes over the property unless it is strict; a validator refuses the message.",
    remedy: "Leave it out.",
    before: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {"loud": true}}"#,
    after: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {}}"#,
};

pub(in crate::validate) static REFUSED_BY_SCHEMA: Rule = Rule {
    id: "refused-by-schema",
    severity: Severity::Warning,
    summary: "the schema refuses what generated code takes",
    why: "Generated code does not check every keyword of JSON Schema, so that the message gets through. A receiver that goes by the schema, such as one with a validator, refuses it.",
    remedy: "Send what the schema asks for.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": {"door": "FRONT"}}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": {"door": "front"}}"#,
};

pub(in crate::validate) static REFUSED_BY_CODE: Rule = Rule {
    id: "refused-by-code",
    severity: Severity::Warning,
    summary: "generated code refuses what the schema takes",
    why: "Generated code is narrower here than the schema: it picks the variant of a union by a tag and looks at no other, it has no integers of more than 64 bits, or it has a fault. A peer that goes by the schema may send such a value, and is not understood.",
    remedy: "Have the schema say what generated code asks for. If nothing in the documentation says that generated code is narrower here, report it with the schema and the message.",
    before: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {"sound": {"kind": "bell", "loud": "very"}}}"#,
    after: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {"sound": {"kind": "bell", "loud": true}}}"#,
};

pub(in crate::validate) static UNKNOWN_PROPERTY: Rule = Rule {
    id: "unknown-property",
    severity: Severity::Info,
    summary: "the schema does not know a property",
    why: "Receivers pass over it. It may be misspelt, or from a later version of the schema.",
    remedy: "Correct its name, or put it where the schema has room for what it does not know.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": {"door": "front", "wyde": true}}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": {"door": "front", "wide": true}}"#,
};

pub(in crate::validate) static UNKNOWN_VALUE: Rule = Rule {
    id: "unknown-value",
    severity: Severity::Info,
    summary: "the schema does not name a value, but allows it",
    why: "The enum is open: receivers keep the value, and do not know what it means.",
    remedy: "Correct it if it is misspelt.",
    before: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {"by": "gest"}}"#,
    after: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {"by": "guest"}}"#,
};

pub(in crate::validate) static UNKNOWN_VARIANT: Rule = Rule {
    id: "unknown-variant",
    severity: Severity::Info,
    summary: "the schema does not name a variant, but allows it",
    why: "The union is open: receivers keep the object as it is, and do not know what it means.",
    remedy: "Correct the tag if it is misspelt.",
    before: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {"sound": {"kind": "bel"}}}"#,
    after: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {"sound": {"kind": "bell"}}}"#,
};

pub(in crate::validate) static UNKNOWN_METHOD: Rule = Rule {
    id: "unknown-method",
    severity: Severity::Warning,
    summary: "the schema has no such method",
    why: "A request of it is answered with the error -32601, a notification is passed over.",
    remedy: "Correct the name, or validate with the schema that has the method.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/opn"}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open"}"#,
};

pub(in crate::validate) static EXTENSION_METHOD: Rule = Rule {
    id: "extension-method",
    severity: Severity::Info,
    summary: "the schema leaves a method to extensions",
    why: "The schema allows messages of methods that it does not name. Only a peer that knows the extension does anything with it.",
    remedy: "Make sure that the peer knows it.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "method": "example.com/paint"}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open"}"#,
};
