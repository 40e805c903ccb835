//! Schemas that speak of properties or items and name no `type`: values of other types fit, too.

use indexmap::{IndexMap, IndexSet};

use super::vocabulary::is_about;
use super::{Additional, Document, JsonType, SchemaObject};
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

/// Gives the types to each schema that speaks of properties or items and names none. These are
/// objects where what is around it implies that; else all, and a warning says so.
pub(super) fn name_types(document: &mut Document, diagnostics: &mut Diagnostics) {
    let mut known = Known::new(document);
    for name in &known.payloads {
        let types = Kind::Object.into();
        known.facts.insert(name.clone(), Facts { types, fits_all: false, ..Facts::ANY });
    }
    for (name, schema) in &mut document.definitions {
        let is_object = known.of_definition(name).is_object();
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

/// The most schemas that are looked into, one from the other.
const MAX_DEPTH: usize = 64;

/// The JSON types that a schema is about, with all that it refers to.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Facts {
    /// The types that values may have.
    pub(super) types: JsonTypes,
    /// Some value of each type fits.
    pub(super) fits_all: bool,
    /// It speaks of properties or items.
    speaks: bool,
    /// Some keyword of it is about objects or arrays.
    pub(super) has_parts: bool,
    /// All that it refers to is known, and does not lead back to it.
    pub(super) is_known: bool,
}

impl Facts {
    /// The facts of a schema that says nothing.
    const ANY: Self = Self {
        types: JsonTypes::ALL,
        fits_all: true,
        speaks: false,
        has_parts: false,
        is_known: true,
    };

    /// The facts of what a reference leads to that is not known: it is not said to fit all types.
    const UNKNOWN: Self = Self { fits_all: false, is_known: false, ..Self::ANY };

    /// Tells whether all values are objects.
    pub(super) fn is_object(self) -> bool {
        self.types == Kind::Object.into()
    }

    /// Tells whether it speaks of properties or items, and names no type.
    pub(super) fn is_untyped(self) -> bool {
        self.speaks && self.fits_all
    }
}

/// The facts of all definitions of a document, and which of them methods carry.
pub(super) struct Known {
    facts: IndexMap<String, Facts>,
    payloads: IndexSet<String>,
}

impl Known {
    pub(super) fn new(document: &Document) -> Self {
        let definitions = &document.definitions;
        let mut search = Search { definitions, facts: IndexMap::new() };
        for name in definitions.keys() {
            search.of_definition(name, 0);
        }
        Self { facts: search.facts, payloads: payloads(definitions) }
    }

    /// The facts of a definition.
    pub(super) fn of_definition(&self, name: &str) -> Facts {
        self.facts.get(name).copied().unwrap_or(Facts::UNKNOWN)
    }

    /// The facts of a schema, with all that it refers to.
    pub(super) fn of_schema(&self, schema: &SchemaObject) -> Facts {
        facts(schema, 0, &mut |name, _| self.of_definition(name))
    }

    /// Tells whether a method carries a definition.
    pub(super) fn is_payload(&self, name: &str) -> bool {
        self.payloads.contains(name)
    }
}

/// The facts of definitions, while they are looked for.
struct Search<'a> {
    definitions: &'a IndexMap<String, SchemaObject>,
    facts: IndexMap<String, Facts>,
}

impl Search<'_> {
    fn of_definition(&mut self, name: &str, depth: usize) -> Facts {
        if let Some(facts) = self.facts.get(name) {
            return *facts;
        }
        let definitions = self.definitions;
        let Some(schema) = definitions.get(name) else {
            return Facts::UNKNOWN;
        };
        // What leads back to it says no more of it.
        self.facts.insert(name.to_owned(), Facts::UNKNOWN);
        let found = facts(schema, depth, &mut |name, depth| self.of_definition(name, depth));
        self.facts.insert(name.to_owned(), found);
        found
    }
}

