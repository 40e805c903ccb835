//! Schemas that speak of properties or items and name no `type`: values of other types fit, too.

use indexmap::{IndexMap, IndexSet};

use super::{Additional, Document, JsonType, SchemaObject};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// The types of all values: of integers, too, since they are numbers.
const ALL: [JsonType; 6] = [
    JsonType::Object,
    JsonType::Array,
    JsonType::String,
    JsonType::Number,
    JsonType::Boolean,
    JsonType::Null,
];

/// The most references that are followed into each other.
const MAX_DEPTH: usize = 128;

/// Gives the types to each schema that speaks of properties or items and names none. These are
/// objects where what is around it implies that; else all, and a warning says so.
pub(super) fn name_types(document: &mut Document, diagnostics: &mut Diagnostics) {
    let mut known = Known { definitions: &document.definitions, facts: IndexMap::new() };
    for name in document.definitions.keys() {
        known.of_definition(name, 0);
    }
    let mut facts = known.facts;
    for name in payloads(&document.definitions) {
        facts.insert(name, Facts { is_object: true, fits_all: false, speaks: true });
    }
    for (name, schema) in &mut document.definitions {
        let is_object = facts.get(name.as_str()).is_some_and(|it| it.is_object);
        Room { facts: &facts, diagnostics }.visit(schema, is_object);
    }
}

/// The definitions that methods carry, which are objects, under all their names.
fn payloads(definitions: &IndexMap<String, SchemaObject>) -> IndexSet<String> {
    let of_methods = definitions.iter().filter(|(_, it)| it.annotations.method.is_some());
    let mut pending: Vec<&str> = of_methods.map(|(name, _)| name.as_str()).collect();
    let mut found = IndexSet::new();
    while let Some(name) = pending.pop() {
        if found.insert(name.to_owned()) {
            let target = definitions.get(name).and_then(SchemaObject::alias_target);
            pending.extend(target.map(|it| it.name.as_str()));
        }
    }
    found
}

/// What a schema says of types, with all that it refers to.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// Only objects fit.
    is_object: bool,
    /// Some value of each type fits.
    fits_all: bool,
    /// It speaks of properties or items.
    speaks: bool,
}

/// The facts of a reference that is not there.
const NOTHING: Facts = Facts { is_object: false, fits_all: true, speaks: false };

/// The facts of what a reference leads to that is not known: nothing is said of it.
const UNKNOWN: Facts = Facts { is_object: false, fits_all: false, speaks: false };

/// Puts together what a schema says itself and what its parts say. `named`: the facts of a
/// definition.
fn facts(schema: &SchemaObject, named: &mut dyn FnMut(&str) -> Facts) -> Facts {
    let target = schema.reference.as_ref().map_or(NOTHING, |it| named(&it.name));
    let mut all_of = |parts: &[SchemaObject]| -> Vec<(bool, Facts)> {
        parts.iter().map(|it| (it.alias_target().is_some(), facts(it, named))).collect()
    };
    let [merged, any, one] = [&schema.all_of, &schema.any_of, &schema.one_of].map(|it| all_of(it));
    let are_objects = |branches: &[(bool, Facts)]| {
        !branches.is_empty() && branches.iter().all(|(_, it)| it.is_object)
    };
    let names_none = schema.types.is_empty() || schema.is_of_all_types();
    let has_untyped = |branches: &[(bool, Facts)]| {
        branches.iter().any(|(is_alias, it)| !is_alias && it.speaks && it.fits_all)
    };
    Facts {
        is_object: schema.is_object()
            || target.is_object
            || merged.iter().any(|(_, it)| it.is_object)
            || are_objects(&any)
            || are_objects(&one),
        fits_all: names_none
            && schema.boolean != Some(false)
            && schema.constant.is_none()
            && schema.enumeration.is_none()
            && target.fits_all
            && merged.iter().all(|(_, it)| it.fits_all)
            && (any.is_empty() || any.iter().any(|(_, it)| it.fits_all))
            // A value that fits several of them fits none.
            && (one.is_empty() || one.iter().filter(|(_, it)| it.fits_all).count() == 1),
        speaks: speaks_of_parts(schema)
            || target.speaks
            || merged.iter().any(|(_, it)| it.speaks)
            || has_untyped(&any)
            || has_untyped(&one),
    }
}

/// The facts of definitions, while they are looked for.
struct Known<'a> {
    definitions: &'a IndexMap<String, SchemaObject>,
    facts: IndexMap<String, Facts>,
}

impl Known<'_> {
    fn of_definition(&mut self, name: &str, depth: usize) -> Facts {
        if let Some(facts) = self.facts.get(name) {
            return *facts;
        }
        let definitions = self.definitions;
        let Some(schema) = definitions.get(name).filter(|_| depth < MAX_DEPTH) else {
            return UNKNOWN;
        };
        // What leads back to it says no more of it.
        self.facts.insert(name.to_owned(), UNKNOWN);
        let found = facts(schema, &mut |name| self.of_definition(name, depth + 1));
        self.facts.insert(name.to_owned(), found);
        found
    }
}

struct Room<'a, 'd> {
    facts: &'a IndexMap<String, Facts>,
    diagnostics: &'d mut Diagnostics,
}

impl Room<'_, '_> {
    /// Gives types to a schema and to what stands in it. `is_object`: only objects get there.
    fn visit(&mut self, schema: &mut SchemaObject, is_object: bool) {
        let facts = |schema: &SchemaObject| {
            facts(schema, &mut |name| self.facts.get(name).copied().unwrap_or(UNKNOWN))
        };
        let whole = facts(schema);
        let is_object = is_object || whole.is_object;
        let is_untyped = !is_object
            && schema.unmodelled.is_empty()
            && schema.alias_target().is_none()
            && whole.speaks
            && whole.fits_all;
        let is_said = is_untyped && schema.types.is_empty();
        // No value but an object fits one of several alternatives that name no type.
        let untyped = schema.one_of.iter().filter(|it| facts(it).fits_all).count();
        let of_object = is_object || is_untyped || untyped > 1;
        for part in schema.any_of.iter_mut().chain(&mut schema.one_of).chain(&mut schema.all_of) {
            self.visit(part, of_object);
        }
        for part in schema.values_mut() {
            self.visit(part, false);
        }
        if is_object && schema.types.is_empty() && speaks_of_parts(schema) {
            schema.types.insert(JsonType::Object);
        }
        if is_untyped {
            schema.types = ALL.into_iter().collect();
        } else if schema.is_of_all_types() && !schema.branches().is_empty() {
            // It says nothing that the alternatives do not say.
            schema.types.clear();
        }
        if is_said {
            self.tell(schema);
        }
    }

    fn tell(&mut self, schema: &SchemaObject) {
        let (what, ty) =
            if schema.is_of_items() { ("arrays", "array") } else { ("objects", "object") };
        self.diagnostics.push(
            Diagnostic::warning(
                "missing-type",
                format!("this speaks of {what} and names no `type`"),
            )
            .at(schema.location.clone())
            .label("values of any other type fit, too")
            .help(format!("if that is not meant, add `\"type\": \"{ty}\"`")),
        );
    }
}

/// Tells whether the schema itself speaks of properties or items.
fn speaks_of_parts(schema: &SchemaObject) -> bool {
    !schema.properties.is_empty()
        || !schema.required.is_empty()
        || matches!(schema.additional, Additional::Denied | Additional::Schema(_))
        || schema.is_of_items()
}
