//! The reason why a receiver refuses a value: what a finding is about, or something else.

use serde_json::Value;

use crate::breaking::compare::{Cause, Finding, WitnessTarget};
use crate::breaking::verdict::Direction;
use crate::decode::{DecodeError, PathStep};
use crate::ir::{Protocol, Type};

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
    /// How many items or members of maps it is below that, or below the value.
    hops: usize,
    receiver: (&'a Protocol, &'a Type),
}

impl<'a> Place<'a> {
    /// The place of a finding between a sender and a receiver. `None`: what is refused there is
    /// not known by its place.
    pub(super) fn new(
        finding: &'a Finding<'_>,
        target: &'a WitnessTarget,
        direction: Direction,
        [sender, receiver]: [(&'a Protocol, &'a Type); 2],
    ) -> Option<Self> {
        if target.payload.is_some() && matches!(finding.cause, Cause::Value) {
            return None;
        }
        let names = [&target.focus, &target.renamed].into_iter().flatten();
        let is_property = |name: &&String| has(sender, name) || has(receiver, name);
        let property: Vec<&str> = names.filter(is_property).map(String::as_str).collect();
        // What is in a variant is compared where that is.
        let is_variant = target.focus.is_some() && property.is_empty();
        let hops = if is_variant { 0 } else { target.hops };
        (!is_variant || !matches!(finding.cause, Cause::Presence)).then_some(Self {
            cause: &finding.cause,
            direction,
            property,
            hops,
            receiver,
        })
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
                Some(PathStep::Key(key)) if self.property.contains(&key.as_str()) => {
                    at = at.and_then(|it| it.get(key));
                }
                Some(_) => return Reason::Other,
            }
        }
        for _ in 0..self.hops {
            at = match steps.next() {
                // The list or map is refused, whatever it holds.
                None => return Reason::Other,
                Some(PathStep::Key(key)) => at.and_then(|it| it.get(key)),
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
            (Cause::Presence, None, []) | (Cause::Value, Some(_), [_, ..]) => true,
            (cause @ Cause::Together(_), Some(value), _) | (cause, Some(value), []) => {
                cause.is_in(value, self.direction)
            }
            _ => false,
        };
        if found { Reason::Own } else { Reason::Other }
    }
}

fn has((protocol, ty): (&Protocol, &Type), name: &str) -> bool {
    protocol.fields(ty).iter().any(|field| field.name.wire == name)
}
