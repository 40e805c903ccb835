//! `oneOf`: whether its alternatives exclude each other, so that it means the same as `anyOf`.

use indexmap::{IndexMap, IndexSet};
use serde_json::Value;

use super::meet::{constraints, is_of_values, meet};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::schema::values::fits;
use crate::schema::{Additional, Document, JsonType, SchemaObject};

/// The most alternatives that are compared with each other.
const MAX_COMPARED: usize = 400;

/// The most references and alternatives that are followed into each other.
const MAX_DEPTH: usize = 8;

/// Says of each `oneOf` that it has alternatives that one value may fit: decoders take it.
pub(super) fn tell_overlaps(document: &Document, diagnostics: &mut Diagnostics) {
    let mut visit = |schema: &SchemaObject| {
        let mut facts: Vec<Vec<Facts<'_>>> =
            schema.one_of.iter().map(|it| facts(document, it, MAX_DEPTH)).collect();
        if !schema.types.is_empty() {
            for facts in facts.iter_mut().flatten() {
                let types = facts.types.get_or_insert_with(|| schema.types.clone());
                *types = shared_types(types, &schema.types);
            }
        }
        if let Some((first, second)) = overlap(&facts) {
            let message = format!(
                "`oneOf` is not enforced by generated code here: alternatives {} and {} may both fit",
                first + 1,
                second + 1
            );
            diagnostics.push(
                Diagnostic::new("unenforced-keyword", Severity::Info, message)
                    .at(schema.location.clone())
                    .label("a value that fits several is taken")
                    .help("write `anyOf` if that is right, else tell them apart by a property"),
            );
        }
    };
    for schema in document.definitions.values() {
        each(schema, &mut visit);
    }
}

fn each(schema: &SchemaObject, visit: &mut impl FnMut(&SchemaObject)) {
    if schema.one_of.len() > 1 {
        visit(schema);
    }
    schema.parts().for_each(|part| each(part, visit));
}

/// Two alternatives that one value may fit.
fn overlap(all: &[Vec<Facts<'_>>]) -> Option<(usize, usize)> {
    if all.len() > MAX_COMPARED {
        return (!is_told_apart(all)).then_some((0, 1));
    }
    let pairs = (0..all.len()).flat_map(|one| (one + 1..all.len()).map(move |two| (one, two)));
    pairs.into_iter().find(|(one, two)| {
        let [one, two] = [one, two].map(|it| all.get(*it).map_or(&[][..], Vec::as_slice));
        one.iter().any(|one| two.iter().any(|two| !one.excludes(two)))
    })
}

/// Tells whether the alternatives are all distinct values, or have a property with distinct ones.
fn is_told_apart(all: &[Vec<Facts<'_>>]) -> bool {
    let all: Vec<&Facts<'_>> = all.iter().flatten().collect();
    let are_distinct = |values: Option<Vec<&Value>>| {
        let texts: Option<Vec<String>> =
            values.map(|it| it.into_iter().map(Value::to_string).collect());
        texts.is_some_and(|texts| texts.iter().collect::<IndexSet<_>>().len() == texts.len())
    };
    are_distinct(joined(all.iter().map(|it| it.values.as_ref()).collect()))
        || all.first().is_some_and(|first| {
            first
                .tags
                .keys()
                .any(|tag| are_distinct(joined(all.iter().map(|it| it.tags.get(tag)).collect())))
        })
}

fn joined<'a>(lists: Option<Vec<&Vec<&'a Value>>>) -> Option<Vec<&'a Value>> {
    lists.map(|lists| lists.into_iter().flatten().copied().collect())
}

/// Necessary conditions of the values that fit a schema.
#[derive(Clone, Default)]
struct Facts<'a> {
    /// Their types, if not all.
    types: Option<IndexSet<JsonType>>,
    /// All of them, if they are listed.
    values: Option<Vec<&'a Value>>,
    /// The values of properties that objects among them must have.
    tags: IndexMap<&'a str, Vec<&'a Value>>,
    /// The properties that objects among them must have.
    required: IndexSet<&'a str>,
    /// The properties that objects among them may have, if not all.
    allowed: Option<IndexSet<&'a str>>,
    /// The schema, if it says no more than which values fit.
    plain: Option<&'a SchemaObject>,
}

impl Facts<'_> {
    fn excludes(&self, other: &Self) -> bool {
        let types = |one: &Self| one.types.clone().unwrap_or_else(|| JsonType::ALL.into());
        let shared = shared_types(&types(self), &types(other));
        let only_objects = shared.iter().all(|it| *it == JsonType::Object);
        shared.is_empty()
            || self.lists_none_of(other)
            || other.lists_none_of(self)
            || only_objects && (self.lacks(other) || other.lacks(self) || self.has_other_tag(other))
            || self.plain.zip(other.plain).is_some_and(|(one, other)| has_no_common(one, other))
    }

    /// Tells whether none of the values that are listed here fits the other.
    fn lists_none_of(&self, other: &Self) -> bool {
        self.values.as_ref().is_some_and(|values| {
            values.iter().all(|value| {
                let is_listed = other.values.as_ref().is_none_or(|it| it.contains(value));
                !is_listed || other.plain.is_some_and(|plain| !fits(value, plain))
            })
        })
    }

    /// Tells whether the other needs a property that this one forbids.
    fn lacks(&self, other: &Self) -> bool {
        let forbids = |name: &&str| self.allowed.as_ref().is_some_and(|it| !it.contains(name));
        other.required.iter().any(forbids)
    }

    /// Tells whether a property that both need has other values in the other.
    fn has_other_tag(&self, other: &Self) -> bool {
        self.tags.iter().any(|(name, values)| {
            other.tags.get(name).is_some_and(|others| !values.iter().any(|it| others.contains(it)))
        })
    }
}

