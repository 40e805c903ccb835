//! Enums.

use std::collections::{HashMap, HashSet};
use std::mem::discriminant;

use serde_json::Value;

use super::Comparer;
use super::cause::Cause;
use super::finding::{ComparedLocation, Finding};
use super::similar::{closeness, pair_up};
use crate::breaking::rules;
use crate::breaking::shape::spelling;
use crate::breaking::verdict::{Verdict, Wire};
use crate::ir::{Enum, EnumBase, EnumValue};

impl<'a> Comparer<'a> {
    pub(super) fn enums(&mut self, at: &ComparedLocation<'a>, old: &'a Enum, new: &'a Enum) {
        if discriminant(&old.base) != discriminant(&new.base) {
            let word = |of: &Enum| match of.base {
                EnumBase::String => "strings",
                EnumBase::Integer(_) => "integers",
            };
            let summary = format!("the values were {} and are now {}", word(old), word(new));
            return self.found(&rules::TYPE_CHANGED, at, summary);
        }
        if let (EnumBase::Integer(from), EnumBase::Integer(to), Some(_), Some(_)) =
            (&old.base, &new.base, &old.open, &new.open)
        {
            self.integers(at, from, to);
        }
        let known: HashMap<&Value, &EnumValue> =
            new.values.iter().rev().map(|value| (&value.value, value)).collect();
        for from in &old.values {
            let Some(to) = known.get(&from.value).copied() else { continue };
            let at = location_of(at, Some(from), Some(to));
            self.status(&at, &from.value.to_string(), &from.docs, &to.docs);
            self.code_name(&at, &from.name, &to.name);
        }
        let (mut gone, mut come) = (missing(old, new), missing(new, old));
        for ((_, from), (_, to)) in pair_up(&mut gone, &mut come, renamed) {
            let at = location_of(at, Some(from), Some(to));
            let summary = format!("{} is now spelt {}", from.value, to.value);
            let mut finding = Finding::new(&rules::ENUM_VALUE_RENAMED, &at, summary)
                .renamed(&spelling(&from.value), &spelling(&to.value));
            if old.open.is_some() && new.open.is_some() {
                finding.wire = Wire::both(Verdict::Risk);
            }
            self.report(finding);
        }
        for (_, value) in gone {
            let summary = format!("{} is gone", value.value);
            let at = location_of(at, Some(value), None);
            let mut finding =
                Finding::new(&rules::ENUM_VALUE_REMOVED_CLOSED, &at, summary).only_old();
            if new.open.is_some() {
                finding.wire = Wire::OK;
                finding.summary += "; it is now one of those that have no name";
            }
            self.report(finding.after(&value.docs));
        }
        for (_, value) in come {
            let at = location_of(at, None, Some(value));
            let (rule, tail) = if old.open.is_some() {
                (&rules::ENUM_VALUE_ADDED_OPEN, "; it was accepted without a name before")
            } else {
                (&rules::ENUM_VALUE_ADDED_CLOSED, "")
            };
            let summary = format!("{} is new{tail}", value.value);
            self.report(Finding::new(rule, &at, summary).only_new());
        }
        let (rule, word) = match (old.open.is_some(), new.open.is_some()) {
            (false, true) => (&rules::ENUM_OPENED, "now"),
            (true, false) => (&rules::ENUM_CLOSED, "no longer"),
            _ => return,
        };
        let summary = format!("values that are not listed are {word} accepted");
        self.report(Finding::new(rule, at, summary).caused_by(Cause::Unknown));
    }
}

fn location_of<'a>(
    at: &ComparedLocation<'a>,
    old: Option<&'a EnumValue>,
    new: Option<&'a EnumValue>,
) -> ComparedLocation<'a> {
    let mut at = at.clone();
    at.old.location = old.map_or(at.old.location, |value| &value.location);
    at.new.location = new.map_or(at.new.location, |value| &value.location);
    at.focus = at.focus.or(old.or(new).map(|it| spelling(&it.value).into_owned()));
    at
}

/// The values that only `of` has, with their positions.
fn missing<'a>(of: &'a Enum, other: &Enum) -> Vec<(usize, &'a EnumValue)> {
    let known: HashSet<&Value> = other.values.iter().map(|value| &value.value).collect();
    let values = of.values.iter().enumerate();
    values.filter(|(_, value)| !known.contains(&value.value)).collect()
}

/// Measures how likely two values are two spellings of one: by their letters, or by their docs.
fn renamed((_, from): (usize, &EnumValue), (_, to): (usize, &EnumValue)) -> Option<f64> {
    if from.name.words == to.name.words {
        return Some(2.0);
    }
    let documented =
        from.docs.description.is_some() && from.docs.description == to.docs.description;
    let (Some(a), Some(b)) = (from.value.as_str(), to.value.as_str()) else {
        return documented.then_some(1.0);
    };
    let close = closeness(a, b);
    (documented || close >= 0.7).then_some(close + f64::from(u8::from(documented)))
}
