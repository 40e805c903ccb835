//! Relations of types: whether a receiver accepts every value that a sender may send, taking both
//! schemas at their word.
//!
//! A sender sends only the properties that its schema lists; a receiver ignores those that its
//! own does not, unless it denies them.

use std::collections::HashMap;

use serde_json::Value;

use super::shape::{Alternative, Content, List, Member, Object, alternatives};
use super::verdict::{Direction, Directions};
use crate::decode::{Mode, scalar};
use crate::ir::{
    IntegerType, KeyChoice, KeyNames, KeyRules, NumberType, Protocol, StringType, Type,
    is_multiple_of,
};

/// Answers, and remembers them: each pair of named types is looked at once for each way.
pub(super) struct Relation<'a> {
    /// The sender's protocol, by direction.
    senders: Directions<&'a Protocol>,
    known: HashMap<(Direction, &'a str, &'a str, bool), bool>,
}

impl<'a> Relation<'a> {
    pub(super) fn new(old: &'a Protocol, new: &'a Protocol) -> Self {
        let senders = Directions { old_to_new: old, new_to_old: new };
        Self { senders, known: HashMap::new() }
    }

    pub(super) fn sender(&self, direction: Direction) -> &'a Protocol {
        self.senders.towards(direction)
    }

    fn receiver(&self, direction: Direction) -> &'a Protocol {
        self.senders.towards(direction.reversed())
    }

    /// Tells whether everything a sender may send arrives, the type being `old` in the old schema
    /// and `new` in the new.
    pub(super) fn holds(&mut self, direction: Direction, old: &'a Type, new: &'a Type) -> bool {
        let types = Directions { old_to_new: old, new_to_old: new };
        self.accepts(direction, types.towards(direction), types.towards(direction.reversed()))
    }

    /// Tells whether a value of each form that is `sent` fits the type that is `expected`.
    pub(super) fn accepts(
        &mut self,
        direction: Direction,
        sent: &'a Type,
        expected: &'a Type,
    ) -> bool {
        self.accepts_where(direction, sent, expected, false)
    }

    /// Does what [`Self::accepts`] does; with `takes_null`, `null` may be sent in any case.
    fn accepts_where(
        &mut self,
        direction: Direction,
        sent: &'a Type,
        expected: &'a Type,
        takes_null: bool,
    ) -> bool {
        let takes_null = takes_null || self.receiver(direction).admits_null(expected);
        if !takes_null && self.sender(direction).admits_null(sent) {
            return false;
        }
        let (sent, expected) = (without_null(sent), without_null(expected));
        let (Type::Named { name: from }, Type::Named { name: to }) = (sent, expected) else {
            return self.fits(direction, sent, expected, takes_null);
        };
        let key = (direction, from.as_str(), to.as_str(), takes_null);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        // A type that contains itself fits as long as nothing else speaks against it.
        self.known.insert(key, true);
        let fits = self.fits(direction, sent, expected, takes_null);
        self.known.insert(key, fits);
        fits
    }

    fn fits(
        &mut self,
        direction: Direction,
        sent: &'a Type,
        expected: &'a Type,
        takes_null: bool,
    ) -> bool {
        let expected = alternatives(self.receiver(direction), expected);
        let mut sent = alternatives(self.sender(direction), sent);
        sent.retain(|form| !takes_null || !matches!(form, Alternative::Null));
        sent.iter().all(|sent| self.any_covers(direction, sent, &expected))
    }

    /// Tells whether one of the forms that the receiver expects takes all of a form that is sent.
    pub(super) fn any_covers(
        &mut self,
        direction: Direction,
        sent: &Alternative<'a>,
        expected: &[Alternative<'a>],
    ) -> bool {
        expected.iter().any(|expected| self.covers(direction, sent, expected))
    }

    fn covers(
        &mut self,
        direction: Direction,
        sent: &Alternative<'a>,
        expected: &Alternative<'a>,
    ) -> bool {
        if let (Some(sent), Some(expected)) = (sent.list(), expected.list()) {
            return self.list_fits(direction, sent, expected);
        }
        match (sent, expected) {
            (_, Alternative::Any) | (Alternative::Boolean, Alternative::Boolean) => true,
            (Alternative::Null, other) => {
                matches!(other, Alternative::Null)
                    || matches!(other, Alternative::Constant(value) if value.is_null())
            }
            (Alternative::Integer(sent), Alternative::Integer(expected)) => within(sent, expected),
            (Alternative::Integer(sent), Alternative::Number(expected)) => {
                let bound = |of: Option<i128>| of.map(approximate);
                let (minimum, maximum) = (bound(sent.minimum), bound(sent.maximum));
                let multiple_of = Some(approximate(sent.multiple_of.unwrap_or(1).into()));
                let sent = NumberType { minimum, maximum, multiple_of, ..NumberType::default() };
                in_range(&sent, expected)
            }
            (Alternative::Number(sent), Alternative::Number(expected)) => in_range(sent, expected),
            (Alternative::String(sent), Alternative::String(expected)) => text(*sent, *expected),
            (Alternative::Constant(sent), Alternative::Constant(expected)) => sent == expected,
            (Alternative::Constant(sent), expected) => constant(sent, expected),
            (Alternative::Map(sent), Alternative::Map(expected)) => {
                keys_fit(Some(&sent.keys), Some(&expected.keys))
                    && self.accepts(direction, &sent.values, &expected.values)
            }
            (Alternative::Object(sent), Alternative::Map(expected)) => {
                let mut members = sent.members.iter();
                keys_fit(sent.keys, Some(&expected.keys))
                    && members.all(|member| self.member_fits(direction, member, &expected.values))
            }
            (Alternative::Map(sent), Alternative::Object(expected)) => {
                !expected.closed
                    && keys_fit(Some(&sent.keys), expected.keys)
                    && expected.members.iter().all(|member| match member.content {
                        Content::Type(ty) => {
                            !member.required && self.accepts(direction, &sent.values, ty)
                        }
                        _ => false,
                    })
            }
            (Alternative::Object(sent), Alternative::Object(expected)) => {
                self.object_fits(direction, sent, expected)
            }
            _ => false,
        }
    }

    fn list_fits(&mut self, direction: Direction, sent: List<'a>, expected: List<'a>) -> bool {
        let ((least, most), (low, high)) = (sent.bounds(), expected.bounds());
        // The last place stands for all after it.
        let places = 0..=sent.places().max(expected.places());
        let mut places = places.filter(|at| most.is_none_or(|most| (*at as u64) < most));
        least >= low
            && most.unwrap_or(u64::MAX) <= high.unwrap_or(u64::MAX)
            && (sent.is_unique() || !expected.is_unique())
            && places.all(|at| match (sent.item(at), expected.item(at)) {
                (Some(sent), Some(expected)) => self.accepts(direction, sent, expected),
                // No item is sent there, or there are too many.
                _ => true,
            })
    }

    fn object_fits(
        &mut self,
        direction: Direction,
        sent: &Object<'a>,
        expected: &Object<'a>,
    ) -> bool {
        // Tags first: they rule out most variants at once.
        let is_other_tag = |expected: &Member<'_>| match expected.content {
            Content::Tag(tag) => sent
                .member(expected.name)
                .is_some_and(|sent| matches!(sent.content, Content::Tag(other) if other != tag)),
            _ => false,
        };
        if expected.members.iter().any(is_other_tag) {
            return false;
        }
        let mut members: Vec<&Member<'a>> = expected.members.iter().collect();
        members.sort_by_key(|member| matches!(member.content, Content::Type(_)));
        let by_name: HashMap<&str, &Member<'a>> =
            sent.members.iter().map(|member| (member.name, member)).collect();
        let known = members.into_iter().all(|expected| match by_name.get(expected.name) {
            None => !expected.required,
            Some(sent) => {
                (sent.required || !expected.required)
                    && self.content_fits(direction, sent, expected)
            }
        });
        known
            && keys_fit(sent.keys, expected.keys)
            && (!expected.closed
                || sent.members.iter().all(|sent| expected.member(sent.name).is_some()))
    }

    fn content_fits(
        &mut self,
        direction: Direction,
        sent: &Member<'a>,
        expected: &Member<'a>,
    ) -> bool {
        match (sent.content, expected.content) {
            (_, Content::Type(ty)) => {
                let null =
                    !sent.nullable || expected.nullable || self.receiver(direction).admits_null(ty);
                null && self.content_fits_type(direction, sent, ty, expected.nullable)
            }
            (Content::Tag(sent), Content::Tag(expected)) => sent == expected,
            (Content::Tag(sent), Content::OtherTag(union)) => {
                union.tagged().all(|(known, _)| known != sent)
            }
            (Content::Type(ty), Content::Tag(expected)) => {
                let sent = alternatives(self.sender(direction), ty);
                matches!(sent.as_slice(), [Alternative::Constant(Value::String(text))] if text == expected)
            }
            // The receiver's known tags are tried as variants of their own.
            (Content::OtherTag(_), Content::OtherTag(_)) => true,
            (Content::Type(ty), Content::OtherTag(_)) => {
                let sent = alternatives(self.sender(direction), ty);
                sent.iter().all(|sent| matches!(sent, Alternative::String(_)))
            }
            (Content::OtherTag(_), Content::Tag(_)) => false,
        }
    }

    fn content_fits_type(
        &mut self,
        direction: Direction,
        sent: &Member<'a>,
        expected: &'a Type,
        nullable: bool,
    ) -> bool {
        let forms = alternatives(self.receiver(direction), expected);
        match sent.content {
            Content::Type(ty) => self.accepts_where(direction, ty, expected, nullable),
            Content::Tag(tag) => forms.iter().any(|form| match form {
                Alternative::Any => true,
                Alternative::Constant(value) => value.as_str() == Some(tag),
                form => constant(&tag.into(), form),
            }),
            Content::OtherTag(_) => {
                forms.iter().any(|form| matches!(form, Alternative::Any) || is_any_string(form))
            }
        }
    }

    fn member_fits(&mut self, direction: Direction, sent: &Member<'a>, expected: &'a Type) -> bool {
        (!sent.nullable || self.receiver(direction).admits_null(expected))
            && self.content_fits_type(direction, sent, expected, false)
    }
}

