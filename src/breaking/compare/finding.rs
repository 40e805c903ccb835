//! Findings before it is known how far they reach.

use std::fmt::Display;

use crate::breaking::rules::Rule;
use crate::breaking::verdict::{Direction, Source, Wire};
use crate::breaking::witness::WitnessTarget;
use crate::ir::Payload;
use crate::ir::{Field, Type};
use crate::source::Place;

/// Where a comparison is: the same place in both schemas.
#[derive(Clone, Debug)]
pub(super) struct ComparedLocation<'a> {
    /// The named definition that holds it.
    pub(super) ty: &'a str,
    /// The way from there, as [`Change::path`](crate::breaking::Change::path) writes it.
    pub(super) path: String,
    pub(super) old: End<'a>,
    pub(super) new: End<'a>,
    /// The property or tag by which the innermost definition leads here.
    pub(super) focus: Option<String>,
}

/// A site in one of the schemas.
#[derive(Clone, Debug)]
pub(super) struct End<'a> {
    /// The innermost definition, inline ones included.
    pub(super) def: Option<&'a str>,
    pub(super) place: &'a Place,
    /// Whether a malformed value is forgiven between the definition and here.
    pub(super) forgives: bool,
    /// Whether malformed items are skipped, if this is an array.
    pub(super) skips: bool,
}

impl<'a> End<'a> {
    pub(super) fn of(def: Option<&'a str>, place: &'a Place) -> Self {
        Self { def, place, forgives: false, skips: false }
    }

    fn field(&self, field: &'a Field) -> Self {
        let leniency = &field.leniency;
        Self {
            def: self.def,
            place: &field.place,
            forgives: self.forgives || leniency.on_error.is_some(),
            skips: leniency.skip_invalid_items,
        }
    }

    fn item(&self) -> Self {
        Self { forgives: self.forgives || self.skips, skips: false, ..self.clone() }
    }
}

impl<'a> ComparedLocation<'a> {
    pub(super) fn new(ty: &'a str, old: End<'a>, new: End<'a>) -> Self {
        Self { ty, path: String::new(), old, new, focus: None }
    }

    /// A property that both have.
    pub(super) fn field(&self, old: &'a Field, new: &'a Field) -> Self {
        let mut location = self.step(&old.name.wire, &old.name.wire);
        location.old = self.old.field(old);
        location.new = self.new.field(new);
        location
    }

    /// A property that only one has, or that has two names.
    pub(super) fn member(
        &self,
        name: &str,
        old: Option<&'a Field>,
        new: Option<&'a Field>,
    ) -> Self {
        let mut location = self.step(name, name);
        if let Some(field) = old {
            location.old.place = &field.place;
        }
        if let Some(field) = new {
            location.new.place = &field.place;
        }
        location
    }

    pub(super) fn item(&self) -> Self {
        let mut location = self.clone();
        location.path.push_str("[]");
        location.old = self.old.item();
        location.new = self.new.item();
        location
    }

    pub(super) fn map_value(&self) -> Self {
        let mut location = self.clone();
        location.path.push_str("{}");
        location
    }

    /// A variant, called `label`.
    pub(super) fn variant(
        &self,
        label: &str,
        focus: &str,
        old: Option<&'a Place>,
        new: Option<&'a Place>,
    ) -> Self {
        let mut location = self.step(&format!("<{label}>"), focus);
        location.old.place = old.unwrap_or(location.old.place);
        location.new.place = new.unwrap_or(location.new.place);
        location
    }

    /// The inside of the definitions that are used here.
    pub(super) fn inside(&self, old: Option<&'a str>, new: Option<&'a str>) -> Self {
        let mut location = self.clone();
        let enter = |end: &mut End<'a>, def: Option<&'a str>| {
            if def.is_some() && end.def != def {
                end.def = def;
                end.forgives = false;
                return true;
            }
            false
        };
        let (old, new) = (enter(&mut location.old, old), enter(&mut location.new, new));
        if old || new {
            location.focus = None;
        }
        location
    }

    fn step(&self, segment: &str, focus: &str) -> Self {
        let mut location = self.clone();
        if !location.path.is_empty() {
            location.path.push('.');
        }
        location.path.push_str(segment);
        location.focus.get_or_insert_with(|| focus.to_owned());
        location
    }
}

/// A finding.
#[derive(Clone, Debug)]
pub(super) struct Finding<'a> {
    pub(super) rule: &'static Rule,
    pub(super) location: ComparedLocation<'a>,
    pub(super) summary: String,
    pub(super) wire: Wire,
    pub(super) source: Source,
    /// Whether a receiver that forgives a malformed value here forgives this. One that misses a
    /// property has nothing to forgive.
    pub(super) about_value: bool,
    /// The same for a null alone.
    pub(super) null_forgiven: (bool, bool),
    /// The payloads, where they are known without looking.
    pub(super) positions: Option<Vec<Payload>>,
    pub(super) gated_by: Option<String>,
    pub(super) target: Option<WitnessTarget>,
    /// Which of the two schemas it is in, if only one.
    pub(super) only: Option<Direction>,
    /// The type of the property that came or went.
    pub(super) carried: Option<&'a Type>,
}

impl<'a> Finding<'a> {
    pub(super) fn new(
        rule: &'static Rule,
        location: &ComparedLocation<'a>,
        summary: impl Display,
    ) -> Self {
        let named = |def: Option<&str>| def.map(|name| Type::Named { name: name.to_owned() });
        Self {
            rule,
            location: location.clone(),
            summary: summary.to_string(),
            wire: rule.wire,
            source: rule.source,
            about_value: true,
            null_forgiven: (false, false),
            positions: None,
            gated_by: None,
            target: Some(WitnessTarget {
                old: named(location.old.def),
                new: named(location.new.def),
                focus: location.focus.clone(),
                renamed: None,
                payload: None,
            }),
            only: None,
            carried: None,
        }
    }

    /// It is about a property that may be missing.
    pub(super) fn about_absence(mut self) -> Self {
        self.about_value = false;
        self
    }

    /// What is looked at has another name in the new schema.
    pub(super) fn renamed(mut self, old: &str, new: &str) -> Self {
        if let Some(target) =
            self.target.as_mut().filter(|target| target.focus.as_deref() == Some(old))
        {
            target.renamed = Some(new.to_owned());
        }
        self
    }

    /// It is only in the new schema.
    pub(super) fn only_new(mut self) -> Self {
        self.only = Some(Direction::NewToOld);
        self
    }

    /// It is only in the old schema.
    pub(super) fn only_old(mut self) -> Self {
        self.only = Some(Direction::OldToNew);
        self
    }

    pub(super) fn wire(mut self, wire: Wire) -> Self {
        self.wire = wire;
        self
    }

    pub(super) fn carrying(mut self, ty: &'a Type) -> Self {
        self.carried = Some(ty);
        self
    }
}
