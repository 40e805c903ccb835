//! Methods that a schema does not bind itself: found out from a list of methods and from the
//! message unions, for schemas that are older than the annotations.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::Lowerer;
use super::envelope::{Envelope, Listed, Role};
use super::methods::Bound;
use crate::diagnostic::{Diagnostics, parse};
use crate::ir::Name;
use crate::schema::Schema;
use crate::source::{Node, SourceText, Sources};

/// The methods of a protocol by the side that handles them, from a file beside the schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings {
    /// Side and wire name.
    methods: Vec<(String, String)>,
}

impl Bindings {
    /// Reads a list of methods: an object with `SIDEMethods` for each side, each an object whose
    /// values are wire names. Anything else in it is left alone.
    pub fn read(label: &str, text: &str, sources: &mut Sources, found: &mut Diagnostics) -> Self {
        let source = sources.add(SourceText::new(label, text));
        let mut methods = Vec::new();
        let Some(root) = parse(sources, source, found) else { return Self::default() };
        for (key, member) in root.as_object().into_iter().flatten() {
            let Some(side) = key.strip_suffix("Methods") else { continue };
            let wires = member.value.as_object().into_iter().flat_map(|all| all.values());
            for wire in wires.filter_map(|wire| Node::as_str(&wire.value)) {
                methods.push((side.to_owned(), wire.to_owned()));
            }
        }
        Self { methods }
    }

    /// Tells whether a schema is older than the annotations: it binds no method, or not all of the
    /// list. Of any other one an error is an error, whatever is done with it.
    pub(crate) fn are_wanted(&self, schema: &Schema) -> bool {
        let definitions = ["$defs", "definitions"].map(|key| schema.root.get(key));
        let definitions = definitions.into_iter().flatten().filter_map(Node::as_object);
        let types = definitions.flat_map(IndexMap::values);
        let bound: HashSet<&str> =
            types.filter_map(|ty| ty.value.get("x-method")?.as_str()).collect();
        bound.is_empty() || self.methods.iter().any(|(_, wire)| !bound.contains(wire.as_str()))
    }
}

impl<'a> Lowerer<'a> {
    /// Adds the methods of the list that no annotation binds, and the results that are only in
    /// the message unions.
    pub(super) fn infer(
        &mut self,
        bindings: &'a Bindings,
        envelope: &Envelope<'a>,
        bound: &mut IndexMap<(&'a str, &'a str), Bound<'a>>,
    ) {
        let known: HashSet<&str> = bound.keys().map(|(wire, _)| *wire).collect();
        let taken: HashSet<&str> = bound
            .values()
            .flat_map(|types| types.requests.iter().chain(&types.notifications))
            .map(|(name, _)| *name)
            .collect();
        let mut scored = Vec::new();
        for (index, (side, wire)) in bindings.methods.iter().enumerate() {
            if known.contains(wire.as_str()) {
                continue;
            }
            for message in &envelope.listed {
                let Some(name) = message.payload.filter(|name| !taken.contains(name)) else {
                    continue;
                };
                if message.role == Role::Response || is_side(message.sender, side) {
                    continue;
                }
                if let Some(score) = resemblance(name, wire) {
                    scored.push((score, index, name, message.role));
                }
            }
        }
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut methods, mut payloads) = (HashSet::new(), HashSet::new());
        for (_, index, name, role) in scored {
            let Some((side, wire)) = bindings.methods.get(index) else { continue };
            if methods.contains(&index) || payloads.contains(name) {
                continue;
            }
            let Some(schema) = self.document.definitions.get(name) else { continue };
            methods.insert(index);
            payloads.insert(name);
            let types = bound.entry((wire, side)).or_default();
            types.inferred = true;
            match role {
                Role::Notification => types.notifications.push((name, schema)),
                _ => types.requests.push((name, schema)),
            }
        }
    }

    /// Finds the results that no annotation binds in the message unions: a payload, or `null`.
    pub(super) fn answer(
        &self,
        envelope: &Envelope<'a>,
        bound: &mut IndexMap<(&'a str, &'a str), Bound<'a>>,
    ) {
        for ((_, side), types) in bound.iter_mut() {
            if let (Some((request, _)), None) = (types.requests.first(), types.responses.first()) {
                match response(envelope, request, side) {
                    Some(Listed { payload: Some(name), .. }) => {
                        let schema = self.document.definitions.get(*name);
                        types.responses.extend(schema.map(|schema| (*name, schema)));
                    }
                    Some(_) => types.null_result = true,
                    // What it is answered with is not said: any JSON.
                    None => {}
                }
            }
        }
    }
}

/// The message that answers a request: the one of the same name, or the one at the same place in
/// the list of the other side.
fn response<'e, 'a>(
    envelope: &'e Envelope<'a>,
    request: &str,
    side: &str,
) -> Option<&'e Listed<'a>> {
    let responses = || {
        let listed = envelope.listed.iter();
        listed.filter(|message| message.role == Role::Response && is_side(message.sender, side))
    };
    let stem = Role::of_name(request).map_or(request, |(_, stem)| stem);
    let named = |message: &&Listed<'_>| {
        let name = message.payload.or(message.title);
        name.and_then(|name| name.strip_suffix("Response")) == Some(stem)
    };
    let index = || {
        let mut listed = envelope.listed.iter();
        listed.find(|message| message.payload == Some(request)).map(|message| message.index)
    };
    responses().find(named).or_else(|| {
        let index = index()?;
        responses().find(|message| message.index == index && message.is_null)
    })
}

fn is_side(prefix: &str, side: &str) -> bool {
    Name::new(prefix).words == Name::new(side).words
}

/// Measures how much a payload's name has in common with a method's, if it says nothing else.
fn resemblance(payload: &str, wire: &str) -> Option<f64> {
    let stem = Role::of_name(payload).map_or(payload, |(_, stem)| stem);
    let (payload, method) = (Name::new(stem).words, Name::new(wire).words);
    let common = payload.iter().filter(|word| method.contains(word)).count();
    let all = payload.len() + method.len() - common;
    #[allow(clippy::cast_precision_loss, reason = "names have few words")]
    let score = common as f64 / all as f64;
    (common > 0 && score >= 0.3).then_some(score)
}
