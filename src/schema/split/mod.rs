//! Places at which several keywords speak of values of several types: an alternative for each type.
//!
//! A keyword about objects says nothing of arrays, and one about numbers nothing of strings. What
//! stands at one place therefore means the same as one alternative for each JSON type, in which
//! only the keywords about that type are left.

mod parts;

use indexmap::IndexMap;

use self::parts::{add, count, is_full, merged, own, put, put_branches};
pub(super) use self::parts::{drop_object, restricts_itself};
use super::described::has_only;
use super::untyped::{Facts, Known, tell_untyped};
use super::vocabulary::{is_about, unenforced};
use super::{Additional, Document, JsonType, SchemaObject};
use crate::diagnostic::Diagnostics;
use crate::ir::{JsonType as Kind, JsonTypes};
use crate::source::Location;

/// The most schemas that are copied for all places of a document.
const MAX_COPIED: usize = 100_000;

/// Splits the places of a document that speak of several types with several keywords, and leaves
/// out what is said of types that do not fit: of properties beside `"type": "array"`.
pub(super) fn split_types(document: &mut Document, diagnostics: &mut Diagnostics) {
    let known = Known::new(document);
    let mut left = MAX_COPIED;
    for index in 0..document.definitions.len() {
        let Some((name, place)) = document.definitions.get_index_mut(index) else { continue };
        let mut schema = place.clone();
        let is_object = known.is_payload(name) && known.of_definition(name).fits_all;
        let definitions = &document.definitions;
        let mut room = Room {
            definitions,
            known: &known,
            left,
            wider: 0,
            depth: 0,
            within: Vec::new(),
            is_unsplit: false,
            diagnostics,
        };
        room.visit(&mut schema, is_object);
        left = room.left;
        if let Some((_, place)) = document.definitions.get_index_mut(index) {
            *place = schema;
        }
    }
}

/// The most schemas in each other in which references are still followed.
const MAX_FOLLOWED: usize = 32;

struct Room<'a, 'd> {
    definitions: &'a IndexMap<String, SchemaObject>,
    known: &'a Known,
    /// How many more schemas may be copied.
    left: usize,
    /// How many keywords were left out, so that more values fit.
    wider: usize,
    /// How many schemas are being sliced, one within the other.
    depth: usize,
    /// The definitions in a copy of which something is split, outermost first.
    within: Vec<String>,
    /// True in a copy of a definition whose properties and items may not have been split yet.
    is_unsplit: bool,
    diagnostics: &'d mut Diagnostics,
}

impl Room<'_, '_> {
    /// Splits a place, or those that stand in it. `is_object`: only objects get there.
    fn visit(&mut self, schema: &mut SchemaObject, is_object: bool) {
        for part in schema.values_mut() {
            self.visit(part, false);
        }
        let facts = self.known.of_schema(schema);
        let is_object = is_object || facts.is_object();
        let kinds = if is_object { Kind::Object.into() } else { facts.types };
        if self.is_mixed(schema, facts, kinds) {
            for part in schema.merged_mut() {
                self.visit_values(part);
            }
            let parts: Vec<SchemaObject> =
                kinds.iter().filter_map(|kind| self.alternative(schema, kind)).collect();
            if facts.fits_all && !is_object {
                tell_untyped(schema, self.diagnostics);
            }
            put(schema, parts);
            return;
        }
        if !kinds.intersects(Kind::Object.into()) {
            drop_object(schema);
        }
        for part in schema.merged_mut() {
            self.visit(part, is_object);
        }
    }

    /// Splits the places that stand in a schema and in what its values fit too.
    fn visit_values(&mut self, schema: &mut SchemaObject) {
        for part in schema.values_mut() {
            self.visit(part, false);
        }
        for part in schema.merged_mut() {
            self.visit_values(part);
        }
    }

