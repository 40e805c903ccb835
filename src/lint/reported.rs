//! Rules about what reading a schema reports: mistakes that everyone gets to see who generates code
//! from it.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::finding::Finding;
use super::rule::{Rule, Texts, recommended};
use crate::diagnostic::Severity::{Error, Warning};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::schema::{Document, SchemaObject};
use crate::source::Location;

static UNKNOWN_KEYWORD: Rule = recommended(
    "unknown-keyword",
    Warning,
    Texts {
        summary: "a keyword is misspelt",
        why: "JSON Schema ignores keywords that it does not know, so that the restriction is not there.",
        remedy: "Correct the keyword.",
        before: r#"{"type": "object", "propertys": {"watts": {"type": "integer"}}}"#,
        after: r#"{"type": "object", "properties": {"watts": {"type": "integer"}}}"#,
    },
);

static MISSPELT_ANNOTATION: Rule = recommended(
    "misspelt-annotation",
    Warning,
    Texts {
        summary: "an annotation is misspelt",
        why: "Tools ignore annotations that they do not know.",
        remedy: "Correct the annotation.",
        before: r#"{"x-methd": "door/open"}"#,
        after: r#"{"x-method": "door/open"}"#,
    },
);

static UNDECLARED_REQUIRED: Rule = recommended(
    "undeclared-required",
    Warning,
    Texts {
        summary: "a property is required that the object does not list",
        why: "Its type is unknown, so that generated code has no field for it and cannot send a valid object.",
        remedy: "List it under `properties`, or take it out of `required`.",
        before: r#"{"type": "object", "properties": {"watts": {}}, "required": ["wats"]}"#,
        after: r#"{"type": "object", "properties": {"watts": {}}, "required": ["watts"]}"#,
    },
);

static UNENFORCED_KEYWORD: Rule = recommended(
    "unenforced-keyword",
    Warning,
    Texts {
        summary: "a restriction is not checked by generated code",
        why: "Generated decoders let such values pass: the keyword narrows a type in a way that no language has a type for.",
        remedy: "Say it in the description as well, and check it where the value is used.",
        before: r#"{"type": "array", "items": {"type": "array"}, "uniqueItems": true}"#,
        after: r#"{"type": "array", "items": {"type": "array"}, "description": "No two items are the same."}"#,
    },
);

static MISSING_TYPE: Rule = recommended(
    "missing-type",
    Warning,
    Texts {
        summary: "a schema speaks of properties or items and names no `type`",
        why: "Values of all other types fit as well, so that generated code has a union where one type is meant.",
        remedy: "Add the `type`.",
        before: r#"{"properties": {"watts": {"type": "integer"}}}"#,
        after: r#"{"type": "object", "properties": {"watts": {"type": "integer"}}}"#,
    },
);

static UNMODELLED: Rule = recommended(
    "unmodelled",
    Warning,
    Texts {
        summary: "a part of the schema cannot be modelled",
        why: "Generated code takes any JSON there.",
        remedy: "Describe the values with properties, unions and enums.",
        before: r#"{"if": {"required": ["a"]}, "then": {"required": ["b"]}}"#,
        after: r#"{"anyOf": [{"properties": {"a": {}, "b": {}}, "required": ["a", "b"]}, {"not": {"required": ["a"]}}]}"#,
    },
);

static UNKEPT_ADDITIONAL: Rule = recommended(
    "unkept-additional",
    Warning,
    Texts {
        summary: "an object's other members are not kept",
        why: "They may be there, but nothing in generated code holds them.",
        remedy: "Describe them where they can be kept, or deny them.",
        before: r#"{"anyOf": [{"title": "Lamp"}, {"title": "Door"}], "additionalProperties": {"type": "string"}}"#,
        after: r#"{"anyOf": [{"title": "Lamp"}, {"title": "Door"}], "properties": {"more": {"additionalProperties": {"type": "string"}}}}"#,
    },
);

