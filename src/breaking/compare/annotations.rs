//! Annotations: what ends tell each other, how they meet, what generated code makes of messages.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Comparer;
use super::finding::{ComparedLocation, End, Finding};
use super::gates::{gate, method_gate};
use super::rewrites::ROOT;
use crate::breaking::rules::{self, Rule};
use crate::breaking::verdict::{Verdict, Wire};
use crate::ir::{Docs, Handle, Method, NeededCapability, Protocol, Remote, RemoteSession};

impl<'a> Comparer<'a> {
    /// Compares the annotations of the protocol as a whole.
    pub(super) fn protocol(&mut self) {
        let title = &self.old.title.wire;
        let root = ComparedLocation::new(title, End::new(None, &ROOT), End::new(None, &ROOT));
        self.versions(&root);
        let at = |property: &str| ComparedLocation { path: property.to_owned(), ..root.clone() };
        self.remote(&at("x-remote"));
        let (old, new) = (self.old, self.new);
        for side in &old.sides {
            let Some(now) = new.side(&side.name.wire) else { continue };
            let told = |protocol: &Protocol| {
                let at = protocol.side(&side.name.wire)?.capabilities.clone()?;
                Some(format!("in `{}` of `{}`", at.property.wire, at.method))
            };
            if side.capabilities != now.capabilities {
                let place = |at: Option<String>| at.unwrap_or_else(|| String::from("nowhere"));
                let summary = format!(
                    "`{}` told its capabilities {} and now does {}",
                    side.name.wire,
                    place(told(old)),
                    place(told(new))
                );
                let at = at(&format!("x-capabilities={}", side.name.wire));
                self.report(of_protocol(&rules::CAPABILITIES_MOVED, &at, summary));
            }
        }
    }

    fn versions(&mut self, root: &ComparedLocation<'a>) {
        let (old, new) = (self.old, self.new);
        let at = |property: &str| ComparedLocation { path: property.to_owned(), ..root.clone() };
        let spoken = |protocol: &Protocol| match &protocol.negotiation {
            Some(negotiation) => negotiation.versions.clone(),
            None => protocol.version.iter().cloned().collect(),
        };
        let (was, is) = (spoken(old), spoken(new));
        if was != is && !was.is_empty() && !is.is_empty() {
            let is_agreed = old.negotiation.is_some() && new.negotiation.is_some();
            let has_common = was.iter().any(|version| is.contains(version));
            let summary = format!("ends spoke {} and now speak {}", list(&was), list(&is));
            let mut finding = of_protocol(&rules::VERSION_CHANGED, &at("x-version"), summary);
            if !is_agreed || has_common {
                finding.wire = Wire::OK;
            }
            self.report(finding);
        }
        let agreed = |protocol: &Protocol| {
            let it = protocol.negotiation.as_ref()?;
            let (asked, answered) = (&it.params.wire, &it.result.wire);
            Some(format!("in `{asked}` and `{answered}` of `{}`", it.method))
        };
        let (was, is) = (agreed(old), agreed(new));
        if was != is {
            let place = |at: Option<String>| at.unwrap_or_else(|| String::from("nowhere"));
            let summary =
                format!("ends agreed on a version {} and now do {}", place(was), place(is));
            let at = at("x-protocol-version");
            self.report(of_protocol(&rules::NEGOTIATION_CHANGED, &at, summary));
        }
    }

