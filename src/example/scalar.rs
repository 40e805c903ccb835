//! Strings and numbers within their bounds.

use serde_json::{Number, Value, json};

use crate::ir::{IntegerType, Name, NumberType, StringType};
use crate::pattern::first_text;

/// The longest string that is filled up to the length that a schema asks for.
const LONGEST_FILLED: usize = 4_000;

/// The number 1, or the bound nearest to it.
pub(super) fn integer(integer: &IntegerType) -> Value {
    let (low, high) = integer.range();
    let value: i128 = 1.max(low).min(high);
    let step = i128::from(integer.multiple_of.unwrap_or(1));
    let over = value.rem_euclid(step);
    let up = if over == 0 { value } else { value - over + step };
    let value = if up <= high { up } else { value - over };
    Number::from_i128(value).map_or(Value::Null, Value::Number)
}

/// The number 1.5, or the bound nearest to it.
pub(super) fn number(number: &NumberType) -> Value {
    let low = number.minimum.unwrap_or(f64::NEG_INFINITY);
    let high = number.maximum.unwrap_or(f64::INFINITY);
    let nearest = 1.5_f64.max(low).min(high);
    let fits = |it: &f64| {
        (low..=high).contains(it)
            && number.above.is_none_or(|bound| *it > bound)
            && number.below.is_none_or(|bound| *it < bound)
    };
    let Some(step) = number.multiple_of else {
        let between = [number.above, number.below].map(|bound| bound.unwrap_or(nearest));
        let middle = f64::midpoint(between[0], between[1]);
        let around = [nearest, nearest + 1.0, nearest - 1.0, middle];
        return json!(around.into_iter().find(fits).unwrap_or(nearest));
    };
    let times = nearest / step;
    let around = [times.ceil(), times.floor(), times.ceil() + 1.0, times.floor() - 1.0];
    json!(around.into_iter().map(|times| times * step).find(fits).unwrap_or(nearest))
}

/// The name of an instance of a type: `SessionId` → `session-id-1`.
pub(super) fn instance_name(name: &Name) -> Name {
    Name { wire: format!("{}-1", name.kebab()), words: name.words.clone(), is_chosen: false }
}

/// A string that says what it is: one of its format or pattern, else its own name, repeated or
/// cut to the length that the schema asks for. `None` if that is too long to show.
pub(super) fn string(string: &StringType, name: &Name) -> Option<String> {
    let candidates = [
        string.format.as_deref().and_then(of_format).map(str::to_owned),
        string.pattern.as_deref().and_then(|it| first_text(it, |text| fits(text, string))),
        encoded(string),
    ];
    let fitting = candidates.into_iter().flatten().find(|text| fits(text, string));
    fitting.or_else(|| of_length(&plain(name), string))
}

/// The spelling, where it is one that a person would type; else the words.
fn plain(name: &Name) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_ .".contains(c);
    if name.wire.contains('-') && name.wire.chars().all(is_plain) {
        return name.wire.clone();
    }
    name.words.join(" ")
}

fn of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2025-01-31T12:00:00Z",
        "date" => "2025-01-31",
        "time" => "12:00:00Z",
        "duration" => "PT1M",
        "email" | "idn-email" => "someone@example.com",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" | "iri" | "url" => "https://example.com/",
        "uri-reference" | "iri-reference" | "json-pointer" => "/path",
        "uri-template" => "/path/{name}",
        "uuid" => "123e4567-e89b-42d3-a456-426614174000",
        "relative-json-pointer" => "0/path",
        "regex" => "^[a-z]+$",
        "byte" => "ZXhhbXBsZQ==",
        _ => return None,
    })
}

/// `example`, in the encoding that the schema names.
fn encoded(string: &StringType) -> Option<String> {
    match string.encoding.as_deref()? {
        "base64" => Some("ZXhhbXBsZQ==".into()),
        "base64url" => Some("ZXhhbXBsZQ".into()),
        "base16" => Some("6578616d706c65".into()),
        _ => None,
    }
}

fn of_length(text: &str, string: &StringType) -> Option<String> {
    let least = usize::try_from(string.min_length.unwrap_or(0)).ok()?;
    let most = usize::try_from(string.max_length.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    if least > LONGEST_FILLED || least > most {
        return None;
    }
    let count = text.chars().count();
    // Whole words, where there is room for them.
    let repeats = least.saturating_sub(count).div_ceil(count + 1);
    let length = (count + repeats * (count + 1)).min(most);
    Some(text.chars().chain(format!(" {text}").chars().cycle()).take(length).collect())
}

fn fits(text: &str, string: &StringType) -> bool {
    let length = text.chars().count() as u64;
    length >= string.min_length.unwrap_or(0) && string.max_length.is_none_or(|most| length <= most)
}
