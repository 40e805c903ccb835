//! The reason why a receiver refuses a value: what a finding is about, or something else.

use serde_json::Value;

use crate::breaking::compare::{Cause, Finding, WitnessTarget};
use crate::breaking::shape::spelling;
use crate::breaking::verdict::Direction;
use crate::decode::{DecodeError, PathStep};
use crate::ir::{Kind, Protocol, Type};

/// The relation of a refusal to a finding. The better ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// It is what the finding is about.
    Own,
    /// It may be: the receiver refuses something around that.
    Unknown,
    /// It is something else.
    Other,
}

/// The place of a finding in the values that prove it.
pub(super) struct Place<'a> {
    cause: &'a Cause,
    direction: Direction,
    /// The property that it is about, by its names in both schemas.
    property: Vec<&'a str>,
    /// The variant or the value of an enum that it is about, by its names in both schemas.
    alternative: Vec<&'a str>,
    /// How many items or members of maps it is below that, or below the value.
    hops: &'a [Option<usize>],
    sender: End<'a>,
    receiver: End<'a>,
}

/// A type in its protocol.
type End<'a> = (&'a Protocol, &'a Type);

impl<'a> Place<'a> {
    /// The place of a finding between a sender and a receiver. `None`: what is refused there is
    /// not known by its place.
    pub(super) fn new(
        finding: &'a Finding<'_>,
        target: &'a WitnessTarget,
        direction: Direction,
        [sender, receiver]: [End<'a>; 2],
    ) -> Option<Self> {
        let cause = &finding.cause;
        if target.payload.is_some() && matches!(cause, Cause::Value) {
            return None;
        }
        let names = [&target.focus, &target.renamed].into_iter().flatten().map(String::as_str);
        let is_property = |name: &&str| has(sender, name) || has(receiver, name);
        let (property, alternative): (Vec<&str>, Vec<&str>) = names.partition(is_property);
        // What is in a variant is compared where that is.
        let hops = if alternative.is_empty() { target.hops.as_slice() } else { &[] };
        let is_known = alternative.is_empty() || !matches!(cause, Cause::Presence);
        is_known.then_some(Self { cause, direction, property, alternative, hops, sender, receiver })
    }

    /// Tells whether a finding is about a property.
    pub(super) fn is_about(&self, name: &str) -> bool {
        self.property.contains(&name)
    }

    /// Relates the refusal of a value to the finding.
    pub(super) fn reason(&self, value: &Value, refusal: &DecodeError) -> Reason {
        let mut steps = refusal.steps();
        let mut at = Some(value);
        if !self.property.is_empty() {
            match steps.next() {
                None => return Reason::Unknown,
                Some(PathStep::Key(key)) if self.is_about(key) => {
                    at = at.and_then(|it| it.get(key));
                }
                Some(_) => return Reason::Other,
            }
        }
        for place in self.hops {
            at = match steps.next() {
                // The list or map is refused, whatever it holds.
                None => return Reason::Other,
                Some(PathStep::Key(key)) => at.and_then(|it| it.get(key)),
                Some(PathStep::Index(index)) if place.is_some_and(|place| place != *index) => {
                    return Reason::Other;
                }
                Some(PathStep::Index(index)) => at.and_then(|it| it.get(index)),
            };
        }
        let rest: Vec<&PathStep> = steps.collect();
        let is_unlisted = |name: &str| !has(self.receiver, name);
        let found = match (self.cause, at, rest.as_slice()) {
            (Cause::Presence, Some(_), []) => {
                let mut there = self.property.iter().filter(|it| value.get(it).is_some());
                there.all(|name| is_unlisted(name))
            }
            (Cause::Unlisted, Some(_), [PathStep::Key(key)]) => is_unlisted(key),
            (Cause::Unknown, Some(value), _) => {
                !lists(self.sender, value) && !lists(self.receiver, value)
            }
            (Cause::Value, Some(value), _) if !self.alternative.is_empty() => {
                value.is_object() || is_one_of(value, &self.alternative, self.sender)
            }
            (Cause::Presence, None, [])
            | (Cause::Value, Some(_), [_, ..])
            | (Cause::Name, Some(_), [PathStep::Key(_)]) => true,
            (
                cause @ (Cause::Together(_) | Cause::Dependent(..) | Cause::Choice(_)),
                Some(value),
                _,
            )
            | (cause, Some(value), []) => cause.is_in(value, self.direction),
            _ => false,
        };
        if found { Reason::Own } else { Reason::Other }
    }
}

fn has((protocol, ty): End<'_>, name: &str) -> bool {
    protocol.fields(ty).iter().any(|field| field.name.wire == name)
}

/// Tells whether an enum lists a value, or a union the tag of one.
fn lists((protocol, ty): End<'_>, value: &Value) -> bool {
    match protocol.resolved(ty).kind {
        Kind::Enum(of) => of.values.iter().any(|known| known.value == *value),
        Kind::Union(union) => {
            let tag = union.tag().and_then(|tag| value.get(&tag.wire)?.as_str());
            tag.is_some_and(|tag| union.tagged().any(|(known, _)| known == tag))
        }
        _ => false,
    }
}

/// Tells whether a value is one of an enum that has one of these names. What a variant is, is not
/// known from its name.
fn is_one_of(value: &Value, names: &[&str], (protocol, ty): End<'_>) -> bool {
    if !matches!(protocol.resolved(ty).kind, Kind::Enum(_)) {
        return true;
    }
    names.contains(&spelling(value).as_ref())
}
