//! Properties.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::Comparer;
use super::cause::Cause;
use super::finding::{ComparedLocation, Finding};
use super::gates::Gate;
use super::similar::{MOST, alike, closeness, pair_up};
use crate::breaking::rules;
use crate::breaking::verdict::{Direction, Verdict};
use crate::ir::{Field, Presence, Protocol, Type, TypeKind};

impl<'a> Comparer<'a> {
    /// Compares the properties of an object; `denied` says whether the old and the new one refuse
    /// those that they do not list.
    pub(super) fn fields(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &[&'a Field],
        new: &[&'a Field],
        denied: (bool, bool),
    ) {
        let (before, after) = (by_name(old), by_name(new));
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for (index, field) in old.iter().enumerate() {
            match after.get(field.name.wire.as_str()).copied() {
                Some(other) => self.field(&at.field(field, other), field, other),
                None => gone.push((index, *field)),
            }
        }
        let is_new = |(_, field): &(usize, &Field)| !before.contains_key(&*field.name.wire);
        come.extend(new.iter().copied().enumerate().filter(is_new));
        for (from, to) in self.renamed_fields(&mut gone, &mut come) {
            self.renamed_field(at, from, to);
        }
        for (_, field) in gone {
            self.removed_field(at, field, denied.1);
        }
        for (_, field) in come {
            self.added_field(at, field, denied.0);
        }
    }

    /// Properties that have another name: the same type and presence, and a name that is alike
    /// or a place that is the same.
    fn renamed_fields(
        &mut self,
        gone: &mut Vec<(usize, &'a Field)>,
        come: &mut Vec<(usize, &'a Field)>,
    ) -> Vec<(&'a Field, &'a Field)> {
        let mut same = HashSet::new();
        for (_, from) in gone.iter().take(MOST) {
            for (_, to) in come.iter().take(MOST) {
                let presence = from.presence.is_required() == to.presence.is_required();
                if presence && self.is_same_content(&from.ty, &to.ty) {
                    same.insert((from.name.wire.as_str(), to.name.wire.as_str()));
                }
            }
        }
        let (old, new) = (self.old, self.new);
        let only = gone.len() == 1 && come.len() == 1;
        let pairs = pair_up(gone, come, |(i, from), (j, to)| {
            if !same.contains(&(from.name.wire.as_str(), to.name.wire.as_str())) {
                return None;
            }
            let close = closeness(&from.name.wire, &to.name.wire);
            let documented =
                from.docs.description.is_some() && from.docs.description == to.docs.description;
            let telling = is_telling(old, &from.ty) && is_telling(new, &to.ty);
            let in_place = i == j && (telling || only);
            (alike(&from.name, &to.name) || documented || in_place)
                .then_some(close + f64::from(u8::from(documented)) + f64::from(u8::from(in_place)))
        });
        pairs.into_iter().map(|((_, from), (_, to))| (from, to)).collect()
    }

    fn renamed_field(&mut self, at: &ComparedLocation<'a>, from: &'a Field, to: &'a Field) {
        let rule = if to.presence.is_required() {
            &rules::PROPERTY_RENAMED_REQUIRED
        } else {
            &rules::PROPERTY_RENAMED_OPTIONAL
        };
        let summary = format!("`{}` is now called `{}`", from.name.wire, to.name.wire);
        let at = at.member(&from.name.wire, Some(from), Some(to));
        let finding = Finding::new(rule, &at, summary).about_absence();
        self.report(finding.renamed(&from.name.wire, &to.name.wire));
    }

    pub(super) fn removed_field(
        &mut self,
        at: &ComparedLocation<'a>,
        field: &'a Field,
        denied_in_new: bool,
    ) {
        let required = field.presence.is_required();
        let rule = if required {
            &rules::PROPERTY_REMOVED_REQUIRED
        } else {
            &rules::PROPERTY_REMOVED_OPTIONAL
        };
        let kind = if required { "required" } else { "optional" };
        let summary = format!("`{}`, which was {kind}, is gone", field.name.wire);
        let at = at.member(&field.name.wire, Some(field), None);
        let mut finding =
            Finding::new(rule, &at, summary).about_absence().only_old().carrying(&field.ty);
        finding.gate = Gate::new(self.old, self.new, &field.capabilities);
        if denied_in_new {
            finding.wire = finding.wire.with(Direction::OldToNew, Verdict::Break);
            finding.summary += ", and the object takes no properties that it does not list";
            finding = finding.unchecked_in(Direction::OldToNew);
        }
        self.report(finding.after(&field.docs));
    }

    pub(super) fn added_field(
        &mut self,
        at: &ComparedLocation<'a>,
        field: &'a Field,
        denied_in_old: bool,
    ) {
        let required = field.presence.is_required();
        let rule = if required {
            &rules::PROPERTY_ADDED_REQUIRED
        } else {
            &rules::PROPERTY_ADDED_OPTIONAL
        };
        let kind = match (required, &field.default, &field.formal_default) {
            (true, _, Some(_)) => "required, though it has a default",
            (true, ..) => "required",
            (false, Some(_), _) => "optional, with a default",
            (false, ..) => "optional",
        };
        let summary = format!("`{}` is new and {kind}", field.name.wire);
        let at = at.member(&field.name.wire, None, Some(field));
        let mut finding =
            Finding::new(rule, &at, summary).about_absence().only_new().carrying(&field.ty);
        finding.gate = Gate::new(self.new, self.old, &field.capabilities);
        if denied_in_old {
            finding.wire = finding.wire.with(Direction::NewToOld, Verdict::Break);
            finding.summary += ", but the old object takes no properties that it does not list";
            finding = finding.unchecked_in(Direction::NewToOld);
        }
        self.report(finding);
    }

    /// Compares a property that both have.
    fn field(&mut self, at: &ComparedLocation<'a>, old: &'a Field, new: &'a Field) {
        self.status(at, &format!("`{}`", old.name.wire), &old.docs, &new.docs);
        self.code_name(at, &old.name, &new.name);
        self.capabilities(at, &old.name.wire, (&old.capabilities, &new.capabilities));
        self.presence(at, old, new);
        self.default(at, old, new);
        self.leniency(at, old, new);
        let (mut from, mut to) = (self.old.resolved(&old.ty), self.new.resolved(&new.ty));
        from.nullable |= old.presence.is_nullable();
        to.nullable |= new.presence.is_nullable();
        let before = self.findings.len();
        self.values(at, &old.ty, &new.ty, from, to);
        // Where the type is another one altogether, that is all there is to say.
        let is_other = self.findings.iter().skip(before).any(|finding| {
            finding.rule.id == rules::TYPE_CHANGED.id && finding.location.path == at.path
        });
        if !is_other {
            self.nulls(at, old, new);
        }
    }

    fn presence(&mut self, at: &ComparedLocation<'a>, old: &'a Field, new: &'a Field) {
        let name = &old.name.wire;
        let has_default = old.formal_default.is_some() && new.default.is_some();
        let (rule, word) = match (old.presence.is_required(), new.presence.is_required()) {
            (true, false) if has_default => {
                (&rules::PROPERTY_BECAME_OPTIONAL_WITH_DEFAULT, "may now be left out")
            }
            (true, false) => (&rules::PROPERTY_BECAME_OPTIONAL, "may now be left out"),
            (false, true) => (&rules::PROPERTY_BECAME_REQUIRED, "must now be there"),
            _ => return,
        };
        self.report(Finding::new(rule, at, format!("`{name}` {word}")).about_absence());
    }

    fn nulls(&mut self, at: &ComparedLocation<'a>, old: &'a Field, new: &'a Field) {
        if matches!(old.ty, Type::Any) || matches!(new.ty, Type::Any) {
            return;
        }
        let admits = |protocol: &Protocol, field: &Field| {
            field.presence.is_nullable() || protocol.admits_null(&field.ty)
        };
        // What a definition says of itself is told there, once.
        if old.presence.is_nullable() == new.presence.is_nullable()
            && self.is_pair(&old.ty, &new.ty)
        {
            return;
        }
        let (rule, word) = match (admits(self.old, old), admits(self.new, new)) {
            (false, true) => (&rules::PROPERTY_BECAME_NULLABLE, "may now be"),
            (true, false) => (&rules::PROPERTY_BECAME_NON_NULLABLE, "may no longer be"),
            _ => return,
        };
        let mut finding = Finding::new(rule, at, format!("`{}` {word} null", old.name.wire))
            .caused_by(Cause::Null);
        finding.null_forgiven = (old.leniency.on_null.is_some(), new.leniency.on_null.is_some());
        self.report(finding);
    }

    fn leniency(&mut self, at: &ComparedLocation<'a>, old: &'a Field, new: &'a Field) {
        let kinds = |field: &'a Field| {
            let leniency = &field.leniency;
            [
                (leniency.on_error.is_some(), "malformed values"),
                (leniency.on_null.is_some() && !field.presence.is_nullable(), "null"),
                (leniency.skip_invalid_items, "malformed items"),
            ]
        };
        for ((was, what), (is, _)) in kinds(old).into_iter().zip(kinds(new)) {
            let told = |word| format!("a receiver of `{}` {word} {what}", old.name.wire);
            self.turned(
                at,
                (was, is),
                (&rules::LENIENT_ADDED, &told("now forgives")),
                (&rules::LENIENT_REMOVED, &told("no longer forgives")),
            );
        }
    }

    fn default(&mut self, at: &ComparedLocation<'a>, old: &'a Field, new: &'a Field) {
        let value = |field: &'a Field| field.default.as_ref().or(field.formal_default.as_ref());
        let name = &old.name.wire;
        let (rule, summary) = match (value(old), value(new)) {
            (Some(from), Some(to)) if from == to => return,
            (Some(from), Some(to)) if self.is_derived((&old.ty, from), (&new.ty, to)) => {
                (&rules::DEFAULT_DERIVED, format!("the default of `{name}` follows its properties"))
            }
            (Some(from), Some(to)) => {
                let summary = format!("the default of `{name}` was {from} and is now {to}");
                (&rules::DEFAULT_CHANGED, summary)
            }
            // Where the property must be there, no default is ever taken.
            (Some(from), None) if !new.presence.is_required() => (
                &rules::DEFAULT_REMOVED,
                format!("`{name}` no longer has a default; it was {from}"),
            ),
            // A default of null is what it was: nothing, and nothing said.
            (None, Some(to))
                if !old.presence.is_required() && !new.presence.is_required() && !to.is_null() =>
            {
                (&rules::DEFAULT_CHANGED, format!("`{name}` now has a default, {to}"))
            }
            _ => return,
        };
        self.found(rule, at, summary);
    }

    /// Tells whether two defaults differ only by properties that one of the types does not have,
    /// and that mean the same when they are left out.
    fn is_derived(&self, old: (&'a Type, &Value), new: (&'a Type, &Value)) -> bool {
        let (Value::Object(from), Value::Object(to)) = (old.1, new.1) else {
            return old.1 == new.1;
        };
        let (before, after) = (self.old.fields(old.0), self.new.fields(new.0));
        let field =
            |fields: &'a [Field], name: &str| fields.iter().find(|field| field.name.wire == name);
        let left_out = |fields: &'a [Field], name: &str, value: &Value| {
            field(fields, name).is_some_and(|field| {
                field.default.as_ref().or(field.formal_default.as_ref()) == Some(value)
                    || (value.is_null() && field.presence == Presence::OptionalNullable)
            })
        };
        let kept = from.iter().all(|(name, value)| match to.get(name) {
            Some(other) => match (field(before, name), field(after, name)) {
                (Some(a), Some(b)) => self.is_derived((&a.ty, value), (&b.ty, other)),
                _ => value == other,
            },
            None => left_out(before, name, value),
        });
        let mut added = to.iter().filter(|(name, _)| !from.contains_key(*name));
        kept && added.all(|(name, value)| left_out(after, name, value))
    }
}

fn by_name<'a>(fields: &[&'a Field]) -> HashMap<&'a str, &'a Field> {
    fields.iter().map(|field| (field.name.wire.as_str(), *field)).collect()
}

/// Tells whether a type says something by itself: two properties of type `string` have nothing in
/// common.
fn is_telling(protocol: &Protocol, ty: &Type) -> bool {
    match ty {
        Type::Named { name } => protocol
            .type_def(name)
            .is_some_and(|def| !def.inline && !matches!(def.kind, TypeKind::Alias { .. })),
        Type::Array(array) => is_telling(protocol, &array.items),
        Type::Nullable { inner } => is_telling(protocol, inner),
        _ => false,
    }
}
