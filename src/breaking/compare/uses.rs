//! Types where they are used.

use super::Comparer;
use super::finding::{ComparedLocation, Finding};
use crate::breaking::rules;
use crate::breaking::verdict::Direction;
use crate::ir::{Kind, Resolved};
use crate::ir::{Selector, Type, TypeDef, TypeKind, Union};

impl<'a> Comparer<'a> {
    /// Compares the types that stand at one place.
    pub(super) fn types(&mut self, at: &ComparedLocation<'a>, old: &'a Type, new: &'a Type) {
        let (from, to) = (self.old.resolved(old), self.new.resolved(new));
        if !from.is_same_null(&to)
            && !matches!((from.kind, to.kind), (Kind::Any, _) | (_, Kind::Any))
        {
            let (rule, word) = if to.nullable {
                (&rules::TYPE_WIDENED, "may now be")
            } else {
                (&rules::TYPE_NARROWED, "may no longer be")
            };
            self.report(Finding::new(rule, at, format!("the value {word} null")));
        }
        self.values(at, old, new, from, to);
    }

    /// Compares types, `null` set aside.
    pub(super) fn values(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &'a Type,
        new: &'a Type,
        from: Resolved<'a>,
        to: Resolved<'a>,
    ) {
        let named = |def: Option<&'a TypeDef>| def.filter(|def| !def.inline);
        match (named(from.used_as), named(to.used_as)) {
            (Some(a), Some(b)) => {
                let (a, b) = (a.name.wire.as_str(), b.name.wire.as_str());
                if self.pairing.to_new(a) == Some(b) {
                    return;
                }
                // The one wraps the other: look at what is below the wrapping.
                let target = |def: Option<&'a TypeDef>| match def.map(|def| &def.kind) {
                    Some(TypeKind::Alias { target }) => Some(target),
                    _ => None,
                };
                match (target(from.used_as), target(to.used_as)) {
                    (Some(inner), None) => {
                        self.unwrapped.insert(a);
                        self.values(at, inner, new, self.old.resolved(inner), to);
                    }
                    (None, Some(inner)) => {
                        self.wrapped.insert(b);
                        self.values(at, old, inner, from, self.new.resolved(inner));
                    }
                    _ => self.retarget(at, old, new, (a, b)),
                }
            }
            (Some(a), None) => {
                self.leaves_name(at, a, to);
                self.kinds(at, old, new, from, to);
            }
            (None, Some(b)) => {
                self.gets_name(at, b, from);
                self.kinds(at, old, new, from, to);
            }
            (None, None) => self.kinds(at, old, new, from, to),
        }
    }

    /// A definition is no longer referred to, but written out.
    fn leaves_name(&mut self, at: &ComparedLocation<'a>, def: &'a TypeDef, to: Resolved<'a>) {
        let name = def.name.wire.as_str();
        if self.pairing.to_new(name).is_none() {
            self.unwrapped.insert(name);
        } else if !matches!(to.kind, Kind::Any | Kind::Null) {
            let rule = if to.kind.is_scalar() {
                &rules::SCALAR_NEWTYPE_INLINED
            } else {
                &rules::TYPE_INLINED
            };
            self.report(Finding::new(rule, at, format!("`{name}` is written out here")));
        }
    }

    /// A definition is referred to where there was an inline schema.
    fn gets_name(&mut self, at: &ComparedLocation<'a>, def: &'a TypeDef, from: Resolved<'a>) {
        let name = def.name.wire.as_str();
        if self.pairing.to_old(name).is_none() {
            self.wrapped.insert(name);
        } else if !matches!(from.kind, Kind::Any | Kind::Null) {
            let rule = if from.kind.is_scalar() {
                &rules::SCALAR_NEWTYPE_HOISTED
            } else {
                &rules::TYPE_HOISTED
            };
            self.report(Finding::new(
                rule,
                at,
                format!("refers to `{name}` instead of writing it out"),
            ));
        }
    }

    /// Another definition is referred to.
    fn retarget(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &'a Type,
        new: &'a Type,
        names: (&str, &str),
    ) {
        let (a, b) = names;
        let verdict = self.judge(old, new);
        let summary = format!("refers to `{b}` instead of `{a}`");
        match verdict {
            Judged::Same => {
                let finding = if at.path.is_empty() {
                    Finding::new(&rules::METHOD_PAYLOAD_TYPE_SWAPPED, at, summary)
                } else {
                    Finding::new(&rules::TYPE_RENAMED, at, summary + ", which is the same shape")
                };
                self.report(finding);
            }
            other => {
                let (from, to) = (self.old.resolved(old), self.new.resolved(new));
                self.differ(at, other, from, to, Some(summary));
            }
        }
    }

    /// Compares what types are, whatever they are called.
    pub(super) fn kinds(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &'a Type,
        new: &'a Type,
        from: Resolved<'a>,
        to: Resolved<'a>,
    ) {
        let name = |def: Option<&'a TypeDef>| def.map(|def| def.name.wire.as_str());
        let inside = at.inside(name(from.def), name(to.def));
        if let (Some(from), Some(to)) = (name(from.def), name(to.def))
            && from != to
        {
            self.partners.push((from, to));
        }
        match (from.kind, to.kind) {
            (Kind::Any, Kind::Any) | (Kind::Null, Kind::Null) | (Kind::Boolean, Kind::Boolean) => {}
            (Kind::Record(a), Kind::Record(b)) => {
                self.unlisted(&inside, a.unknown.is_denied(), b.unknown.is_denied());
                self.fields(
                    &inside,
                    &a.fields.iter().collect::<Vec<_>>(),
                    &b.fields.iter().collect::<Vec<_>>(),
                    (a.unknown.is_denied(), b.unknown.is_denied()),
                );
            }
            (Kind::Union(a), Kind::Union(b)) => {
                if self.is_first_visit(&inside) {
                    self.unions(&inside, a, b);
                }
            }
            (Kind::Enum(a), Kind::Enum(b)) => self.enums(&inside, a, b),
            (Kind::Array(a), Kind::Array(b)) => {
                self.counts(at, a, b);
                self.types(&at.item(), &a.items, &b.items);
            }
            (Kind::Map(a), Kind::Map(b)) => self.types(&at.map_value(), &a.values, &b.values),
            (Kind::Integer(a), Kind::Integer(b)) => self.integers(at, a, b),
            (Kind::Number(a), Kind::Number(b)) => self.numbers(at, a, b),
            (Kind::String(a), Kind::String(b)) => self.strings(at, a, b),
            (Kind::Literal(a), Kind::Literal(b)) if a == b => {}
            (Kind::Any, Kind::Map(_) | Kind::Record(_)) => {
                let summary = "any JSON was allowed, now it must be an object";
                self.report(Finding::new(&rules::ANY_TO_OBJECT, at, summary));
            }
            (Kind::Null, Kind::Record(_) | Kind::Union(_) | Kind::Map(_))
            | (Kind::Record(_) | Kind::Union(_) | Kind::Map(_), Kind::Null)
                if at.path == "result" =>
            {
                let (was, is) = (from.kind.describe(), to.kind.describe());
                let summary = format!("the result was {was} and is now {is}");
                self.report(Finding::new(&rules::METHOD_RESULT_NULL_TO_OBJECT, at, summary));
            }
            (Kind::Record(_), Kind::Union(union)) if sole_payload(union).is_some() => {
                let summary = "the object is now the only variant of a union";
                self.report(Finding::new(&rules::OBJECT_TO_SINGLETON_UNION, at, summary));
                if let Some(payload) = sole_payload(union) {
                    let to = self.new.resolved(payload);
                    self.kinds(&inside, old, payload, from, to);
                }
            }
            (Kind::Union(union), Kind::Record(_)) if sole_payload(union).is_some() => {
                let summary = "the only variant of the union is now written without one";
                self.report(Finding::new(&rules::TYPE_INLINED, at, summary));
                if let Some(payload) = sole_payload(union) {
                    let from = self.old.resolved(payload);
                    self.kinds(&inside, payload, new, from, to);
                }
            }
            _ => {
                let verdict = self.judge(old, new);
                if verdict != Judged::Same {
                    self.differ(at, verdict, from, to, None);
                } else if let (_, Kind::Enum(_)) = (from.kind, to.kind) {
                    let summary =
                        "some of the values now have names; the others are still accepted";
                    self.report(Finding::new(&rules::SCALAR_TO_OPEN_ENUM, at, summary));
                } else if let (Kind::Enum(_), _) = (from.kind, to.kind) {
                    let summary = "the values no longer have names; all are still accepted";
                    self.report(Finding::new(&rules::SCALAR_NEWTYPE_INLINED, at, summary));
                }
            }
        }
    }

    /// Tells whether two types are one definition, in both schemas.
    pub(super) fn is_pair(&self, old: &Type, new: &Type) -> bool {
        match (old, new) {
            (Type::Named { name: from }, Type::Named { name: to }) => {
                self.pairing.to_new(from) == Some(to)
            }
            _ => false,
        }
    }

    /// Tells whether two types are one definition, or take the same values.
    pub(super) fn is_same_content(&mut self, old: &'a Type, new: &'a Type) -> bool {
        self.is_pair(old, new) || self.judge(old, new) == Judged::Same
    }

    /// Relates the values of two types, where the types are simply two.
    pub(super) fn judge(&mut self, old: &'a Type, new: &'a Type) -> Judged {
        // A null that only one of them takes is a finding of its own.
        let strip = |ty: &'a Type| match ty {
            Type::Nullable { inner } => &**inner,
            other => other,
        };
        let (old, new) = (strip(old), strip(new));
        let there = self.relation.holds(Direction::OldToNew, old, new);
        let back = self.relation.holds(Direction::NewToOld, old, new);
        match (there, back) {
            (true, true) => Judged::Same,
            (true, false) => Judged::Wider,
            (false, true) => Judged::Narrower,
            (false, false) => Judged::Other,
        }
    }

    /// Reports that the types at a place are simply two.
    fn differ(
        &mut self,
        at: &ComparedLocation<'a>,
        verdict: Judged,
        from: Resolved<'a>,
        to: Resolved<'a>,
        how: Option<String>,
    ) {
        let (was, is) = (from.kind.describe(), to.kind.describe());
        let how = how.unwrap_or_else(|| match (was == is, verdict) {
            (true, _) => format!("takes other values than before, though it is still {is}"),
            (false, _) => format!("was {was} and is now {is}"),
        });
        let rule = match (verdict, from.kind, to.kind) {
            (Judged::Same, ..) => return,
            (Judged::Wider, Kind::Record(_), Kind::Union(_)) => &rules::OBJECT_TO_UNION_SUPERSET,
            (Judged::Wider, ..) => &rules::TYPE_WIDENED,
            (Judged::Narrower, ..) => &rules::TYPE_NARROWED,
            (Judged::Other, ..) => &rules::TYPE_CHANGED,
        };
        let mut finding = Finding::new(rule, at, how);
        if at.focus.is_none()
            && let Some(target) = &mut finding.target
        {
            // The definition itself is what has changed.
            let named = |resolved: Resolved<'_>| {
                let def = resolved.used_as.or(resolved.def)?;
                Some(Type::Named { name: def.name.wire.clone() })
            };
            target.old = named(from).or(target.old.take());
            target.new = named(to).or(target.new.take());
        }
        self.report(finding);
    }
}

/// The relation of the values of one type to those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// Equal values.
    Same,
    /// The new type takes more.
    Wider,
    /// The new type takes less.
    Narrower,
    /// Each takes values that the other does not.
    Other,
}

impl Resolved<'_> {
    fn is_same_null(&self, other: &Self) -> bool {
        self.nullable == other.nullable
            || matches!((self.kind, other.kind), (Kind::Null, _) | (_, Kind::Null))
    }
}

/// The payload of a union's only variant, if nothing marks it as one.
fn sole_payload(union: &Union) -> Option<&Type> {
    match (union.variants.as_slice(), &union.open) {
        ([only], None) if only.selector == Selector::Untagged && union.shared.is_empty() => {
            only.payload.as_ref()
        }
        _ => None,
    }
}