    /// Tells whether a place is to be split: keywords of several kinds meet at it.
    fn is_mixed(&self, schema: &SchemaObject, facts: Facts, kinds: JsonTypes) -> bool {
        let branches = [&schema.any_of, &schema.one_of].iter().filter(|it| !it.is_empty()).count();
        let referred = usize::from(schema.reference.is_some()) + schema.all_of.len();
        let denies = usize::from(schema.not.is_some() && schema.types.len() != 1);
        let meets = usize::from(restricts_itself(schema)) + branches + referred + denies > 1;
        let wraps =
            schema.all_of.iter().any(|it| it.alias_target().is_none() && it.types.len() != 1);
        let kinds_spoken_of = Kind::EACH.iter().filter(|it| schema.speaks_of(**it)).count();
        let meets = meets || kinds_spoken_of > 1;
        if !meets && !wraps && !self.has_untyped_branch(schema)
            || !facts.is_known
            || !facts.has_parts
        {
            return false;
        }
        if kinds.iter().count() != 1 {
            return true;
        }
        let mut named = schema.types.iter().copied().map(Kind::from);
        named.any(|kind| !kinds.contains(kind)) || self.says_more(schema, kinds)
    }

    /// Tells whether alternatives name no type, though they speak of properties or items. A
    /// definition says that itself, unless values that fit two of them do not fit.
    fn has_untyped_branch(&self, schema: &SchemaObject) -> bool {
        let is_untyped = |it: &&SchemaObject| self.known.of_schema(it).is_untyped();
        let mut own = schema.branches().iter().filter(|it| it.alias_target().is_none());
        own.any(|it| is_untyped(&it) || it.nonnull_types().count() > 1)
            || schema.one_of.iter().filter(is_untyped).count() > 1
    }

    /// Tells whether keywords, members or alternatives of it speak of values of other types.
    fn says_more(&self, schema: &SchemaObject, kinds: JsonTypes) -> bool {
        let is_other = |kind: &Kind| *kind != Kind::Null && !kinds.contains(*kind);
        let named = schema.types.iter().copied().map(Kind::from).any(|kind| is_other(&kind));
        let target = schema.reference.as_ref().map(|it| self.known.of_definition(&it.name).types);
        let referred = target.is_some_and(|it| it.iter().any(|kind| is_other(&kind)));
        let spoken = || Kind::EACH.iter().filter(|it| is_other(it)).any(|it| schema.speaks_of(*it));
        let is_of_others =
            |(keyword, _): &(String, Location)| !kinds.iter().any(|kind| is_about(keyword, kind));
        named
            || referred
            || spoken()
            || schema.unmodelled.iter().any(is_of_others)
            || merged(schema).chain(schema.not.as_deref()).any(|it| self.says_more(it, kinds))
    }

    /// Makes the alternative of a schema for one type. None if no value of it fits.
    fn alternative(&mut self, schema: &SchemaObject, kind: Kind) -> Option<SchemaObject> {
        let mut part = self.slice(schema, kind)?;
        // What one member says can stand at the place itself.
        while let [member] = part.all_of.as_slice()
            && has_only(&part, |it| it.all_of.clone_from(&part.all_of))
            && (member.types.is_empty() || part.types.is_empty() || member.types == part.types)
        {
            let types = if part.types.is_empty() { &member.types } else { &part.types };
            let (location, types) = (part.location.clone(), types.clone());
            part = SchemaObject { location, types, ..member.clone() };
        }
        let is_reference = part.reference.is_some()
            && !part.types.contains(&JsonType::Integer)
            && has_only(&part, |it| it.reference.clone_from(&part.reference));
        if is_reference {
            // It leads to values of the type alone.
            part.types.clear();
        } else if part.types.is_empty() {
            part.types.insert(kind.into());
        }
        Some(part)
    }

    /// Copies what a schema says of values of one type. None if none fits.
    fn slice(&mut self, schema: &SchemaObject, kind: Kind) -> Option<SchemaObject> {
        self.depth += 1;
        let slice = self.slice_once(schema, kind);
        self.depth -= 1;
        slice
    }

