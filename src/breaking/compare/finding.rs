//! Findings before it is known how far they reach.

use std::fmt::Display;

use super::cause::Cause;
use super::gates::Gate;
use super::prose::ChangedText;
use crate::breaking::rules::Rule;
use crate::breaking::verdict::{Direction, Directions, Wire};
use crate::ir::{Docs, Field, Payload, Type};
use crate::source::Location;

/// The location of a comparison, in both schemas.
#[derive(Clone, Debug)]
pub(in crate::breaking) struct ComparedLocation<'a> {
    /// The named definition that holds it.
    pub(in crate::breaking) ty: &'a str,
    /// The path in the definition, as [`Change::path`](crate::breaking::Change::path) writes it.
    pub(in crate::breaking) path: String,
    pub(in crate::breaking) old: End<'a>,
    pub(in crate::breaking) new: End<'a>,
    /// The property or tag by which the innermost definition leads here.
    pub(in crate::breaking) focus: Option<String>,
    /// The steps from there to here: to an item of a tuple by its place, or to any item of an array or
    /// any member of a map.
    pub(super) hops: Vec<Option<usize>>,
}

/// A site in one of the schemas.
#[derive(Clone, Debug)]
pub(in crate::breaking) struct End<'a> {
    /// The innermost definition, inline ones included.
    pub(in crate::breaking) def: Option<&'a str>,
    pub(in crate::breaking) location: &'a Location,
    /// True if a malformed value is forgiven between the definition and here.
    pub(in crate::breaking) forgives: bool,
    /// True if this is an array that stays valid without its malformed items.
    pub(in crate::breaking) skips: bool,
}

impl<'a> End<'a> {
    pub(in crate::breaking) fn new(def: Option<&'a str>, location: &'a Location) -> Self {
        Self { def, location, forgives: false, skips: false }
    }

    fn field(&self, field: &'a Field) -> Self {
        let leniency = &field.leniency;
        Self {
            def: self.def,
            location: &field.location,
            forgives: self.forgives || leniency.on_error.is_some(),
            skips: field.forgives_items(),
        }
    }

    fn item(&self) -> Self {
        Self { forgives: self.forgives || self.skips, skips: false, ..self.clone() }
    }
}

impl<'a> ComparedLocation<'a> {
    pub(in crate::breaking) fn new(ty: &'a str, old: End<'a>, new: End<'a>) -> Self {
        Self { ty, path: String::new(), old, new, focus: None, hops: Vec::new() }
    }

    /// The definition and the way from there, as one text.
    pub(super) fn full_path(&self) -> String {
        let Self { ty, path, .. } = self;
        let dot = if path.is_empty() || path.starts_with('<') { "" } else { "." };
        format!("{ty}{dot}{path}")
    }

    /// The location of a property that both schemas have.
    pub(super) fn field(&self, old: &'a Field, new: &'a Field) -> Self {
        let mut location = self.step(&old.name.wire, &old.name.wire);
        location.old = self.old.field(old);
        location.new = self.new.field(new);
        location
    }

    /// The location of a property that only one schema has, or that has two names.
    pub(super) fn member(
        &self,
        name: &str,
        old: Option<&'a Field>,
        new: Option<&'a Field>,
    ) -> Self {
        let mut location = self.step(name, name);
        location.old.location = old.map_or(location.old.location, |field| &field.location);
        location.new.location = new.map_or(location.new.location, |field| &field.location);
        location
    }

    pub(super) fn item(&self) -> Self {
        let mut location = self.clone();
        location.path.push_str("[]");
        location.hops.push(None);
        location.old = self.old.item();
        location.new = self.new.item();
        location
    }

    /// The item of a tuple at a place.
    pub(super) fn place(&self, at: usize) -> Self {
        let mut location = self.clone();
        location.path.extend(["[", &at.to_string(), "]"]);
        location.hops.push(Some(at));
        location
    }

