//! Definitions.

use super::Comparer;
use super::finding::{ComparedLocation, End, Finding};
use super::rewrites::NOWHERE;
use crate::breaking::rules;
use crate::ir::Kind;
use crate::ir::{TypeDef, TypeKind};

impl<'a> Comparer<'a> {
    /// Compares all definitions: those of both schemas, then what is gone, then what is new.
    pub(super) fn definitions(&mut self) {
        let (old, new) = (self.old, self.new);
        for (name, def) in old.types.iter().filter(|(_, def)| !def.inline) {
            let Some(partner) = self.pairing.to_new(name) else { continue };
            let Some(other) = new.types.get(partner) else { continue };
            if name != partner {
                let at = ComparedLocation::new(name, End::of(Some(name), &def.place), {
                    End::of(Some(partner), &other.place)
                });
                let summary = format!("`{name}` is now called `{partner}`");
                self.report(Finding::new(&rules::TYPE_RENAMED, &at, summary));
            }
            self.definition(name, def, partner, other);
        }
        let is_scalar = |kind: Kind<'_>| kind.is_scalar();
        for (name, def) in old.types.iter().filter(|(_, def)| !def.inline) {
            if self.pairing.to_new(name).is_some() {
                continue;
            }
            let scalar = is_scalar(resolve_def(old, def));
            let (rule, what) = match (self.unwrapped.contains(name.as_str()), scalar) {
                (true, true) => (&rules::SCALAR_NEWTYPE_INLINED, "is written out where it is used"),
                (true, false) => (&rules::TYPE_INLINED, "is written out where it is used"),
                (false, _) => (&rules::TYPE_REMOVED, "is gone"),
            };
            let end = End::of(Some(name.as_str()), &def.place);
            let at = ComparedLocation::new(name, end, End::of(None, &def.place));
            self.report(Finding::new(rule, &at, format!("`{name}` {what}")).only_old());
        }
        for (name, def) in new.types.iter().filter(|(_, def)| !def.inline) {
            if self.pairing.to_old(name).is_some() {
                continue;
            }
            let scalar = is_scalar(resolve_def(new, def));
            let (rule, what) = match (self.wrapped.contains(name.as_str()), scalar) {
                (true, true) => (&rules::SCALAR_NEWTYPE_HOISTED, "names what was a plain value"),
                (true, false) => (&rules::TYPE_HOISTED, "names what was written out"),
                (false, _) => (&rules::TYPE_ADDED, "is new"),
            };
            let end = End::of(Some(name.as_str()), &def.place);
            let at = ComparedLocation::new(name, End::of(None, &def.place), end);
            self.report(Finding::new(rule, &at, format!("`{name}` {what}")).only_new());
        }
    }

    fn definition(
        &mut self,
        name: &'a str,
        def: &'a TypeDef,
        partner: &'a str,
        other: &'a TypeDef,
    ) {
        let at = ComparedLocation::new(
            name,
            End::of(Some(name), &def.place),
            End::of(Some(partner), &other.place),
        );
        match (&def.kind, &other.kind) {
            (TypeKind::Alias { target: from }, TypeKind::Alias { target: to }) => {
                self.types(&at, from, to);
            }
            _ => {
                if let (Some(from), Some(to)) = (self.names.0.get(name), self.names.1.get(partner))
                {
                    let (a, b) = (self.old.resolved(from), self.new.resolved(to));
                    let says_all = |kind| matches!(kind, Kind::Any | Kind::Null);
                    if a.nullable != b.nullable && !says_all(a.kind) && !says_all(b.kind) {
                        self.nullable_definition(&at, b.nullable);
                    }
                    self.kinds(&at, from, to, a, b);
                }
            }
        }
    }

    fn nullable_definition(&mut self, at: &ComparedLocation<'a>, is_now: bool) {
        let (rule, word) = if is_now {
            (&rules::TYPE_WIDENED, "may now be")
        } else {
            (&rules::TYPE_NARROWED, "may no longer be")
        };
        self.report(Finding::new(rule, at, format!("the value {word} null")));
    }

    /// Compares the definitions that only wrap payloads into messages.
    pub(super) fn envelope(&mut self) {
        let (old, new) = (&self.old.envelope, &self.new.envelope);
        let gone: Vec<&str> =
            old.iter().filter(|name| !new.contains(name)).map(String::as_str).collect();
        let come: Vec<&str> =
            new.iter().filter(|name| !old.contains(name)).map(String::as_str).collect();
        // A message union that comes with the first method of its kind is no rearrangement.
        let Some(first) = gone.first() else { return };
        let mut summary = format!("gone: {}", list(&gone));
        if !come.is_empty() {
            summary.extend(["; new: ", &list(&come)]);
        }
        let (from, to) = (&NOWHERE, &NOWHERE);
        let Some(ty) = self.old.envelope.iter().find(|name| name == first) else { return };
        let mut at = ComparedLocation::new(ty, End::of(None, from), End::of(None, to));
        at.focus = None;
        self.report(Finding::new(&rules::ENVELOPE_RESTRUCTURED, &at, summary).located(None));
    }
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn resolve_def<'a>(protocol: &'a crate::ir::Protocol, def: &'a TypeDef) -> Kind<'a> {
    match &def.kind {
        TypeKind::Alias { target } => protocol.resolved(target).kind,
        TypeKind::Record(record) => Kind::Record(record),
        TypeKind::Union(union) => Kind::Union(union),
        TypeKind::Enum(of) => Kind::Enum(of),
    }
}
