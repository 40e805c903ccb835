//! One schema of all that stands at one place: `$ref` and `allOf` with what is beside them, types
//! beside alternatives, values beside types.
//!
//! The result fits the same values, or more and says so. Objects with properties are merged
//! later, as records.

mod alternatives;
mod branches;
mod demanded;
mod exclusive;
mod meet;
#[cfg(test)]
mod tests;
mod unions;

use std::cell::Cell;

use indexmap::{IndexMap, IndexSet};
use serde_json::Value;

use self::alternatives::{alternatives_beside, are_same, product};
use self::branches::{drop_impossible_branches, type_branches};
use self::exclusive::tell_overlaps;
pub(super) use self::meet::common_types;
use self::meet::{
    constraints, is_nearly_of_values_beside, is_of_values, is_of_values_beside, keep_possible,
    restricts, says_nothing, unsayable,
};
use self::unions::join_unions;
use super::described::{constrain, described_as};
use super::listed::ask;
use super::values::fits;
use super::vocabulary::unenforced;
use super::{Additional, Annotations, Document, JsonType, Reference, SchemaObject};
use crate::diagnostic::Diagnostics;
use crate::ir::Docs;
use crate::source::{Location, MAX_DEPTH};

/// Makes one schema of what stands at one place, throughout a document.
pub(super) fn intersect(document: &mut Document, diagnostics: &mut Diagnostics) {
    tell_overlaps(document, diagnostics);
    for index in 0..document.definitions.len() {
        let Some((name, schema)) = document.definitions.get_index_mut(index) else { continue };
        let (current, mut schema) = (name.clone(), std::mem::take(schema));
        let definitions = &document.definitions;
        let steps = Cell::new(0);
        Room { definitions, current, steps, diagnostics }.resolve(&mut schema);
        if let Some((_, place)) = document.definitions.get_index_mut(index) {
            *place = schema;
        }
    }
    let (definitions, current, steps) = (&document.definitions, String::new(), Cell::new(0));
    Room { definitions, current, steps, diagnostics }.resolve(&mut document.root);
}

/// Leaves references alone with their descriptions and annotations: in drafts before 2019-09
/// nothing counts beside a `$ref`.
pub(super) fn drop_beside_references(schema: &mut SchemaObject) {
    if schema.reference.is_some() {
        let reference = schema.reference.take();
        constrain(schema, SchemaObject { reference, ..SchemaObject::default() });
    }
    schema.parts_mut().for_each(drop_beside_references);
}

struct Room<'a, 'd> {
    definitions: &'a IndexMap<String, SchemaObject>,
    /// The name of the definition in hand, which is not among them meanwhile.
    current: String,
    /// How many schemas were looked at for the one in hand.
    steps: Cell<usize>,
    diagnostics: &'d mut Diagnostics,
}

