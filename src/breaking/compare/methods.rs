//! Methods.

use std::collections::HashMap;

use super::Comparer;
use super::finding::{ComparedLocation, End, Finding, WitnessTarget};
use super::gates::Gate;
use super::similar::alike;
use crate::breaking::rules::{self, Rule};
use crate::breaking::verdict::{Direction, Directions};
use crate::ir::{Handler, Kind, Method, Name, Part, Payload, Protocol, Type};

/// A method in both protocols.
pub(super) type Pair<'a> = (&'a Method, &'a Method);

/// Which method of the old protocol is which of the new.
#[derive(Default)]
pub(super) struct Methods<'a> {
    same: Vec<Pair<'a>>,
    renamed: Vec<Pair<'a>>,
    gone: Vec<&'a Method>,
    come: Vec<&'a Method>,
}

impl<'a> Comparer<'a> {
    /// Finds out which method is which, and what that tells about types.
    pub(super) fn match_methods(&mut self) -> Methods<'a> {
        let mut found = Methods {
            gone: self.old.methods.iter().collect(),
            come: self.new.methods.iter().collect(),
            ..Methods::default()
        };
        let exact = |method: &Method| {
            format!("{} {:?} {}", method.name.wire, method.handler, method.is_request())
        };
        found.take(exact);
        found.take(|method| format!("{} {}", method.name.wire, method.is_request()));
        found.take(|method| format!("{} {:?}", method.name.wire, method.handler));
        for (old, new) in &found.same {
            self.propose_payloads(old, new);
        }
        self.pairing.settle();
        self.pairing.by_shape();
        self.pairing.settle();
        self.renamed_methods(&mut found);
        for (old, new) in &found.renamed {
            self.propose_payloads(old, new);
        }
        self.pairing.settle();
        found
    }

    fn propose_payloads(&mut self, old: &'a Method, new: &'a Method) {
        self.pairing.propose(old.params(), new.params(), true);
        if let (Some(from), Some(to)) = (old.result(), new.result()) {
            self.pairing.propose(from, to, true);
        }
    }

    /// Methods with the same handler and equal payloads, if their types are the same, their names
    /// look alike, or no other method has such payloads.
    fn renamed_methods(&mut self, found: &mut Methods<'a>) {
        let key = |comparer: &Self, method: &Method, is_old: bool| {
            let result = method.result().map(|result| comparer.pairing.signature(result, is_old));
            let params = comparer.pairing.signature(method.params(), is_old);
            format!("{:?} {params} {result:?}", method.handler)
        };
        let mut keyed: HashMap<String, Vec<&'a Method>> = HashMap::new();
        for method in &found.come {
            keyed.entry(key(self, method, false)).or_default().push(method);
        }
        let mut gone = std::mem::take(&mut found.gone);
        let mut asked: HashMap<String, usize> = HashMap::new();
        for old in &gone {
            *asked.entry(key(self, old, true)).or_default() += 1;
        }
        gone.retain(|old| {
            let shape = key(self, old, true);
            let candidates = keyed.get_mut(&shape);
            let Some(candidates) = candidates else { return true };
            let is_only =
                candidates.len() == 1 && asked.get(&shape) == Some(&1) && self.is_telling(old);
            let twin = candidates.iter().position(|new| {
                is_only || self.is_pair(old.params(), new.params()) || alike(&last(old), &last(new))
            });
            let Some(index) = twin else { return true };
            found.renamed.push((old, candidates.remove(index)));
            false
        });
        found.gone = gone;
        let renamed: Vec<_> = found.renamed.iter().map(|(_, new)| *new).collect();
        found.come.retain(|new| !renamed.iter().any(|taken| std::ptr::eq(*taken, *new)));
    }

    /// Tells whether the params say something: a message that must hold something is not like any.
    fn is_telling(&self, method: &Method) -> bool {
        match self.old.resolved(method.params()).kind {
            Kind::Record(record) => record.fields.iter().any(|field| field.presence.is_required()),
            Kind::Union(_) => true,
            _ => false,
        }
    }

    pub(super) fn methods(&mut self, methods: &Methods<'a>) {
        for (old, new) in &methods.same {
            self.method(old, new);
        }
        for (old, new) in &methods.renamed {
            let summary = format!("`{}` is now called `{}`", old.name.wire, new.name.wire);
            self.report_method(&rules::METHOD_RENAMED, Some(old), Some(new), summary);
            self.payloads_of(old, new);
        }
        for method in &methods.gone {
            let summary = format!("`{}` is gone", method.name.wire);
            self.report_method(&rules::METHOD_REMOVED, Some(method), None, summary);
        }
        for method in &methods.come {
            let (rule, kind) = if method.is_request() {
                (&rules::METHOD_ADDED_REQUEST, "request")
            } else {
                (&rules::METHOD_ADDED_NOTIFICATION, "notification")
            };
            let summary = format!("the {kind} `{}` is new", method.name.wire);
            self.report_method(rule, None, Some(method), summary);
        }
    }

    fn method(&mut self, old: &'a Method, new: &'a Method) {
        let wire = &old.name.wire;
        if old.handler != new.handler {
            let summary = format!(
                "`{wire}` was handled by {} and is now handled by {}",
                handler(&old.handler),
                handler(&new.handler)
            );
            self.report_method(&rules::METHOD_SIDE_MOVED, Some(old), Some(new), summary);
        }
        if old.is_request() != new.is_request() {
            let kind = |method: &Method| {
                if method.is_request() { "a request" } else { "a notification" }
            };
            let summary = format!("`{wire}` was {} and is now {}", kind(old), kind(new));
            self.report_method(&rules::METHOD_KIND_CHANGED, Some(old), Some(new), summary);
        }
        if old.inferred && !new.inferred {
            let summary = format!("the schema now binds `{wire}` itself");
            self.report_method(&rules::METHOD_BINDING_ANNOTATED, Some(old), Some(new), summary);
        }
        self.method_annotations(old, new);
        self.function_name(old, new);
        let name = format!("`{wire}`");
        let before = self.findings.len();
        let ty = params_name(self.old, old).unwrap_or(wire);
        let ends = (End::new(None, &old.location), End::new(None, &new.location));
        let at =
            ComparedLocation { path: wire.clone(), ..ComparedLocation::new(ty, ends.0, ends.1) };
        self.status(&at, &name, &old.docs, &new.docs);
        for finding in self.findings.iter_mut().skip(before) {
            finding.methods = vec![wire];
            finding.target = None;
            finding.positions =
                Payload::new(self.old, old, Part::for_params(old)).into_iter().collect();
            finding.is_located = true;
        }
        self.payloads_of(old, new);
    }

    fn payloads_of(&mut self, old: &'a Method, new: &'a Method) {
        self.payload(old, new, Part::for_params(new), old.params(), new.params());
        if let (Some(from), Some(to)) = (old.result(), new.result()) {
            self.payload(old, new, Part::Result, from, to);
        }
    }

    fn payload(
        &mut self,
        old: &'a Method,
        new: &'a Method,
        part: Part,
        from: &'a Type,
        to: &'a Type,
    ) {
        let used = |protocol: &'a Protocol, ty: &'a Type| {
            protocol.resolved(ty).used_as.filter(|def| !def.inline)
        };
        let (a, b) = (used(self.old, from), used(self.new, to));
        let name = || params_name(self.old, old).unwrap_or(&old.name.wire);
        let ty = a.or(b).map_or_else(name, |def| def.name.wire.as_str());
        let old_end = End::new(None, a.map_or(&old.location, |def| &def.location));
        let new_end = End::new(None, b.map_or(&new.location, |def| &def.location));
        let mut at = ComparedLocation::new(ty, old_end, new_end);
        if part == Part::Result {
            // So that a difference between null and an object is seen to be one of a result.
            "result".clone_into(&mut at.path);
        }
        let before = self.findings.len();
        self.types(&at, from, to);
        let positions = |protocol: &Protocol, method: &Method| Payload::new(protocol, method, part);
        let found = positions(self.old, old).or_else(|| positions(self.new, new));
        let target = WitnessTarget {
            old: Some(from.clone()),
            new: Some(to.clone()),
            focus: None,
            renamed: None,
            payload: found.clone(),
            hops: Vec::new(),
        };
        for finding in self.findings.iter_mut().skip(before) {
            if finding.location.path == "result" {
                finding.location.path.clear();
            }
            if finding.location.path.is_empty() && finding.location.old.def == at.old.def {
                finding.methods = vec![&old.name.wire, &new.name.wire];
                if found.is_some() {
                    finding.positions = found.clone().into_iter().collect();
                    finding.is_located = true;
                }
                finding.target = Some(target.clone());
            }
        }
    }

    pub(super) fn report_method(
        &mut self,
        rule: &'static Rule,
        old: Option<&'a Method>,
        new: Option<&'a Method>,
        summary: String,
    ) {
        let Some(method) = old.or(new) else { return };
        let location = |of: Option<&'a Method>| of.map_or(&method.location, |of| &of.location);
        let protocol = if old.is_some() { self.old } else { self.new };
        let ty = params_name(protocol, method).unwrap_or(&method.name.wire);
        let ends = (End::new(None, location(old)), End::new(None, location(new)));
        let mut at = ComparedLocation::new(ty, ends.0, ends.1);
        at.path.clone_from(&method.name.wire);
        let mut finding = Finding::new(rule, &at, summary);
        finding.only = match (old, new) {
            (Some(_), None) => Some(Direction::OldToNew),
            (None, Some(_)) => Some(Direction::NewToOld),
            _ => None,
        };
        let payload = Payload::new(protocol, method, Part::for_params(method));
        finding.methods = old.into_iter().chain(new).map(|of| of.name.wire.as_str()).collect();
        finding = finding.located(payload.clone());
        let other = if old.is_some() { self.new } else { self.old };
        finding.gate = Gate::of_method(protocol, other, method);
        if let (Some(old), None) = (old, new) {
            finding = finding.after(&old.docs);
        }
        if let (Some(old), Some(new)) = (old, new) {
            let of = |protocol: &Protocol, method: &Method| {
                Payload::new(protocol, method, Part::for_params(method))
            };
            let (old_to_new, new_to_old) = (of(self.old, old), of(self.new, new));
            finding.by_direction = Some(Box::new(Directions { old_to_new, new_to_old }));
        }
        finding.target = Some(WitnessTarget {
            old: old.map(|method| method.params().clone()),
            new: new.map(|method| method.params().clone()),
            focus: None,
            renamed: None,
            payload,
            hops: Vec::new(),
        });
        self.report(finding);
    }
}

impl<'a> Methods<'a> {
    /// Takes out the methods that have the same key.
    fn take(&mut self, key: impl Fn(&Method) -> String) {
        let mut keyed: HashMap<String, &'a Method> = HashMap::new();
        for method in self.come.iter().rev() {
            keyed.insert(key(method), method);
        }
        let same = &mut self.same;
        let mut taken = Vec::new();
        self.gone.retain(|old| match keyed.remove(&key(old)) {
            Some(new) => {
                same.push((old, new));
                taken.push(new);
                false
            }
            None => true,
        });
        self.come.retain(|new| !taken.iter().any(|taken| std::ptr::eq(*taken, *new)));
    }
}

fn handler(handler: &Handler) -> String {
    match handler {
        Handler::Side { name } => format!("`{name}`"),
        Handler::Either => "either side".to_owned(),
        Handler::Protocol => "the connection itself".to_owned(),
    }
}

fn params_name<'a>(protocol: &'a Protocol, method: &'a Method) -> Option<&'a str> {
    protocol.resolved(method.params()).used_as.map(|def| def.name.wire.as_str())
}

/// The last segment of a method's wire name.
fn last(method: &Method) -> Name {
    Name::new(method.name.wire.rsplit('/').next().unwrap_or_default())
}
