//! Calls of methods that a receiver does not have.

use serde_json::Value;

use super::build::Builder;
use super::prover::{Found, Prover, message};
use crate::breaking::compare::WitnessTarget;
use crate::breaking::verdict::Direction;
use crate::ir::{Method, Part, Payload};

impl Prover<'_> {
    /// A call of a method that the receiver does not handle so.
    pub(super) fn call(&self, target: &WitnessTarget) -> Result<Found, (Option<Value>, String)> {
        let params = match self.direction {
            Direction::OldToNew => &target.old,
            Direction::NewToOld => &target.new,
        };
        let method = self.sender.methods.iter().find(|method| {
            params.as_ref() == Some(method.params())
                && !self.receiver.methods.iter().any(|other| is_same_call(method, other))
        });
        let Some(method) = method else {
            return Err((None, "the sender does not know the method".to_owned()));
        };
        let mut builder = Builder::of_message(self.sender, &self.sends.plan);
        let smallest = builder.smallest(method.params());
        let others = || {
            Builder::new(self.sender, &self.sends.plan).variations(
                method.params(),
                None,
                Vec::new(),
            )
        };
        let value = smallest.filter(|value| self.may_send(method.params(), value));
        let value =
            value.or_else(|| others().into_iter().find(|it| self.may_send(method.params(), it)));
        let Some(value) = value else {
            return Err((None, "no small value of the params can be built".to_owned()));
        };
        let wire = &method.name.wire;
        let known = self.receiver.named(wire).next();
        let rejected = match known {
            None => format!("there is no method `{wire}`"),
            Some(other) if other.is_request() != method.is_request() => {
                let kind = if other.is_request() { "a request" } else { "a notification" };
                format!("`{wire}` is {kind}")
            }
            Some(_) => format!("`{wire}` is not handled by this side"),
        };
        let message = message(Part::for_params(method), wire, &value);
        let payload = Payload::new(self.sender, method, Part::for_params(method));
        Ok(Found { payload, value, message, rejected, forgiven: None })
    }
}

fn is_same_call(method: &Method, other: &Method) -> bool {
    method.name.wire == other.name.wire
        && method.handler == other.handler
        && method.is_request() == other.is_request()
}