static NAME_TAKEN: Rule = recommended(
    "name-taken",
    Warning,
    Texts {
        summary: "two things would have one name in generated code",
        why: "One of them got a longer name, or one with a number.",
        remedy: "Give one of them a name with `x-name`.",
        before: r#"{"anyOf": [{"title": "Lamp"}, {"title": "lamp"}]}"#,
        after: r#"{"anyOf": [{"title": "Lamp"}, {"title": "lamp", "x-name": "OldLamp"}]}"#,
    },
);

static NAMES_NOTHING: Rule = recommended(
    "names-nothing",
    Warning,
    Texts {
        summary: "`x-names`, `x-class-names` or `x-function-name` names what is not there",
        why: "The name has no effect.",
        remedy: "Write the value, or the tag of the variant, as it is on the wire; a function's name stands on the params.",
        before: r#"{"enum": ["on"], "x-names": {"On": "lit"}}"#,
        after: r#"{"enum": ["on"], "x-names": {"on": "lit"}}"#,
    },
);

static NO_FALLBACK: Rule = recommended(
    "no-fallback",
    Warning,
    Texts {
        summary: "a malformed value cannot be forgiven",
        why: "There is nothing that it could become, so that the annotation has no effect.",
        remedy: "Give the property a `default`, or make it optional.",
        before: r#"{"properties": {"watts": {"type": "integer", "x-deserialize-default-on-error": true}}, "required": ["watts"]}"#,
        after: r#"{"properties": {"watts": {"type": "integer", "x-deserialize-default-on-error": true}}}"#,
    },
);

static NO_ITEMS: Rule = recommended(
    "no-items",
    Warning,
    Texts {
        summary: "items are to be skipped of what is no array",
        why: "The annotation has no effect.",
        remedy: "Put `x-deserialize-skip-invalid-items` on the array.",
        before: r#"{"type": "string", "x-deserialize-skip-invalid-items": true}"#,
        after: r#"{"type": "array", "items": {"type": "string"}, "x-deserialize-skip-invalid-items": true}"#,
    },
);

static NO_METHODS: Rule = recommended(
    "no-methods",
    Warning,
    Texts {
        summary: "the schema binds no type to a method",
        why: "Only types are generated from it: no handler and no connection.",
        remedy: "Annotate payload types with `x-method` and `x-side`.",
        before: r#"{"$defs": {"OpenRequest": {}}}"#,
        after: r#"{"$defs": {"OpenRequest": {"x-method": "door/open", "x-side": "house"}}}"#,
    },
);

static ROLE_DISAGREES: Rule = recommended(
    "role-disagrees",
    Warning,
    Texts {
        summary: "a type is named as params and listed as a result, or the other way round",
        why: "People go by the name, tools by the list.",
        remedy: "Rename the type, or list it in the right message union.",
        before: r##"{"OpenRequest": {}, "Response": {"anyOf": [{"$ref": "#/$defs/OpenRequest"}]}}"##,
        after: r##"{"OpenResponse": {}, "Response": {"anyOf": [{"$ref": "#/$defs/OpenResponse"}]}}"##,
    },
);

static OVERLAY_TARGET_MISSING: Rule = recommended(
    "overlay-target-missing",
    Warning,
    Texts {
        summary: "an overlay changes what is not there",
        why: "What it was meant for may have another name now.",
        remedy: "Correct the overlay.",
        before: r#"{"$defs": {"Lmp": {"x-unstable": true}}}"#,
        after: r#"{"$defs": {"Lamp": {"x-unstable": true}}}"#,
    },
);

static UNUSED_KEYWORD: Rule = recommended(
    "unused-keyword",
    Warning,
    Texts {
        summary: "a keyword of an added schema has no effect",
        why: "Only the definitions of a schema that is added to another are taken.",
        remedy: "Put it into the first schema.",
        before: r#"{"x-version": 2, "$defs": {}}"#,
        after: r#"{"$defs": {}}"#,
    },
);

