//! The message around a value.

use serde_json::{Value, json};

use super::build::Builder;
use super::check::{shown, why};
use super::path::{Root, Step, required_properties};
use super::prover::{Found, Prover, message};
use super::reason::Reason;
use crate::decode::{DecodeError, PathStep};

/// A value that shows the break.
pub(super) struct Candidate {
    /// The value, as it is sent.
    pub(super) value: Value,
    /// The value without what else is wrong with it.
    pub(super) repaired: Value,
    pub(super) reason: Reason,
    /// The reason for which the receiver refuses what is repaired.
    pub(super) problem: String,
    /// How deep in it that is.
    pub(super) depth: usize,
}

/// The reason why there is no message around a value.
pub(super) enum NoMessage {
    /// It would be larger than any that is shown.
    TooLarge,
    /// It is no message of the sender's, or the receiver takes it.
    Unfit,
}

impl Prover<'_> {
    /// Builds the message around a value, and makes sure that it is valid for the sender and
    /// rejected by the receiver because of that value.
    pub(super) fn message(
        &self,
        root: &Root<'_>,
        steps: &[&Step<'_>],
        candidate: &Candidate,
        accepted: Option<&Value>,
    ) -> Result<Found, NoMessage> {
        let current = self.around(steps, &candidate.value)?;
        self.may_send(root.sender, &current).then_some(()).ok_or(NoMessage::Unfit)?;
        let repaired = self.around(steps, &candidate.repaired)?;
        let refusal = self.receives.refusal(root.receiver, &repaired).ok_or(NoMessage::Unfit)?;
        let mut rejected = why(&refusal);
        let is_refused = |value: &Value| {
            let other = self.around(steps, value);
            other.map_or(true, |other| !self.receives.accepts(root.receiver, &other))
        };
        if !rejected.ends_with(&candidate.problem) {
            let route = route(steps);
            if is_elsewhere(&refusal, &route) {
                // The first that is wrong with it, but not all.
                rejected = route.iter().map(shown).collect::<String>() + &candidate.problem;
            } else if accepted.is_some_and(is_refused) {
                // What is refused around any other value as well is refused for another reason.
                return Err(NoMessage::Unfit);
            }
        }
        let forgiven = self.receives.forgive(root.receiver, &current);
        let message = message(root.payload.part, &root.payload.method, &current);
        let payload = Some(root.payload.clone());
        Ok(Found { payload, value: candidate.value.clone(), message, rejected, forgiven })
    }

    /// Builds the payload around a value.
    fn around(&self, steps: &[&Step<'_>], value: &Value) -> Result<Value, NoMessage> {
        let mut builder = Builder::of_message(self.sender, &self.sends.plan);
        let mut current = value.clone();
        for step in steps.iter().rev() {
            let around = match step {
                Step::Field(ty, name, other) => {
                    let wanted = required_properties(self.receiver, other);
                    let object = builder.with_member(ty, name, &current, wanted);
                    object.map(|mut object| {
                        self.agree(ty, other, name, &mut object);
                        object
                    })
                }
                Step::Item(count) => builder.repeated(current, *count),
                Step::Place(tuple, at) => builder.with_item(tuple, *at, current),
                Step::MapValue => Some(json!({ KEY: current })),
                Step::Stay => Some(current),
                Step::Variant(union, tag) => builder.in_variant(union, tag.as_deref(), current),
            };
            let is_spent = builder.is_spent();
            current =
                around.ok_or(if is_spent { NoMessage::TooLarge } else { NoMessage::Unfit })?;
        }
        Ok(current)
    }
}

/// The key of a member in a map.
const KEY: &str = "key";

/// The way into a message that steps lead.
fn route(steps: &[&Step<'_>]) -> Vec<PathStep> {
    let route = steps.iter().filter_map(|step| match step {
        Step::Field(_, name, _) => Some(PathStep::Key((*name).to_owned())),
        Step::Item(_) => Some(PathStep::Index(0)),
        Step::Place(_, at) => Some(PathStep::Index(*at)),
        Step::MapValue => Some(PathStep::Key(KEY.to_owned())),
        Step::Variant(..) | Step::Stay => None,
    });
    route.collect()
}

/// Tells whether what is refused is neither on a way into a message, nor at its end.
fn is_elsewhere(refusal: &DecodeError, route: &[PathStep]) -> bool {
    refusal.steps().zip(route).any(|(step, other)| step != other)
}
