//! Whether a value is one of a type, as JSON Schema would have it: a union takes what any of its
//! variants takes.

use serde_json::Value;

use crate::breaking::shape::{Alternative, Content, Object, alternatives};
use crate::ir::{IntegerType, NumberType, Protocol, StringType, Type};

/// Checks a value. If it is none of the type's, tells where and why.
pub(super) fn check(protocol: &Protocol, ty: &Type, value: &Value) -> Result<(), String> {
    let forms = alternatives(protocol, ty);
    let mut problems = Vec::new();
    for form in &forms {
        match check_form(protocol, form, value) {
            Ok(()) => return Ok(()),
            Err(problem) => problems.push(problem),
        }
    }
    // The form that came furthest tells most.
    let furthest = problems.into_iter().max_by_key(|problem| (problem.reached, problem.is_tag));
    let problem = furthest.unwrap_or_else(|| Problem::here("no value fits"));
    Err(if forms.len() > 1 && problem.reached == 0 && !problem.is_tag {
        format!("none of the {} alternatives takes {}", forms.len(), shown(value))
    } else {
        problem.text
    })
}

/// Why a value does not have a form.
struct Problem {
    text: String,
    /// How many members were right before one was wrong; more for a tag.
    reached: usize,
    /// Whether a tag is wrong.
    is_tag: bool,
}

impl Problem {
    fn after(reached: usize, text: String) -> Self {
        Self { text, reached, is_tag: false }
    }

    fn here(text: impl Into<String>) -> Self {
        Self { text: text.into(), reached: 0, is_tag: false }
    }
}

fn check_form(protocol: &Protocol, form: &Alternative<'_>, value: &Value) -> Result<(), Problem> {
    let expected = |holds: bool, what: &str| {
        if holds {
            Ok(())
        } else {
            Err(Problem::here(format!("expected {what}, found {}", shown(value))))
        }
    };
    match form {
        Alternative::Any => Ok(()),
        Alternative::Null => expected(value.is_null(), "null"),
        Alternative::Boolean => expected(value.is_boolean(), "a boolean"),
        Alternative::Integer(integer) => {
            expected(is_integer(value, integer), "an integer within its bounds")
        }
        Alternative::Number(number) => expected(
            is_number(value, number),
            if value.is_number() { "a number within its bounds" } else { "a number" },
        ),
        Alternative::String(string) => expected(
            is_text(value, *string),
            if value.is_string() { "a string within its bounds" } else { "a string" },
        ),
        Alternative::Constant(constant) => expected(value == *constant, &constant.to_string()),
        Alternative::Array(array) => {
            let Value::Array(items) = value else { return expected(false, "an array") };
            let count = items.len() as u64;
            let enough = array.min_items.is_none_or(|low| count >= low)
                && array.max_items.is_none_or(|high| count <= high);
            if !enough {
                return Err(Problem::here(format!(
                    "{count} items are not as many as there have to be"
                )));
            }
            items.iter().enumerate().try_for_each(|(index, item)| {
                check(protocol, &array.items, item)
                    .map_err(|text| Problem::after(1, format!("[{index}]: {text}")))
            })
        }
        Alternative::Map(values) => {
            let Value::Object(members) = value else { return expected(false, "an object") };
            members.iter().try_for_each(|(name, member)| {
                check(protocol, values, member)
                    .map_err(|text| Problem::after(1, format!("`{name}`: {text}")))
            })
        }
        Alternative::Object(object) => check_object(protocol, object, value),
    }
}

fn check_object(protocol: &Protocol, object: &Object<'_>, value: &Value) -> Result<(), Problem> {
    let Value::Object(members) = value else {
        return Err(Problem::here(format!("expected an object, found {}", shown(value))));
    };
    let mut reached = 0;
    for expected in &object.members {
        let wrong = |text: String| Err(Problem::after(reached, text));
        let name = expected.name;
        match (members.get(name), expected.content) {
            (None, _) if expected.required => return wrong(format!("`{name}` is missing")),
            (None, _) => {}
            (Some(Value::Null), _) if expected.nullable => {}
            (Some(member), Content::Type(ty)) => {
                if let Err(text) = check(protocol, ty, member) {
                    return wrong(format!("`{name}`: {text}"));
                }
            }
            (Some(member), Content::Tag(tag)) if member.as_str() == Some(tag) => reached += 100,
            (Some(member), Content::OtherTag(union)) if is_other(member, union) => reached += 10,
            (Some(member), _) => {
                let text = format!("`{name}` is {}, which is not known", shown(member));
                return Err(Problem { text, reached: 0, is_tag: true });
            }
        }
        reached += 1;
    }
    let unknown = members.keys().find(|name| object.closed && object.member(name).is_none());
    match unknown {
        Some(name) => Err(Problem::after(reached, format!("`{name}` is not allowed"))),
        None => Ok(()),
    }
}

fn is_other(value: &Value, union: &crate::ir::Union) -> bool {
    value.as_str().is_some_and(|tag| union.tagged().all(|(known, _)| known != tag))
}

fn is_integer(value: &Value, integer: &IntegerType) -> bool {
    let whole = value.as_number().and_then(serde_json::Number::as_i128);
    whole.is_some_and(|whole| {
        integer.minimum.is_none_or(|low| whole >= low)
            && integer.maximum.is_none_or(|high| whole <= high)
    })
}

fn is_number(value: &Value, number: &NumberType) -> bool {
    value.as_f64().is_some_and(|value| {
        number.minimum.is_none_or(|low| value >= low)
            && number.maximum.is_none_or(|high| value <= high)
    })
}

fn is_text(value: &Value, string: Option<&StringType>) -> bool {
    value.as_str().is_some_and(|text| {
        let length = text.chars().count() as u64;
        string.is_none_or(|string| {
            string.min_length.is_none_or(|low| length >= low)
                && string.max_length.is_none_or(|high| length <= high)
        })
    })
}

/// A value in a few characters.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > 40 => "a long string".to_owned(),
        other => other.to_string(),
    }
}
