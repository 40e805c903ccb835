//! The part of a message that is refused because of a finding.

use serde_json::Value;

use crate::breaking::verdict::Direction;
use crate::ir::{KeyChoice, is_multiple_of};
use crate::pattern;

/// The part of a message that is refused because of a finding, so that a message which is refused
/// for another reason is no proof of it.
#[derive(Clone, Debug)]
pub(in crate::breaking) enum Cause {
    /// A property that is missing, or one that must not be there.
    Presence,
    /// A null.
    Null,
    /// A value beyond a bound: the old one and the new.
    Bound(Measure, [Option<Limit>; 2]),
    /// A text that does not match a pattern: the old one or the new.
    Pattern([Option<String>; 2]),
    /// A number that is no multiple of a step: the old one or the new.
    Step([Option<f64>; 2]),
    /// Equal items.
    Repetition,
    /// A property of a name that is not allowed.
    Name,
    /// A property without one that it asks for.
    Dependent(String, String),
    /// Properties of which there is no set, or a second one.
    Choice(KeyChoice),
    /// A property that the object does not list.
    Unlisted,
    /// Properties that must not be there together.
    Together(Vec<String>),
    /// A value or a variant that the schema accepts without listing it.
    Unknown,
    /// Any value.
    Value,
}

/// The quantity that has a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::breaking) enum Measure {
    /// The number itself.
    Number,
    /// The characters of a text, the items of an array, or the properties of an object.
    Length,
}

/// A bound.
#[derive(Clone, Copy, Debug)]
pub(in crate::breaking) struct Limit {
    pub(in crate::breaking) value: f64,
    pub(in crate::breaking) is_low: bool,
    /// True if the bound itself is beyond it.
    pub(in crate::breaking) is_excluded: bool,
}

impl Cause {
    /// Tells whether a value that a receiver refuses is of this kind.
    pub(in crate::breaking) fn is_in(&self, value: &Value, direction: Direction) -> bool {
        let receiver = usize::from(direction == Direction::OldToNew);
        match self {
            Self::Presence | Self::Unlisted | Self::Unknown | Self::Name => false,
            Self::Dependent(key, wanted) => value.get(key).is_some() && value.get(wanted).is_none(),
            Self::Choice(choice) => value
                .as_object()
                .is_some_and(|members| !choice.fits(|key| members.contains_key(key))),
            Self::Step(steps) => {
                let step = steps.get(receiver).copied().flatten();
                let found = step.zip(value.as_f64());
                found.is_some_and(|(step, value)| !is_multiple_of(value, step))
            }
            Self::Together(keys) => keys.iter().all(|key| value.get(key).is_some()),
            Self::Null => value.is_null(),
            Self::Value => !value.is_null(),
            Self::Bound(measure, limits) => {
                let limit = limits.get(receiver).copied().flatten();
                limit.is_some_and(|limit| {
                    measure.measure(value).is_some_and(|it| limit.excludes(it))
                })
            }
            Self::Pattern(patterns) => {
                let pattern = patterns.get(receiver).and_then(Option::as_ref);
                let text = value.as_str();
                pattern.zip(text).is_some_and(|(it, text)| pattern::matches(it, text) != Some(true))
            }
            Self::Repetition => value.as_array().is_some_and(|items| {
                items
                    .iter()
                    .enumerate()
                    .any(|(at, item)| items.iter().take(at).any(|it| it == item))
            }),
        }
    }
}

impl Measure {
    #[allow(clippy::cast_precision_loss, reason = "no list or text is that long")]
    fn measure(self, value: &Value) -> Option<f64> {
        match (self, value) {
            (Self::Number, _) => value.as_f64(),
            (Self::Length, Value::String(text)) => Some(text.chars().count() as f64),
            (Self::Length, Value::Array(items)) => Some(items.len() as f64),
            (Self::Length, Value::Object(members)) => Some(members.len() as f64),
            (Self::Length, _) => None,
        }
    }
}

impl Limit {
    fn excludes(self, value: f64) -> bool {
        // A float cannot tell an integer of many digits from the next.
        let reaches = self.is_excluded || self.value.abs() >= 9e15;
        if self.is_low {
            value < self.value || reaches && value <= self.value
        } else {
            value > self.value || reaches && value >= self.value
        }
    }
}
