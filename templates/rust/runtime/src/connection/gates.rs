//! The parts of a payload that may be sent only if its receiver allows it.

use super::super::json::{self, Value};
use super::rules::Part;

/// The places in a payload that its receiver has to allow.
#[derive(Clone, Copy, Debug)]
pub struct Gated {
    /// The method.
    pub method: &'static str,
    /// Which of its payloads.
    pub part: Part,
    /// The places.
    pub gates: &'static [Gate],
}

/// A place that has to be allowed.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// How to get there from the payload. A value that is not `null` is meant.
    pub path: &'static [Step],
    /// Where in the receiver's capabilities it has to be allowed.
    pub capability: &'static [&'static str],
}

/// A step from a value into it.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// To a property of an object.
    Property(&'static str),
    /// To each item of an array, or each value of an object.
    Each,
    /// On, if this property of the object is this string.
    Tag(&'static str, &'static str),
}

/// A place that is not allowed, and where it would have to be.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) place: String,
    pub(super) capability: String,
}

impl Gated {
    pub(super) fn is_in(&self, method: &str, part: Part) -> bool {
        self.part == part && self.method == method
    }

    /// Looks for a place that capabilities do not allow.
    pub(super) fn refused(&self, payload: &str, capabilities: &Value) -> Option<Refused> {
        let closed = |gate: &&Gate| !is_allowed(capabilities, gate.capability);
        let mut closed = self.gates.iter().filter(closed).peekable();
        closed.peek()?;
        let payload: Value = json::decode(payload).ok()?;
        let root = match self.part {
            Part::Result => "result",
            Part::Params | Part::Notification => "params",
        };
        closed.find_map(|gate| {
            let place = find(&payload, gate.path, root.to_owned())?;
            let capability = gate.capability.join(".");
            Some(Refused { place, capability })
        })
    }
}

/// The first place that is meant, from a value at a place on.
fn find(value: &Value, path: &[Step], place: String) -> Option<String> {
    let Some((step, rest)) = path.split_first() else {
        return (!value.is_null()).then_some(place);
    };
    match step {
        Step::Property(name) => find(value.get(name)?, rest, format!("{place}.{name}")),
        Step::Each => match value {
            Value::Array(items) => {
                let mut items = items.iter().enumerate();
                items.find_map(|(at, item)| find(item, rest, format!("{place}[{at}]")))
            }
            Value::Object(values) => {
                let mut values = values.iter();
                values.find_map(|(key, value)| find(value, rest, format!("{place}.{key}")))
            }
            _ => None,
        },
        Step::Tag(property, tag) => (value.get(property)? == tag)
            .then(|| find(value, rest, place))
            .flatten(),
    }
}

/// Whether capabilities have something at a path that is neither `null` nor `false`.
pub(super) fn is_allowed(capabilities: &Value, path: &[&str]) -> bool {
    let at_end = path
        .iter()
        .try_fold(capabilities, |value, name| value.get(name));
    at_end.is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
}
