//! JSON values and texts, valid and not.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Number, Value};

/// Any JSON value of moderate size.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::Array),
            vec((text(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A string, short, of characters that matter.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]{0,3}",
        "\\PC{0,8}",
        vec(any::<char>(), 0..6).prop_map(|characters| characters.into_iter().collect()),
        prop::sample::select(vec!["", "\\", "\"", "\u{0}", "\u{2028}", "é", "😀", "\r\n", "/"])
            .prop_map(String::from),
    ]
}

/// A text that is JSON, or nearly.
pub(crate) fn near_json() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\"a\"",
        "\"a\":",
        "null",
        "true",
        "false",
        "0",
        "-",
        "-0",
        "01",
        "1.",
        ".5",
        "1e5",
        "1E+999",
        "1e-999",
        "1.0",
        "+1",
        "0x1",
        "Infinity",
        "NaN",
        " ",
        "\n",
        "\t",
        "\r",
        "\u{b}",
        "\u{a0}",
        "\u{feff}",
        "//",
        "/*",
        "*/",
        "'",
        "\\",
        "\\u",
        "\\u0041",
        "\"\\ud800\"",
        "\"\\ud83d\\ude00\"",
        "\"\\x\"",
        "\"\u{1}\"",
        "\"\n\"",
        "18446744073709551616",
        "-9223372036854775809",
        "é",
        "😀",
        "\u{0}",
    ]);
    prop_oneof![
        vec(pieces.clone(), 0..12).prop_map(|pieces| pieces.concat()),
        (value(), any::<bool>()).prop_map(|(value, pretty)| {
            if pretty { format!("{value:#}") } else { value.to_string() }
        }),
        (value(), any::<prop::sample::Index>(), pieces, any::<bool>()).prop_map(
            |(value, at, piece, replace)| {
                let characters: Vec<char> = value.to_string().chars().collect();
                let at = at.index(characters.len());
                let rest = &characters[at + usize::from(replace)..];
                characters[..at]
                    .iter()
                    .chain(&piece.chars().collect::<Vec<_>>())
                    .chain(rest)
                    .collect()
            }
        ),
        "\\PC{0,20}",
    ]
}
