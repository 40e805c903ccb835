//! Schemas that no value fits, as far as that is seen at once.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use indexmap::{IndexMap, IndexSet};
use serde_json::{Number, Value};

use crate::schema::intersect::common_types;
use crate::schema::merged::merged;
use crate::schema::values::fits;
use crate::schema::{JsonType, SchemaObject};

/// The most schemas in each other that are looked at.
const MAX_DEPTH: usize = 32;

/// The most schemas that are looked at for one.
const MAX_STEPS: usize = 1000;

/// The most times that all definitions are looked at.
const MAX_ROUNDS: usize = 64;

/// Finds the definitions that no value fits, by name: those of which a value would need another
/// value of such a definition, or of its own.
pub(super) fn impossible_definitions(
    definitions: &IndexMap<String, SchemaObject>,
) -> HashSet<String> {
    let circular = circular_definitions(definitions);
    let mut left: Vec<&String> =
        definitions.keys().filter(|name| !circular.contains(name.as_str())).collect();
    let mut impossible: HashSet<String> = left.iter().map(|name| (*name).clone()).collect();
    for _ in 0..MAX_ROUNDS {
        let before = left.len();
        // What leads from the first to the last is found at once, and so is the other way round.
        left.reverse();
        left.retain(|name| {
            let search = Search::new(definitions, &impossible);
            let is_left = definitions.get(*name).is_some_and(|it| search.is_impossible(it));
            if !is_left {
                impossible.remove(*name);
            }
            is_left
        });
        if left.len() == before || left.is_empty() {
            return impossible;
        }
    }
    HashSet::new()
}

/// Finds the definitions that lead to themselves at one place, by references, members and
/// alternatives, and those that lead to these. What no value of them fits is not asked.
fn circular_definitions(definitions: &IndexMap<String, SchemaObject>) -> HashSet<&str> {
    let mut waiting: HashMap<&str, usize> = HashMap::new();
    let mut users: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, schema) in definitions {
        let targets = targets_at_place(schema);
        let targets = targets.into_iter().filter(|it| definitions.contains_key(*it));
        let targets: HashSet<&str> = targets.collect();
        waiting.insert(name, targets.len());
        for target in targets {
            users.entry(target).or_default().push(name);
        }
    }
    let is_ready = |(_, count): &(&&str, &usize)| **count == 0;
    let mut ready: Vec<&str> = waiting.iter().filter(is_ready).map(|(name, _)| *name).collect();
    while let Some(name) = ready.pop() {
        waiting.remove(name);
        for user in users.get(name).into_iter().flatten() {
            if let Some(count) = waiting.get_mut(user) {
                *count -= 1;
                if *count == 0 {
                    ready.push(user);
                }
            }
        }
    }
    waiting.into_keys().collect()
}

/// The definitions that a schema refers to itself, or by its members and alternatives.
fn targets_at_place(schema: &SchemaObject) -> Vec<&str> {
    let (mut pending, mut targets) = (vec![schema], Vec::new());
    while let Some(schema) = pending.pop() {
        targets.extend(schema.reference.as_ref().map(|it| it.name.as_str()));
        pending.extend(schema.all_of.iter().chain(&schema.any_of).chain(&schema.one_of));
    }
    targets
}

