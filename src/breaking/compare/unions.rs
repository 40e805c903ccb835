//! Unions.

use super::Comparer;
use super::draft::{Draft, Site};
use super::variants::Twins;
use crate::breaking::rules;
use crate::breaking::shape::{Alternative, Kind, alternatives, resolve, variant_alternatives};
use crate::breaking::verdict::{Verdict, Way, Wire};
use crate::ir::{Field, Protocol, Selector, Type, Union, Variant};

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
        let open = (false, false);
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
        self.fields(&site, &old, &new, (false, false));
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

pub(super) fn tag_value(variant: &Variant) -> &str {
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

pub(super) fn def_name<'a>(protocol: &'a Protocol, payload: Option<&'a Type>) -> Option<&'a str> {
    let def = resolve(protocol, payload?).def?;
    Some(def.name.wire.as_str())
}
