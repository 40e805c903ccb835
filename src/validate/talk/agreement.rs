//! The capabilities that sides have told, and the messages that need them.

use std::collections::HashMap;

use serde_json::Value;

use crate::ir::{
    CapabilityLocation, EITHER, Handler, Method, Part, Payload, Position, Protocol, Step,
};
use crate::source::{Json, Node, push_segment};
use crate::validate::finding::{At, Findings, Spot};
use crate::validate::rules;

/// The capabilities that sides have told, by the names of the sides.
#[derive(Debug, Default)]
pub(super) struct Agreement(HashMap<String, Value>);

impl Agreement {
    /// Takes note of what params say that a side can do.
    pub(super) fn learn_params(&mut self, method: &Method, protocol: &Protocol, params: &Value) {
        self.learn(method, protocol, Position::Params, params);
    }

    /// Takes note of what a result says that a side can do.
    pub(super) fn learn_result(&mut self, method: &Method, protocol: &Protocol, result: &Value) {
        self.learn(method, protocol, Position::Result, result);
    }

    fn learn(&mut self, method: &Method, protocol: &Protocol, position: Position, payload: &Value) {
        if !payload.is_object() {
            return;
        }
        for side in &protocol.sides {
            let Some(CapabilityLocation { method: name, position: at, property }) =
                &side.capabilities
            else {
                continue;
            };
            if *name == method.name.wire && *at == position {
                // What is said about nothing allows nothing.
                let told = payload.get(&property.wire).cloned().unwrap_or_default();
                self.0.insert(side.name.wire.clone(), told);
            }
        }
    }

    /// Reports a call that its receiver has not said it can take.
    pub(super) fn check_call(
        &self,
        method: &Method,
        protocol: &Protocol,
        at: &At<'_>,
        findings: &mut Findings<'_>,
    ) {
        let (Handler::Side { name: side }, Some(path)) = (&method.handler, &method.capability)
        else {
            return;
        };
        if self.allows(side, path) {
            return;
        }
        let spot = Spot {
            span: at.node.get("method").map(|method| method.span),
            pointer: "/method".to_owned(),
            path: "method".to_owned(),
            schema: Some(method.location.clone()),
        };
        let capability = shown(protocol, side, path);
        let message =
            format!("`{}` needs `{capability}`, which `{side}` has not told", method.name.wire);
        findings.add(&rules::NOT_ALLOWED, at, spot, message);
    }

    /// Reports values in params that their receiver has not said it can take.
    pub(super) fn check_params(
        &self,
        method: &Method,
        protocol: &Protocol,
        params: Option<&Node>,
        at: &At<'_>,
        findings: &mut Findings<'_>,
    ) {
        let part = Part::for_params(method);
        self.check(method, part, protocol, params, at, findings);
    }

    /// Reports values in a result that their receiver has not said it can take.
    pub(super) fn check_result(
        &self,
        method: &Method,
        protocol: &Protocol,
        result: Option<&Node>,
        at: &At<'_>,
        findings: &mut Findings<'_>,
    ) {
        self.check(method, Part::Result, protocol, result, at, findings);
    }

    fn check(
        &self,
        method: &Method,
        part: Part,
        protocol: &Protocol,
        node: Option<&Node>,
        at: &At<'_>,
        findings: &mut Findings<'_>,
    ) {
        let Some(node) = node.filter(|_| !self.0.is_empty()) else { return };
        let mut payloads = protocol.payloads(method).into_iter();
        let Some((payload, ty)) = payloads.find(|(payload, _)| payload.part == part) else {
            return;
        };
        let receiver = match (&at.to, payload.receiver.as_str()) {
            (Some(side), _) => side.clone(),
            (None, EITHER) => return,
            (None, side) => side.to_owned(),
        };
        let payload = Payload { receiver: receiver.clone(), ..payload };
        let key = if part == Part::Result { "result" } else { "params" };
        for gate in protocol.gates(&payload, ty) {
            if self.allows(&receiver, &gate.capability) {
                continue;
            }
            let capability = shown(protocol, &receiver, &gate.capability);
            for place in reached(node, &gate.path, Place::new(key)) {
                let message = format!("this needs `{capability}`, which `{receiver}` has not told");
                let spot = Spot {
                    span: Some(place.0.span),
                    pointer: place.1.pointer,
                    path: place.1.path,
                    schema: None,
                };
                findings.add(&rules::NOT_ALLOWED, at, spot, message);
            }
        }
    }

    /// Tells whether a side has told a capability. Before it has said anything, it allows
    /// everything.
    fn allows(&self, side: &str, path: &[String]) -> bool {
        let Some(told) = self.0.get(side) else { return true };
        let found = path.iter().try_fold(told, |value, name| value.get(name));
        found.is_some_and(|value| !value.is_null() && *value != Value::Bool(false))
    }
}

/// A capability with the property that holds it: `abilities.files.read`.
fn shown(protocol: &Protocol, side: &str, path: &[String]) -> String {
    let location = protocol.side(side).and_then(|side| side.capabilities.as_ref());
    let holder = location.map(|location| location.property.wire.as_str());
    let names: Vec<&str> = holder.into_iter().chain(path.iter().map(String::as_str)).collect();
    names.join(".")
}

/// The way to a part of a payload.
#[derive(Clone, Debug)]
struct Place {
    pointer: String,
    path: String,
}

impl Place {
    fn new(part: &str) -> Self {
        Self { pointer: format!("/{part}"), path: part.to_owned() }
    }

    fn property(&self, name: &str) -> Self {
        let mut pointer = self.pointer.clone();
        push_segment(&mut pointer, name);
        Self { pointer, path: format!("{}.{name}", self.path) }
    }

    fn item(&self, index: usize) -> Self {
        Self {
            pointer: format!("{}/{index}", self.pointer),
            path: format!("{}[{index}]", self.path),
        }
    }
}

/// The parts of a value that steps lead to, but for `null`.
fn reached<'n>(node: &'n Node, steps: &[Step], place: Place) -> Vec<(&'n Node, Place)> {
    let Some((step, rest)) = steps.split_first() else {
        return if node.json == Json::Null { Vec::new() } else { vec![(node, place)] };
    };
    match step {
        Step::Property(name) => {
            node.get(name).map_or_else(Vec::new, |inner| reached(inner, rest, place.property(name)))
        }
        Step::Tag(property, tag) => {
            let is_it = node.get(property).and_then(Node::as_str) == Some(tag);
            if is_it { reached(node, rest, place) } else { Vec::new() }
        }
        Step::Each => {
            let items = node.as_array().unwrap_or_default().iter().enumerate();
            let items = items.map(|(index, item)| (item, place.item(index)));
            let members = node.as_object().into_iter().flatten();
            let members = members.map(|(key, member)| (&member.value, place.property(key)));
            items.chain(members).flat_map(|(inner, place)| reached(inner, rest, place)).collect()
        }
    }
}