static REQUEST_WITHOUT_RESPONSE: Rule = recommended(
    "request-without-response",
    Error,
    Texts {
        summary: "a request has no result",
        why: "Whoever calls it does not know what comes back, and no code can be generated for it.",
        remedy: "Bind the result's type to the method, or make it a notification.",
        before: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "house"}}"#,
        after: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "house"}, "OpenResponse": {"x-method": "door/open", "x-side": "house"}}"#,
    },
);

static RESPONSE_WITHOUT_REQUEST: Rule = recommended(
    "response-without-request",
    Error,
    Texts {
        summary: "a result belongs to no request",
        why: "Nobody can ask for it.",
        remedy: "Bind the params' type to the method.",
        before: r#"{"OpenResponse": {"x-method": "door/open", "x-side": "house"}}"#,
        after: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "house"}, "OpenResponse": {"x-method": "door/open", "x-side": "house"}}"#,
    },
);

static SIDES_DIFFER: Rule = recommended(
    "sides-differ",
    Error,
    Texts {
        summary: "the params and the result of a method are for different sides",
        why: "The side that handles a request is the one that answers it.",
        remedy: "Give both the side that handles the method.",
        before: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "house"}, "OpenResponse": {"x-method": "door/open", "x-side": "guest"}}"#,
        after: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "house"}, "OpenResponse": {"x-method": "door/open", "x-side": "house"}}"#,
    },
);

static HALF_BOUND: Rule = recommended(
    "half-bound",
    Error,
    Texts {
        summary: "a payload has a method and no side, or a side and no method",
        why: "Without a side nobody knows who handles the method.",
        remedy: "Annotate it with both `x-method` and `x-side`.",
        before: r#"{"OpenRequest": {"x-method": "door/open"}}"#,
        after: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "house"}}"#,
    },
);

static UNKNOWN_SIDE: Rule = recommended(
    "unknown-side",
    Error,
    Texts {
        summary: "a method is for a side that the protocol does not have",
        why: "No peer would handle it.",
        remedy: "Use the name of a side, `both` or `protocol`.",
        before: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "hose"}}"#,
        after: r#"{"OpenRequest": {"x-method": "door/open", "x-side": "house"}}"#,
    },
);

static INVALID_DEFAULT: Rule = recommended(
    "invalid-default",
    Error,
    Texts {
        summary: "a default is no value of its type",
        why: "A receiver that takes it holds a value that it would refuse from its peer.",
        remedy: "Correct the default, or the type.",
        before: r#"{"type": "integer", "default": "one"}"#,
        after: r#"{"type": "integer", "default": 1}"#,
    },
);

static DUPLICATE_VALUE: Rule = recommended(
    "duplicate-value",
    Error,
    Texts {
        summary: "an enum lists a value twice",
        why: "One of the two has no effect, or was meant to be another.",
        remedy: "Keep one of the two.",
        before: r#"{"enum": ["on", "off", "on"]}"#,
        after: r#"{"enum": ["on", "off"]}"#,
    },
);

static INVALID_SCHEMA: Rule = recommended(
    "invalid-schema",
    Error,
    Texts {
        summary: "the schema cannot be understood",
        why: "Nothing can be generated from it. The message says what is wrong.",
        remedy: "Correct what the message is about.",
        before: r##"{"$ref": "#/$defs/Lmp"}"##,
        after: r##"{"$ref": "#/$defs/Lamp"}"##,
    },
);

pub(super) static RULES: &[&Rule] = &[
    &REQUEST_WITHOUT_RESPONSE,
    &RESPONSE_WITHOUT_REQUEST,
    &SIDES_DIFFER,
    &HALF_BOUND,
    &UNKNOWN_SIDE,
    &INVALID_DEFAULT,
    &DUPLICATE_VALUE,
    &INVALID_SCHEMA,
    &UNKNOWN_KEYWORD,
    &MISSPELT_ANNOTATION,
    &UNDECLARED_REQUIRED,
    &MISSING_TYPE,
    &UNENFORCED_KEYWORD,
    &UNMODELLED,
    &UNKEPT_ADDITIONAL,
    &NAME_TAKEN,
    &NAMES_NOTHING,
    &NO_FALLBACK,
    &NO_ITEMS,
    &NO_METHODS,
    &ROLE_DISAGREES,
    &OVERLAY_TARGET_MISSING,
    &UNUSED_KEYWORD,
];

