//! Constraints, defaults, leniency and status, in words.

use minijinja::context;
use minijinja::value::Value;

use super::expression::format_name;
use super::format::Markup;
use crate::ir::{
    ArrayType, Docs, Fallback, Field, IntegerType, KeyRules, Leniency, NumberType, Stability, Type,
};

/// A short fact with its name: `Default: 3`.
pub(super) fn fact(label: &str, value: String) -> Value {
    context! { label, value }
}

/// Constraints of a type's values, beyond its name.
pub(super) fn constraints(ty: &Type, markup: &Markup<'_>) -> Vec<Value> {
    constraints_of(ty, "", markup)
}

/// Constraints of whose values they are: `Minimum of each`.
fn constraints_of(ty: &Type, whose: &str, markup: &Markup<'_>) -> Vec<Value> {
    let code = |text: Option<&str>| text.map(|text| markup.code(text));
    let size = |size: Option<u64>| size.map(|size| markup.value(&size.into()));
    let (own, inner) = match ty {
        Type::Integer(IntegerType { format, minimum, maximum, multiple_of }) => {
            let bound = |bound: &Option<i128>| bound.map(|it| markup.code(&it.to_string()));
            let own = vec![
                ("Minimum", bound(minimum)),
                ("Maximum", bound(maximum)),
                ("Multiple of", size(*multiple_of)),
                ("Format", code(format.map(format_name))),
            ];
            (own, None)
        }
        Type::Number(number) => {
            let NumberType { format, minimum, maximum, above, below, multiple_of } = number;
            let bound = |bound: &Option<f64>| bound.map(|it| markup.value(&it.into()));
            let own = vec![
                ("Minimum", bound(minimum)),
                ("Above", bound(above)),
                ("Maximum", bound(maximum)),
                ("Below", bound(below)),
                ("Multiple of", bound(multiple_of)),
                ("Format", code(format.as_deref())),
            ];
            (own, None)
        }
        Type::String(string) => {
            let own = vec![
                ("Minimum length", size(string.min_length)),
                ("Maximum length", size(string.max_length)),
                ("Pattern", code(string.pattern.as_deref())),
                ("Format", code(string.format.as_deref())),
                ("Encoding", code(string.encoding.as_deref())),
            ];
            (own, None)
        }
        Type::Array(ArrayType { items, min_items, max_items, unique }) => {
            let own = vec![
                ("Fewest items", size(*min_items)),
                ("Most items", size(*max_items)),
                ("Items", unique.then(|| String::from("no two are the same"))),
            ];
            (own, Some((items, " of each")))
        }
        Type::Map(map) => {
            let KeyRules { min_properties, max_properties, names, .. } = &*map.keys;
            let text = names.as_ref().map(|names| &names.text);
            let listed = names.as_ref().and_then(|names| names.listed.as_ref());
            let listed = listed.map(|names| {
                let names: Vec<String> = names.iter().map(|name| markup.code(name)).collect();
                names.join(", ")
            });
            let own = vec![
                ("Fewest properties", size(*min_properties)),
                ("Most properties", size(*max_properties)),
                ("Keys", listed),
                ("Minimum length of keys", size(text.and_then(|text| text.min_length))),
                ("Maximum length of keys", size(text.and_then(|text| text.max_length))),
                ("Pattern of keys", code(text.and_then(|text| text.pattern.as_deref()))),
            ];
            (own, Some((&map.values, " of each")))
        }
        Type::Nullable { inner } => (Vec::new(), Some((inner, whose))),
        Type::Any | Type::Null | Type::Boolean | Type::Literal { .. } | Type::Named { .. } => {
            (Vec::new(), None)
        }
    };
    let own =
        own.into_iter().filter_map(|(label, value)| Some((format!("{label}{whose}"), value?)));
    let own = own.map(|(label, value)| fact(&label, value));
    let inner = inner.map(|(inner, whose)| constraints_of(inner, whose, markup));
    own.chain(inner.into_iter().flatten()).collect()
}

/// The leniencies of a field, a sentence each.
pub(super) fn forgiven(field: &Field, markup: &Markup<'_>) -> Vec<String> {
    let Leniency { on_error, on_null, skip_invalid_items } = &field.leniency;
    let becomes = |fallback: &Fallback| match (fallback, &field.default) {
        (Fallback::Absent, Some(_)) => "as the default".to_owned(),
        (Fallback::Absent, None) => "as if it were absent".to_owned(),
        (Fallback::Value { value }, _) => format!("as {}", markup.value(value)),
    };
    let mut sentences = Vec::new();
    if *skip_invalid_items {
        sentences.push("Lenient: items that are invalid are left out.".to_owned());
    }
    if let Some(fallback) = on_error {
        sentences.push(format!("Lenient: an invalid value is read {}.", becomes(fallback)));
    }
    if let Some(fallback) = on_null {
        let null = markup.value(&serde_json::Value::Null);
        sentences.push(format!("Lenient: {null} is read {}.", becomes(fallback)));
    }
    sentences
}

/// Stability and deprecation, for readers.
pub(super) fn badges(docs: &Docs) -> Vec<&'static str> {
    let unstable = (docs.stability == Stability::Unstable).then_some("unstable");
    let deprecated = docs.deprecated.then_some("deprecated");
    unstable.into_iter().chain(deprecated).collect()
}
