//! The request that opens a conversation, and the version that is agreed on.

use serde_json::Value;

use super::calls::Call;
use crate::ir::{Handler, JsonType, Method, Protocol};
use crate::source::{Json, Node, Span};
use crate::validate::finding::{At, Findings, Spot};
use crate::validate::rules;

/// Whether a conversation was opened.
#[derive(Debug)]
pub(super) struct Opening {
    /// The wire name of the request that opens it, if there is one.
    method: Option<String>,
    is_open: bool,
    /// The calls that came before.
    early: Vec<Early>,
}

/// A call that came too early.
#[derive(Debug)]
struct Early {
    span: Span,
    pointer: String,
    from: Option<String>,
    to: Option<String>,
    method: String,
}

impl Opening {
    /// The request in which versions are agreed on, else the one in which a side says what it can
    /// do, else the one that opens a connection over HTTP.
    pub(super) fn new(protocol: &Protocol) -> Self {
        let negotiation = protocol.negotiation.as_ref().map(|it| it.method.clone());
        let mut capabilities = protocol.sides.iter().filter_map(|it| it.capabilities.as_ref());
        let method = negotiation
            .or_else(|| capabilities.next().map(|it| it.method.clone()))
            .or_else(|| protocol.remote.as_ref().map(|it| it.opens.clone()));
        Self { method, is_open: false, early: Vec::new() }
    }

    /// Tells whether a call is the one that has opened the conversation, once more.
    pub(super) fn is_opened_by(&self, name: &str) -> bool {
        self.is_open && self.method.as_deref() == Some(name)
    }

    /// Takes note of a call. The connection's own methods may come at any time.
    pub(super) fn call(
        &mut self,
        name: &str,
        method: Option<&Method>,
        at: &At<'_>,
        findings: &mut Findings<'_>,
    ) {
        let Some(opening) = &self.method else { return };
        if self.is_open || method.is_some_and(|method| method.handler == Handler::Protocol) {
            return;
        }
        if name != opening {
            self.early.push(Early {
                span: at.node.span,
                pointer: at.pointer.clone(),
                from: at.from.clone(),
                to: at.to.clone(),
                method: name.to_owned(),
            });
            return;
        }
        self.is_open = true;
        for early in std::mem::take(&mut self.early) {
            let message = format!("`{}` comes before `{opening}`", early.method);
            early.tell(message, findings);
        }
    }

    /// Reports that the conversation was never opened.
    pub(super) fn end(self, findings: &mut Findings<'_>) {
        if let (Some(opening), Some(first)) = (self.method, self.early.into_iter().next()) {
            let message = format!("the conversation does not begin with `{opening}`");
            first.tell(message, findings);
        }
    }
}

/// Compares the version that was asked for with the one that was agreed on.
pub(super) fn compare_versions(
    call: &Call<'_>,
    result: &Value,
    protocol: &Protocol,
    at: &At<'_>,
    findings: &mut Findings<'_>,
) {
    let Some(negotiation) = &protocol.negotiation else { return };
    if call.name != negotiation.method {
        return;
    }
    let key = negotiation.result.wire.as_str();
    let Some(spoken) = result.get(key) else { return };
    // What is no version at all is no value of its type, either.
    let is_version = |it: &Value| JsonType::from_value(it) == JsonType::from_value(spoken);
    if !negotiation.versions.iter().any(is_version) {
        return;
    }
    let asked = call.params.get(&negotiation.params.wire);
    let versions: Vec<String> = negotiation.versions.iter().map(Value::to_string).collect();
    let message = if !negotiation.versions.contains(spoken) {
        format!("version {spoken} is spoken, and the schema describes {}", versions.join(", "))
    } else if let Some(asked) = asked.filter(|asked| *asked != spoken) {
        format!("version {asked} was asked for, and {spoken} is the answer")
    } else {
        return;
    };
    let node = at.node.get("result").and_then(|result| result.get(key));
    let spot = Spot {
        span: node.map(|node| node.span),
        pointer: format!("/result/{key}"),
        path: format!("result.{key}"),
        schema: None,
    };
    findings.add(&rules::VERSION_MISMATCH, at, spot, message);
}

impl Early {
    fn tell(self, message: String, findings: &mut Findings<'_>) {
        let node = Node { span: self.span, json: Json::Null };
        let Self { pointer, from, to, method, .. } = self;
        let at = At { node: &node, pointer, from, to, is_said: false, method: Some(method) };
        findings.add(&rules::BEFORE_OPENING, &at, Spot::default(), message);
    }
}
