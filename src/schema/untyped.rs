//! Schemas that speak of properties or items and name no `type`: values of other types fit, too.

use indexmap::{IndexMap, IndexSet};

use super::{Additional, Document, JsonType, Keys, SchemaObject};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{JsonType as Kind, JsonTypes};

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

/// Leaves out what is said of objects where none fits: of properties beside `"type": "array"`.
pub(super) fn drop_foreign(document: &mut Document) {
    let facts = facts_of_definitions(&document.definitions);
    for schema in document.definitions.values_mut() {
        drop_foreign_in(schema, true, &facts);
    }
}

fn drop_foreign_in(schema: &mut SchemaObject, may_be_object: bool, known: &Definitions) {
    let may_be_object = may_be_object && facts_in(schema, known).types.contains(Kind::Object);
    if !may_be_object {
        schema.properties.clear();
        schema.required.clear();
        (schema.additional, schema.unevaluated) = (Additional::Unspecified, false);
        schema.keys = Keys::default();
    }
    for part in schema.any_of.iter_mut().chain(&mut schema.one_of).chain(&mut schema.all_of) {
        drop_foreign_in(part, may_be_object, known);
    }
    for part in schema.values_mut() {
        drop_foreign_in(part, true, known);
    }
}

/// Gives the types to each schema that speaks of properties or items and names none. These are
/// objects where what is around it implies that; else all, and a warning says so.
pub(super) fn name_types(document: &mut Document, diagnostics: &mut Diagnostics) {
    let mut known = facts_of_definitions(&document.definitions);
    for name in payloads(&document.definitions) {
        let types = Kind::Object.into();
        known.insert(name, Facts { types, fits_all: false, speaks: true });
    }
    for (name, schema) in &mut document.definitions {
        let is_object = known.get(name).is_some_and(|it| it.is_object());
        Room { known: &known, diagnostics }.visit(schema, is_object);
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
    /// The types that values may have.
    types: JsonTypes,
    /// Some value of each type fits.
    fits_all: bool,
    /// It speaks of properties or items.
    speaks: bool,
}

/// The facts of definitions by name.
type Definitions = IndexMap<String, Facts>;

impl Facts {
    /// The facts of a schema that says nothing.
    const ANY: Self = Self { types: JsonTypes::ALL, fits_all: true, speaks: false };

    /// The facts of what a reference leads to that is not known: it is not said to fit all types.
    const UNKNOWN: Self = Self { fits_all: false, ..Self::ANY };

    fn is_object(self) -> bool {
        self.types == Kind::Object.into()
    }
}

fn facts_of_definitions(definitions: &IndexMap<String, SchemaObject>) -> Definitions {
    let mut known = Known { definitions, facts: IndexMap::new() };
    for name in definitions.keys() {
        known.of_definition(name, 0);
    }
    known.facts
}

/// The facts of definitions, while they are looked for.
struct Known<'a> {
    definitions: &'a IndexMap<String, SchemaObject>,
    facts: Definitions,
}

impl Known<'_> {
    fn of_definition(&mut self, name: &str, depth: usize) -> Facts {
        if let Some(facts) = self.facts.get(name) {
            return *facts;
        }
        let definitions = self.definitions;
        let Some(schema) = definitions.get(name).filter(|_| depth < MAX_DEPTH) else {
            return Facts::UNKNOWN;
        };
        // What leads back to it says no more of it.
        self.facts.insert(name.to_owned(), Facts::UNKNOWN);
        let found = facts(schema, &mut |name| self.of_definition(name, depth + 1));
        self.facts.insert(name.to_owned(), found);
        found
    }
}

fn facts_in(schema: &SchemaObject, known: &Definitions) -> Facts {
    facts(schema, &mut |name| known.get(name).copied().unwrap_or(Facts::UNKNOWN))
}

/// Puts together what a schema says itself and what its parts say. `named`: the facts of a
/// definition.
fn facts(schema: &SchemaObject, named: &mut dyn FnMut(&str) -> Facts) -> Facts {
    let target = schema.reference.as_ref().map_or(Facts::ANY, |it| named(&it.name));
    let mut of_parts = |parts: &[SchemaObject]| -> Vec<(bool, Facts)> {
        parts.iter().map(|it| (it.alias_target().is_some(), facts(it, named))).collect()
    };
    let [merged, any, one] =
        [&schema.all_of, &schema.any_of, &schema.one_of].map(|parts| of_parts(parts));
    let of_branches = |branches: &[(bool, Facts)]| match branches {
        [] => JsonTypes::ALL,
        all => all.iter().fold(JsonTypes::NONE, |types, (_, it)| types.union(it.types)),
    };
    let has_untyped = |branches: &[(bool, Facts)]| {
        branches.iter().any(|(is_alias, it)| !is_alias && it.speaks && it.fits_all)
    };
    let of_merged = merged.iter().map(|(_, it)| it.types);
    let types = of_merged.chain([target.types, of_branches(&any), of_branches(&one)]);
    Facts {
        types: types.fold(kinds(schema), JsonTypes::intersection),
        fits_all: kinds(schema) == JsonTypes::ALL
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

/// The types that `type` names, or all.
fn kinds(schema: &SchemaObject) -> JsonTypes {
    let kinds = schema.types.iter().map(|json_type| match json_type {
        JsonType::Null => Kind::Null,
        JsonType::Boolean => Kind::Boolean,
        JsonType::Integer | JsonType::Number => Kind::Number,
        JsonType::String => Kind::String,
        JsonType::Array => Kind::Array,
        JsonType::Object => Kind::Object,
    });
    match schema.types.len() {
        0 => JsonTypes::ALL,
        _ => kinds.fold(JsonTypes::NONE, |types, kind| types.union(kind.into())),
    }
}

struct Room<'a, 'd> {
    known: &'a Definitions,
    diagnostics: &'d mut Diagnostics,
}

impl Room<'_, '_> {
    /// Gives types to a schema and to what stands in it. `is_object`: only objects get there.
    fn visit(&mut self, schema: &mut SchemaObject, is_object: bool) {
        let whole = facts_in(schema, self.known);
        let is_object = is_object || whole.is_object();
        let is_untyped = !is_object
            && schema.unmodelled.is_empty()
            && schema.alias_target().is_none()
            && whole.speaks
            && whole.fits_all;
        let is_said = is_untyped && schema.types.is_empty();
        // No value but an object fits one of several alternatives that name no type.
        let untyped = schema.one_of.iter().filter(|it| facts_in(it, self.known).fits_all);
        let of_object = is_object || is_untyped || untyped.count() > 1;
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
        let is_array = schema.is_of_items() && schema.properties.is_empty();
        let (what, ty) = if is_array { ("arrays", "array") } else { ("objects", "object") };
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
