//! The message around a value.

use serde_json::{Value, json};

use super::build::Builder;
use super::path::{Root, Step, required_properties};
use super::prover::{Found, Prover, message};
use super::reason::Reason;

/// A value that shows the break.
pub(super) struct Candidate {
    /// The value, as it is sent.
    pub(super) value: Value,
    /// The value without what else is wrong with it.
    pub(super) repaired: Value,
    pub(super) reason: Reason,
    /// The reason for which the receiver refuses what is repaired.
    pub(super) problem: String,
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
        let rejected = self.receives.rejection(root.receiver, &repaired).ok_or(NoMessage::Unfit)?;
        let is_refused = |value: &Value| {
            let other = self.around(steps, value);
            other.map_or(true, |other| !self.receives.accepts(root.receiver, &other))
        };
        // What is refused around any other value as well is refused for another reason.
        if !rejected.ends_with(&candidate.problem) && accepted.is_some_and(is_refused) {
            return Err(NoMessage::Unfit);
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
                Step::MapValue => Some(json!({ "key": current })),
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