    pub(super) fn map_value(&self) -> Self {
        let mut location = self.clone();
        location.path.push_str("{}");
        location.hops.push(None);
        location
    }

    /// A variant, called `label`.
    pub(super) fn variant(
        &self,
        label: &str,
        focus: &str,
        old: Option<&'a Location>,
        new: Option<&'a Location>,
    ) -> Self {
        let mut location = self.step(&format!("<{label}>"), focus);
        location.old.location = old.unwrap_or(location.old.location);
        location.new.location = new.unwrap_or(location.new.location);
        location
    }

    /// The location inside the definitions that are used here.
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
            location.hops.clear();
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

/// A difference between two protocols, before it is proved and weighed.
#[derive(Clone, Debug)]
pub(in crate::breaking) struct Finding<'a> {
    pub(in crate::breaking) rule: &'static Rule,
    pub(in crate::breaking) location: ComparedLocation<'a>,
    /// Other locations at which exactly the same has changed.
    pub(in crate::breaking) also: Vec<ComparedLocation<'a>>,
    /// The wire names of the method that it is about, if it is about one.
    pub(in crate::breaking) methods: Vec<&'a str>,
    pub(in crate::breaking) summary: String,
    /// The effect on messages by the schemas alone, without what receivers forgive.
    pub(in crate::breaking) wire: Wire,
    /// The effect on messages where receivers forgive what the schema says they do, and why it is
    /// milder.
    pub(in crate::breaking) softened: Option<(Wire, &'static str)>,
    /// The payloads that it can be a part of.
    pub(in crate::breaking) positions: Vec<Payload>,
    /// The named types through which it gets there.
    pub(in crate::breaking) reaches: Vec<String>,
    /// The capability without which it is not sent.
    pub(in crate::breaking) gate: Option<Gate>,
    pub(in crate::breaking) target: Option<WitnessTarget>,
    /// Which of the two schemas it is in, if only one.
    pub(in crate::breaking) only: Option<Direction>,
    /// The descriptions that were changed, added or removed.
    pub(in crate::breaking) texts: Vec<ChangedText>,
    /// True if it is about what is unstable, wherever that is there.
    pub(in crate::breaking) is_unstable: bool,
    /// True if what has gone was deprecated before.
    pub(in crate::breaking) was_deprecated: bool,
    /// The payload that each direction carries, where the two are not the same.
    pub(in crate::breaking) by_direction: Option<Box<Directions<Option<Payload>>>>,
    /// True if the payloads are known without a search.
    pub(super) is_located: bool,
    /// The part of a message that is refused because of it.
    pub(in crate::breaking) cause: Cause,
    /// The directions in which generated receivers do not look at what it is about.
    pub(super) unchecked: Vec<Direction>,
    /// The leniency with a null alone.
    pub(super) null_forgiven: (bool, bool),
    /// The type of the property that came or went.
    pub(super) carried: Option<&'a Type>,
}

/// The target of a witness: the types that differ, in both schemas.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::breaking) struct WitnessTarget {
    /// The definition, in the old schema.
    pub(in crate::breaking) old: Option<Type>,
    /// The definition, in the new schema.
    pub(in crate::breaking) new: Option<Type>,
    /// The property, tag or value in it that differs; all of it if `None`.
    pub(in crate::breaking) focus: Option<String>,
    /// Its name in the new schema, if it is another.
    pub(in crate::breaking) renamed: Option<String>,
    /// The payload, if only one will do.
    pub(in crate::breaking) payload: Option<Payload>,
    /// How many items of arrays, or members of maps, lead from the focus to what differs.
    pub(in crate::breaking) hops: Vec<Option<usize>>,
}

