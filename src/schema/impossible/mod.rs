//! Types, properties, items, alternatives and definitions that no value fits.

mod search;

use std::collections::HashSet;

use indexmap::{IndexMap, IndexSet};

use self::search::{Search, impossible_definitions};
use super::described::constrain;
use super::split::{drop_object, restricts_itself};
use super::{Additional, Document, JsonType, SchemaObject};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Location;

/// The most definitions in each other that are followed to one that only `null` fits.
const MAX_DEPTH: usize = 8;

/// Leaves out what no value fits, throughout a document, and says so where it was to be seen.
pub(super) fn drop_impossible(document: &mut Document, diagnostics: &mut Diagnostics) {
    let impossible = impossible_definitions(&document.definitions);
    // Of a definition that goes itself, nothing is said of its parts.
    let mut of_impossible: Vec<(String, Diagnostics)> = Vec::new();
    for index in 0..document.definitions.len() {
        let Some((name, schema)) = document.definitions.get_index_mut(index) else { continue };
        let name = impossible.get(name).cloned();
        // It may lead to itself.
        let mut schema = schema.clone();
        let search = Search::new(&document.definitions, &impossible);
        let mut found = Diagnostics::new();
        Room { search, diagnostics: &mut found }.drop_within(&mut schema);
        match name {
            Some(name) => of_impossible.push((name, found)),
            None => diagnostics.extend(found),
        }
        if let Some((_, place)) = document.definitions.get_index_mut(index) {
            *place = schema;
        }
    }
    if impossible.is_empty() {
        return;
    }
    drop_unused(document, &impossible, diagnostics);
    of_impossible.retain(|(name, _)| document.definitions.contains_key(name));
    for (_, found) in of_impossible {
        diagnostics.extend(found);
    }
}

/// Leaves out definitions that no value fits and nothing uses, unless there would be none left.
fn drop_unused(
    document: &mut Document,
    impossible: &HashSet<String>,
    diagnostics: &mut Diagnostics,
) {
    let definitions = &document.definitions;
    let is_empty = |(name, schema): &(&String, &SchemaObject)| {
        schema.annotations.method.is_none() && impossible.contains(*name)
    };
    let mut unused: IndexSet<String> =
        definitions.iter().filter(is_empty).map(|(name, _)| name.clone()).collect();
    let kept = definitions.iter().filter(|(name, _)| !unused.contains(*name));
    let mut users: Vec<&SchemaObject> =
        kept.map(|(_, schema)| schema).chain([&document.root]).collect();
    while let Some(user) = users.pop() {
        if let Some(reference) = &user.reference
            && unused.shift_remove(&reference.name)
        {
            users.extend(definitions.get(&reference.name));
        }
        users.extend(user.properties.values().chain(user.narrowed.values()));
        users.extend(user.unnamed_parts());
    }
    if unused.len() == definitions.len() {
        return;
    }
    for name in unused {
        let Some(schema) = document.definitions.shift_remove(&name) else { continue };
        let message = format!("no value fits `{name}`, and nothing uses it: it is left out");
        let help = "correct what it says, or remove it";
        diagnostics
            .push(Diagnostic::warning("unsatisfiable", message).at(schema.location).help(help));
    }
}

struct Room<'a, 'd> {
    search: Search<'a>,
    diagnostics: &'d mut Diagnostics,
}

impl Room<'_, '_> {
    fn drop_within(&mut self, schema: &mut SchemaObject) {
        schema.parts_mut().for_each(|part| self.drop_within(part));
        let narrowed = schema.narrowed.get_mut().into_iter().flat_map(IndexMap::values_mut);
        narrowed.for_each(|part| self.drop_within(part));
        if schema.all_of.iter().any(|it| it.boolean == Some(false)) {
            let denied = schema.all_of.iter().any(|it| it.denied);
            constrain(schema, SchemaObject { denied, ..impossible() });
        }
        self.drop_types(schema);
        self.drop_properties(schema);
        self.drop_items(schema);
        if schema.not.as_ref().is_some_and(|not| self.search.is_impossible(not)) {
            schema.not = None;
        }
        for list in [any_of, one_of] {
            let mut branches = std::mem::take(list(schema));
            let count = branches.len();
            let is_possible = |it: &SchemaObject| !self.search.is_impossible_in(it, schema);
            if branches.iter().any(is_possible) {
                branches.retain(is_possible);
            }
            self.keep_one_null(&mut branches);
            self.write_null_out(&mut branches);
            match branches.as_slice() {
                [only] if self.is_bare_null(only, schema) => {
                    schema.types = [JsonType::Null].into();
                }
                // Beside other keywords the only one that is left is a part of all that counts.
                [_] if count > 1 && says_something(schema) => schema.all_of.append(&mut branches),
                _ => *list(schema) = branches,
            }
        }
    }