    fn remote(&mut self, at: &ComparedLocation<'a>) {
        let protocols = (self.old, self.new);
        let (old, new) = (protocols.0.remote.as_ref(), protocols.1.remote.as_ref());
        let mut found = |rule: &'static Rule, wire: Wire, path: &str, summary: String| {
            let mut at = at.clone();
            at.path.push_str(path);
            self.report(of_protocol(rule, &at, summary).wire(wire));
        };
        let (old, new) = match (old, new) {
            (None, None) => return,
            (None, Some(new)) => {
                let summary = format!("the protocol is now spoken over HTTP at `{}`", new.path);
                return found(&rules::REMOTE_ADDED, rules::REMOTE_ADDED.wire, "", summary);
            }
            (Some(old), None) => {
                let summary = format!("it was spoken over HTTP at `{}`", old.path);
                return found(&rules::REMOTE_REMOVED, rules::REMOTE_REMOVED.wire, "", summary);
            }
            (Some(old), Some(new)) => (old, new),
        };
        // What a method does that only one schema has is said with the method.
        let common = |name: &str| {
            let has = |protocol: &Protocol| protocol.named(name).next().is_some();
            has(protocols.0) && has(protocols.1)
        };
        let (were, are) = (parts(old, &common), parts(new, &common));
        for ((name, what, was, breaks), (.., is, _)) in were.into_iter().zip(are) {
            if was == is {
                continue;
            }
            let word = |value: Option<String>| value.unwrap_or_else(|| String::from("nothing"));
            let summary = format!("{what} was {} and is now {}", word(was), word(is));
            let verdict = if breaks { Verdict::Break } else { Verdict::Risk };
            found(&rules::REMOTE_CHANGED, Wire::both(verdict), &format!(".{name}"), summary);
        }
    }

    /// Compares the annotations of a method, but not its payloads.
    pub(super) fn method_annotations(&mut self, old: &'a Method, new: &'a Method) {
        let wire = &old.name.wire;
        let protocols = (self.old, self.new);
        let mut report = |rule: &'static Rule, summary: String| {
            self.report_method(rule, Some(old), Some(new), summary);
        };
        match (old.optional, new.optional) {
            (false, true) => {
                let summary = format!("a handler need not have `{wire}` any more");
                report(&rules::METHOD_BECAME_OPTIONAL, summary);
            }
            (true, false) => {
                report(
                    &rules::METHOD_BECAME_MANDATORY,
                    format!("a handler must now have `{wire}`"),
                );
            }
            _ => {}
        }
        let gates = (method_gate(protocols.0, old), method_gate(protocols.1, new));
        if let Some((rule, summary)) = needed(wire, gates.0, gates.1) {
            report(rule, summary);
        }
        if old.lifecycle != new.lifecycle {
            let word = if new.lifecycle { "no longer" } else { "now" };
            report(&rules::LIFECYCLE_CHANGED, format!("`{wire}` can {word} be called in a batch"));
        }
        if !same(&old.cancels, &new.cancels) {
            let requests = |method: &Method| {
                let all = method.cancels.iter().map(|it| {
                    let by = format!("`{}` by `{}`", it.request, it.key);
                    let result = it.result.as_ref();
                    result.map_or_else(|| by.clone(), |result| format!("{by} with {result}"))
                });
                or_nothing(&all.collect::<Vec<_>>())
            };
            let (was, is) = (requests(old), requests(new));
            let summary = format!("`{wire}` cancelled {was} and now cancels {is}");
            report(&rules::CANCELLATION_CHANGED, summary);
        }
        if old.stream != new.stream {
            let pieces = |method: &Method| {
                let by = method.stream.iter().map(|it| format!("`{}`", it.notification));
                or_nothing(&by.collect::<Vec<_>>())
            };
            let (was, is) = (pieces(old), pieces(new));
            let summary = if was == is {
                format!("the pieces of what `{wire}` gives are found in another way")
            } else {
                format!("the pieces of what `{wire}` gives came by {was}, now by {is}")
            };
            report(&rules::STREAM_CHANGED, summary);
        }
        self.handle(old, new);
        self.process(old, new);
        self.helpers(old, new);
    }

    fn handle(&mut self, old: &'a Method, new: &'a Method) {
        let is_same = match (&old.handle, &new.handle) {
            (Some(old), Some(new)) => {
                let rest = |it: &Handle| Handle { methods: Vec::new(), ..it.clone() };
                rest(old) == rest(new) && same(&old.methods, &new.methods)
            }
            (old, new) => old == new,
        };
        if is_same {
            return;
        }
        let wire = &old.name.wire;
        let class = |method: &Method| {
            let name = method.handle.iter().map(|it| format!("`{}`", it.name.wire));
            or_nothing(&name.collect::<Vec<_>>())
        };
        let (was, is) = (class(old), class(new));
        let summary = if was == is {
            format!("{is}, what `{wire}` opens, has other methods")
        } else {
            format!("the class of what `{wire}` opens was {was} and is now {is}")
        };
        self.report_method(&rules::HANDLE_CHANGED, Some(old), Some(new), summary);
        let handles = [&old.handle, &new.handle].into_iter().flatten();
        let methods = handles.flat_map(|it| {
            it.methods.iter().map(|method| &method.method).chain(&it.release).map(String::as_str)
        });
        if let Some(finding) = self.findings.last_mut() {
            // Its class is made of calls of all these.
            finding.methods.extend(methods);
        }
    }

    /// Compares the classes that run what a request starts. A new one takes nothing away.
    fn process(&mut self, old: &'a Method, new: &'a Method) {
        let class = |method: &Method| {
            let name = method.process.iter().map(|it| format!("`{}`", it.name.wire));
            or_nothing(&name.collect::<Vec<_>>())
        };
        let (was, is) = (class(old), class(new));
        if old.process.is_some() && was != is {
            let wire = &old.name.wire;
            let summary =
                format!("the class that runs what `{wire}` starts was {was} and is now {is}");
            self.report_method(&rules::HANDLE_CHANGED, Some(old), Some(new), summary);
        }
    }

    /// Compares the functions beside a call. A new one takes nothing away.
    fn helpers(&mut self, old: &'a Method, new: &'a Method) {
        let wire = &old.name.wire;
        let kept: Vec<_> = new.helpers().collect();
        let gone = old
            .helpers()
            .filter(|name| !kept.contains(name))
            .map(|name| format!("`{}`", name.wire));
        let gone: Vec<String> = gone.collect();
        let summary = if !gone.is_empty() {
            let are = if gone.len() == 1 { "is" } else { "are" };
            format!("{}, which called `{wire}`, {are} gone", gone.join(" and "))
        } else if old.choice.is_some() && old.choice != new.choice {
            format!("what is chosen in the answer to `{wire}` is found in another way")
        } else if old.file.is_some() && old.file != new.file {
            format!("the file that `{wire}` reads or writes is found in another way")
        } else {
            return;
        };
        self.report_method(&rules::HANDLE_CHANGED, Some(old), Some(new), summary);
    }

    /// Compares the status of a part of the protocol: whether it is deprecated, and stable.
    pub(super) fn status(&mut self, at: &ComparedLocation<'a>, what: &str, old: &Docs, new: &Docs) {
        self.turned(
            at,
            (old.deprecated, new.deprecated),
            (&rules::DEPRECATED, &format!("{what} is now deprecated")),
            (&rules::NO_LONGER_DEPRECATED, &format!("{what} is no longer deprecated")),
        );
        self.turned(
            at,
            (old.is_unstable(), new.is_unstable()),
            (&rules::BECAME_UNSTABLE, &format!("{what} is no longer stable")),
            (&rules::BECAME_STABLE, &format!("{what} is now stable")),
        );
    }

    /// Compares the capabilities that the receiver of a part of a payload must have told.
    pub(super) fn capabilities(
        &mut self,
        at: &ComparedLocation<'a>,
        what: &str,
        (old, new): (&[NeededCapability], &[NeededCapability]),
    ) {
        let (was, is) = (gate(self.old, old), gate(self.new, new));
        if let Some((rule, summary)) = needed(what, was, is) {
            self.found(rule, at, summary);
        }
    }
}