/// Puts together what a schema says itself and what its parts say. `named`: the facts of a
/// definition. `depth`: how many schemas lead to this one.
fn facts(
    schema: &SchemaObject,
    depth: usize,
    named: &mut dyn FnMut(&str, usize) -> Facts,
) -> Facts {
    if depth > MAX_DEPTH {
        return Facts::UNKNOWN;
    }
    let inner = depth + 1;
    let target = schema.reference.as_ref().map_or(Facts::ANY, |it| named(&it.name, inner));
    let mut of_parts = |parts: &[SchemaObject]| -> Vec<(bool, Facts)> {
        parts.iter().map(|it| (it.alias_target().is_some(), facts(it, inner, named))).collect()
    };
    let [merged, any, one] =
        [&schema.all_of, &schema.any_of, &schema.one_of].map(|parts| of_parts(parts));
    let not = schema.not.as_deref().map(|it| facts(it, inner, named));
    let of_branches = |branches: &[(bool, Facts)]| match branches {
        [] => JsonTypes::ALL,
        all => all.iter().fold(JsonTypes::NONE, |types, (_, it)| types.union(it.types)),
    };
    let has_untyped = |branches: &[(bool, Facts)]| {
        branches.iter().any(|(is_alias, it)| !is_alias && it.speaks && it.fits_all)
    };
    let all = || [&merged, &any, &one].into_iter().flatten().map(|(_, it)| it);
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
        has_parts: [JsonType::Object, JsonType::Array].iter().any(|it| schema.types.contains(it))
            || schema.speaks_of(Kind::Object)
            || schema.speaks_of(Kind::Array)
            || schema.unmodelled.iter().any(|(keyword, _)| is_of_parts(keyword))
            || target.has_parts
            || not.is_some_and(|it| it.has_parts)
            || all().any(|it| it.has_parts),
        is_known: target.is_known && all().all(|it| it.is_known),
    }
}

/// The types that `type` names and those of listed values, or all.
fn kinds(schema: &SchemaObject) -> JsonTypes {
    let set = |kinds: &mut dyn Iterator<Item = Kind>| {
        kinds.fold(JsonTypes::NONE, |types, kind| types.union(kind.into()))
    };
    let named = match schema.types.len() {
        0 => JsonTypes::ALL,
        _ => set(&mut schema.types.iter().copied().map(Kind::from)),
    };
    let constant = schema.constant.as_ref().map(|value| Kind::from_value(value).into());
    let listed = schema.enumeration.as_ref();
    let listed =
        listed.map(|values| set(&mut values.iter().map(|(value, _)| Kind::from_value(value))));
    [constant, listed].into_iter().flatten().fold(named, JsonTypes::intersection)
}

struct Room<'a, 'd> {
    known: &'a Known,
    diagnostics: &'d mut Diagnostics,
}

impl Room<'_, '_> {
    /// Gives types to a schema and to what stands in it. `is_object`: only objects get there.
    fn visit(&mut self, schema: &mut SchemaObject, is_object: bool) {
        let whole = self.known.of_schema(schema);
        let is_object = is_object || whole.is_object();
        let is_untyped = !is_object
            && schema.unmodelled.is_empty()
            && schema.alias_target().is_none()
            && whole.is_untyped();
        let is_said = is_untyped && schema.types.is_empty();
        let of_object = is_object || is_untyped;
        for part in schema.merged_mut() {
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
            tell_untyped(schema, self.diagnostics);
        }
    }
}

/// Says that a schema fits values of all types, though it speaks of those of one.
pub(super) fn tell_untyped(schema: &SchemaObject, diagnostics: &mut Diagnostics) {
    let is_array = schema.is_of_items() && schema.properties.is_empty();
    let (what, ty) = if is_array { ("arrays", "array") } else { ("objects", "object") };
    diagnostics.push(
        Diagnostic::warning("missing-type", format!("this speaks of {what} and names no `type`"))
            .at(schema.location.clone())
            .label("values of any other type fit, too")
            .help(format!("if that is not meant, add `\"type\": \"{ty}\"`")),
    );
}

/// Tells whether a keyword that the model has no word for is about objects or arrays alone.
fn is_of_parts(keyword: &str) -> bool {
    !is_about(keyword, Kind::String)
}

/// Tells whether the schema itself speaks of properties or items.
fn speaks_of_parts(schema: &SchemaObject) -> bool {
    !schema.properties.is_empty()
        || !schema.required.is_empty()
        || matches!(schema.additional, Additional::Denied | Additional::Schema(_))
        || schema.is_of_items()
}