/// A search for what no value fits.
pub(super) struct Search<'a> {
    /// The definitions, but for one whose parts are looked at.
    definitions: &'a IndexMap<String, SchemaObject>,
    /// Those that no value fits.
    impossible: &'a HashSet<String>,
    steps: Cell<usize>,
    /// What is being asked, one because of the other, and whether it is about a property or an item
    /// of the one before.
    asked: RefCell<Vec<(Vec<*const SchemaObject>, bool)>>,
    /// Whether what is asked next is about a property or an item.
    is_part: Cell<bool>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        definitions: &'a IndexMap<String, SchemaObject>,
        impossible: &'a HashSet<String>,
    ) -> Self {
        Self {
            definitions,
            impossible,
            steps: Cell::new(0),
            asked: RefCell::default(),
            is_part: Cell::new(false),
        }
    }

    /// Tells whether no value fits a schema. `false` where that takes long to tell.
    pub(super) fn is_impossible(&self, schema: &SchemaObject) -> bool {
        self.steps.set(0);
        self.are_impossible(&[schema], MAX_DEPTH)
    }

    /// Tells whether no value fits an alternative of a schema.
    pub(super) fn is_impossible_in(&self, branch: &SchemaObject, whole: &SchemaObject) -> bool {
        self.steps.set(0);
        self.are_impossible(&[branch, whole], MAX_DEPTH)
    }

    /// Tells whether only `null` fits a schema.
    pub(super) fn is_null(&self, schema: &SchemaObject, depth: usize) -> bool {
        let target = schema.alias_target().and_then(|it| self.definitions.get(&it.name));
        let schema = target.unwrap_or(schema);
        let Some(depth) = depth.checked_sub(1) else { return false };
        let branches = schema.branches();
        schema.is_null()
            || !branches.is_empty() && branches.iter().all(|it| self.is_null(it, depth))
    }

    /// The types of a schema of which values fit it: those that it names, or all.
    pub(super) fn possible_types(&self, schema: &SchemaObject) -> IndexSet<JsonType> {
        self.steps.set(0);
        let all = merged(&[schema], self.definitions);
        let all_types = || JsonType::ALL.into_iter().collect();
        let named = if schema.types.is_empty() { all_types() } else { schema.types.clone() };
        named.into_iter().filter(|ty| !self.is_empty(*ty, &all, MAX_DEPTH)).collect()
    }

    /// Tells whether no value fits all of some schemas.
    fn are_impossible(&self, schemas: &[&SchemaObject], depth: usize) -> bool {
        self.steps.set(self.steps.get() + 1);
        let Some(depth) = depth.checked_sub(1).filter(|_| self.steps.get() < MAX_STEPS) else {
            return false;
        };
        if let [schema] = schemas
            && let Some(target) = schema.alias_target()
        {
            return self.impossible.contains(&target.name);
        }
        let asked: Vec<*const SchemaObject> =
            schemas.iter().map(|it| std::ptr::from_ref(*it)).collect();
        let is_part = self.is_part.replace(false);
        let before = self.asked.borrow().iter().position(|(it, _)| *it == asked);
        if let Some(before) = before {
            // A value would need another such value in it, without end. What leads to itself at one
            // place says nothing.
            let since = before + 1;
            return is_part || self.asked.borrow().iter().skip(since).any(|(_, is_part)| *is_part);
        }
        self.asked.borrow_mut().push((asked, is_part));
        let found = self.are_impossible_once(schemas, depth);
        self.asked.borrow_mut().pop();
        found
    }

    /// Tells the same of a property or an item.
    fn are_impossible_parts(&self, schemas: &[&SchemaObject], depth: usize) -> bool {
        self.is_part.set(true);
        self.are_impossible(schemas, depth)
    }

    fn are_impossible_once(&self, schemas: &[&SchemaObject], depth: usize) -> bool {
        let all = merged(schemas, self.definitions);
        let is_out = |branch: &SchemaObject| {
            let with: Vec<&SchemaObject> =
                all.iter().copied().chain(merged(&[branch], self.definitions)).collect();
            self.are_impossible(&[branch], depth) || self.exclude_each_other(&with, depth)
        };
        let no_branch =
            |branches: &[SchemaObject]| !branches.is_empty() && branches.iter().all(is_out);
        self.exclude_each_other(&all, depth)
            || all.iter().any(|it| no_branch(&it.any_of) || no_branch(&it.one_of))
    }

    /// Tells whether what schemas say beside their alternatives leaves no value.
    fn exclude_each_other(&self, all: &[&SchemaObject], depth: usize) -> bool {
        let types =
            all.iter().try_fold(IndexSet::new(), |types, it| common_types(&types, &it.types));
        let Some(types) = types else { return true };
        all.iter().any(|it| it.boolean == Some(false))
            || has_no_constant(all)
            || !types.is_empty() && types.iter().all(|ty| self.is_empty(*ty, all, depth))
    }

    /// Tells whether what schemas say of a type leaves no value of it.
    fn is_empty(&self, ty: JsonType, all: &[&SchemaObject], depth: usize) -> bool {
        let most = |of: fn(&SchemaObject) -> Option<u64>| all.iter().filter_map(|it| of(it)).max();
        let least = |of: fn(&SchemaObject) -> Option<u64>| all.iter().filter_map(|it| of(it)).min();
        let is_crossed = |low: Option<u64>, high: Option<u64>| {
            low.zip(high).is_some_and(|(low, high)| low > high)
        };
        match ty {
            JsonType::String => is_crossed(most(|it| it.min_length), least(|it| it.max_length)),
            JsonType::Array => {
                let low = most(|it| it.min_items);
                let places = all.iter().map(|it| it.prefix.len()).max().unwrap_or_default();
                let needed = low.and_then(|low| usize::try_from(low).ok()).unwrap_or_default();
                let is_lacking = |at: usize| {
                    let items =
                        all.iter().filter_map(|it| it.prefix.get(at).or(it.items.as_deref()));
                    let items: Vec<&SchemaObject> = items.collect();
                    !items.is_empty() && self.are_impossible_parts(&items, depth)
                };
                is_crossed(low, least(|it| it.max_items))
                    || (0..needed.min(places + 1)).any(is_lacking)
            }
            JsonType::Object => {
                is_crossed(most(|it| it.keys.min_properties), least(|it| it.keys.max_properties))
                    || self.lacks_property(all, depth)
            }
            JsonType::Integer | JsonType::Number => has_empty_range(all),
            JsonType::Null | JsonType::Boolean => false,
        }
    }

    /// Tells whether objects need a property that must not be there, or that no value fits.
    fn lacks_property(&self, all: &[&SchemaObject], depth: usize) -> bool {
        let required: IndexSet<&str> =
            all.iter().flat_map(|it| &it.required).map(String::as_str).collect();
        let forbids = |schema: &&SchemaObject| {
            let not = schema.not.as_deref();
            let not = not.filter(|not| !not.required.is_empty() && is_only_required(not));
            not.is_some_and(|not| not.required.iter().all(|it| required.contains(it.as_str())))
        };
        let lacks = |name: &&str| {
            let described: Vec<&SchemaObject> =
                all.iter().filter_map(|it| it.properties.get(*name)).collect();
            !described.is_empty() && self.are_impossible_parts(&described, depth)
        };
        all.iter().any(forbids) || required.iter().any(lacks)
    }
}

