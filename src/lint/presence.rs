//! Rules about properties that are absent, `null` or malformed.

use super::context::Context;
use super::rule::{Rule, Texts, optional, recommended};
use crate::diagnostic::Severity::{Info, Warning};
use crate::ir::{Fallback, Field, Kind, Presence, Type, TypeDef};

pub(super) static NULL_UNEXPLAINED: Rule = recommended(
    "null-unexplained",
    Info,
    Texts {
        summary: "a property may be absent or `null`, and nothing says what the difference is",
        why: "In a message that changes something, absence most often means that nothing changes, and `null` that something is taken away. Elsewhere the two are often the same. Implementations guess, and guess differently.",
        remedy: "Say what `null` means, or do not allow it.",
        before: r#"{"properties": {"name": {"type": ["string", "null"]}}}"#,
        after: r#"{"properties": {"name": {"type": ["string", "null"], "description": "The new name. `null` removes it."}}}"#,
    },
);

pub(super) static REQUIRED_WITH_DEFAULT: Rule = recommended(
    "required-with-default",
    Warning,
    Texts {
        summary: "a required property has a default that is never taken",
        why: "The default says what the absence of the property means, and `required` says that it is never absent. Some generators take the one at its word, some the other.",
        remedy: "Take the property out of `required`, or remove the default.",
        before: r#"{"properties": {"size": {"type": "integer", "default": 1}}, "required": ["size"]}"#,
        after: r#"{"properties": {"size": {"type": "integer", "default": 1}}}"#,
    },
);

pub(super) static LENIENT_WITHOUT_DEFAULT: Rule = recommended(
    "lenient-required-without-default",
    Info,
    Texts {
        summary: "a malformed value of a required property is forgiven, and no default says what it becomes",
        why: "A receiver makes something up: an empty array, an empty object or `null`.",
        remedy: "Give the property a `default`.",
        before: r#"{"properties": {"tags": {"type": "array", "x-deserialize-default-on-error": true}}, "required": ["tags"]}"#,
        after: r#"{"properties": {"tags": {"type": "array", "x-deserialize-default-on-error": true, "default": []}}, "required": ["tags"]}"#,
    },
);

pub(super) static ARRAY_WITHOUT_LENIENCY: Rule = optional(
    "array-without-leniency",
    Info,
    Texts {
        summary: "one malformed item makes a receiver refuse the whole list",
        why: "Items are what grows most often. A receiver that does not know a new kind of item loses all others with it.",
        remedy: "Annotate the property with `x-deserialize-skip-invalid-items`.",
        before: r##"{"type": "array", "items": {"$ref": "#/$defs/Lamp"}}"##,
        after: r##"{"type": "array", "items": {"$ref": "#/$defs/Lamp"}, "x-deserialize-skip-invalid-items": true}"##,
    },
);

pub(super) static RULES: [&Rule; 4] =
    [&NULL_UNEXPLAINED, &REQUIRED_WITH_DEFAULT, &LENIENT_WITHOUT_DEFAULT, &ARRAY_WITHOUT_LENIENCY];

/// Words of a description that says what `null` or absence is for.
const TOLD: [&str; 10] = [
    "null",
    "absent",
    "omit",
    "unset",
    "not set",
    "none",
    "missing",
    "clear",
    "not provided",
    "if provided",
];

pub(super) fn check(context: &mut Context<'_>) {
    for (def, field, label) in context.fields() {
        let location = &field.location;
        if says_nothing_of_null(context, def, field) {
            let message = format!("`{label}` may be absent or `null`: what is the difference?");
            context.report(&NULL_UNEXPLAINED, &label, location, message);
        }
        let substitutes = field.leniency.on_error.iter().chain(&field.leniency.on_null);
        let makes_up = substitutes.clone().any(|it| *it != Fallback::Absent);
        if field.formal_default.is_some() && !makes_up {
            let message = format!("`{label}` is required, so that its default is never taken");
            context.report(&REQUIRED_WITH_DEFAULT, &label, location, message);
        }
        if makes_up && field.formal_default.is_none() {
            let message =
                format!("a malformed `{label}` is forgiven, and no default says what it becomes");
            context.report(&LENIENT_WITHOUT_DEFAULT, &label, location, message);
        }
        if is_fragile(context, field) {
            let message = format!("one malformed item of `{label}` makes the whole list invalid");
            context.report(&ARRAY_WITHOUT_LENIENCY, &label, location, message);
        }
    }
}

/// Tells whether neither a field nor the object that it is in says what `null` is for.
fn says_nothing_of_null(context: &Context<'_>, def: &TypeDef, field: &Field) -> bool {
    let told = |text: &Option<String>| {
        let text = text.as_deref().unwrap_or_default().to_lowercase();
        TOLD.iter().any(|word| text.contains(word))
    };
    field.presence == Presence::OptionalNullable
        && field.default.is_none()
        && !told(&field.docs.description)
        && !def.docs.description.as_deref().is_some_and(|text| text.contains("null"))
        // What may hold anything may hold nothing.
        && !matches!(context.protocol.resolved(&field.ty).kind, Kind::Any | Kind::Map(_))
}

/// Tells whether a field is a list of what may get more kinds.
fn is_fragile(context: &Context<'_>, field: &Field) -> bool {
    let Type::Array(array) = context.protocol.resolve(&field.ty) else { return false };
    let items = context.protocol.resolved(&array.items).kind;
    matches!(items, Kind::Record(_) | Kind::Union(_) | Kind::Enum(_))
        && !field.leniency.skip_invalid_items
}