/// Tells whether two schemas of values have none in common.
fn has_no_common(one: &SchemaObject, other: &SchemaObject) -> bool {
    let both = meet(&constraints(one), &constraints(other)).0;
    let is_empty = |least: Option<u64>, most: Option<u64>| {
        least.zip(most).is_some_and(|(least, most)| least > most)
    };
    let is_number = |ty: &JsonType| matches!(ty, JsonType::Integer | JsonType::Number);
    let bounds = &both.bounds;
    let floats =
        [&bounds.minimum, &bounds.exclusive_minimum, &bounds.maximum, &bounds.exclusive_maximum]
            .map(|it| it.as_ref().and_then(serde_json::Number::as_f64));
    let [minimum, above, maximum, below] = floats;
    let low = minimum.into_iter().chain(above).reduce(f64::max);
    let high = maximum.into_iter().chain(below).reduce(f64::min);
    let none_between = low.zip(high).is_some_and(|(low, high)| {
        low > high || low >= high && (above == Some(low) || below == Some(high))
    });
    let is_only = |is_kind: &dyn Fn(&JsonType) -> bool| {
        !both.types.is_empty() && both.types.iter().all(is_kind)
    };
    both.boolean == Some(false)
        || none_between && is_only(&is_number)
        || is_empty(both.min_length, both.max_length) && is_only(&|it| *it == JsonType::String)
        || is_empty(both.min_items, both.max_items) && is_only(&|it| *it == JsonType::Array)
}

fn shared_types(one: &IndexSet<JsonType>, other: &IndexSet<JsonType>) -> IndexSet<JsonType> {
    let allows = |types: &IndexSet<JsonType>, ty: JsonType| {
        types.contains(&ty) || ty == JsonType::Integer && types.contains(&JsonType::Number)
    };
    let both = one.iter().chain(other).copied();
    both.filter(|ty| allows(one, *ty) && allows(other, *ty)).collect()
}

/// Collects the conditions of a schema's values, for each of its own alternatives.
fn facts<'a>(document: &'a Document, schema: &'a SchemaObject, depth: usize) -> Vec<Facts<'a>> {
    if depth == 0 {
        return vec![Facts::default()];
    }
    if schema.boolean == Some(false) {
        return Vec::new();
    }
    let mut own = Facts::default();
    if !schema.types.is_empty() {
        own.types = Some(schema.types.clone());
    }
    let listed =
        schema.enumeration.as_ref().map(|all| all.iter().map(|(value, _)| value).collect());
    own.values = schema.constant.as_ref().map(|value| vec![value]).or(listed);
    own.required = schema.required.iter().map(String::as_str).collect();
    if schema.additional == Additional::Denied {
        own.allowed = Some(schema.properties.keys().map(String::as_str).collect());
    }
    for (name, property) in &schema.properties {
        let [only] = &facts(document, property, depth - 1)[..] else { continue };
        own.tags.extend(only.values.clone().map(|values| (name.as_str(), values)));
    }
    own.plain = is_of_values(schema).then_some(schema);
    let mut all = vec![own];
    let target = schema.reference.as_ref().and_then(|it| document.definitions.get(&it.name));
    for part in target.into_iter().chain(&schema.all_of) {
        all = both(&all, &facts(document, part, depth - 1));
    }
    for branches in [&schema.any_of, &schema.one_of] {
        if !branches.is_empty() {
            let any: Vec<_> =
                branches.iter().flat_map(|it| facts(document, it, depth - 1)).collect();
            all = both(&all, &any);
        }
    }
    if depth == MAX_DEPTH {
        // A tag tells apart only where it must be there.
        for Facts { tags, required, .. } in &mut all {
            tags.retain(|name, _| required.contains(name));
        }
    }
    all
}

/// Combines the conditions of two lists of alternatives, each with each.
fn both<'a>(one: &[Facts<'a>], other: &[Facts<'a>]) -> Vec<Facts<'a>> {
    let mut all = Vec::new();
    for one in one {
        for other in other {
            let mut facts = one.clone();
            facts.types = match (&one.types, &other.types) {
                (Some(one), Some(other)) => Some(shared_types(one, other)),
                (one, other) => one.clone().or_else(|| other.clone()),
            };
            facts.values = facts.values.or_else(|| other.values.clone());
            for (name, values) in &other.tags {
                facts.tags.entry(name).or_insert_with(|| values.clone());
            }
            facts.required.extend(&other.required);
            facts.allowed = facts.allowed.or_else(|| other.allowed.clone());
            let says_nothing = |it: &Facts<'_>| {
                it.plain.is_some_and(|it| {
                    constraints(it)
                        == SchemaObject { location: it.location.clone(), ..SchemaObject::default() }
                })
            };
            facts.plain = if says_nothing(one) { other.plain } else { one.plain };
            all.push(facts);
        }
    }
    // Of too many nothing is known.
    if all.len() > MAX_COMPARED { vec![Facts::default()] } else { all }
}
