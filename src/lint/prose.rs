//! Rules about descriptions.

use super::context::Context;
use super::places::Site;
use super::rule::{Rule, Texts, optional, recommended};
use crate::diagnostic::Severity::{Info, Warning};
use crate::ir::TypeKind;
use crate::source::Location;

pub(super) static MISSING_DESCRIPTION: Rule = recommended(
    "missing-description",
    Info,
    Texts {
        summary: "a type, a property or a value has no description",
        why: "Comments, reference docs and hints in editors are made of descriptions. What has none is explained nowhere.",
        remedy: "Say what it is, in a sentence.",
        before: r#"{"properties": {"watts": {"type": "integer"}}}"#,
        after: r#"{"properties": {"watts": {"type": "integer", "description": "The power at full brightness."}}}"#,
    },
);

pub(super) static UNSTABLE_IN_PROSE: Rule = recommended(
    "unstable-in-prose",
    Info,
    Texts {
        summary: "only the description says that it may still change",
        why: "Tools go by annotations. A generator that does not know this word takes the thing as settled.",
        remedy: "Annotate it with `x-unstable`.",
        before: r#"{"description": "**UNSTABLE** The colour."}"#,
        after: r#"{"description": "The colour.", "x-unstable": true}"#,
    },
);

pub(super) static DEPRECATED_IN_PROSE: Rule = recommended(
    "deprecated-in-prose",
    Warning,
    Texts {
        summary: "only the description says that it is deprecated",
        why: "Compilers and editors warn of what `deprecated` marks. They do not read descriptions.",
        remedy: "Add `\"deprecated\": true`, and say in the description what to use instead.",
        before: r#"{"description": "Deprecated: use `colour`."}"#,
        after: r#"{"description": "Use `colour` instead.", "deprecated": true}"#,
    },
);

pub(super) static RUSTDOC_LINK: Rule = recommended(
    "rustdoc-link",
    Warning,
    Texts {
        summary: "a description links to a name of Rust code",
        why: "The link was meant for the code that the schema was made from. For everyone else it leads nowhere, or shows its brackets.",
        remedy: "Write the name as the schema has it, between backticks.",
        before: r#"{"description": "See [`Lamp::watts`]."}"#,
        after: r#"{"description": "See `Lamp.watts`."}"#,
    },
);

pub(super) static MUST_IN_PROSE: Rule = optional(
    "must-in-prose",
    Info,
    Texts {
        summary: "a rule stands in a description only",
        why: "A schema can say what values look like, and a validator checks that. What a description asks for is checked by whoever has read it.",
        remedy: "Say it with keywords where there are any: `required`, `format`, `pattern`, bounds, `x-capability`. Leave it where it is about behaviour.",
        before: r#"{"type": "string", "description": "MUST NOT be empty."}"#,
        after: r#"{"type": "string", "minLength": 1}"#,
    },
);

pub(super) static RULES: [&Rule; 5] =
    [&MISSING_DESCRIPTION, &UNSTABLE_IN_PROSE, &DEPRECATED_IN_PROSE, &RUSTDOC_LINK, &MUST_IN_PROSE];

/// Words that ask for something, in the sense of RFC 2119.
const REQUIREMENTS: [&str; 3] = ["MUST", "SHALL", "REQUIRED"];

pub(super) fn check(context: &mut Context<'_>) {
    undescribed(context);
    let mut told = Vec::new();
    for place in &context.places {
        let docs = &place.schema.docs;
        let Some(text) = &docs.description else { continue };
        let mut tell = |rule, message: String| {
            told.push((rule, place.label.clone(), place.schema.location.clone(), message));
        };
        let label = &place.label;
        let told_unstable = place.schema.annotations.unstable.is_some();
        if docs.is_unstable() && !told_unstable {
            tell(
                &UNSTABLE_IN_PROSE,
                format!("only the description of `{label}` says that it may still change"),
            );
        }
        if !docs.deprecated && says_deprecated(text) {
            tell(
                &DEPRECATED_IN_PROSE,
                format!("only the description of `{label}` says that it is deprecated"),
            );
        }
        if let Some(link) = rustdoc_link(text) {
            tell(
                &RUSTDOC_LINK,
                format!("the description of `{label}` links to `{link}`, a name of Rust code"),
            );
        }
        if let Some(word) = requirement(text) {
            tell(
                &MUST_IN_PROSE,
                format!("the description of `{label}` says {word}, which nothing checks"),
            );
        }
    }
    for (rule, label, location, message) in told {
        context.report(rule, &label, &location, message);
    }
}