impl<'a> Finding<'a> {
    pub(in crate::breaking) fn new(
        rule: &'static Rule,
        location: &ComparedLocation<'a>,
        summary: impl Display,
    ) -> Self {
        let named = |def: Option<&str>| def.map(|name| Type::Named { name: name.to_owned() });
        Self {
            rule,
            location: location.clone(),
            summary: summary.to_string(),
            also: Vec::new(),
            methods: Vec::new(),
            wire: rule.wire,
            softened: None,
            is_located: false,
            cause: Cause::Value,
            unchecked: Vec::new(),
            null_forgiven: (false, false),
            positions: Vec::new(),
            reaches: Vec::new(),
            gate: None,
            target: Some(WitnessTarget {
                old: named(location.old.def),
                new: named(location.new.def),
                focus: location.focus.clone(),
                renamed: None,
                payload: None,
                hops: location.hops.clone(),
            }),
            only: None,
            texts: Vec::new(),
            is_unstable: false,
            was_deprecated: false,
            by_direction: None,
            carried: None,
        }
    }

    /// Its name in the report: the same from run to run.
    pub(in crate::breaking) fn id(&self) -> String {
        let value = self.location.focus.as_ref().filter(|_| self.location.path.is_empty());
        let value = value.map_or_else(String::new, |focus| format!("={focus}"));
        format!("{}:{}{value}", self.rule.id, self.location.full_path())
    }

    /// All locations at which it is found.
    pub(in crate::breaking) fn locations(&self) -> impl Iterator<Item = &ComparedLocation<'a>> {
        std::iter::once(&self.location).chain(&self.also)
    }

    /// The name in the new schema of what the finding is about, if it has another.
    pub(in crate::breaking) fn new_name(&self) -> Option<&String> {
        self.target.as_ref()?.renamed.as_ref()
    }

    /// Sets the payloads that the finding is a part of: they need no search.
    pub(in crate::breaking) fn located(mut self, positions: Option<Payload>) -> Self {
        self.positions = positions.into_iter().collect();
        self.is_located = true;
        self
    }

    /// Notes that the removed part had been deprecated, if its docs, given here, say so.
    pub(super) fn after(mut self, docs: &Docs) -> Self {
        self.was_deprecated = docs.deprecated;
        if docs.deprecated {
            self.summary.push_str(", as its deprecation had announced");
        }
        self
    }

    /// Notes what is refused because of it.
    pub(super) fn caused_by(mut self, cause: Cause) -> Self {
        self.cause = cause;
        self
    }

    /// Notes that the finding is about a property that may be missing.
    pub(super) fn about_absence(self) -> Self {
        self.caused_by(Cause::Presence)
    }

    /// Tells whether a receiver that forgives a malformed value here forgives this. One that misses
    /// a property has nothing to forgive.
    pub(super) fn is_about_value(&self) -> bool {
        !matches!(self.cause, Cause::Presence)
    }

    /// Notes another name in the new schema.
    pub(super) fn renamed(mut self, old: &str, new: &str) -> Self {
        if let Some(target) =
            self.target.as_mut().filter(|target| target.focus.as_deref() == Some(old))
        {
            target.renamed = Some(new.to_owned());
        }
        self
    }

    /// Notes that the part is only in the new schema.
    pub(super) fn only_new(mut self) -> Self {
        self.only = Some(Direction::NewToOld);
        self
    }

    /// Notes that the part is only in the old schema.
    pub(super) fn only_old(mut self) -> Self {
        self.only = Some(Direction::OldToNew);
        self
    }

    /// Replaces the effect on messages that its rule has.
    pub(super) fn wire(mut self, wire: Wire) -> Self {
        self.wire = wire;
        self
    }

    /// Says that generated receivers do not look at what the finding is about.
    pub(super) fn unchecked(self) -> Self {
        self.unchecked_in(Direction::OldToNew).unchecked_in(Direction::NewToOld)
    }

    /// Says that generated receivers in one direction do not look at what the finding is about.
    pub(super) fn unchecked_in(mut self, direction: Direction) -> Self {
        self.unchecked.push(direction);
        self
    }

    pub(super) fn carrying(mut self, ty: &'a Type) -> Self {
        self.carried = Some(ty);
        self
    }
}
