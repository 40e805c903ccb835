//! Messages with something wrong in them, made from valid ones.

use serde_json::{Value, json};

use super::support::Random;

/// A message that has been changed.
pub(crate) struct Mutated {
    pub(crate) value: Value,
    /// Whether at most one thing is wrong with it, so that there is one place to report.
    pub(crate) is_single: bool,
}

/// Changes a message somewhere: `texts` are strings that mean something to its schema.
pub(crate) fn mutated(value: &Value, texts: &[String], random: &mut Random) -> Mutated {
    let mut value = value.clone();
    let mut locations = Vec::new();
    collect(&value, &mut Vec::new(), &mut locations);
    let location = random.pick(&locations).clone();
    let is_single = match at(&mut value, &location) {
        Value::Object(members) if !members.is_empty() => {
            let keys: Vec<String> = members.keys().cloned().collect();
            let key = random.pick(&keys).clone();
            match random.below(5) {
                0 | 1 => {
                    members.shift_remove(&key);
                    true
                }
                2 => {
                    members.insert("_stranger".to_owned(), other(&Value::Null, texts, random));
                    true
                }
                3 => {
                    members.insert(random.pick(texts).clone(), json!(null));
                    false
                }
                _ => {
                    let with = random.pick(&keys).clone();
                    let one = members.get(&key).cloned().unwrap_or_default();
                    let other = members.insert(with, one).unwrap_or_default();
                    members.insert(key, other);
                    false
                }
            }
        }
        Value::Array(items) if !items.is_empty() && random.once_in(2) => {
            let item = random.pick(items).clone();
            if random.once_in(2) {
                items.push(item);
            } else {
                items.truncate(items.len() - 1);
            }
            true
        }
        changed => {
            let new = other(changed, texts, random);
            // Another tag asks for other members, of which several may be missing.
            let is_single = !new.is_string();
            *changed = new;
            is_single
        }
    };
    Mutated { value, is_single }
}

/// A valid message as text with something that only text can have: a key twice, half a surrogate
/// pair, too many levels, or a number beyond a double.
pub(crate) fn edited(value: &Value, random: &mut Random) -> String {
    let text = value.to_string();
    let deep = format!("{}{}", "[".repeat(130), "]".repeat(130));
    let member = match random.below(4) {
        // A key twice, the first with something else.
        0 => {
            let keys = value.as_object().into_iter().flatten();
            let keys: Vec<String> =
                keys.map(|(key, _)| Value::from(key.as_str()).to_string()).collect();
            if keys.is_empty() {
                return text;
            }
            format!(
                "{}: {}",
                random.pick(&keys),
                random.pick(&["5", "null", "\"text\"", "[]", "{}"])
            )
        }
        1 => String::from(r#""_stranger": "\ud800""#),
        2 => String::from(r#""_\udfff": 1"#),
        _ => format!("\"_stranger\": {deep}"),
    };
    match text.strip_prefix('{') {
        Some("}") => format!("{{{member}}}"),
        Some(rest) => format!("{{{member}, {rest}"),
        None if random.once_in(2) => format!("{text}{text}"),
        None => deep,
    }
}

/// A value that is to stand for another: mostly of another JSON type, or out of range.
fn other(value: &Value, texts: &[String], random: &mut Random) -> Value {
    let numbers = [
        json!(-1),
        json!(0),
        json!(1.5),
        json!(300),
        json!(70_000),
        json!(5_000_000_000_i64),
        json!(-5_000_000_000_i64),
        json!(1_000_000_000_000_000_i64),
    ];
    let number = |random: &mut Random| random.pick(&numbers).clone();
    match random.below(8) {
        0 => Value::Null,
        1 => Value::Bool(random.once_in(2)),
        2 => number(random),
        3 => json!([]),
        4 => json!({}),
        5 if !value.is_array() => json!([value]),
        _ if value.is_number() => number(random),
        _ => random.pick(texts).as_str().into(),
    }
}

/// A step into a message.
#[derive(Clone)]
enum Step {
    Key(String),
    Index(usize),
}

fn collect(value: &Value, path: &mut Vec<Step>, locations: &mut Vec<Vec<Step>>) {
    locations.push(path.clone());
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                path.push(Step::Key(key.clone()));
                collect(member, path, locations);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(Step::Index(index));
                collect(item, path, locations);
                path.pop();
            }
        }
        _ => {}
    }
}

fn at<'v>(value: &'v mut Value, path: &[Step]) -> &'v mut Value {
    path.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[key.as_str()],
        Step::Index(index) => &mut value[*index],
    })
}