    fn slice_once(&mut self, schema: &SchemaObject, kind: Kind) -> Option<SchemaObject> {
        let mut part = own(schema, kind);
        if kind == Kind::Null {
            // A decoder does not ask more of `null`.
            for (keyword, location) in std::mem::take(&mut part.unmodelled) {
                self.unenforced(&keyword, &location);
            }
        }
        if std::mem::take(&mut self.is_unsplit) {
            part.values_mut().for_each(|value| self.visit(value, false));
            self.is_unsplit = true;
        }
        let is_kind = |value: &serde_json::Value| Kind::from_value(value) == kind;
        if part.types.is_empty() && !schema.types.is_empty()
            || schema.boolean == Some(false)
            || schema.constant.as_ref().is_some_and(|value| !is_kind(value))
        {
            return None;
        }
        if let Some(values) = &mut part.enumeration {
            values.retain(|(value, _)| is_kind(value));
            if values.is_empty() {
                return None;
            }
        }
        if let Some(not) = &schema.not {
            let (inner, is_exact) = self.slice_exactly(not, kind);
            match inner {
                Some(inner) if is_exact && is_full(&inner, kind) => return None,
                Some(inner) if is_exact && kind == Kind::Object => part.not = Some(Box::new(inner)),
                Some(_) => self.unenforced("not", &not.location),
                None => {}
            }
        }
        self.slice_reference(schema, kind, &mut part)?;
        for member in &schema.all_of {
            let member = self.slice(member, kind)?;
            add(&mut part, member, kind);
        }
        let any = schema.any_of.iter().filter_map(|it| self.slice(it, kind));
        let any: Vec<SchemaObject> = any.collect();
        if any.is_empty() && !schema.any_of.is_empty() {
            return None;
        }
        // To `unevaluatedProperties` each may say which properties are allowed.
        if part.unevaluated || !any.iter().any(|it| is_full(it, kind)) {
            put_branches(&mut part, any, kind, |part| &mut part.any_of);
        }
        self.slice_exclusive(schema, kind, &mut part)?;
        Some(part)
    }

    /// Adds what the alternatives of a `oneOf` say of values of one type. None if none fits.
    fn slice_exclusive(
        &mut self,
        schema: &SchemaObject,
        kind: Kind,
        part: &mut SchemaObject,
    ) -> Option<()> {
        let all = schema.one_of.iter().filter_map(|it| {
            let (slice, is_exact) = self.slice_exactly(it, kind);
            Some((slice?, is_exact))
        });
        let all: Vec<(SchemaObject, bool)> = all.collect();
        if all.is_empty() && !schema.one_of.is_empty() {
            return None;
        }
        let full = all.iter().filter(|(it, _)| is_full(it, kind));
        match (full.clone().count(), full.filter(|(_, is_exact)| *is_exact).count(), all.len()) {
            // Each value fits two of them.
            (_, 2.., _) => return None,
            (0, ..) => {
                let all = all.into_iter().map(|(it, _)| it).collect();
                put_branches(part, all, kind, |part| &mut part.one_of);
            }
            (1, _, 1) => {}
            // What fits one of the others does not fit, which nothing else can say.
            _ => self.unenforced("oneOf", &schema.location),
        }
        Some(())
    }

    /// Slices a schema, and tells whether the slice says all that the schema says of the type.
    fn slice_exactly(&mut self, schema: &SchemaObject, kind: Kind) -> (Option<SchemaObject>, bool) {
        let before = self.wider;
        let slice = self.slice(schema, kind);
        (slice, self.wider == before)
    }

    /// Adds what a reference says of values of one type. None if none fits.
    fn slice_reference(
        &mut self,
        schema: &SchemaObject,
        kind: Kind,
        part: &mut SchemaObject,
    ) -> Option<()> {
        let Some(reference) = &schema.reference else { return Some(()) };
        let types = self.known.of_definition(&reference.name).types;
        if !types.contains(kind) {
            return None;
        }
        let target = self.definitions.get(&reference.name).filter(|_| types != kind.into());
        let Some(target) = target else {
            part.reference = Some(reference.clone());
            return Some(());
        };
        let count = count(target, self.left);
        let is_deep = self.depth > MAX_FOLLOWED || self.within.len() > MAX_FOLLOWED;
        if count >= self.left || is_deep || self.within.contains(&reference.name) {
            self.unenforced("$ref", &reference.location);
            if part.unevaluated {
                // What it would say of properties is not known.
                (part.additional, part.unevaluated) = (Additional::Unspecified, false);
            }
            return Some(());
        }
        self.left -= count;
        self.within.push(reference.name.clone());
        let before = std::mem::replace(&mut self.is_unsplit, true);
        let member = self.slice(target, kind);
        self.is_unsplit = before;
        self.within.pop();
        add(part, member?, kind);
        Some(())
    }

    fn unenforced(&mut self, keyword: &str, location: &Location) {
        self.wider += 1;
        self.diagnostics.push(unenforced(keyword, location));
    }
}
