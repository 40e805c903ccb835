//! Which variant of a union is which of another.

use std::collections::HashMap;

use super::Comparer;
use super::similar::{closeness, pair_up};
use crate::breaking::shape::variant_alternatives;
use crate::breaking::verdict::Direction;
use crate::ir::{Kind, Protocol, Type, Union, Variant};

/// The two forms of one variant.
pub(super) type Twins<'a> = (&'a Variant, &'a Variant);

/// The variants of two unions, paired.
pub(super) struct Matched<'a> {
    pub(super) same: Vec<Twins<'a>>,
    /// Pairs of equal content under another tag.
    pub(super) renamed: Vec<Twins<'a>>,
    /// Pairs of equal content with a tag in one of the two only.
    pub(super) retagged: Vec<Twins<'a>>,
    pub(super) gone: Vec<&'a Variant>,
    pub(super) come: Vec<&'a Variant>,
}

impl<'a> Comparer<'a> {
    /// Finds out which variant is which.
    pub(super) fn matched(&mut self, old: &'a Union, new: &'a Union) -> Matched<'a> {
        let mut gone: Vec<&'a Variant> = old.variants.iter().collect();
        let mut come: Vec<&'a Variant> = new.variants.iter().collect();
        let mut same = Vec::new();
        same.extend(take_same(&mut gone, &mut come, |variant, _| variant.tag().map(str::to_owned)));
        // Without a tag: the same definition, the same values, the same name, the same kind of JSON.
        let (before, after) = (self.old, self.new);
        let pairing = &self.pairing;
        same.extend(take_same(&mut gone, &mut come, |variant, is_old| {
            let protocol = if is_old { before } else { after };
            let name = untagged(variant).and_then(|payload| def_name(protocol, Some(payload)))?;
            if is_old { pairing.to_new(name).map(str::to_owned) } else { Some(name.to_owned()) }
        }));
        same.extend(self.identical(&mut gone, &mut come));
        same.extend(take_same(&mut gone, &mut come, |variant, is_old| {
            let protocol = if is_old { before } else { after };
            let kind = protocol.resolved(untagged(variant)?).kind;
            Some(format!("{} {}", variant.name.snake(), kind.describe()))
        }));
        same.extend(take_same(&mut gone, &mut come, |variant, is_old| {
            let protocol = if is_old { before } else { after };
            let kind = protocol.resolved(untagged(variant)?).kind;
            let is_plain = kind.is_scalar() && !matches!(kind, Kind::Literal(_));
            is_plain.then(|| kind.describe().to_owned())
        }));
        same.extend(self.resembling(&mut gone, &mut come));
        let renamed = self.renamed_variants(&mut gone, &mut come, (old, new));
        self.equal_forms(&mut gone, &mut come, (old, new));
        let retagged = self.equal_content(&mut gone, &mut come);
        Matched { same, renamed, retagged, gone, come }
    }

    /// Variants without a tag that take the same values, of the same name if there are several.
    fn identical(
        &mut self,
        gone: &mut Vec<&'a Variant>,
        come: &mut Vec<&'a Variant>,
    ) -> Vec<Twins<'a>> {
        self.scored(gone, come, |comparer, (from, a), (to, b)| {
            let score = if from.name == to.name { 2.0 } else { 1.0 };
            comparer.is_same_content(a, b).then_some(score)
        })
    }

    /// Variants without a tag that share most of their properties.
    fn resembling(
        &mut self,
        gone: &mut Vec<&'a Variant>,
        come: &mut Vec<&'a Variant>,
    ) -> Vec<Twins<'a>> {
        self.scored(gone, come, |comparer, (_, a), (_, b)| {
            Some(comparer.overlap(a, b)).filter(|score| *score >= 0.5)
        })
    }

    /// Pairs variants without a tag by the score of both and of their payloads, the highest first.
    fn scored(
        &mut self,
        gone: &mut Vec<&'a Variant>,
        come: &mut Vec<&'a Variant>,
        mut score: impl FnMut(
            &mut Self,
            (&'a Variant, &'a Type),
            (&'a Variant, &'a Type),
        ) -> Option<f64>,
    ) -> Vec<Twins<'a>> {
        let key = |from: &Variant, to: &Variant| (std::ptr::from_ref(from), std::ptr::from_ref(to));
        let mut scores = HashMap::new();
        for from in gone.iter().take(50) {
            for to in come.iter().take(50) {
                let (Some(a), Some(b)) = (untagged(from), untagged(to)) else { continue };
                if let Some(score) = score(self, (from, a), (to, b)) {
                    scores.insert(key(from, to), score);
                }
            }
        }
        pair_up(gone, come, |from, to| scores.get(&key(from, to)).copied())
    }

    /// Measures how much of their properties two objects share, from 0 to 1; for arrays, their
    /// items.
    fn overlap(&self, old: &'a Type, new: &'a Type) -> f64 {
        match (self.old.resolved(old).kind, self.new.resolved(new).kind) {
            (Kind::Array(from), Kind::Array(to)) => self.overlap(&from.items, &to.items),
            (Kind::Record(from), Kind::Record(to)) => {
                let has = |name: &str| to.fields.iter().any(|field| field.name.wire == name);
                let common = from.fields.iter().filter(|field| has(&field.name.wire)).count();
                let all = from.fields.len() + to.fields.len() - common;
                #[allow(clippy::cast_precision_loss, reason = "objects have few properties")]
                let share = common as f64 / all.max(1) as f64;
                share
            }
            _ => 0.0,
        }
    }

    /// Takes out the variants that have a tag in one of the unions only, and are exactly the same
    /// objects all the same: what is a tag here is a property there.
    fn equal_forms(
        &mut self,
        gone: &mut Vec<&'a Variant>,
        come: &mut Vec<&'a Variant>,
        (old, new): (&'a Union, &'a Union),
    ) {
        gone.retain(|from| {
            let sent = variant_alternatives(self.old, old, from);
            let twin = come.iter().take(50).position(|to| {
                let expected = variant_alternatives(self.new, new, to);
                let all =
                    |relation: &mut super::Relation<'a>, direction, sent: &[_], expected: &[_]| {
                        sent.iter().all(|form| relation.any_covers(direction, form, expected))
                    };
                all(&mut self.relation, Direction::OldToNew, &sent, &expected)
                    && all(&mut self.relation, Direction::NewToOld, &expected, &sent)
            });
            if let Some(index) = twin {
                come.remove(index);
            }
            twin.is_none()
        });
    }

    fn renamed_variants(
        &mut self,
        gone: &mut Vec<&'a Variant>,
        come: &mut Vec<&'a Variant>,
        (old, new): (&'a Union, &'a Union),
    ) -> Vec<Twins<'a>> {
        let is_shared = |union: &'a Union, payload: &Type| {
            let payload = Some(payload);
            union.variants.iter().filter(|other| other.payload.as_ref() == payload).count() > 1
        };
        let mut same = HashMap::new();
        for (was, from) in gone.iter().filter_map(|from| Some((from.tag()?, from))).take(50) {
            for (is, to) in come.iter().filter_map(|to| Some((to.tag()?, to))).take(50) {
                let close = closeness(was, is);
                let score = match (&from.payload, &to.payload) {
                    (None, None) => (close >= 0.7).then_some(close),
                    (Some(a), Some(b)) if self.is_same_content(a, b) => {
                        let named = def_name(self.old, Some(a)).is_some();
                        let telling = named && !is_shared(old, a) && !is_shared(new, b);
                        (telling || close >= 0.5).then_some(1.0 + close)
                    }
                    _ => (close >= 0.8).then_some(close),
                };
                if let Some(score) = score {
                    same.insert((was, is), score);
                }
            }
        }
        pair_up(gone, come, |from, to| same.get(&(from.tag()?, to.tag()?)).copied())
    }

    /// A variant that has a tag in one of the unions only, and otherwise the same content.
    fn equal_content(
        &mut self,
        gone: &mut Vec<&'a Variant>,
        come: &mut Vec<&'a Variant>,
    ) -> Vec<Twins<'a>> {
        let mut found = Vec::new();
        gone.retain(|from| {
            let twin = come.iter().take(50).position(|to| {
                from.tag().is_some() != to.tag().is_some()
                    && match (&from.payload, &to.payload) {
                        (Some(a), Some(b)) => self.is_same_content(a, b),
                        _ => false,
                    }
            });
            if let Some(index) = twin {
                found.push((*from, come.remove(index)));
            }
            twin.is_none()
        });
        found
    }
}