/// Tells whether the constants that schemas list have none in common.
fn has_no_constant(all: &[&SchemaObject]) -> bool {
    let listed = all.iter().find_map(|it| match (&it.constant, &it.enumeration) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(values)) => Some(values.iter().map(|(value, _)| value).collect()),
        (None, None) => None,
    });
    let has_all = |value: &Value, schema: &SchemaObject| {
        let members = value.as_object();
        members.is_none_or(|members| schema.required.iter().all(|it| members.contains_key(it)))
    };
    let takes = |value| all.iter().all(|it| fits(value, it) && has_all(value, it));
    all.len() > 1 && listed.is_some_and(|values| !values.into_iter().any(takes))
}

/// Tells whether a schema says nothing of objects but which properties they need.
fn is_only_required(schema: &SchemaObject) -> bool {
    let SchemaObject { types, required, location, .. } = schema;
    let is_typed = types.is_empty() || schema.is_object();
    let only = SchemaObject {
        types: types.clone(),
        required: required.clone(),
        location: location.clone(),
        ..SchemaObject::default()
    };
    is_typed && only == *schema
}

/// Tells whether the bounds of numbers leave none.
fn has_empty_range(all: &[&SchemaObject]) -> bool {
    let bounds = || all.iter().map(|it| &it.bounds);
    let of = |bound: &Option<Number>| bound.as_ref().and_then(Number::as_f64);
    let lowest = |numbers: &mut dyn Iterator<Item = f64>| numbers.reduce(f64::min);
    let highest = |numbers: &mut dyn Iterator<Item = f64>| numbers.reduce(f64::max);
    let low = highest(&mut bounds().filter_map(|it| of(&it.minimum)));
    let above = highest(&mut bounds().filter_map(|it| of(&it.exclusive_minimum)));
    let high = lowest(&mut bounds().filter_map(|it| of(&it.maximum)));
    let below = lowest(&mut bounds().filter_map(|it| of(&it.exclusive_maximum)));
    let is_crossed =
        |low: Option<f64>, high: Option<f64>| low.zip(high).is_some_and(|(low, high)| low >= high);
    low.zip(high).is_some_and(|(low, high)| low > high)
        || is_crossed(above, high)
        || is_crossed(low, below)
        || is_crossed(above, below)
}