fn undescribed(context: &mut Context<'_>) {
    let mut found: Vec<(String, Location)> = Vec::new();
    for place in &context.places {
        let has_text = place.schema.docs.description.is_some();
        if matches!(place.site, Site::Definition | Site::Property) && !has_text {
            // What is only a name for something else has its description there.
            let target = place.schema.alias_target();
            let target = target.and_then(|it| context.document.definitions.get(&it.name));
            if target.is_none_or(|target| target.docs.description.is_none()) {
                found.push((place.label.clone(), place.schema.location.clone()));
            }
        }
    }
    for (name, def) in &context.protocol.types {
        match &def.kind {
            TypeKind::Enum(of) => {
                let values = of.values.iter().filter(|value| value.docs.description.is_none());
                found.extend(
                    values.map(|value| {
                        (format!("{name}<{}>", value.name.wire), value.location.clone())
                    }),
                );
            }
            TypeKind::Union(union) => {
                let variants = union.tagged().map(|(_, variant)| variant);
                let bare = variants.filter(|variant| {
                    let payload = variant.payload.as_ref().and_then(|ty| ty.named());
                    let payload = payload.and_then(|name| context.protocol.type_def(name));
                    variant.docs.description.is_none()
                        && payload.is_none_or(|def| def.docs.description.is_none())
                });
                found.extend(
                    bare.map(|it| (format!("{name}<{}>", it.tag_or_name()), it.location.clone())),
                );
            }
            _ => {}
        }
    }
    for (label, location) in found {
        let message = format!("`{label}` has no description");
        context.report(&MISSING_DESCRIPTION, &label, &location, message);
    }
}

/// Tells whether a description begins a sentence by saying that something is deprecated.
fn says_deprecated(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches(|it: char| !it.is_alphanumeric());
        line.get(.."deprecated".len()).is_some_and(|start| start.eq_ignore_ascii_case("deprecated"))
    })
}

/// The first target of a link that only `rustdoc` follows: a name between brackets that no address
/// or definition comes after, or a path with `::`.
fn rustdoc_link(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('[') {
        let (inside, tail) = after.split_once(']')?;
        let target = tail.strip_prefix('(').and_then(|tail| tail.split_once(')')).map(|(it, _)| it);
        let name = inside.trim_matches('`');
        let is_path = |name: &str| {
            !name.is_empty()
                && name.chars().all(|it| it.is_alphanumeric() || "_:".contains(it))
                && name.starts_with(|it: char| it.is_alphabetic())
        };
        if let Some(target) = target {
            if target.contains("::") && is_path(target) {
                return Some(target);
            }
        } else if is_path(name) && (inside.starts_with('`') || name.contains("::")) {
            return Some(name);
        }
        rest = tail;
    }
    None
}

/// The first word that asks for something.
fn requirement(text: &str) -> Option<&'static str> {
    let words = text.split(|it: char| !it.is_alphanumeric());
    words.into_iter().find_map(|word| REQUIREMENTS.into_iter().find(|known| *known == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_rust_are_told_from_others() {
        for (text, link) in [
            ("See [`Lamp`].", Some("Lamp")),
            ("See [Lamp::watts].", Some("Lamp::watts")),
            ("See [the lamp](crate::Lamp).", Some("crate::Lamp")),
            ("See [`Lamp`](https://lamps.example) and `[a]`.", None),
            ("See [the lamp](https://lamps.example/a::b).", None),
            ("A list [1] of [words] and [", None),
        ] {
            assert_eq!(rustdoc_link(text), link, "{text}");
        }
    }

    #[test]
    fn deprecation_is_told_at_the_beginning() {
        for text in ["Deprecated: use it.", "A lamp.\n\n**DEPRECATED** since 2.", "deprecated"] {
            assert!(says_deprecated(text), "{text}");
        }
        for text in ["It replaces the deprecated lamp.", "", "é"] {
            assert!(!says_deprecated(text), "{text}");
        }
    }
}
