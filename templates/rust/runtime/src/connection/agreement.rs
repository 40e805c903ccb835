//! What the ends of a connection have told each other: versions and capabilities.

use serde_json::value::RawValue;

use super::super::json::{self, Value};
use super::super::rpc::RequestError;
use super::gates::is_allowed;
use super::link::{Link, State};
use super::negotiation::Negotiation;
use super::options::Observed;
use super::rules::{CallRule, Part};
use super::{CallError, message};

impl Link {
    /// Reads the version that is asked for from the params of a request.
    pub(super) fn asked(&self, method: &str, params: Option<&str>) {
        let negotiation = self.rules.negotiation.as_ref();
        let negotiation = negotiation.filter(|it| it.answers && it.method == method);
        if let (Some(negotiation), Some(params)) = (negotiation, params) {
            if let Some(version) = negotiation.asked(params) {
                self.lock().version = Some(version);
            }
        }
    }

    /// The version that is spoken, by its place among those of this end: the highest one, as long
    /// as nothing was agreed on.
    pub(super) fn version(&self) -> usize {
        let highest = self.rules.negotiation.as_ref().map(Negotiation::highest);
        self.lock().version.or(highest).unwrap_or_default()
    }

    /// Reads what the result of a call tells about the connection.
    ///
    /// # Errors
    ///
    /// The peer speaks another version.
    pub(super) fn told(
        &self,
        state: &mut State,
        method: &str,
        result: &str,
    ) -> Result<(), CallError> {
        if let Some(negotiation) = self
            .rules
            .negotiation
            .as_ref()
            .filter(|it| it.method == method)
        {
            state.version = negotiation.told(result, self.rules)?.or(state.version);
        }
        let handshake = self.rules.handshake.as_ref();
        if handshake.is_some_and(|told| told.is_in(method, Part::Result)) {
            self.learn(state, result);
        }
        Ok(())
    }

    /// Reads the peer's capabilities from a message of the handshake.
    pub(super) fn learn(&self, state: &mut State, payload: &str) {
        if let (Some(handshake), Ok(mut payload)) =
            (&self.rules.handshake, json::decode::<json::Object>(payload))
        {
            let capabilities = payload.remove(handshake.property);
            state.capabilities = Some(capabilities.unwrap_or(Value::Null));
        }
    }

    /// Checks that a method with this rule may be called: before the peer has said what it can do,
    /// it may.
    ///
    /// # Errors
    ///
    /// The peer does not allow it.
    pub(super) fn check_rule(
        &self,
        method: &str,
        rule: Option<&CallRule>,
    ) -> Result<(), CallError> {
        let Some(rule) = rule.filter(|rule| !rule.capability.is_empty()) else {
            return Ok(());
        };
        let state = self.lock();
        let capabilities = state.capabilities.as_ref();
        if capabilities.is_none_or(|capabilities| is_allowed(capabilities, rule.capability)) {
            return Ok(());
        }
        Err(CallError::NotSupported {
            method: method.to_owned(),
            place: None,
            capability: rule.capability.join("."),
        })
    }

    /// Checks that a method with this rule may be called in a batch.
    ///
    /// # Errors
    ///
    /// It may not, or not at all.
    pub(super) fn check_batch(
        &self,
        method: &str,
        rule: Option<&CallRule>,
    ) -> Result<(), CallError> {
        if rule.is_some_and(|rule| rule.lifecycle) || !self.options.batches {
            let method = method.to_owned();
            return Err(CallError::NotInBatch { method });
        }
        self.check_rule(method, rule)
    }

    /// Checks the text of a call that is to be sent.
    ///
    /// # Errors
    ///
    /// The peer does not allow something in it, or this end tells what is not so.
    pub(super) fn check_call(
        &self,
        state: &State,
        method: &str,
        part: Part,
        call: &[u8],
    ) -> Result<(), CallError> {
        if !self.rules.is_checked(method, part) {
            return Ok(());
        }
        let call = std::str::from_utf8(call).unwrap_or_default();
        let params = message::member(call, "params").unwrap_or("null");
        self.check(state, method, part, params)
    }

    /// A result as it is to be sent, where that is not as the handler gave it.
    ///
    /// # Errors
    ///
    /// It must not be sent.
    pub(super) fn edited(
        &self,
        state: &State,
        method: &str,
        result: Vec<u8>,
    ) -> Result<Box<RawValue>, RequestError> {
        let mut result = String::from_utf8(result).map_err(|_| RequestError::internal_error())?;
        let negotiation = self.rules.negotiation.as_ref();
        if let Some(negotiation) = negotiation.filter(|it| it.answers && it.method == method) {
            let version = state.version.unwrap_or_else(|| negotiation.highest());
            result = negotiation.with_version(&result, version).unwrap_or(result);
        }
        // The peer is told, but it is this end that has to do something.
        self.check(state, method, Part::Result, &result)
            .map_err(|error| {
                let error = error.to_string();
                self.see(Observed::Failed {
                    method,
                    error: &error,
                });
                RequestError::new(-32603, error)
            })?;
        RawValue::from_string(result).map_err(|_| RequestError::internal_error())
    }

    /// Checks a payload that this end sends.
    fn check(
        &self,
        state: &State,
        method: &str,
        part: Part,
        payload: &str,
    ) -> Result<(), CallError> {
        let advertises = self.rules.advertises.as_ref();
        let own = advertises
            .map(|it| it.location)
            .filter(|told| told.is_in(method, part));
        if let Some(own) = own.filter(|_| !self.lacking.is_empty()) {
            let told = message::member(payload, own.property).unwrap_or("null");
            let told: Value = json::decode(told).unwrap_or_default();
            let mut lacking = self.lacking.iter();
            if let Some(lacking) = lacking.find(|it| is_allowed(&told, it.capability)) {
                return Err(CallError::NotHandled {
                    method: lacking.method.to_owned(),
                    capability: lacking.capability.join("."),
                });
            }
        }
        let Some(capabilities) = &state.capabilities else {
            return Ok(());
        };
        let mut gated = self
            .rules
            .gates
            .iter()
            .filter(|gated| gated.is_in(method, part));
        match gated.find_map(|gated| gated.refused(payload, capabilities)) {
            Some(refused) => Err(CallError::NotSupported {
                method: method.to_owned(),
                place: Some(refused.place),
                capability: refused.capability,
            }),
            None => Ok(()),
        }
    }
}
