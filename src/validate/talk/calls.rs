//! Requests, and whether they were answered.

use std::collections::HashMap;

use serde_json::Value;

use crate::ir::Method;
use crate::source::{Json, Node, Span};
use crate::validate::finding::{At, Findings, Spot};
use crate::validate::rules;

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Call<'a> {
    id: String,
    /// The name of its method.
    pub(super) name: String,
    /// Its method, if the schema has it.
    pub(super) method: Option<&'a Method>,
    /// Its params, with their defaults if they are valid.
    pub(super) params: Value,
    /// The side that sent it, if that is known.
    pub(super) from: Option<String>,
    /// The side that has to answer, if that is known.
    pub(super) to: Option<String>,
    span: Span,
    pointer: String,
}

/// All requests so far.
#[derive(Debug, Default)]
pub(super) struct Calls<'a> {
    /// The requests that have no answer yet.
    running: Vec<Call<'a>>,
    /// How many of them have each id: few have the same one.
    ids: HashMap<String, usize>,
    /// The answered requests: for each id the sides that answered, as far as they are known.
    answered: HashMap<String, Vec<Option<String>>>,
}

impl<'a> Call<'a> {
    pub(super) fn new(
        id: String,
        name: &str,
        method: Option<&'a Method>,
        params: Value,
        at: &At<'_>,
    ) -> Self {
        Self {
            id,
            name: name.to_owned(),
            method,
            params,
            from: at.from.clone(),
            to: at.to.clone(),
            span: at.node.span,
            pointer: at.pointer.clone(),
        }
    }

    /// Tells whether an answer with this id from this side can be one to it.
    fn fits(&self, id: &str, from: Option<&str>) -> bool {
        self.id == id
            && match (from, &self.from, &self.to) {
                (Some(from), _, Some(to)) => from == to,
                (Some(from), Some(caller), None) => from != caller,
                _ => true,
            }
    }
}

impl<'a> Calls<'a> {
    /// Adds a request.
    pub(super) fn begin(
        &mut self,
        call: Call<'a>,
        at: &At<'_>,
        id: Span,
        findings: &mut Findings<'_>,
    ) {
        let is_same =
            |other: &&Call| other.id == call.id && other.from == call.from && other.to == call.to;
        // The id `null` is for those who do not care for the answer.
        let count = self.ids.entry(call.id.clone()).or_default();
        *count += 1;
        if call.id != "null"
            && *count > 1
            && let Some(other) = self.running.iter().find(is_same)
        {
            let line = findings.location(other.span).line;
            let message = format!(
                "the id {} is that of `{}` in line {line}, which has no answer yet",
                call.id, other.name
            );
            findings.add(&rules::ID_IN_USE, at, Spot::member("id", id), message);
        }
        self.running.push(call);
    }

    /// The request that an answer belongs to, if there is one: of several the one that the answer
    /// misfits least, of these the first.
    pub(super) fn answered(
        &mut self,
        id: &str,
        from: Option<&str>,
        misfit: impl Fn(&Call<'a>) -> usize,
    ) -> Option<Call<'a>> {
        if !self.is_running(id) {
            return None;
        }
        let all = self.running.iter().enumerate().filter(|(_, call)| call.fits(id, from));
        let (chosen, _) = all.min_by_key(|(_, call)| misfit(call))?;
        let call = self.running.remove(chosen);
        if let Some(count) = self.ids.get_mut(&call.id) {
            *count = count.saturating_sub(1);
        }
        let answerer = from.map(str::to_owned).or_else(|| call.to.clone());
        self.answered.entry(id.to_owned()).or_default().push(answerer);
        Some(call)
    }

    /// Tells whether a request with this id was answered before.
    pub(super) fn was_answered(&self, id: &str, from: Option<&str>) -> bool {
        let answerers = self.answered.get(id);
        answerers.is_some_and(|sides| {
            let is_it =
                |side: &Option<String>| from.is_none() || side.is_none() || side.as_deref() == from;
            sides.iter().any(is_it)
        })
    }

    /// Tells whether there was a request with this id to this side, answered or not.
    pub(super) fn has(&self, id: &str, to: Option<&str>) -> bool {
        let is_to = |call: &Call<'_>| to.is_none() || call.to.is_none() || call.to.as_deref() == to;
        let is_running = || self.running().any(|call| call.id == id && is_to(call));
        self.was_answered(id, to) || self.is_running(id) && is_running()
    }

    /// Tells whether a request with this id has no answer yet.
    fn is_running(&self, id: &str) -> bool {
        self.ids.get(id).is_some_and(|count| *count > 0)
    }

    /// The requests that have no answer yet.
    pub(super) fn running(&self) -> impl Iterator<Item = &Call<'a>> + Clone {
        self.running.iter()
    }

    /// Reports the requests that were never answered.
    pub(super) fn end(&self, findings: &mut Findings<'_>) {
        for call in self.running() {
            let node = Node { span: call.span, json: Json::Null };
            let at = At {
                node: &node,
                pointer: call.pointer.clone(),
                from: call.from.clone(),
                to: call.to.clone(),
                is_said: false,
                method: Some(call.name.clone()),
            };
            let message = format!("`{}` with the id {} is never answered", call.name, call.id);
            findings.add(&rules::NEVER_ANSWERED, &at, Spot::default(), message);
        }
    }
}