/// Takes out the variants that have the same key, if the key is the only one of its kind.
fn take_same<'a>(
    gone: &mut Vec<&'a Variant>,
    come: &mut Vec<&'a Variant>,
    key: impl Fn(&'a Variant, bool) -> Option<String>,
) -> Vec<Twins<'a>> {
    let mut keyed: HashMap<String, Vec<&'a Variant>> = HashMap::new();
    for variant in come.iter() {
        if let Some(key) = key(variant, false) {
            keyed.entry(key).or_default().push(variant);
        }
    }
    let mut found: Vec<Twins<'a>> = Vec::new();
    gone.retain(|from| {
        let twins = key(from, true).and_then(|key| keyed.remove(&key));
        match twins.as_deref() {
            Some([to]) => {
                found.push((from, to));
                false
            }
            _ => true,
        }
    });
    come.retain(|to| !found.iter().any(|(_, taken)| std::ptr::eq(*taken, *to)));
    found
}

fn untagged(variant: &Variant) -> Option<&Type> {
    variant.payload.as_ref().filter(|_| variant.tag().is_none())
}

pub(super) fn def_name<'a>(protocol: &'a Protocol, payload: Option<&'a Type>) -> Option<&'a str> {
    let def = protocol.resolved(payload?).def?;
    Some(def.name.wire.as_str())
}
