//! Joining the pieces of an output.

use std::fmt;

use serde_json::{Number, Value};

/// A piece does not fit what was joined before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinError {
    output: &'static str,
    delta: &'static str,
}

impl fmt::Display for JoinError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} and {} cannot be joined",
            self.output, self.delta
        )
    }
}

impl std::error::Error for JoinError {}

/// Joins a piece to the output so far, of which there is none before the first.
///
/// Numbers are added, strings and arrays put end to end (the last item of the one joined with the
/// first of the other), objects merged; `null` is nothing.
///
/// # Errors
///
/// Where the two cannot be joined. The output is then as it was.
pub fn join(output: &mut Option<Value>, delta: Value) -> Result<(), JoinError> {
    check(output.as_ref(), &delta)?;
    *output = Some(joined(output.take(), delta));
    Ok(())
}

/// Whether two values are the same JSON: numbers by value, keys in any order.
#[must_use]
pub fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| is_same(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}

fn check(output: Option<&Value>, delta: &Value) -> Result<(), JoinError> {
    let Some(output) = output else { return Ok(()) };
    match (output, delta) {
        (Value::Null, _) | (_, Value::Null) | (Value::String(_), Value::String(_)) => Ok(()),
        (Value::Number(a), Value::Number(b)) if sum(a, b).is_some() => Ok(()),
        (Value::Array(items), Value::Array(more)) => match (items.last(), more.first()) {
            (Some(last), Some(first)) => check(Some(last), first),
            _ => Ok(()),
        },
        (Value::Object(members), Value::Object(more)) => more
            .iter()
            .try_for_each(|(key, value)| check(members.get(key), value)),
        _ => Err(JoinError {
            output: kind(output),
            delta: kind(delta),
        }),
    }
}

/// What has been checked, joined. Only what the piece brings is looked at.
fn joined(output: Option<Value>, delta: Value) -> Value {
    match (output, delta) {
        (Some(output), Value::Null) => output,
        (None | Some(Value::Null), Value::Array(items)) => Value::Array(fresh(items)),
        (None | Some(Value::Null), delta) => delta,
        (Some(Value::String(mut text)), Value::String(more)) => {
            text.push_str(&more);
            Value::String(text)
        }
        (Some(Value::Number(a)), Value::Number(b)) => {
            sum(&a, &b).map_or(Value::Null, Value::Number)
        }
        (Some(Value::Array(mut items)), Value::Array(more)) => match items.pop() {
            None => Value::Array(fresh(more)),
            Some(last) => {
                let mut more = more.into_iter();
                items.push(match more.next() {
                    Some(first) => joined(Some(last), first),
                    None => last,
                });
                items.extend(more);
                Value::Array(items)
            }
        },
        (Some(Value::Object(mut members)), Value::Object(more)) => {
            for (key, value) in more {
                let before = members.get_mut(&key).map(Value::take);
                members.insert(key, joined(before, value));
            }
            Value::Object(members)
        }
        (Some(output), _) => output,
    }
}

/// A first piece that begins with `null` begins with what comes after it.
fn fresh(mut items: Vec<Value>) -> Vec<Value> {
    if items.first().is_some_and(Value::is_null) {
        items.remove(0);
    }
    items
}

/// The sum, exact where both are whole; none where no number is so large.
fn sum(a: &Number, b: &Number) -> Option<Number> {
    if let (Some(a), Some(b)) = (whole(a), whole(b)) {
        let sum = a + b;
        if let Ok(sum) = i64::try_from(sum) {
            return Some(sum.into());
        }
        if let Ok(sum) = u64::try_from(sum) {
            return Some(sum.into());
        }
    }
    Number::from_f64(a.as_f64()? + b.as_f64()?)
}

fn whole(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
