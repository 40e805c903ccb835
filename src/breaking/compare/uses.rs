//! Types where they are used.

use super::Comparer;
use super::cause::Cause;
use super::finding::{ComparedLocation, Finding};
use crate::breaking::rules;
use crate::breaking::shape::List;
use crate::breaking::verdict::{Direction, Relation};
use crate::ir::{Kind, Resolved, Selector, Type, TypeDef, TypeKind, Union};

impl<'a> Comparer<'a> {
    /// Compares the types that stand at one place.
    pub(super) fn types(&mut self, at: &ComparedLocation<'a>, old: &'a Type, new: &'a Type) {
        let (from, to) = (self.old.resolved(old), self.new.resolved(new));
        let says_all = |kind| matches!(kind, Kind::Any | Kind::Null);
        if !says_all(from.kind) && !says_all(to.kind) {
            self.null(at, (old, from), (new, to));
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
                        let mut below = self.old.resolved(inner);
                        below.nullable |= from.nullable;
                        self.values(at, inner, new, below, to);
                    }
                    (None, Some(inner)) => {
                        self.wrapped.insert(b);
                        let mut below = self.new.resolved(inner);
                        below.nullable |= to.nullable;
                        self.values(at, old, inner, from, below);
                    }
                    _ => self.retarget(at, (old, from), (new, to), (a, b)),
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
            let scalar = to.kind.is_scalar();
            let rule = if scalar { &rules::SCALAR_NEWTYPE_INLINED } else { &rules::TYPE_INLINED };
            self.found(rule, at, format!("`{name}` is written out here"));
        }
    }

    /// A definition is referred to where there was an inline schema.
    fn gets_name(&mut self, at: &ComparedLocation<'a>, def: &'a TypeDef, from: Resolved<'a>) {
        let name = def.name.wire.as_str();
        if self.pairing.to_old(name).is_none() {
            self.wrapped.insert(name);
        } else if !matches!(from.kind, Kind::Any | Kind::Null) {
            let scalar = from.kind.is_scalar();
            let rule = if scalar { &rules::SCALAR_NEWTYPE_HOISTED } else { &rules::TYPE_HOISTED };
            self.found(rule, at, format!("refers to `{name}` instead of writing it out"));
        }
    }

    /// Another definition is referred to.
    fn retarget(
        &mut self,
        at: &ComparedLocation<'a>,
        (old, from): (&'a Type, Resolved<'a>),
        (new, to): (&'a Type, Resolved<'a>),
        (a, b): (&str, &str),
    ) {
        let summary = format!("refers to `{b}` instead of `{a}`");
        match self.relate((old, from), (new, to)) {
            Relation::Same if at.path.is_empty() => {
                self.found(&rules::METHOD_PAYLOAD_TYPE_SWAPPED, at, summary);
            }
            Relation::Same => {
                self.found(&rules::TYPE_RENAMED, at, summary + ", which is the same shape");
            }
            other => self.differ(at, other, from, to, Some(summary)),
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
            // An inline object can contain itself: by merging what it is part of.
            (Kind::Record(_), Kind::Record(_)) if !self.is_first_visit(&inside) => {}
            (Kind::Record(a), Kind::Record(b)) => {
                let denied = (a.unknown.is_denied(), b.unknown.is_denied());
                let refused = "properties that are not listed are now refused";
                let accepted = "properties that are not listed are now accepted";
                self.turned_unchecked(&inside, denied, (refused, accepted), Cause::Unlisted);
                self.forbidden(&inside, &a.forbidden, &b.forbidden);
                self.key_rules(&inside, &a.keys, &b.keys);
                let (from, to): (Vec<_>, Vec<_>) =
                    (a.fields.iter().collect(), b.fields.iter().collect());
                self.fields(&inside, &from, &to, denied);
            }
            (Kind::Union(a), Kind::Union(b)) => {
                if self.is_first_visit(&inside) {
                    self.unions(&inside, (a, from.nullable), (b, to.nullable));
                }
            }
            (Kind::Enum(a), Kind::Enum(b)) => self.enums(&inside, a, b),
            (Kind::Array(a), Kind::Array(b)) => {
                self.counts(at, List::Array(a), List::Array(b));
                self.types(&at.item(), &a.items, &b.items);
            }
            (Kind::Tuple(a), Kind::Tuple(b)) => {
                if self.is_first_visit(&inside) {
                    self.tuples(&inside, a, b);
                }
            }
            (Kind::Map(a), Kind::Map(b)) => {
                self.key_rules(at, &a.keys, &b.keys);
                self.types(&at.map_value(), &a.values, &b.values);
            }
            (Kind::Integer(a), Kind::Integer(b)) => self.integers(at, a, b),
            (Kind::Number(a), Kind::Number(b)) => self.numbers(at, a, b),
            (Kind::String(a), Kind::String(b)) => self.strings(at, a, b),
            (Kind::Literal(a), Kind::Literal(b)) if a == b => {}
            (Kind::Any, Kind::Map(_) | Kind::Record(_)) => {
                let summary = "any JSON was allowed, now it must be an object";
                self.found(&rules::ANY_TO_OBJECT, at, summary);
            }
            (Kind::Null, Kind::Record(_) | Kind::Union(_) | Kind::Map(_))
            | (Kind::Record(_) | Kind::Union(_) | Kind::Map(_), Kind::Null)
                if at.path == "result" && from.nullable != to.nullable =>
            {
                let (was, is) = (from.kind.describe(), to.kind.describe());
                let summary = format!("the result was {was} and is now {is}");
                self.found(&rules::METHOD_RESULT_NULL_TO_OBJECT, at, summary);
            }
            (Kind::Record(_), Kind::Union(union)) if sole_payload(union).is_some() => {
                let summary = "the object is now the only variant of a union";
                self.found(&rules::OBJECT_TO_SINGLETON_UNION, at, summary);
                if let Some(payload) = sole_payload(union) {
                    let to = self.new.resolved(payload);
                    self.kinds(&inside, old, payload, from, to);
                }
            }
            (Kind::Union(union), Kind::Record(_)) if sole_payload(union).is_some() => {
                let summary = "the only variant of the union is now written without one";
                self.found(&rules::TYPE_INLINED, at, summary);
                if let Some(payload) = sole_payload(union) {
                    let from = self.old.resolved(payload);
                    self.kinds(&inside, payload, new, from, to);
                }
            }
            _ => {
                let verdict = self.relate((old, from), (new, to));
                if verdict != Relation::Same {
                    self.differ(at, verdict, from, to, None);
                } else if let (_, Kind::Enum(_)) = (from.kind, to.kind) {
                    let summary =
                        "some of the values now have names; the others are still accepted";
                    self.found(&rules::SCALAR_TO_OPEN_ENUM, at, summary);
                } else if let (Kind::Enum(_), _) = (from.kind, to.kind) {
                    let summary = "the values no longer have names; all are still accepted";
                    self.found(&rules::SCALAR_NEWTYPE_INLINED, at, summary);
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
        self.is_pair(old, new) || self.judge(old, new) == Relation::Same
    }

    /// Relates the values of two types; of a property, `null` beside its type is not in the type.
    fn relate(
        &mut self,
        (old, from): (&'a Type, Resolved<'a>),
        (new, to): (&'a Type, Resolved<'a>),
    ) -> Relation {
        match (from.kind, to.kind) {
            (Kind::Null, Kind::Null) => Relation::Same,
            // All that the one takes, the other takes among other values.
            (Kind::Null, _) if to.nullable => Relation::Wider,
            (_, Kind::Null) if from.nullable => Relation::Narrower,
            _ => self.judge(old, new),
        }
    }

    /// Relates the values of two types, where the types are simply two.
    pub(super) fn judge(&mut self, old: &'a Type, new: &'a Type) -> Relation {
        // A null that only one of them takes is a finding of its own.
        let strip = |ty: &'a Type| match ty {
            Type::Nullable { inner } => &**inner,
            other => other,
        };
        let (old, new) = (strip(old), strip(new));
        let there = self.relation.holds(Direction::OldToNew, old, new);
        let back = self.relation.holds(Direction::NewToOld, old, new);
        Relation::new(there, back)
    }

    /// Reports that the types at a place are simply two.
    fn differ(
        &mut self,
        at: &ComparedLocation<'a>,
        verdict: Relation,
        from: Resolved<'a>,
        to: Resolved<'a>,
        how: Option<String>,
    ) {
        let (was, is) = (from.kind.describe(), to.kind.describe());
        let how = how.unwrap_or_else(|| match (was == is, verdict, from.kind, to.kind) {
            (true, ..) => format!("takes other values than before, though it is still {is}"),
            (_, Relation::Wider, Kind::Null, other) if !matches!(other, Kind::Any) => {
                format!("was {was} and may now also be {is}")
            }
            (_, Relation::Narrower, other, Kind::Null) if !matches!(other, Kind::Any) => {
                format!("could also be {was} and is now {is}")
            }
            (false, ..) => format!("was {was} and is now {is}"),
        });
        let rule = match (verdict, from.kind, to.kind) {
            (Relation::Same, ..) => return,
            (Relation::Wider, Kind::Record(_), Kind::Union(_)) => &rules::OBJECT_TO_UNION_SUPERSET,
            (Relation::Wider, ..) => &rules::TYPE_WIDENED,
            (Relation::Narrower, ..) => &rules::TYPE_NARROWED,
            (Relation::Other, ..) => &rules::TYPE_CHANGED,
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
            target.hops.clear();
        }
        self.report(finding);
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
