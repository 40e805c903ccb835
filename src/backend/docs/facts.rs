//! Constraints, defaults, leniency and status, in words.

use serde_json::Value;

use super::expression::format_name;
use super::format::Markup;
use super::model::Fact;
use crate::ir::{
    Docs, Fallback, Field, IntegerType, Leniency, NumberType, Stability, StringType, Type,
};

/// Constraints of a type's values, beyond its name.
pub(super) fn constraints(ty: &Type, markup: &Markup<'_>) -> Vec<Fact> {
    match ty {
        Type::Integer(integer) => of_integer(integer, markup),
        Type::Number(number) => of_number(number, markup),
        Type::String(string) => of_string(string, markup),
        Type::Array(array) => {
            let mut facts = vec![
                fact("Fewest items", array.min_items.map(|least| markup.value(&least.into()))),
                fact("Most items", array.max_items.map(|most| markup.value(&most.into()))),
            ];
            facts
                .extend(constraints(&array.items, markup).into_iter().map(|it| Some(of_items(it))));
            facts.into_iter().flatten().collect()
        }
        Type::Nullable { inner } => constraints(inner, markup),
        Type::Map(map) => constraints(&map.values, markup).into_iter().map(of_items).collect(),
        Type::Any | Type::Null | Type::Boolean | Type::Literal { .. } | Type::Named { .. } => {
            Vec::new()
        }
    }
}

/// A constraint of each item of an array or each value of a map.
fn of_items(fact: Fact) -> Fact {
    let label = match fact.label {
        "Minimum" => "Minimum of each",
        "Maximum" => "Maximum of each",
        "Minimum length" => "Minimum length of each",
        "Maximum length" => "Maximum length of each",
        "Pattern" => "Pattern of each",
        "Format" => "Format of each",
        "Encoding" => "Encoding of each",
        "Fewest items" => "Fewest items of each",
        "Most items" => "Most items of each",
        deeper => deeper,
    };
    Fact { label, value: fact.value }
}

fn fact(label: &'static str, value: Option<String>) -> Option<Fact> {
    value.map(|value| Fact { label, value })
}

fn of_integer(integer: &IntegerType, markup: &Markup<'_>) -> Vec<Fact> {
    let bound = |bound: Option<i128>| bound.map(|bound| markup.code(&bound.to_string()));
    let facts = [
        fact("Minimum", bound(integer.minimum)),
        fact("Maximum", bound(integer.maximum)),
        fact("Format", integer.format.map(|format| markup.code(format_name(format)))),
    ];
    facts.into_iter().flatten().collect()
}

fn of_number(number: &NumberType, markup: &Markup<'_>) -> Vec<Fact> {
    let bound = |bound: Option<f64>| bound.map(|bound| markup.value(&Value::from(bound)));
    let facts = [
        fact("Minimum", bound(number.minimum)),
        fact("Maximum", bound(number.maximum)),
        fact("Format", number.format.as_deref().map(|format| markup.code(format))),
    ];
    facts.into_iter().flatten().collect()
}

fn of_string(string: &StringType, markup: &Markup<'_>) -> Vec<Fact> {
    let length = |length: Option<u64>| length.map(|length| markup.value(&length.into()));
    let code = |text: &Option<String>| text.as_deref().map(|text| markup.code(text));
    let facts = [
        fact("Minimum length", length(string.min_length)),
        fact("Maximum length", length(string.max_length)),
        fact("Pattern", code(&string.pattern)),
        fact("Format", code(&string.format)),
        fact("Encoding", code(&string.encoding)),
    ];
    facts.into_iter().flatten().collect()
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
        let null = markup.value(&Value::Null);
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
