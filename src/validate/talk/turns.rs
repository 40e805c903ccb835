//! Turns: calls that news belongs to, and news that comes after their end.

use serde_json::Value;

use super::calls::Call;
use crate::ir::{Handler, Method, Protocol, Stream, Tagging, TypeKind};
use crate::validate::finding::{At, Findings, Spot};
use crate::validate::rules;

/// The calls that have ended.
#[derive(Debug)]
pub(super) struct Turns<'a> {
    protocol: &'a Protocol,
    /// Requests that last as long as a turn: those of which the schema says what they result in
    /// when they are cancelled (`x-cancels`), each with the property that news of it has, too.
    lasting: Vec<(&'a Method, &'a str)>,
    /// The wire names of requests and the keys of their calls.
    ended: Vec<(String, Value)>,
    /// The tokens of streams that have ended, with the wire names of their requests.
    drained: Vec<(String, Value)>,
}

impl<'a> Turns<'a> {
    pub(super) fn new(protocol: &'a Protocol) -> Self {
        let mut lasting: Vec<(&Method, &str)> = Vec::new();
        let cancels = protocol.methods.iter().flat_map(|method| &method.cancels);
        for cancels in cancels.filter(|cancels| cancels.result.is_some()) {
            let request = protocol.request(&cancels.request);
            let key = cancels.key.as_str();
            if let Some(request) = request.filter(|it| !lasting.contains(&(*it, key))) {
                lasting.push((request, key));
            }
        }
        Self { protocol, lasting, ended: Vec::new(), drained: Vec::new() }
    }

    /// Takes note of the end of a call.
    pub(super) fn end(&mut self, call: &Call<'_>) {
        let Some(method) = call.method else { return };
        for (request, key) in &self.lasting {
            if request.name == method.name
                && let Some(value) = call.params.get(key)
            {
                let ended = (method.name.wire.clone(), value.clone());
                if !self.ended.contains(&ended) {
                    self.ended.push(ended);
                }
            }
        }
        if let Some(stream) = &method.stream
            && let Some(token) = token(stream, &call.params)
        {
            self.drained.push((method.name.wire.clone(), token.clone()));
        }
    }

    /// Reports a notification that belongs to a call which has ended.
    pub(super) fn notification<'c>(
        &self,
        method: &Method,
        params: &Value,
        running: &(impl Iterator<Item = &'c Call<'c>> + Clone),
        at: &At<'_>,
        findings: &mut Findings<'_>,
    ) where
        'a: 'c,
    {
        let ended = self.ended_turn(method, params, running.clone(), at);
        let Some((request, key)) = ended.or_else(|| self.ended_stream(method, params, running))
        else {
            return;
        };
        let value = at.node.get("params").and_then(|params| params.get(key));
        let spot = Spot {
            span: value.map(|value| value.span),
            pointer: format!("/params/{key}"),
            path: format!("params.{key}"),
            schema: None,
        };
        let message = format!("`{request}` with this `{key}` has been answered");
        findings.add(&rules::AFTER_THE_END, at, spot, message);
    }

    /// The request whose turn a notification belongs to, if it has ended and no call with the same
    /// key runs: any call may bring news, as one that tells a conversation again.
    fn ended_turn<'c>(
        &self,
        method: &Method,
        params: &Value,
        mut running: impl Iterator<Item = &'c Call<'c>>,
        at: &At<'_>,
    ) -> Option<(&'a str, &'a str)> {
        if !method.cancels.is_empty() || self.is_of_the_session(method, params) {
            return None;
        }
        let is_from_handler = |request: &Method| match (&request.handler, &method.handler) {
            (Handler::Side { name: worker }, Handler::Side { name: told }) => {
                worker != told && at.from.as_ref().is_none_or(|from| from == worker)
            }
            _ => false,
        };
        let (request, key) = self.lasting.iter().find(|(request, key)| {
            let value = params.get(key);
            let ended =
                |(name, of): &(String, Value)| *name == request.name.wire && Some(of) == value;
            is_from_handler(request) && self.ended.iter().any(ended)
        })?;
        let value = params.get(key);
        let runs = running.any(|call| call.to != at.to && call.params.get(key) == value);
        (!runs).then_some((request.name.wire.as_str(), *key))
    }

    /// Tells whether a notification changes a state of which there is one, such as a mode: that
    /// belongs to no turn.
    fn is_of_the_session(&self, method: &Method, params: &Value) -> bool {
        self.protocol.fields(method.params()).iter().any(|field| {
            let def = self.protocol.resolved(&field.ty).def;
            let Some(TypeKind::Union(union)) = def.map(|def| &def.kind) else { return false };
            let (Some(state), Tagging::Internal { property }) = (&union.state, &union.tagging)
            else {
                return false;
            };
            let tag =
                params.get(&field.name.wire).and_then(|value| value.get(&property.wire)?.as_str());
            let mut single = state.collections.iter().filter(|it| it.key.is_none());
            single.any(|it| it.variants.iter().any(|variant| Some(variant.tag.as_str()) == tag))
        })
    }

    /// The request whose result a piece belongs to, if it has ended and none with the same token
    /// runs.
    fn ended_stream<'c>(
        &self,
        method: &Method,
        params: &Value,
        running: &(impl Iterator<Item = &'c Call<'c>> + Clone),
    ) -> Option<(&'a str, &'a str)> {
        let streams = self.protocol.methods.iter().filter_map(|it| Some((it, it.stream.as_ref()?)));
        for (request, stream) in streams.filter(|(_, it)| it.notification == method.name.wire) {
            let Some(piece_of) = params.get(&stream.token_in) else { continue };
            let runs = running.clone().any(|call| {
                let stream = call.method.and_then(|method| method.stream.as_ref());
                stream.is_some_and(|stream| token(stream, &call.params) == Some(piece_of))
            });
            let mut drained = self.drained.iter();
            if !runs && drained.any(|(name, of)| *name == request.name.wire && of == piece_of) {
                return Some((&request.name.wire, &stream.token_in));
            }
        }
        None
    }
}

/// The token that a call's pieces have.
fn token<'v>(stream: &Stream, params: &'v Value) -> Option<&'v Value> {
    stream.token.iter().try_fold(params, |value, name| value.get(name))
}