fn without_null(ty: &Type) -> &Type {
    match ty {
        Type::Nullable { inner } => without_null(inner),
        other => other,
    }
}

fn is_any_string(form: &Alternative<'_>) -> bool {
    matches!(form, Alternative::String(string) if string.is_none_or(|string| {
        string.pattern.is_none() && string.min_length.is_none() && string.max_length.is_none()
    }))
}

/// Tells whether the bounds of one integer lie within those of another. A format bounds nothing.
fn within(sent: &IntegerType, expected: &IntegerType) -> bool {
    let low = expected.minimum.is_none_or(|low| sent.minimum.is_some_and(|sent| sent >= low));
    let high = expected.maximum.is_none_or(|high| sent.maximum.is_some_and(|sent| sent <= high));
    let step =
        expected.multiple_of.is_none_or(|step| sent.multiple_of.unwrap_or(1).is_multiple_of(step));
    low && high && step
}

/// Tells whether the bounds of one number lie within those of another.
fn in_range(sent: &NumberType, expected: &NumberType) -> bool {
    // Both are above, or one is above what the other only reaches.
    let low = expected.minimum.is_none_or(|low| {
        sent.minimum.is_some_and(|sent| sent >= low) || sent.above.is_some_and(|sent| sent >= low)
    });
    let above = expected.above.is_none_or(|low| {
        sent.minimum.is_some_and(|sent| sent > low) || sent.above.is_some_and(|sent| sent >= low)
    });
    let high = expected.maximum.is_none_or(|high| {
        sent.maximum.is_some_and(|sent| sent <= high) || sent.below.is_some_and(|sent| sent <= high)
    });
    let below = expected.below.is_none_or(|high| {
        sent.maximum.is_some_and(|sent| sent < high) || sent.below.is_some_and(|sent| sent <= high)
    });
    let step = expected
        .multiple_of
        .is_none_or(|step| sent.multiple_of.is_some_and(|sent| is_multiple_of(sent, step)));
    low && above && high && below && step
}