    /// Writes `null` where an alternative refers to what only `null` fits.
    fn write_null_out(&self, branches: &mut [SchemaObject]) {
        for branch in branches {
            if branch.reference.is_some() && self.search.is_null(branch, MAX_DEPTH) {
                branch.reference = None;
                branch.types = [JsonType::Null].into();
            }
        }
    }

    /// Tells whether an alternative says nothing but that a schema with types is `null`.
    fn is_bare_null(&self, branch: &SchemaObject, schema: &SchemaObject) -> bool {
        schema.types.contains(&JsonType::Null) && self.search.is_null(branch, MAX_DEPTH)
            || branch.is_null() && schema.any_of.len() + schema.one_of.len() > 0
    }

    /// Leaves out the types of which no value fits, unless that is none of them.
    fn drop_types(&self, schema: &mut SchemaObject) {
        if schema.alias_target().is_some() {
            return;
        }
        let types = self.search.possible_types(schema);
        let count = if schema.types.is_empty() { JsonType::ALL.len() } else { schema.types.len() };
        if types.is_empty() || types.len() == count || schema.annotations.method.is_some() {
            return;
        }
        if !types.contains(&JsonType::Object) {
            drop_object(schema);
        }
        schema.types = types;
    }

    /// Leaves one of the alternatives that only `null` fits: the one that is no reference, if any.
    fn keep_one_null(&self, branches: &mut Vec<SchemaObject>) {
        let is_null: Vec<bool> =
            branches.iter().map(|branch| self.search.is_null(branch, MAX_DEPTH)).collect();
        let nulls = is_null.iter().enumerate().filter(|(_, it)| **it).map(|(index, _)| index);
        let is_plain = |index: &usize| branches.get(*index).is_some_and(SchemaObject::is_null);
        let Some(kept) = nulls.clone().find(is_plain).or_else(|| nulls.clone().next()) else {
            return;
        };
        let mut index = 0..;
        branches.retain(|_| {
            index.next().is_none_or(|index| index == kept || is_null.get(index) != Some(&true))
        });
    }

    /// Leaves out the items from the first that no value fits.
    fn drop_items(&mut self, schema: &mut SchemaObject) {
        let items = schema.prefix.iter().chain(schema.items.as_deref());
        let found = items.enumerate().find(|(_, it)| !it.denied && self.search.is_impossible(it));
        let Some((index, item)) = found else { return };
        let location = item.location.clone();
        schema.prefix.truncate(index);
        schema.items = Some(Box::new(denied()));
        let what = match index {
            0 => String::from("the items"),
            _ => format!("the items after the first {index}"),
        };
        self.tell(&what, location);
    }

    /// Makes properties that no value fits ones that must not be there, and says so. One that is
    /// required is left, for the error about it.
    fn drop_properties(&mut self, schema: &mut SchemaObject) {
        let SchemaObject { properties, narrowed, required, additional, .. } = schema;
        for (name, property) in
            properties.iter_mut().chain(narrowed.get_mut().into_iter().flatten())
        {
            let is_optional = !property.denied && !required.contains(name);
            if is_optional && self.search.is_impossible(property) {
                let location = std::mem::take(&mut property.location);
                self.tell(&format!("`{name}`"), location.clone());
                *property = denied();
                property.location = location;
            }
        }
        if let Additional::Schema(values) = additional
            && !values.denied
            && self.search.is_impossible(values)
        {
            self.tell("any other property", values.location.clone());
            *additional = Additional::Denied;
        }
    }

    fn tell(&mut self, what: &str, location: Location) {
        let message = format!("no value fits {what}, so there must be none");
        let help = "correct what it says, or remove it";
        self.diagnostics
            .push(Diagnostic::warning("unsatisfiable", message).at(location).help(help));
    }
}

/// Tells whether a schema leaves values out, its alternatives aside.
fn says_something(schema: &SchemaObject) -> bool {
    restricts_itself(schema) || schema.reference.is_some() || !schema.all_of.is_empty()
}

/// A schema that turns out to fit no value.
fn impossible() -> SchemaObject {
    SchemaObject { boolean: Some(false), ..SchemaObject::default() }
}

/// A schema that is to fit no value, as `false` is.
fn denied() -> SchemaObject {
    SchemaObject { denied: true, ..impossible() }
}

fn any_of(schema: &mut SchemaObject) -> &mut Vec<SchemaObject> {
    &mut schema.any_of
}

fn one_of(schema: &mut SchemaObject) -> &mut Vec<SchemaObject> {
    &mut schema.one_of
}
