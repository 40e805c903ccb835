//! Unions.

use super::Comparer;
use super::cause::Cause;
use super::finding::{ComparedLocation, Finding};
use super::gates::Gate;
use super::variants::{Twins, def_name};
use crate::breaking::rules;
use crate::breaking::shape::{Alternative, alternatives, variant_alternatives};
use crate::breaking::verdict::{Direction, Verdict, Wire};
use crate::ir::{Field, Kind, Protocol, Type, Union, Variant};

impl<'a> Comparer<'a> {
    /// Compares two unions, and whether `null` is taken beside each of them.
    pub(super) fn unions(
        &mut self,
        at: &ComparedLocation<'a>,
        (old, was_nullable): (&'a Union, bool),
        (new, is_nullable): (&'a Union, bool),
    ) {
        self.tag_property(at, old, new);
        self.union_annotations(at, old, new);
        let mut matched = self.matched(old, new);
        let is_null = |variant: &&Variant| variant.payload == Some(Type::Null);
        matched.gone.retain(|variant| !is_nullable || !is_null(variant));
        matched.come.retain(|variant| !was_nullable || !is_null(variant));
        let twins: Vec<Twins<'a>> =
            matched.same.iter().chain(&matched.renamed).chain(&matched.retagged).copied().collect();
        let beside = self.shared(at, old, new, &twins);
        for (from, to) in &matched.renamed {
            let (was, is) = (from.tag_or_name(), to.tag_or_name());
            let at = location_of(at, old, Some(from), Some(to));
            let summary = format!("the tag {was:?} is now {is:?}");
            let mut finding =
                Finding::new(&rules::UNION_TAG_VALUE_RENAMED, &at, summary).renamed(was, is);
            if old.open.is_some() && new.open.is_some() {
                finding.wire = Wire::both(Verdict::Risk);
            }
            self.report(finding);
        }
        for (from, to) in &matched.retagged {
            self.retagged(&location_of(at, old, Some(from), Some(to)), old, new, (from, to));
        }
        for (from, to) in &matched.same {
            self.variant_code_name(&location_of(at, old, Some(from), Some(to)), from, to);
        }
        for (from, to) in &twins {
            let at = location_of(at, old, Some(from), Some(to));
            self.variant_status(&at, old, from, to);
            self.contents(&at, (from.payload.as_ref(), to.payload.as_ref()), &beside);
        }
        self.gone(at, old, new, &matched.gone);
        self.come(at, old, new, &matched.come);
        self.openness(at, old, new);
    }

    fn variant_status(
        &mut self,
        at: &ComparedLocation<'a>,
        union: &Union,
        from: &'a Variant,
        to: &'a Variant,
    ) {
        let label = label(union, from);
        self.status(at, &format!("the variant {label}"), &from.docs, &to.docs);
        self.capabilities(at, &label, (&from.capabilities, &to.capabilities));
    }

    /// Compares the property that tells variants apart, and the hint at it.
    fn tag_property(&mut self, at: &ComparedLocation<'a>, old: &Union, new: &Union) {
        let (was, is) = (&old.discriminator, &new.discriminator);
        let hint = was.as_deref().or(is.as_deref()).unwrap_or_default();
        self.turned(
            at,
            (was.is_some(), is.is_some()),
            (
                &rules::DISCRIMINATOR_ANNOTATION_ADDED,
                &format!("`discriminator` now names `{hint}`"),
            ),
            (
                &rules::DISCRIMINATOR_ANNOTATION_REMOVED,
                &format!("`discriminator` no longer names `{hint}`"),
            ),
        );
        if let (Some(from), Some(to)) = (old.tag(), new.tag())
            && from.wire != to.wire
        {
            let summary =
                format!("variants are told apart by `{}` instead of `{}`", to.wire, from.wire);
            self.found(&rules::UNION_TAG_PROPERTY_RENAMED, at, summary);
        }
    }

    /// Compares the properties beside the variants. Gives those that only one of the unions
    /// shares because in the other each variant has them by itself.
    fn shared(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &'a Union,
        new: &'a Union,
        twins: &[Twins<'a>],
    ) -> (Vec<&'a Field>, Vec<&'a Field>) {
        let has = |fields: &[&Field], field: &Field| {
            fields.iter().any(|other| other.name.wire == field.name.wire)
        };
        let carries = |protocol: &'a Protocol, variant: &'a Variant, field: &Field| {
            record(protocol, variant.payload.as_ref()).is_some_and(|fields| has(&fields, field))
        };
        let (from, to): (Vec<_>, Vec<_>) =
            (old.shared.iter().collect(), new.shared.iter().collect());
        let (old_only, old_shared): (Vec<_>, Vec<_>) = from.iter().partition(|field| {
            !has(&to, field) && twins.iter().any(|(_, twin)| carries(self.new, twin, field))
        });
        let (new_only, new_shared): (Vec<_>, Vec<_>) = to.iter().partition(|field| {
            !has(&from, field) && twins.iter().any(|(twin, _)| carries(self.old, twin, field))
        });
        self.fields(at, &old_shared, &new_shared, (false, false));
        (old_only, new_only)
    }

    /// Compares what two forms of a variant carry, with the properties that only one of the
    /// unions shares.
    fn contents(
        &mut self,
        at: &ComparedLocation<'a>,
        (a, b): (Option<&'a Type>, Option<&'a Type>),
        beside: &(Vec<&'a Field>, Vec<&'a Field>),
    ) {
        if let (Some(a), Some(b)) = (a, b)
            && (beside.0.is_empty() && beside.1.is_empty()
                || record(self.old, Some(a)).is_none()
                || record(self.new, Some(b)).is_none())
        {
            self.types(at, a, b);
            return;
        }
        let (Some(mut old), Some(mut new)) = (record(self.old, a), record(self.new, b)) else {
            let (rule, word) = if a.is_none() {
                (&rules::TYPE_NARROWED, "now")
            } else {
                (&rules::TYPE_WIDENED, "no longer")
            };
            return self.found(rule, at, format!("the variant {word} carries a union"));
        };
        let (name_a, name_b) = (def_name(self.old, a), def_name(self.new, b));
        let is_pair = name_a.is_some_and(|name| self.pairing.to_new(name) == name_b);
        if is_pair {
            // What both have is compared where the definitions are.
            let has = |list: &[&Field], field: &Field| {
                list.iter().any(|other| other.name.wire == field.name.wire)
            };
            let before = old.clone();
            old.retain(|field| !has(&new, field));
            new.retain(|field| !has(&before, field));
        }
        old.extend(&beside.0);
        new.extend(&beside.1);
        let at = at.inside(name_a, name_b);
        self.fields(&at, &old, &new, (false, false));
    }

    /// Reports equal content with a tag in one of the two only.
    fn retagged(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &'a Union,
        new: &'a Union,
        (from, to): Twins<'a>,
    ) {
        let tag = |union: &'a Union| union.tag().map_or("", |tag| tag.wire.as_str());
        let finding = match (from.tag(), to.tag()) {
            (None, Some(value)) => {
                let tag = tag(new);
                let summary = format!("the variant without a tag now needs `{tag}`: {value:?}");
                let at = at.member(tag, None, None);
                Finding::new(&rules::PROPERTY_ADDED_REQUIRED, &at, summary).only_new()
            }
            (Some(value), None) => {
                let tag = tag(old);
                let summary = format!("the variant no longer has `{tag}`: {value:?}");
                let at = at.member(tag, None, None);
                Finding::new(&rules::PROPERTY_REMOVED_REQUIRED, &at, summary).only_old()
            }
            _ => return,
        };
        self.report(finding.about_absence());
    }

    fn gone(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &'a Union,
        new: &'a Union,
        gone: &[&'a Variant],
    ) {
        let mut expected = None;
        for variant in gone {
            let at = location_of(at, old, Some(variant), None);
            let summary = format!("the variant {} is gone", label(old, variant));
            let mut finding = Finding::new(&rules::UNION_VARIANT_REMOVED, &at, summary).only_old();
            finding.gate = Gate::new(self.old, self.new, &variant.capabilities);
            let expected = expected.get_or_insert_with(|| forms(self.new, new));
            match self.taken(Direction::OldToNew, (old, variant), new, expected) {
                Taken::AsUnknown => {
                    finding.wire = Wire::OK;
                    finding.summary += "; it is now one of those that are not known";
                }
                Taken::AsAnother => {
                    finding.wire = finding.wire.with(Direction::OldToNew, Verdict::Risk);
                    finding.summary += "; what was sent as it is now taken for another variant";
                }
                Taken::Not => {}
            }
            self.report(finding.after(&variant.docs));
        }
    }

    fn come(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &'a Union,
        new: &'a Union,
        come: &[&'a Variant],
    ) {
        let mut expected = None;
        for variant in come {
            let at = location_of(at, new, None, Some(variant));
            let expected = expected.get_or_insert_with(|| forms(self.old, old));
            let (rule, tail) = match self.taken(Direction::NewToOld, (new, variant), old, expected)
            {
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
            let mut finding = Finding::new(rule, &at, summary).only_new();
            finding.gate = Gate::new(self.new, self.old, &variant.capabilities);
            self.report(finding);
        }
    }

    /// Finds how a receiver treats a variant that its union does not list.
    fn taken(
        &mut self,
        direction: Direction,
        (sent, variant): (&'a Union, &'a Variant),
        receiver: &'a Union,
        expected: &[Alternative<'a>],
    ) -> Taken {
        let is_tagged = variant.tag().is_some()
            && sent.tag().map(|tag| &tag.wire) == receiver.tag().map(|tag| &tag.wire);
        if is_tagged && receiver.open.as_ref().is_some_and(|open| open.payload.is_none()) {
            return Taken::AsUnknown;
        }
        let sender = self.relation.sender(direction);
        let forms = variant_alternatives(sender, sent, variant);
        if !forms.iter().all(|form| self.relation.any_covers(direction, form, expected)) {
            return Taken::Not;
        }
        if is_tagged && receiver.open.is_some() { Taken::AsUnknown } else { Taken::AsAnother }
    }

    fn openness(&mut self, at: &ComparedLocation<'a>, old: &'a Union, new: &'a Union) {
        match (&old.open, &new.open) {
            (None, Some(open)) => {
                let mut at = at.clone();
                at.new.location = &open.location;
                let summary = "variants that are not listed are now accepted";
                let finding = Finding::new(&rules::UNION_OPENED, &at, summary);
                self.report(finding.caused_by(Cause::Unknown));
            }
            (Some(open), None) => {
                let mut at = at.clone();
                at.old.location = &open.location;
                let summary = "variants that are not listed are no longer accepted";
                let finding = Finding::new(&rules::TYPE_NARROWED, &at, summary);
                self.report(finding.caused_by(Cause::Unknown));
            }
            (Some(from), Some(to)) => {
                let label = &from.name.wire;
                let at = at.variant(label, label, Some(&from.location), Some(&to.location));
                self.class_name(&at, from.class_name.as_ref(), to.class_name.as_ref());
                let payloads = (from.payload.as_ref(), to.payload.as_ref());
                self.contents(&at, payloads, &(Vec::new(), Vec::new()));
            }
            (None, None) => {}
        }
    }
}

/// The treatment of a variant that a receiver does not list.
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

fn location_of<'a>(
    at: &ComparedLocation<'a>,
    union: &Union,
    old: Option<&'a Variant>,
    new: Option<&'a Variant>,
) -> ComparedLocation<'a> {
    let Some(variant) = old.or(new) else { return at.clone() };
    let locations = (old.map(|variant| &variant.location), new.map(|variant| &variant.location));
    at.variant(&label(union, variant), variant.tag_or_name(), locations.0, locations.1)
}

/// The label of a variant: its tag, or its name.
fn label(union: &Union, variant: &Variant) -> String {
    match (variant.tag(), union.tag()) {
        (Some(value), Some(tag)) => format!("{}={value}", tag.wire),
        _ => variant.name.wire.clone(),
    }
}

/// The properties of a payload that is an object or nothing; `None` for anything else.
fn record<'a>(protocol: &'a Protocol, payload: Option<&'a Type>) -> Option<Vec<&'a Field>> {
    let Some(payload) = payload else { return Some(Vec::new()) };
    match protocol.resolved(payload).kind {
        Kind::Record(record) => Some(record.fields.iter().collect()),
        _ => None,
    }
}