impl<'a> Room<'a, '_> {
    fn resolve(&mut self, schema: &mut SchemaObject) {
        self.visit(schema);
        self.tell(schema, &IndexMap::new());
    }

    fn visit(&mut self, schema: &mut SchemaObject) {
        type_branches(schema);
        schema.parts_mut().for_each(|part| self.visit(part));
        join_unions(schema);
        Self::drop_empty_members(schema);
        drop_impossible_branches(schema);
        keep_possible(schema);
        self.merge(schema);
        self.narrow_properties(schema);
        self.describe_demanded(schema);
    }

    /// Leaves members of `allOf` out that restrict nothing. What they describe is not lost.
    fn drop_empty_members(schema: &mut SchemaObject) {
        // To `unevaluatedProperties` it may say which properties are allowed.
        let is_whole = schema.unevaluated;
        let is_empty = |member: &SchemaObject| {
            says_nothing(member)
                && !(is_whole && member.additional == Additional::Allowed)
                && member.format.is_none()
                && *member.annotations == Annotations::default()
        };
        let is_alone = is_of_values_beside(schema) && !restricts(schema);
        if schema.all_of.len() == 1 && is_alone {
            return;
        }
        let (empty, kept) = std::mem::take(&mut schema.all_of).into_iter().partition(is_empty);
        schema.all_of = kept;
        let empty: Vec<SchemaObject> = empty;
        for member in empty {
            let text = schema.docs.description.take().or(member.docs.description);
            schema.docs.description = text;
        }
    }

    /// Merges what stands beside references, `allOf` and alternatives with these, where all of it
    /// is about values.
    fn merge(&mut self, schema: &mut SchemaObject) {
        let referred = schema.all_of.len() + usize::from(schema.reference.is_some());
        let has_branches = !schema.branches().is_empty();
        let is_alone = referred + usize::from(has_branches) == 1 && !restricts(schema);
        // A wrapped name stays a name, and alternatives without anything beside them stay these.
        let is_plain = is_alone && (has_branches || schema.alias_target().is_some());
        if !is_nearly_of_values_beside(schema) {
            return;
        }
        if referred > 0 || has_branches || restricts(schema) {
            // What is left says which values there are.
            for (keyword, location) in unsayable(schema) {
                let help = "say it in the description, and check it where the value is used";
                self.diagnostics.push(unenforced(&keyword, &location).help(help));
                schema.left_out.push(keyword);
            }
            (schema.not, schema.unmodelled) = (None, Vec::new());
        }
        if is_plain {
            return;
        }
        if referred == 0 && !has_branches {
            return;
        }
        self.steps.set(0);
        let Some(all) = self.alternatives(schema, &mut Vec::new()) else { return };
        if is_alone && all.len() > 1 {
            return;
        }
        self.tell_wider(schema, &all);
        let rest = SchemaObject {
            reference: schema.reference.clone(),
            all_of: schema.all_of.clone(),
            any_of: schema.any_of.clone(),
            one_of: schema.one_of.clone(),
            ..SchemaObject::default()
        };
        // What stands beside counts for nothing: names and alternatives stay as they are.
        let is_one_list = schema.any_of.is_empty() || schema.one_of.is_empty();
        if referred + usize::from(has_branches) == 1
            && (has_branches && is_one_list || rest.alias_target().is_some())
            && self.alternatives(&rest, &mut Vec::new()).is_some_and(|it| are_same(&it, &all))
        {
            if has_branches {
                if !all.iter().any(|it| fits(&Value::Null, it)) {
                    schema.types.shift_remove(&JsonType::Null);
                }
            } else {
                constrain(schema, rest);
            }
            return;
        }
        self.put(schema, all);
    }

    /// Says which keywords are left out in alternatives that are put in the place of a schema.
    fn tell_wider(&mut self, schema: &mut SchemaObject, all: &[SchemaObject]) {
        let wider = all.iter().flat_map(|it| &it.unmodelled).map(|(keyword, _)| keyword.clone());
        let wider: IndexSet<String> = wider.collect();
        for keyword in &wider {
            self.unenforced(keyword, &schema.location);
        }
        schema.left_out.extend(wider);
    }

    /// Puts alternatives in the place of what a schema says.
    fn put(&mut self, schema: &mut SchemaObject, mut all: Vec<SchemaObject>) {
        for it in &mut all {
            it.unmodelled.clear();
        }
        let is_list = |it: &SchemaObject| {
            it.enumeration.is_some() && it.docs == Docs::default() && it.title.is_none()
        };
        if all.len() > 1 && all.iter().all(is_list) {
            let values = all.iter().flat_map(|it| it.enumeration.iter().flatten());
            let enumeration = Some(values.cloned().collect());
            all = vec![SchemaObject { enumeration, ..SchemaObject::default() }];
            all.iter_mut().for_each(keep_possible);
        }
        let is_untyped = |it: &SchemaObject| {
            it.types.is_empty() && it.enumeration.is_none() && it.constant.is_none()
        };
        if all.len() > 1 && all.iter().any(is_untyped) {
            // No decoder could tell them apart.
            self.unenforced("anyOf", &schema.location);
            all = vec![SchemaObject::default()];
        }
        let by = match <[SchemaObject; 1]>::try_from(all) {
            Ok([only]) => constraints(&only),
            Err(all) => SchemaObject { any_of: all, ..SchemaObject::default() },
        };
        constrain(schema, by);
    }

    /// The constraints of a schema on values, by references, `allOf` and alternatives, as alternatives that
    /// have none of these. None where it says more, or where there are too many. What cannot be
    /// said exactly is among `unmodelled`. `seen`: the definitions on the way here.
    fn alternatives(
        &self,
        schema: &SchemaObject,
        seen: &mut Vec<String>,
    ) -> Option<Vec<SchemaObject>> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > MAX_STEPS || !is_nearly_of_values_beside(schema) {
            return None;
        }
        let mut all = alternatives_beside(schema)?;
        if let Some(Reference { name, .. }) = schema.reference.as_deref() {
            if *name == self.current || seen.len() == MAX_DEPTH || seen.contains(name) {
                return None;
            }
            seen.push(name.clone());
            let target = self.alternatives(self.definitions.get(name)?, seen);
            seen.pop();
            all = product(&all, &target?)?;
        }
        for member in &schema.all_of {
            all = product(&all, &self.alternatives(member, seen)?)?;
        }
        for branches in [&schema.any_of, &schema.one_of] {
            if branches.is_empty() {
                continue;
            }
            let mut any = Vec::new();
            for branch in branches {
                let found = self.alternatives(branch, seen)?;
                let is_one = found.len() == 1;
                any.extend(found.into_iter().map(|it| {
                    let mut described =
                        if is_one { described_as(branch) } else { SchemaObject::default() };
                    let unmodelled = it.unmodelled.clone();
                    described.location = branch.location.clone();
                    constrain(&mut described, it);
                    SchemaObject { unmodelled, ..described }
                }));
            }
            all = product(&any, &all)?;
        }
        Some(all)
    }

    /// Makes one schema of a property that several parts of an object describe.
    fn narrow_properties(&mut self, schema: &mut SchemaObject) {
        if schema.reference.is_none() && schema.all_of.is_empty() {
            return;
        }
        let mut found: IndexMap<&str, Vec<&SchemaObject>> = IndexMap::new();
        self.described(schema, &mut found, &mut Vec::new());
        let mut narrowed = IndexMap::new();
        for (name, all) in found.into_iter().filter(|(_, all)| all.len() > 1) {
            let mut distinct: Vec<&SchemaObject> = Vec::new();
            for property in all {
                if !distinct.contains(&property) {
                    distinct.push(property);
                }
            }
            // What says most stays: what is no plain value, or what has a type.
            let rank = |it: &SchemaObject| (!is_of_values(it), !it.types.is_empty(), restricts(it));
            let best = distinct.iter().max_by_key(|it| rank(it)).filter(|_| distinct.len() > 1);
            let Some(mut best) = best.map(|it| (*it).clone()) else { continue };
            self.steps.set(0);
            let mut both = SchemaObject {
                all_of: distinct.iter().map(|it| (*it).clone()).collect(),
                ..SchemaObject::default()
            };
            ask(&mut both, self.definitions, self.diagnostics);
            let own = self.alternatives(&best, &mut Vec::new());
            if let Some(all) = self.alternatives(&both, &mut Vec::new()) {
                if !own.is_some_and(|own| are_same(&own, &all)) {
                    self.tell_wider(&mut best, &all);
                    self.put(&mut best, all);
                }
            } else {
                for other in distinct.iter().filter(|it| ***it != best && !says_nothing(it)) {
                    self.unenforced(&format!("properties/{name}"), &other.location);
                }
            }
            narrowed.insert(name.to_owned(), best);
        }
        schema.narrowed = narrowed.into();
    }

    /// Collects the properties that a schema describes by references and `allOf`.
    fn described<'s>(
        &self,
        schema: &'s SchemaObject,
        found: &mut IndexMap<&'s str, Vec<&'s SchemaObject>>,
        seen: &mut Vec<&'s str>,
    ) where
        'a: 's,
    {
        for (name, property) in &schema.properties {
            found.entry(name).or_default().push(property);
        }
        if let Some(reference) = &schema.reference
            && seen.len() < MAX_MERGED
            && !seen.contains(&reference.name.as_str())
            && let Some(target) = self.definitions.get(&reference.name)
        {
            seen.push(&reference.name);
            self.described(target, found, seen);
        }
        for member in &schema.all_of {
            self.described(member, found, seen);
        }
    }

    /// Says which keywords speak of values whose type nothing names, but for properties that are
    /// `narrowed` already.
    fn tell(&mut self, schema: &SchemaObject, narrowed: &IndexMap<String, SchemaObject>) {
        let is_plain = is_of_values(schema) && schema.types.is_empty();
        let is_listed = schema.constant.is_some() || schema.enumeration.is_some();
        if is_plain && !is_listed && !schema.is_of_items() {
            bounds(schema).for_each(|keyword| self.unenforced(keyword, &schema.location));
        }
        let nothing = IndexMap::new();
        let is_own =
            |name: &String| !narrowed.contains_key(name) && !schema.narrowed.contains_key(name);
        for (name, property) in &schema.properties {
            if is_own(name) {
                self.tell(property, &nothing);
            }
        }
        for property in schema.narrowed.values() {
            self.tell(property, &nothing);
        }
        for member in &schema.all_of {
            let of_both = if schema.narrowed.is_empty() { narrowed } else { &schema.narrowed };
            self.tell(member, of_both);
        }
        let additional = match &schema.additional {
            Additional::Schema(schema) => Some(schema.as_ref()),
            _ => None,
        };
        let branches = schema.any_of.iter().chain(&schema.one_of);
        let items = schema.prefix.iter().chain(schema.items.as_deref());
        for part in branches.chain(items).chain(additional) {
            self.tell(part, &nothing);
        }
    }

    fn unenforced(&mut self, keyword: &str, location: &Location) {
        self.diagnostics.push(unenforced(keyword, location));
    }
}

/// The most definitions whose properties are compared with those of one that merges them.
const MAX_MERGED: usize = 32;

/// The most schemas that are looked at for one place.
const MAX_STEPS: usize = 1000;

/// The keywords of a schema that speak of values of one type.
fn bounds(schema: &SchemaObject) -> impl Iterator<Item = &'static str> {
    let of = &schema.bounds;
    [
        ("pattern", schema.pattern.is_some()),
        ("minimum", of.minimum.is_some()),
        ("maximum", of.maximum.is_some()),
        ("exclusiveMinimum", of.exclusive_minimum.is_some()),
        ("exclusiveMaximum", of.exclusive_maximum.is_some()),
        ("minLength", schema.min_length.is_some()),
        ("maxLength", schema.max_length.is_some()),
        ("minItems", schema.min_items.is_some()),
        ("maxItems", schema.max_items.is_some()),
        ("uniqueItems", schema.unique_items),
        ("multipleOf", schema.multiple_of.is_some()),
    ]
    .into_iter()
    .filter_map(|(keyword, is_there)| is_there.then_some(keyword))
}
