//! A conversation, message by message.

mod agreement;
mod answers;
mod bodies;
mod calls;
mod differences;
mod methods;
mod opening;
mod turns;

use super::finding::{At, Findings, Spot};
use super::read::{Message, Said, Sender, is_structure, messages, other, text_of};
use super::rules;
use crate::ir::{Handler, Method, Protocol};
use crate::source::{Node, Span};

use agreement::Agreement;
pub(super) use bodies::Bodies;
use calls::{Call, Calls};
pub(super) use differences::WholeSchema;
use methods::{Found, find};
use opening::Opening;
use turns::Turns;

/// A conversation that is being judged.
pub(super) struct Talk<'a> {
    protocol: &'a Protocol,
    bodies: Bodies<'a>,
    /// The side whose log the trace is.
    own: Option<String>,
    /// False for a message by itself: nothing is known of what came before.
    is_whole: bool,
    /// True if something could not be read, so that requests and answers may be missing.
    has_gaps: bool,
    calls: Calls<'a>,
    agreement: Agreement,
    opening: Opening,
    turns: Turns<'a>,
    /// The number of messages.
    pub(super) count: usize,
}

impl<'a> Talk<'a> {
    pub(super) fn new(
        protocol: &'a Protocol,
        bodies: Bodies<'a>,
        own: Option<String>,
        is_whole: bool,
    ) -> Self {
        Self {
            protocol,
            bodies,
            own,
            is_whole,
            has_gaps: false,
            calls: Calls::default(),
            agreement: Agreement::default(),
            opening: Opening::new(protocol),
            turns: Turns::new(protocol),
            count: 0,
        }
    }

    /// Judges what is said next.
    pub(super) fn hear(&mut self, said: &Said<'_>, item: &str, findings: &mut Findings<'_>) {
        let node: &Node = match &said.message {
            Ok(node) => node,
            Err(span) => {
                let location = findings.location(*span);
                findings.add_at(&rules::INVALID_JSON, location, "the text is no JSON".to_owned());
                self.miss();
                return;
            }
        };
        let pointer = format!("{item}{}", said.pointer);
        let from = self.sender(&said.from, findings);
        let to = said.to.clone().or_else(|| other(self.protocol, from.as_deref()?));
        let is_said = said.to.is_some();
        let at = At { node, pointer: pointer.clone(), from, to, is_said, method: None };
        let is_batch = node.as_array().is_some();
        let all = messages(node);
        if all.is_empty() {
            findings.add(&rules::EMPTY_BATCH, &at, Spot::default(), "a batch is empty".to_owned());
        }
        for (index, message) in all {
            let at = At { node: message, pointer: format!("{pointer}{index}"), ..at.clone() };
            self.message(at, is_batch, findings);
        }
    }

    /// Takes note of something that cannot be read.
    pub(super) fn miss(&mut self) {
        self.has_gaps = true;
    }

    /// Judges what was never said.
    pub(super) fn end(self, findings: &mut Findings<'_>) {
        if self.is_whole {
            if !self.has_gaps {
                self.calls.end(findings);
            }
            self.opening.end(findings);
        }
    }

    /// Ends a conversation, and begins another: in a log that several runs of a program wrote to.
    fn begin_again(&mut self, findings: &mut Findings<'_>) {
        let calls = std::mem::take(&mut self.calls);
        if !self.has_gaps {
            calls.end(findings);
        }
        self.agreement = Agreement::default();
        self.opening = Opening::new(self.protocol);
        self.turns = Turns::new(self.protocol);
    }

    fn sender(&self, from: &Sender, findings: &mut Findings<'_>) -> Option<String> {
        match from {
            Sender::Unsaid => None,
            Sender::Side(name) => Some(name.clone()),
            Sender::Own => self.own.clone(),
            Sender::Other => other(self.protocol, self.own.as_deref()?),
            Sender::Unknown(span) => {
                self.unknown_sender(*span, findings);
                None
            }
        }
    }

    fn unknown_sender(&self, span: Span, findings: &mut Findings<'_>) {
        let sides = self.protocol.sides.iter().map(|side| format!("`{}`", side.name.wire));
        let sides = sides.collect::<Vec<_>>().join(", ");
        let message = format!("this names no side of the protocol; there are {sides}");
        findings.add_at(&rules::UNKNOWN_SENDER, findings.location(span), message);
    }

    fn message(&mut self, mut at: At<'_>, in_batch: bool, findings: &mut Findings<'_>) {
        self.count += 1;
        let (message, problems) = Message::read(at.node);
        at.method = message.as_ref().and_then(Message::method).map(str::to_owned);
        for problem in problems {
            let spot =
                problem.key.map_or_else(Spot::default, |key| Spot::member(key, problem.span));
            findings.add(problem.rule, &at, spot, problem.message);
        }
        for (key, span) in Message::unknown_members(at.node) {
            let message = format!("JSON-RPC knows no member `{key}`");
            findings.add(&rules::UNKNOWN_MEMBER, &at, Spot::member(key, span), message);
        }
        let text = findings.text(at.node.span.source);
        match message {
            Some(Message::Request { id, method, params }) => {
                let call = (text_of(id, text), id.span);
                self.call(method, Some(call), params, at, in_batch, findings);
            }
            Some(Message::Notification { method, params }) => {
                self.call(method, None, params, at, in_batch, findings);
            }
            Some(Message::Result { id, result }) => {
                self.answer(&text_of(id, text), id, Ok(result), at, findings);
            }
            Some(Message::Error { id, error }) => {
                self.answer(&text_of(id, text), id, Err(error), at, findings);
            }
            None => {}
        }
    }

    /// Judges a request, which has an id, or a notification.
    fn call(
        &mut self,
        name: &str,
        id: Option<(String, Span)>,
        params: Option<&Node>,
        mut at: At<'_>,
        in_batch: bool,
        findings: &mut Findings<'_>,
    ) {
        let sides = [at.from.as_deref(), at.to.as_deref().filter(|_| at.is_said)];
        let found = find(self.protocol, name, id.is_some(), sides);
        let method = found.method();
        if let Some(Method { handler: Handler::Side { name }, .. }) = method
            && !matches!(found, Found::WrongWay(_))
        {
            at.from = at.from.or_else(|| other(self.protocol, name));
            at.to = Some(name.clone());
        }
        methods::tell(&found, self.protocol, name, &at, findings);
        if self.is_whole {
            if let Some((id, _)) = &id
                && self.opening.is_opened_by(name)
                && self.calls.has(id, at.to.as_deref())
            {
                self.begin_again(findings);
            }
            self.opening.call(name, method, &at, findings);
        }
        if let Some(method) = method.filter(|method| in_batch && method.lifecycle) {
            let spot = Spot { schema: Some(method.location.clone()), ..Spot::default() };
            let message = format!("`{name}` must not be in a batch");
            findings.add(&rules::LIFECYCLE_IN_BATCH, &at, spot, message);
        }
        let value = match found.params().filter(|_| params.is_none_or(is_structure)) {
            Some(ty) => self.bodies.params(ty, params, &at, findings),
            None => params.map(Node::to_value).unwrap_or_default(),
        };
        if let Some(method) = method {
            self.agreement.check_call(method, self.protocol, &at, findings);
            self.agreement.check_params(method, self.protocol, params, &at, findings);
            self.agreement.learn_params(method, self.protocol, &value);
            if id.is_none() {
                let running = self.calls.running();
                self.turns.notification(method, &value, &running, &at, findings);
            }
        }
        if let Some((id, span)) = id {
            let call = Call::new(id, name, method, value, &at);
            self.calls.begin(call, &at, span, findings);
        }
    }
}
