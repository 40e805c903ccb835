//! The JSON reader of generated Rust packages, held against `serde_json`.

#![allow(dead_code, unreachable_pub, reason = "emitted code is public where it is emitted to")]

use proptest::prelude::*;
use serde_json::Value;

#[rustfmt::skip]
#[allow(dead_code, unexpected_cfgs, unused_imports, unused_macros, clippy::pedantic, missing_docs, reason = "this is emitted code")]
#[path = "../../templates/rust/runtime/src/json/mod.rs"]
mod json;

#[test]
fn runtime_files_are_formatted() {
    let templates = concat!(env!("CARGO_MANIFEST_DIR"), "/templates/rust");
    let roots = ["runtime/src/lib.rs", "trace.plain.rs"];
    let mut rustfmt = std::process::Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024", "--config", "use_small_heuristics=Default"]);
    rustfmt.args(roots.map(|path| format!("{templates}/{path}")));
    let output = rustfmt.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Parses a text with both parsers.
fn both(text: &str) -> (Option<Value>, Option<Value>) {
    (json::decode(text).ok(), serde_json::from_str(text).ok())
}

#[track_caller]
fn assert_same(text: &str) {
    let (ours, theirs) = both(text);
    assert_eq!(ours, theirs, "{text}");
}

#[test]
fn numbers_beyond_a_double_are_refused() {
    for number in ["1e309", "-1e309", "1e999", "123456e304"] {
        for text in [number.to_owned(), format!("[{number}]"), format!(r#"{{"a":{number}}}"#)] {
            assert_same(&text);
            assert_eq!(json::decode::<Value>(&text).ok(), None, "{text}");
        }
    }
}

#[test]
fn integers_beyond_64_bits_are_rounded_in_any_json_and_this_is_told() {
    for number in ["18446744073709551616", "-9223372036854775809", &"9".repeat(300)] {
        let text = format!(r#"{{"a":[1,{number}],"b":18446744073709551615}}"#);
        assert_same(&text);
        let mut told = Vec::new();
        let mut observer = |dropped: &json::Dropped| told.push(dropped.error.to_string());
        let decoded = json::Decoder::new().on_drop(&mut observer).decode::<Value>(&text).unwrap();
        assert_eq!(decoded["b"], u64::MAX);
        assert_eq!(
            told,
            ["a[1]: expected an integer of 64 bits, found a larger one, which is rounded"]
        );
        // Nothing is forgiven here, and it is no matter of that.
        assert_eq!(json::Decoder::new().strict().decode::<Value>(&text).unwrap(), decoded);
    }
    assert_eq!(json::decode::<Value>(&"9".repeat(400)).ok(), None);
}

#[test]
fn whole_numbers_have_no_fraction() {
    let written = |number: f64| json::encode(&[number]).unwrap();
    for (number, text) in [
        (3.0, "[3]"),
        (-3.0, "[-3]"),
        (0.0, "[0]"),
        (-0.0, "[-0.0]"),
        (0.5, "[0.5]"),
        (1e300, "[1e+300]"),
    ] {
        assert_eq!(written(number), text);
    }
}

#[test]
fn odd_texts_are_read_alike() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    for text in [
        "",
        " ",
        "null",
        " true ",
        "falsey",
        "nul",
        "tru",
        "+1",
        "-",
        "0",
        "00",
        "01",
        "1.",
        ".5",
        "1.5",
        "-0.0",
        "1e5",
        "1E+5",
        "1e",
        "1e-",
        "1e400",
        "-1e400",
        "1e-400",
        "18446744073709551615",
        "-9223372036854775808",
        "18446744073709551616.0",
        "0.1",
        "1.0",
        "NaN",
        "Infinity",
        r#""""#,
        r#""a"#,
        r#""\"#,
        r#""\""#,
        r#""\n\t\r\b\f\/\\\"""#,
        r#""\x""#,
        r#""\u00e9""#,
        r#""\ud83d\ude00""#,
        r#""\ud83d""#,
        r#""\ud83dx""#,
        r#""\ud83d\u0041""#,
        r#""\ude00""#,
        r#""\u12""#,
        r#""\u+123""#,
        "\"\u{1}\"",
        "\"\u{7f}\u{2028}é😀\"",
        "\"tab\there\"",
        "'a'",
        "[]",
        "[,]",
        "[1,]",
        "[1 2]",
        "[1,2",
        "[",
        "]",
        "[]]",
        "[[],{}]",
        "[ 1 , 2 ]",
        "{}",
        "{,}",
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a":1,}"#,
        r#"{"a":1 "b":2}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"a":{"b":[{}]}}"#,
        "{1:2}",
        r#"{"\u0061":1}"#,
        r#"{"a" : 1 , "b":2 }"#,
        "{}x",
        "[] []",
        "\u{feff}1",
        "/**/1",
        "\u{a0}1",
        "1\0",
        &deep(100),
        &deep(127),
        &deep(100_000),
    ] {
        assert_same(text);
    }
}

#[test]
fn whole_numbers_are_integers_however_they_are_written() {
    for text in ["1", "1.0", "1.000", "10e-1", "0.1e1", "1e0", "100e-2"] {
        assert_eq!(json::decode::<i64>(text), Ok(1), "{text}");
    }
    for text in ["0", "-0", "0.0", "0e999999999999", "-0.0e-5"] {
        assert_eq!(json::decode::<u8>(text), Ok(0), "{text}");
    }
    for text in [
        "1.5",
        "1e-1",
        "256",
        "-1",
        "1e3",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "\"1\"",
    ] {
        assert!(json::decode::<u8>(text).is_err(), "{text}");
    }
    assert_eq!(json::decode::<u64>("18446744073709551615"), Ok(u64::MAX));
    assert_eq!(json::decode::<u64>("18446744073709551615.0"), Ok(u64::MAX));
    assert_eq!(json::decode::<i64>("-9223372036854775808"), Ok(i64::MIN));
    assert_eq!(json::decode::<i64>("9.223372036854775807e18"), Ok(i64::MAX));
    assert!(json::decode::<i64>("9223372036854775808").is_err());
}

#[test]
fn minus_zero_is_zero() {
    assert_eq!(json::decode("-0"), Ok(Value::from(0)));
}

#[test]
fn the_limit_to_levels_can_be_set() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    for (limit, text, is_read) in [
        (2, deep(2), true),
        (2, deep(3), false),
        (2, String::from(r#"[{"a": {}}]"#), false),
        (200, deep(200), true),
        (200, deep(201), false),
    ] {
        let read = json::Decoder::new().max_depth(limit).decode::<Value>(&text);
        assert_eq!(read.is_ok(), is_read, "{text}");
        let error = read.err().map(|error| (error.path(), error.to_string()));
        let said = format!("expected at most {limit} levels, found deeper nesting");
        assert_eq!(error, (!is_read).then_some((String::new(), said)));
    }
    assert!(
        json::decode::<Value>(&deep(128)).is_ok() && json::decode::<Value>(&deep(129)).is_err()
    );
}

#[test]
fn errors_say_where() {
    let error = json::decode::<Vec<Vec<bool>>>("[[true], [true, 1]]").unwrap_err();
    assert_eq!(error.to_string(), "[1][1]: expected a boolean, found a number");
    let error = json::decode::<json::Map<Vec<String>>>(r#"{"secret": ["a", {}]}"#).unwrap_err();
    assert_eq!(error.path(), "secret[1]");
    let error = json::decode::<Vec<bool>>("[true").unwrap_err();
    assert_eq!(error.to_string(), "expected `,` or a closing bracket, found the end of the text");
}

#[test]
fn any_deserializer_will_do() {
    use serde::Deserialize;

    let from_str: Text = serde_json::from_str(r#""a\n""#).unwrap();
    let from_value: Text = serde_json::from_value(Value::from("b")).unwrap();
    let plain = serde::de::value::StrDeserializer::<serde_json::Error>::new("c");
    let from_plain = Text::deserialize(plain).unwrap();
    assert_eq!([from_str, from_value, from_plain], ["a\n", "b", "c"]);
}

/// A string of its own type.
#[derive(Clone, Debug)]
struct Text(String);

json::string_newtype!(Text);

/// A value that is passed over.
struct Skipped;

impl json::Decode for Skipped {
    fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
        reader.skip().map(|()| Self)
    }
}

/// A value that is passed over twice before it is read.
struct Late(Value);

impl json::Decode for Late {
    fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
        let start = reader.mark();
        for _ in 0..2 {
            reader.skip()?;
            reader.restore(start);
        }
        Value::decode(reader).map(Self)
    }
}

/// JSON text, sometimes broken.
fn texts() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| format!("{number:?}")),
        ".{0,40}".prop_map(|text| Value::from(text).to_string()),
        "[ -~é\n]{60,200}".prop_map(|text| Value::from(text).to_string()),
        "[a-z]{60,200}".prop_map(|text| Value::from(text).to_string()),
        r#""(\\u[0-9a-fA-F]{4}|\\[nrtbf/"\\]|[a-zé😀]){0,12}""#,
        // None beyond a double: serde_json refuses those of a property that another replaces, too.
        "-?[0-9]{1,25}(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,2})?",
    ];
    let tree = leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5)
                .prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(("[a-c\"\\\\ é]{0,3}", inner), 0..5).prop_map(|members| {
                let members: Vec<String> = members
                    .into_iter()
                    .map(|(key, value)| format!(" {} : {value}", Value::from(key)))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    });
    let broken = (tree.clone(), any::<prop::sample::Index>(), any::<char>(), 0..3_u8).prop_map(
        |(text, at, character, how)| {
            let mut characters: Vec<char> = text.chars().collect();
            let at = at.index(characters.len());
            match how {
                0 => characters.truncate(at),
                1 => characters[at] = character,
                _ => characters.insert(at, character),
            }
            characters.into_iter().collect()
        },
    );
    prop_oneof![tree, broken]
}