/// The findings that reading a schema reports, each under its rule.
pub(super) fn findings(document: &Document, diagnostics: &Diagnostics) -> Vec<Finding> {
    let (mixed_up, locations) = sides_that_differ(document, diagnostics);
    let others = diagnostics.iter().filter(|diagnostic| {
        let at = diagnostic.location.as_ref();
        !(is_unpaired(diagnostic) && at.is_some_and(|at| locations.contains(at)))
    });
    mixed_up.into_iter().chain(others.map(finding)).collect()
}

/// The finding that reading a schema reports with this diagnostic.
fn finding(diagnostic: &Diagnostic) -> Finding {
    let known = RULES.iter().copied().find(|rule| rule.id() == diagnostic.code);
    let rule = known.unwrap_or(&INVALID_SCHEMA);
    let location = diagnostic.location.clone().unwrap_or_default();
    let at = at(&location);
    let message = match known {
        Some(_) => diagnostic.message.clone(),
        None => format!("{} ({})", diagnostic.message, diagnostic.code),
    };
    let mut finding = Finding::new(rule, &at, &location, message);
    finding.severity = diagnostic.severity;
    if let Some(related) = diagnostic.related.first() {
        finding.related = Some((related.location.clone(), related.label.clone()));
    }
    if let Some(help) = &diagnostic.help {
        finding.remedy.clone_from(help);
    }
    finding
}

/// The part of a finding's id that says where it is: the pointer without its common beginning.
fn at(location: &Location) -> String {
    let pointer =
        location.pointer.trim_start_matches("/$defs/").trim_start_matches("/definitions/");
    pointer.trim_start_matches('/').replace('/', ".")
}

fn is_unpaired(diagnostic: &Diagnostic) -> bool {
    [&REQUEST_WITHOUT_RESPONSE, &RESPONSE_WITHOUT_REQUEST]
        .iter()
        .any(|rule| rule.id() == diagnostic.code)
}

/// Params and results that lack each other only because their sides differ, and the locations of
/// both.
fn sides_that_differ<'a>(
    document: &'a Document,
    diagnostics: &Diagnostics,
) -> (Vec<Finding>, HashSet<&'a Location>) {
    let reported = diagnostics.iter().filter(|diagnostic| is_unpaired(diagnostic));
    let reported: HashSet<&Location> = reported.filter_map(|it| it.location.as_ref()).collect();
    let is_reported = |(_, schema): &(&String, &SchemaObject)| reported.contains(&schema.location);
    let mut first: HashMap<&Option<String>, (&String, &SchemaObject)> = HashMap::new();
    let (mut found, mut locations) = (Vec::new(), HashSet::new());
    for (name, schema) in document.definitions.iter().filter(is_reported) {
        let (other, other_schema) = match first.entry(&schema.annotations.method) {
            Entry::Occupied(first) => *first.get(),
            Entry::Vacant(none) => {
                none.insert((name, schema));
                continue;
            }
        };
        let side = |it: &Option<String>| it.clone().unwrap_or_default();
        let (one, another) = (side(&other_schema.annotations.side), side(&schema.annotations.side));
        let message =
            format!("`{other}` is for `{one}`, and `{name}` of the same method for `{another}`");
        let finding = Finding::new(&SIDES_DIFFER, name, &schema.location, message);
        found.push(finding.related(&other_schema.location, "the other payload"));
        locations.extend([&schema.location, &other_schema.location]);
    }
    (found, locations)
}