/// Tells whether the rules for the keys of one object leave no more than those of another.
fn keys_fit(sent: Option<&KeyRules>, expected: Option<&KeyRules>) -> bool {
    let free = KeyRules::default();
    let (sent, expected) = (sent.unwrap_or(&free), expected.unwrap_or(&free));
    let most = |of: Option<u64>| of.unwrap_or(u64::MAX);
    let names = expected.names.as_ref().is_none_or(|names| {
        let of_sent = sent.names.as_ref();
        of_sent.is_some_and(|sent| names_fit(sent, names))
    });
    let dependent = expected.dependent.iter().all(|(key, wanted)| {
        let given = sent.dependent.get(key);
        given.is_some_and(|given| wanted.iter().all(|it| given.contains(it)))
    });
    let is_said = |choice: &KeyChoice| sent.choices.iter().any(|it| it.implies(choice));
    let choices = expected.choices.iter().all(is_said);
    sent.min_properties.unwrap_or(0) >= expected.min_properties.unwrap_or(0)
        && most(sent.max_properties) <= most(expected.max_properties)
        && names
        && dependent
        && choices
}

/// Tells whether the keys that one rule allows are allowed by another.
pub(super) fn names_fit(sent: &KeyNames, expected: &KeyNames) -> bool {
    if let Some(listed) = &sent.listed {
        let fits = |name: &String| {
            let value = Value::from(name.as_str());
            expected.listed.as_ref().is_none_or(|all| all.contains(name))
                && scalar::string(&value, &expected.text, Mode::Exact).is_ok()
        };
        return listed.iter().all(fits);
    }
    expected.listed.is_none() && text(Some(&sent.text), Some(&expected.text))
}

#[allow(clippy::cast_precision_loss, reason = "bounds of numbers are approximate anyway")]
fn approximate(bound: i128) -> f64 {
    bound as f64
}

fn text(sent: Option<&StringType>, expected: Option<&StringType>) -> bool {
    let Some(expected) = expected else { return true };
    let free = StringType::default();
    let sent = sent.unwrap_or(&free);
    let most = |of: Option<u64>| of.unwrap_or(u64::MAX);
    sent.min_length.unwrap_or(0) >= expected.min_length.unwrap_or(0)
        && most(sent.max_length) <= most(expected.max_length)
        && (expected.pattern.is_none() || sent.pattern == expected.pattern)
}

/// Tells whether a constant is a value of a form without parts.
fn constant(sent: &Value, expected: &Alternative<'_>) -> bool {
    match expected {
        Alternative::Null => sent.is_null(),
        Alternative::Boolean => sent.is_boolean(),
        Alternative::String(expected) => {
            let free = StringType::default();
            scalar::string(sent, expected.unwrap_or(&free), Mode::Exact).is_ok()
        }
        Alternative::Integer(expected) => scalar::integer(sent, expected, Mode::Exact).is_ok(),
        Alternative::Number(expected) => scalar::number(sent, expected).is_ok(),
        _ => false,
    }
}