/// Tells whether two lists hold the same. Their order is that of keys in the schema.
fn same<T: PartialEq>(old: &[T], new: &[T]) -> bool {
    old.len() == new.len() && old.iter().all(|it| new.contains(it))
}

/// A finding about the protocol as a whole: no message holds what it is about.
fn of_protocol<'a>(rule: &'static Rule, at: &ComparedLocation<'a>, summary: String) -> Finding<'a> {
    let mut finding = Finding::new(rule, at, summary).located(None);
    finding.target = None;
    finding
}

/// The rule for a needed capability that was added, removed or changed.
fn needed(what: &str, old: Option<String>, new: Option<String>) -> Option<(&'static Rule, String)> {
    match (old, new) {
        (None, Some(new)) => {
            Some((&rules::CAPABILITY_ADDED, format!("`{what}` now needs the capability `{new}`")))
        }
        (Some(old), None) => Some((
            &rules::CAPABILITY_REMOVED,
            format!("`{what}` no longer needs the capability `{old}`"),
        )),
        (Some(old), Some(new)) if old != new => Some((
            &rules::CAPABILITY_CHANGED,
            format!("`{what}` needs the capability `{new}` instead of `{old}`"),
        )),
        _ => None,
    }
}

/// A part of how the protocol is spoken over HTTP: its keyword, what it is in words, its value,
/// and whether peers that disagree on it cannot talk at all.
type Part = (&'static str, &'static str, Option<String>, bool);

/// The parts, of methods only those that are `common`.
fn parts(remote: &Remote, common: &dyn Fn(&str) -> bool) -> [Part; 9] {
    let code = |text: &String| format!("`{text}`");
    let session =
        |of: &dyn Fn(&RemoteSession) -> Option<String>| remote.session.as_ref().and_then(of);
    // Their order is that of definitions, which means nothing.
    let methods = |names: &[String]| {
        let names = names.iter().map(String::as_str).filter(|name| common(name));
        let names: BTreeSet<&str> = names.collect();
        (!names.is_empty()).then(|| names.into_iter().collect::<Vec<_>>().join(", "))
    };
    [
        ("path", "the path", Some(code(&remote.path)), true),
        ("opens", "the request that opens a connection", Some(code(&remote.opens)), true),
        ("connection", "the header of a connection", Some(code(&remote.connection)), true),
        ("version", "the header of the version", remote.version.as_ref().map(code), false),
        (
            "session.property",
            "the property that names a session",
            session(&|it| Some(code(&it.property))),
            true,
        ),
        ("session.header", "the header of a session", session(&|it| Some(code(&it.header))), true),
        ("session.opens", "what opens sessions", session(&|it| methods(&it.opened_by)), false),
        (
            "session.reopens",
            "what opens sessions again",
            session(&|it| methods(&it.reopened_by)),
            false,
        ),
        ("session.closes", "what closes sessions", session(&|it| methods(&it.closed_by)), false),
    ]
}

fn list(versions: &[Value]) -> String {
    let all: Vec<String> = versions.iter().map(ToString::to_string).collect();
    format!("version {}", all.join(", "))
}

pub(super) fn or_nothing(parts: &[String]) -> String {
    if parts.is_empty() { String::from("nothing") } else { parts.join(", ") }
}
