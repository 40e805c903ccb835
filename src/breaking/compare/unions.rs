//! Unions.

use std::collections::HashMap;

use super::Comparer;
use super::draft::{Draft, Site};
use super::similar::{closeness, pair_up};
use crate::breaking::rules;
use crate::breaking::shape::{Alternative, Kind, alternatives, resolve, variant_alternatives};
use crate::breaking::verdict::{Verdict, Way, Wire};
use crate::ir::{Field, Protocol, Selector, Type, Union, UnknownProperties, Variant};

/// The two forms of one variant.
type Twins<'a> = (&'a Variant, &'a Variant);

/// How variants of two unions belong together.
struct Matched<'a> {
    same: Vec<Twins<'a>>,
    /// The same content under another tag.
    renamed: Vec<Twins<'a>>,
    /// The same content, with a tag in one of the two only.
    retagged: Vec<Twins<'a>>,
    gone: Vec<&'a Variant>,
    come: Vec<&'a Variant>,
}

impl<'a> Comparer<'a> {
    pub(super) fn unions(&mut self, site: &Site<'a>, old: &'a Union, new: &'a Union) {
        self.hints(site, old, new);
        self.tag_property(site, old, new);
        let matched = self.matched(old, new);
        let twins: Vec<Twins<'a>> =
            matched.same.iter().chain(&matched.renamed).chain(&matched.retagged).copied().collect();
        let beside = self.shared(site, old, new, &twins);
        for (from, to) in &matched.renamed {
            let (was, is) = (tag_value(from), tag_value(to));
            let site = at(site, old, Some(from), Some(to));
            let summary = format!("the tag {was:?} is now {is:?}");
            let mut draft =
                Draft::new(&rules::UNION_TAG_VALUE_RENAMED, &site, summary).renamed(was, is);
            if old.open.is_some() && new.open.is_some() {
                draft.wire = super::fields::both(Verdict::Risk);
            }
            self.report(draft);
        }
        for (from, to) in &matched.retagged {
            self.retagged(&at(site, old, Some(from), Some(to)), old, new, (from, to));
        }
        for (from, to) in &twins {
            let site = at(site, old, Some(from), Some(to));
            self.contents(&site, (from.payload.as_ref(), to.payload.as_ref()), &beside);
        }
        self.gone(site, old, new, &matched.gone);
        self.come(site, old, new, &matched.come);
        self.openness(site, old, new);
    }

    fn hints(&mut self, site: &Site<'a>, old: &Union, new: &Union) {
        match (&old.discriminator, &new.discriminator) {
            (None, Some(hint)) => {
                let summary = format!("`discriminator` now names `{hint}`");
                self.report(Draft::new(&rules::DISCRIMINATOR_ANNOTATION_ADDED, site, summary));
            }
            (Some(hint), None) => {
                let summary = format!("`discriminator` no longer names `{hint}`");
                self.report(Draft::new(&rules::DISCRIMINATOR_ANNOTATION_REMOVED, site, summary));
            }
            _ => {}
        }
    }

    fn tag_property(&mut self, site: &Site<'a>, old: &Union, new: &Union) {
        if let (Some(from), Some(to)) = (old.tag(), new.tag())
            && from.wire != to.wire
        {
            let summary =
                format!("variants are told apart by `{}` instead of `{}`", to.wire, from.wire);
            self.report(Draft::new(&rules::UNION_TAG_PROPERTY_RENAMED, site, summary));
        }
    }

