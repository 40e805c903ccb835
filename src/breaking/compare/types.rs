//! Definitions.

use super::Comparer;
use super::cause::Cause;
use super::finding::{ComparedLocation, End, Finding};
use super::rewrites::NOWHERE;
use crate::breaking::rules;
use crate::ir::{Kind, Position, Protocol, Resolved, Type, TypeDef, TypeKind};

impl<'a> Comparer<'a> {
    /// Compares all definitions: those of both schemas, then what is gone, then what is new.
    pub(super) fn definitions(&mut self) {
        let (old, new) = (self.old, self.new);
        for (name, def) in old.types.iter().filter(|(_, def)| !def.inline) {
            let Some(partner) = self.pairing.to_new(name) else { continue };
            let Some(other) = new.types.get(partner) else { continue };
            let (from, to) =
                (End::new(Some(name), &def.location), End::new(Some(partner), &other.location));
            let at = ComparedLocation::new(name, from, to);
            if name == partner {
                self.code_name(&at, &def.name, &other.name);
            } else {
                let summary = format!("`{name}` is now called `{partner}`");
                self.found(&rules::TYPE_RENAMED, &at, summary);
            }
            // What is said of params is said of their method.
            let is_params =
                |def: &TypeDef| def.roles.iter().any(|role| role.position == Position::Params);
            if !is_params(def) && !is_params(other) {
                self.status(&at, &format!("`{name}`"), &def.docs, &other.docs);
            }
            self.definition(&at, (name, def), (partner, other));
        }
        for (name, def) in old.types.iter().filter(|(_, def)| !def.inline) {
            if self.pairing.to_new(name).is_some() {
                continue;
            }
            let scalar = is_scalar(old, def);
            let (rule, what) = match (self.unwrapped.contains(name.as_str()), scalar) {
                (true, true) => (&rules::SCALAR_NEWTYPE_INLINED, "is written out where it is used"),
                (true, false) => (&rules::TYPE_INLINED, "is written out where it is used"),
                (false, _) => (&rules::TYPE_REMOVED, "is gone"),
            };
            let end = End::new(Some(name.as_str()), &def.location);
            let at = ComparedLocation::new(name, end, End::new(None, &def.location));
            let finding = Finding::new(rule, &at, format!("`{name}` {what}")).only_old();
            let is_gone = rule == &rules::TYPE_REMOVED;
            self.report(if is_gone { finding.after(&def.docs) } else { finding });
        }
        for (name, def) in new.types.iter().filter(|(_, def)| !def.inline) {
            if self.pairing.to_old(name).is_some() {
                continue;
            }
            let scalar = is_scalar(new, def);
            let (rule, what) = match (self.wrapped.contains(name.as_str()), scalar) {
                (true, true) => (&rules::SCALAR_NEWTYPE_HOISTED, "names what was a plain value"),
                (true, false) => (&rules::TYPE_HOISTED, "names what was written out"),
                (false, _) => (&rules::TYPE_ADDED, "is new"),
            };
            let end = End::new(Some(name.as_str()), &def.location);
            let at = ComparedLocation::new(name, End::new(None, &def.location), end);
            self.report(Finding::new(rule, &at, format!("`{name}` {what}")).only_new());
        }
    }

    fn definition(
        &mut self,
        at: &ComparedLocation<'a>,
        (name, def): (&str, &'a TypeDef),
        (partner, other): (&str, &'a TypeDef),
    ) {
        match (&def.kind, &other.kind) {
            (TypeKind::Alias { target: from }, TypeKind::Alias { target: to }) => {
                self.types(at, from, to);
            }
            _ => {
                if let (Some(from), Some(to)) = (self.names.0.get(name), self.names.1.get(partner))
                {
                    let (a, b) = (self.old.resolved(from), self.new.resolved(to));
                    let says_all = |kind| matches!(kind, Kind::Any | Kind::Null);
                    if !says_all(a.kind) && !says_all(b.kind) {
                        self.null(at, (from, a), (to, b));
                    }
                    self.kinds(at, from, to, a, b);
                }
            }
        }
    }

    /// Compares which properties must not be there together.
    pub(super) fn forbidden(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &[Vec<String>],
        new: &[Vec<String>],
    ) {
        let list = |keys: &Vec<String>| list(&keys.iter().collect::<Vec<_>>());
        for keys in new.iter().filter(|keys| !old.contains(keys)) {
            let summary = format!("an object with {} is now refused", list(keys));
            let finding = Finding::new(&rules::CONSTRAINT_TIGHTENED, at, &summary);
            self.report(finding.caused_by(Cause::Together(keys.clone())));
        }
        for keys in old.iter().filter(|keys| !new.contains(keys)) {
            let summary = format!("an object with {} is now accepted", list(keys));
            let finding = Finding::new(&rules::CONSTRAINT_LOOSENED, at, &summary);
            self.report(finding.caused_by(Cause::Together(keys.clone())));
        }
    }

    /// Compares whether two types take null. What only variants say is told of them.
    pub(super) fn null(
        &mut self,
        at: &ComparedLocation<'a>,
        (old, from): (&Type, Resolved<'_>),
        (new, to): (&Type, Resolved<'_>),
    ) {
        if !from.nullable && !to.nullable {
            return;
        }
        let (rule, word) = match (self.old.admits_null(old), self.new.admits_null(new)) {
            (false, true) => (&rules::TYPE_WIDENED, "now"),
            (true, false) => (&rules::TYPE_NARROWED, "no longer"),
            _ => return,
        };
        let finding = Finding::new(rule, at, format!("the value may {word} be null"));
        self.report(finding.caused_by(Cause::Null));
    }

    /// Compares the definitions that only wrap payloads into messages.
    pub(super) fn envelope(&mut self) {
        let (old, new) = (&self.old.envelope, &self.new.envelope);
        let gone: Vec<&'a String> = old.iter().filter(|name| !new.contains(name)).collect();
        let come: Vec<&'a String> = new.iter().filter(|name| !old.contains(name)).collect();
        // A message union that comes with the first method of its kind is no rearrangement.
        let Some(first) = gone.first() else { return };
        let mut summary = format!("gone: {}", list(&gone));
        if !come.is_empty() {
            summary.extend(["; new: ", &list(&come)]);
        }
        let nowhere = End::new(None, &NOWHERE);
        let at = ComparedLocation::new(first, nowhere.clone(), nowhere);
        self.report(Finding::new(&rules::ENVELOPE_RESTRUCTURED, &at, summary).located(None));
    }
}

fn list(names: &[&String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Tells whether a definition only names a value without parts.
fn is_scalar(protocol: &Protocol, def: &TypeDef) -> bool {
    matches!(&def.kind, TypeKind::Alias { target } if protocol.resolved(target).kind.is_scalar())
}