/// Whether there may be an integer that is not rounded here, and is there.
fn may_differ(text: &str) -> bool {
    let is_number = |byte: &u8| byte.is_ascii_digit();
    text.contains("-0") || text.as_bytes().windows(19).any(|part| part.iter().all(is_number))
}

proptest! {
    #[test]
    fn any_text_is_read_alike(text in texts()) {
        let (ours, theirs) = both(&text);
        prop_assert!(ours == theirs || may_differ(&text), "{}: {:?}, {:?}", text, ours, theirs);
    }

    #[test]
    fn what_was_passed_over_is_read_alike(text in texts()) {
        let late = json::decode::<Late>(&text).ok().map(|Late(value)| value);
        prop_assert_eq!(late, json::decode(&text).ok(), "{}", text);
    }

    #[test]
    fn what_is_skipped_is_checked_as_well(text in texts()) {
        let theirs = serde_json::from_str::<Vec<serde::de::IgnoredAny>>(&format!("[{text}]"));
        let ours = json::decode::<Skipped>(&format!("[{text}]"));
        // Half a surrogate pair is refused here.
        let may_be_half = ours.is_err() && text.to_lowercase().contains("\\ud");
        prop_assert!(ours.is_ok() == theirs.is_ok() || may_be_half, "{}", text);
    }
}
