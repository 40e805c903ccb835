//! What a message should look like: JSON, with operators where more than one value will do.

use std::collections::BTreeMap;

use serde_json::{Number, Value};

/// What was captured so far, by name.
pub(crate) type Captures = BTreeMap<String, Value>;

/// Whether a value has a pattern; captures what it says to.
pub(crate) fn matches(pattern: &Value, value: &Value, captures: &mut Captures) -> bool {
    if let Some((operator, operand)) = operator(pattern) {
        return operated(operator, operand, value, captures);
    }
    match (pattern, value) {
        (Value::Object(wanted), Value::Object(found)) => {
            wanted.len() == found.len() && has_members(pattern, value, captures)
        }
        (Value::Array(wanted), Value::Array(found)) => {
            wanted.len() == found.len()
                && wanted.iter().zip(found).all(|(want, have)| matches(want, have, captures))
        }
        (Value::Number(wanted), Value::Number(found)) => match (whole(wanted), whole(found)) {
            (Some(wanted), Some(found)) => wanted == found,
            _ => wanted.as_f64() == found.as_f64(),
        },
        _ => pattern == value,
    }
}

/// A message to send: `{"$use": NAME}` is what was captured.
pub(crate) fn filled(message: &Value, captures: &Captures) -> Value {
    match (operator(message), message) {
        (Some(("use", Value::String(name))), _) => {
            captures.get(name).unwrap_or_else(|| panic!("nothing is called {name}")).clone()
        }
        (_, Value::Array(items)) => items.iter().map(|item| filled(item, captures)).collect(),
        (_, Value::Object(members)) => Value::Object(
            members.iter().map(|(key, value)| (key.clone(), filled(value, captures))).collect(),
        ),
        (_, other) => other.clone(),
    }
}

/// The operator that a pattern is.
fn operator(pattern: &Value) -> Option<(&str, &Value)> {
    let members = pattern.as_object()?;
    let (name, operand) = members.iter().next()?;
    (members.len() == 1).then_some((name.strip_prefix('$')?, operand))
}

fn operated(name: &str, operand: &Value, value: &Value, captures: &mut Captures) -> bool {
    match (name, operand) {
        ("any", _) => true,
        ("string", _) => value.is_string(),
        ("number", _) => value.is_number(),
        ("capture", Value::String(name)) => {
            captures.insert(name.clone(), value.clone());
            true
        }
        ("use", Value::String(name)) => captures.get(name) == Some(value),
        ("length", _) => value.as_array().is_some_and(|items| operand == items.len()),
        ("has", _) => has_members(operand, value, captures),
        ("holds", Value::String(text)) => value.to_string().contains(text),
        ("either", Value::Array(patterns)) => {
            patterns.iter().any(|pattern| matches(pattern, value, captures))
        }
        ("unordered", Value::Array(patterns)) => value
            .as_array()
            .is_some_and(|items| unordered(patterns, items.iter(), captures).is_ok()),
        ("not", _) => !matches(operand, value, captures),
        ("error", _) => is_error(value) && matches(operand, &value["code"], captures),
        _ => panic!("no operator ${name} with {operand}"),
    }
}

/// A number that is spelled as an integer.
fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Whether an object has at least these members.
fn has_members(wanted: &Value, value: &Value, captures: &mut Captures) -> bool {
    wanted.as_object().is_some_and(|wanted| {
        wanted
            .iter()
            .all(|(key, want)| value.get(key).is_some_and(|have| matches(want, have, captures)))
    })
}

/// Pairs each item with a pattern of its own, the first that fits; gives the item that fits none.
pub(crate) fn unordered<'a>(
    patterns: &[Value],
    items: impl ExactSizeIterator<Item = &'a Value>,
    captures: &mut Captures,
) -> Result<(), Option<&'a Value>> {
    if items.len() != patterns.len() {
        return Err(None);
    }
    let mut left: Vec<&Value> = patterns.iter().collect();
    for item in items {
        let fits = left.iter().position(|pattern| matches(pattern, item, captures));
        left.remove(fits.ok_or(Some(item))?);
    }
    Ok(())
}

/// Whether a value is a JSON-RPC error object, whole and with nothing else in it.
fn is_error(value: &Value) -> bool {
    value.as_object().is_some_and(|members| {
        members.keys().all(|key| ["code", "message", "data"].contains(&key.as_str()))
            && members.get("code").is_some_and(Value::is_i64)
            && members.get("message").is_some_and(Value::is_string)
    })
}

#[test]
fn operators_tell_messages_apart() {
    use serde_json::json;
    let fits = |pattern: Value, value: Value| matches(&pattern, &value, &mut Captures::new());
    assert!(fits(json!({"id": null}), json!({"id": null})));
    assert!(!fits(json!({"id": null}), json!({})));
    assert!(!fits(json!({}), json!({"id": null})));
    assert!(fits(json!({"$has": {"a": 1}}), json!({"a": 1.0, "b": 2})));
    assert!(!fits(json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64)));
    assert!(fits(json!({"$error": -32700}), json!({"code": -32700, "message": "no"})));
    assert!(!fits(json!({"$error": -32700}), json!({"code": -32700})));
    assert!(fits(json!({"$unordered": [1, {"$any": true}]}), json!([1, 2])));
    assert!(!fits(json!({"$unordered": [1, 1]}), json!([1, 2])));
    assert!(fits(json!({"$either": [1, 2]}), json!(2)));
    assert!(fits(json!({"$holds": "prompt[0]"}), json!({"path": "prompt[0].text"})));
}