    /// Compares the properties beside the variants. Gives those that only one of the unions
    /// shares because in the other each variant has them by itself.
    fn shared(
        &mut self,
        site: &Site<'a>,
        old: &'a Union,
        new: &'a Union,
        twins: &[Twins<'a>],
    ) -> (Vec<&'a Field>, Vec<&'a Field>) {
        let has = |fields: &[Field], name: &str| fields.iter().any(|f| f.name.wire == name);
        let carries = |protocol: &'a Protocol, variant: &'a Variant, name: &str| {
            record(protocol, variant.payload.as_ref())
                .is_some_and(|fields| fields.iter().any(|field| field.name.wire == name))
        };
        let spread_in_new = |field: &&'a Field| {
            !has(&new.shared, &field.name.wire)
                && twins.iter().any(|(_, to)| carries(self.new, to, &field.name.wire))
        };
        let spread_in_old = |field: &&'a Field| {
            !has(&old.shared, &field.name.wire)
                && twins.iter().any(|(from, _)| carries(self.old, from, &field.name.wire))
        };
        let (old_only, old_shared): (Vec<_>, Vec<_>) = old.shared.iter().partition(spread_in_new);
        let (new_only, new_shared): (Vec<_>, Vec<_>) = new.shared.iter().partition(spread_in_old);
        let open = (UnknownProperties::Allowed, UnknownProperties::Allowed);
        self.fields(site, &old_shared, &new_shared, open);
        (old_only, new_only)
    }

    /// Compares what two forms of a variant carry, with the properties that only one of the
    /// unions shares.
    fn contents(
        &mut self,
        site: &Site<'a>,
        (a, b): (Option<&'a Type>, Option<&'a Type>),
        beside: &(Vec<&'a Field>, Vec<&'a Field>),
    ) {
        if let (Some(a), Some(b)) = (a, b)
            && (beside.0.is_empty() && beside.1.is_empty()
                || record(self.old, Some(a)).is_none()
                || record(self.new, Some(b)).is_none())
        {
            self.types(site, a, b);
            return;
        }
        let (Some(mut old), Some(mut new)) = (record(self.old, a), record(self.new, b)) else {
            let (rule, word) = if a.is_none() {
                (&rules::TYPE_NARROWED, "now")
            } else {
                (&rules::TYPE_WIDENED, "no longer")
            };
            self.report(Draft::new(rule, site, format!("the variant {word} carries a union")));
            return;
        };
        let (name_a, name_b) = (def_name(self.old, a), def_name(self.new, b));
        let is_pair = name_a.is_some_and(|name| self.pairing.to_new(name) == name_b);
        if is_pair {
            // What both have is compared where the definitions are.
            let (before, after) = (old.clone(), new.clone());
            let in_both = |name: &str| {
                let has = |list: &[&Field]| list.iter().any(|field| field.name.wire == name);
                has(&before) && has(&after)
            };
            old.retain(|field| !in_both(&field.name.wire));
            new.retain(|field| !in_both(&field.name.wire));
        }
        old.extend(&beside.0);
        new.extend(&beside.1);
        let site = site.inside(name_a, name_b);
        self.fields(&site, &old, &new, (UnknownProperties::Allowed, UnknownProperties::Allowed));
    }

    /// The same content, with a tag in one of the two only.
    fn retagged(&mut self, site: &Site<'a>, old: &Union, new: &Union, (from, to): Twins<'a>) {
        let draft = match (&from.selector, &to.selector) {
            (Selector::Untagged, Selector::Tag { value }) => {
                let tag = new.tag().map_or("", |tag| tag.wire.as_str());
                let summary = format!("the variant without a tag now needs `{tag}`: {value:?}");
                let site = site.member(tag, None, None);
                Draft::new(&rules::PROPERTY_ADDED_REQUIRED, &site, summary).only_new()
            }
            (Selector::Tag { value }, Selector::Untagged) => {
                let tag = old.tag().map_or("", |tag| tag.wire.as_str());
                let summary = format!("the variant no longer has `{tag}`: {value:?}");
                let site = site.member(tag, None, None);
                Draft::new(&rules::PROPERTY_REMOVED_REQUIRED, &site, summary).only_old()
            }
            _ => return,
        };
        self.report(draft.about_absence());
    }

    fn gone(&mut self, site: &Site<'a>, old: &'a Union, new: &'a Union, gone: &[&'a Variant]) {
        let mut expected = None;
        for variant in gone {
            let site = at(site, old, Some(variant), None);
            let summary = format!("the variant {} is gone", label(old, variant));
            let mut draft = Draft::new(&rules::UNION_VARIANT_REMOVED, &site, summary).only_old();
            let expected = expected.get_or_insert_with(|| forms(self.new, new));
            match self.taken(Way::OldToNew, (old, variant), new, expected) {
                Taken::AsUnknown => {
                    draft.wire = Wire::OK;
                    draft.summary += "; it is now one of those that are not known";
                }
                Taken::AsAnother => {
                    draft.wire = draft.wire.with(Way::OldToNew, Verdict::Risk);
                    draft.summary += "; what was sent as it is now taken for another variant";
                }
                Taken::Not => {}
            }
            self.report(draft);
        }
    }

    fn come(&mut self, site: &Site<'a>, old: &'a Union, new: &'a Union, come: &[&'a Variant]) {
        let mut expected = None;
        for variant in come {
            let site = at(site, new, None, Some(variant));
            let expected = expected.get_or_insert_with(|| forms(self.old, old));
            let (rule, tail) = match self.taken(Way::NewToOld, (new, variant), old, expected) {
                Taken::AsUnknown => {
                    (&rules::UNION_VARIANT_ADDED_OPEN, "; unknown tags were accepted before")
                }
                Taken::AsAnother => (
                    &rules::UNION_VARIANT_ADDED_ABSORBED,
                    "; an old receiver takes it for a variant that it knows",
                ),
                Taken::Not => (&rules::UNION_VARIANT_ADDED_CLOSED, ""),
            };
            let summary = format!("the variant {} is new{tail}", label(new, variant));
            self.report(Draft::new(rule, &site, summary).only_new());
        }
    }

    /// What a receiver makes of a variant that its union does not list.
    fn taken(
        &mut self,
        way: Way,
        (sent, variant): (&'a Union, &'a Variant),
        receiver: &'a Union,
        expected: &[Alternative<'a>],
    ) -> Taken {
        let is_tagged = variant.selector != Selector::Untagged
            && sent.tag().map(|tag| &tag.wire) == receiver.tag().map(|tag| &tag.wire);
        if is_tagged && receiver.open.as_ref().is_some_and(|open| open.payload.is_none()) {
            return Taken::AsUnknown;
        }
        let sender = match way {
            Way::OldToNew => self.old,
            Way::NewToOld => self.new,
        };
        let forms = variant_alternatives(sender, sent, variant);
        if !forms.iter().all(|form| self.relation.any_covers(way, form, expected)) {
            return Taken::Not;
        }
        if is_tagged && receiver.open.is_some() { Taken::AsUnknown } else { Taken::AsAnother }
    }

    fn openness(&mut self, site: &Site<'a>, old: &'a Union, new: &'a Union) {
        match (&old.open, &new.open) {
            (None, Some(open)) => {
                let mut site = site.clone();
                site.new.place = &open.place;
                let summary = "variants that are not listed are now accepted";
                self.report(Draft::new(&rules::UNION_OPENED, &site, summary));
            }
            (Some(open), None) => {
                let mut site = site.clone();
                site.old.place = &open.place;
                let summary = "variants that are not listed are no longer accepted";
                self.report(Draft::new(&rules::TYPE_NARROWED, &site, summary));
            }
            (Some(from), Some(to)) => {
                let label = &from.name.wire;
                let site = site.variant(label, label, Some(&from.place), Some(&to.place));
                self.contents(
                    &site,
                    (from.payload.as_ref(), to.payload.as_ref()),
                    &(Vec::new(), Vec::new()),
                );
            }
            (None, None) => {}
        }
    }

    /// Finds out which variant is which.
    fn matched(&mut self, old: &'a Union, new: &'a Union) -> Matched<'a> {
        let mut gone: Vec<&'a Variant> = old.variants.iter().collect();
        let mut come: Vec<&'a Variant> = new.variants.iter().collect();
        let mut same = Vec::new();
        same.extend(take_same(&mut gone, &mut come, |variant, _| match &variant.selector {
            Selector::Tag { value } => Some(value.clone()),
            Selector::Untagged => None,
        }));
        // Without a tag: the same definition, the same name, the same kind of JSON.
        let (before, after) = (self.old, self.new);
        let pairing = &self.pairing;
        same.extend(take_same(&mut gone, &mut come, |variant, is_old| {
            let protocol = if is_old { before } else { after };
            let name = untagged(variant).and_then(|payload| def_name(protocol, Some(payload)))?;
            if is_old { pairing.to_new(name).map(str::to_owned) } else { Some(name.to_owned()) }
        }));
        same.extend(take_same(&mut gone, &mut come, |variant, is_old| {
            let protocol = if is_old { before } else { after };
            let kind = resolve(protocol, untagged(variant)?).kind;
            Some(format!("{} {}", variant.name.snake(), kind.describe()))
        }));
        same.extend(take_same(&mut gone, &mut come, |variant, is_old| {
            let protocol = if is_old { before } else { after };
            let kind = resolve(protocol, untagged(variant)?).kind;
            let is_plain = kind.is_scalar() && !matches!(kind, Kind::Literal(_));
            is_plain.then(|| kind.describe().to_owned())
        }));
        same.extend(self.resembling(&mut gone, &mut come));
        let renamed = self.renamed_variants(&mut gone, &mut come, (old, new));
        self.equal_forms(&mut gone, &mut come, (old, new));
        let retagged = self.equal_content(&mut gone, &mut come);
        Matched { same, renamed, retagged, gone, come }
    }

    /// Variants without a tag that take the same values, or share most of their properties.
    fn resembling(
        &mut self,
        gone: &mut Vec<&'a Variant>,
        come: &mut Vec<&'a Variant>,
    ) -> Vec<Twins<'a>> {
        let mut scores = HashMap::new();
        for (i, from) in gone.iter().enumerate().take(50) {
            for (j, to) in come.iter().enumerate().take(50) {
                let (Some(a), Some(b)) = (untagged(from), untagged(to)) else { continue };
                let score = if self.is_same_content(a, b) { 2.0 } else { self.overlap(a, b) };
                if score >= 0.5 {
                    scores.insert((from.name.wire.as_str(), i, to.name.wire.as_str(), j), score);
                }
            }
        }
        let index = |list: &[&'a Variant], variant: &Variant| {
            list.iter().position(|other| std::ptr::eq(*other, variant))
        };
        let (before, after) = (gone.clone(), come.clone());
        pair_up(gone, come, |from, to| {
            let (i, j) = (index(&before, from)?, index(&after, to)?);
            scores.get(&(from.name.wire.as_str(), i, to.name.wire.as_str(), j)).copied()
        })
    }

    /// How much of their properties two objects share, from 0 to 1; for arrays, their items.
    fn overlap(&self, old: &'a Type, new: &'a Type) -> f64 {
        match (resolve(self.old, old).kind, resolve(self.new, new).kind) {
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
                let all = |relation: &mut super::Relation<'a>, way, sent: &[_], expected: &[_]| {
                    sent.iter().all(|form| relation.any_covers(way, form, expected))
                };
                all(&mut self.relation, Way::OldToNew, &sent, &expected)
                    && all(&mut self.relation, Way::NewToOld, &expected, &sent)
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
        for from in gone.iter().filter(|from| from.selector != Selector::Untagged).take(50) {
            for to in come.iter().filter(|to| to.selector != Selector::Untagged).take(50) {
                let close = closeness(tag_value(from), tag_value(to));
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
                    same.insert((tag_value(from), tag_value(to)), score);
                }
            }
        }
        pair_up(gone, come, |from, to| {
            let tagged = from.selector != Selector::Untagged && to.selector != Selector::Untagged;
            same.get(&(tag_value(from), tag_value(to))).copied().filter(|_| tagged)
        })
    }

    /// A variant that has a tag in one of the unions only, and otherwise the same content.
    fn equal_content(
        &mut self,
        gone: &mut Vec<&'a Variant>,
        come: &mut Vec<&'a Variant>,
    ) -> Vec<Twins<'a>> {
        let mut found = Vec::new();
        let is_tagged = |variant: &Variant| variant.selector != Selector::Untagged;
        gone.retain(|from| {
            let twin = come.iter().take(50).position(|to| {
                is_tagged(from) != is_tagged(to)
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

/// What a receiver makes of a variant it does not list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    AsUnknown,
    AsAnother,
    Not,
}

fn forms<'a>(protocol: &'a Protocol, union: &'a Union) -> Vec<Alternative<'a>> {
    let mut found = Vec::new();
    for variant in &union.variants {
        found.extend(variant_alternatives(protocol, union, variant));
    }
    if let Some(payload) = union.open.as_ref().and_then(|open| open.payload.as_ref()) {
        found.extend(alternatives(protocol, payload));
    }
    found
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
    variant.payload.as_ref().filter(|_| variant.selector == Selector::Untagged)
}

fn tag_value(variant: &Variant) -> &str {
    match &variant.selector {
        Selector::Tag { value } => value,
        Selector::Untagged => "",
    }
}

fn at<'a>(
    site: &Site<'a>,
    union: &Union,
    old: Option<&'a Variant>,
    new: Option<&'a Variant>,
) -> Site<'a> {
    let Some(variant) = old.or(new) else { return site.clone() };
    let focus = match &variant.selector {
        Selector::Tag { value } => value,
        Selector::Untagged => &variant.name.wire,
    };
    let places = (old.map(|variant| &variant.place), new.map(|variant| &variant.place));
    site.variant(&label(union, variant), focus, places.0, places.1)
}

/// What to call a variant: its tag, or its name.
fn label(union: &Union, variant: &Variant) -> String {
    match (&variant.selector, union.tag()) {
        (Selector::Tag { value }, Some(tag)) => format!("{}={value}", tag.wire),
        _ => variant.name.wire.clone(),
    }
}

/// The properties of a payload that is an object or nothing; `None` for anything else.
fn record<'a>(protocol: &'a Protocol, payload: Option<&'a Type>) -> Option<Vec<&'a Field>> {
    let Some(payload) = payload else { return Some(Vec::new()) };
    match resolve(protocol, payload).kind {
        Kind::Record(record) => Some(record.fields.iter().collect()),
        _ => None,
    }
}

fn def_name<'a>(protocol: &'a Protocol, payload: Option<&'a Type>) -> Option<&'a str> {
    let def = resolve(protocol, payload?).def?;
    Some(def.name.wire.as_str())
}
