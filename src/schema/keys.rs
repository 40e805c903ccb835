//! The keywords about the keys of an object: how many there are, their names, and which ask for
//! others.

use indexmap::{IndexMap, IndexSet};

use super::equal::{join_required, matches_all};
use super::reader::Reader;
use super::{Additional, JsonType, SchemaObject};
use crate::ir::KeyChoice;
use crate::source::Node;

const OBJECT: JsonType = JsonType::Object;

impl Reader<'_> {
    /// Reads a keyword about the keys of an object.
    pub(super) fn key_rule(&mut self, schema: &mut SchemaObject, keyword: &str, value: &Node) {
        let name = match keyword {
            "minProperties" => {
                let least = self.count(keyword, value).filter(|least| *least > 0);
                if least.is_none() {
                    return;
                }
                schema.keys.min_properties = least;
                "minProperties"
            }
            "maxProperties" => {
                schema.keys.max_properties = self.most(keyword, value);
                if schema.keys.max_properties.is_none() {
                    return;
                }
                "maxProperties"
            }
            "propertyNames" => {
                schema.keys.names = Some(Box::new(self.schema(value)));
                "propertyNames"
            }
            "dependencies" | "dependentSchemas" if has_schemas(value) => {
                let location = self.location(value.span);
                return schema.unmodelled.push((keyword.to_owned(), location));
            }
            _ => {
                schema.keys.dependent.extend(self.dependencies(keyword, value));
                match keyword {
                    "dependencies" => "dependencies",
                    "dependentSchemas" => "dependentSchemas",
                    _ => "dependentRequired",
                }
            }
        };
        schema.keys.keywords.push((name, self.location(value.span)));
    }

    /// Reads `patternProperties`. One pattern of an object that has no other properties is that of
    /// all keys of a map; one that they all match leaves no other properties.
    pub(super) fn patterned(&mut self, schema: &mut SchemaObject, value: &Node) {
        let location = self.location(value.span);
        let members = value.as_object();
        let count = members.map_or(1, IndexMap::len);
        if let Some((pattern, values)) = members.and_then(IndexMap::first)
            && count == 1
            && matches_all(pattern)
            && schema.properties.is_empty()
        {
            schema.additional = self.inside(pattern, |reader| reader.additional(&values.value));
            schema.unevaluated = false;
            return;
        }
        if count == 0 {
            return;
        }
        let is_alone = schema.properties.is_empty()
            && schema.required.is_empty()
            && schema.reference.is_none()
            && schema.all_of.is_empty()
            && schema.branches().is_empty()
            && schema.keys.names.is_none();
        if !is_alone || count > 1 || schema.additional != Additional::Denied {
            schema.unmodelled.push(("patternProperties".to_owned(), location));
            // It is not for the properties that match, which nothing tells apart.
            if matches!(schema.additional, Additional::Schema(_)) {
                schema.additional = Additional::Allowed;
            }
        } else if let Some((pattern, values)) = self.schemas("patternProperties", value).pop()
            && !values.denied
        {
            let (pattern, location) = (Some(pattern), location.clone());
            let names = SchemaObject { location, pattern, ..SchemaObject::default() };
            schema.additional = Additional::Schema(Box::new(values));
            schema.keys.keywords.push(("patternProperties", names.location.clone()));
            schema.keys.names = Some(Box::new(names));
        }
    }

    /// Takes alternatives that say nothing but which properties there are for rules about keys.
    pub(super) fn choices(&mut self, schema: &mut SchemaObject, node: &Node) {
        schema.any_of.iter_mut().chain(&mut schema.one_of).for_each(join_required);
        for keyword in ["anyOf", "oneOf"] {
            let only_one = keyword == "oneOf";
            let branches = if only_one { &schema.one_of } else { &schema.any_of };
            let is_listed = schema.enumeration.is_some() || schema.constant.is_some();
            if branches.is_empty() || is_listed || !branches.iter().all(|it| is_of_keys(schema, it))
            {
                continue;
            }
            // Each lets all pass that is no object, unless it has a type.
            let untyped = branches.iter().filter(|branch| branch.types.is_empty()).count();
            let is_of_objects = untyped == 0 || only_one && untyped > 1;
            if is_of_objects && !schema.types.is_empty() && !schema.types.contains(&OBJECT) {
                continue;
            }
            let mut sets: Vec<IndexSet<String>> = Vec::new();
            for branch in branches {
                if !sets.contains(&branch.required) {
                    sets.push(branch.required.clone());
                }
            }
            if sets.len() < branches.len() && only_one {
                continue;
            }
            if only_one {
                schema.one_of.clear();
            } else {
                schema.any_of.clear();
            }
            if is_of_objects {
                schema.types = IndexSet::from([OBJECT]);
            }
            if let [only] = sets.as_slice() {
                schema.required.extend(only.iter().cloned());
                continue;
            }
            let sets = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let location = node.get(keyword).map(|it| self.location(it.span)).unwrap_or_default();
            schema.keys.choices.push(KeyChoice { sets, only_one });
            schema.keys.keywords.push((keyword, location));
        }
        if let Some(not) = &mut schema.not {
            join_required(not);
        }
        // What is no object has all properties that are asked for.
        let leaves_objects = schema.not.as_deref().is_some_and(is_of_required);
        if leaves_objects && (schema.types.is_empty() || schema.types.contains(&OBJECT)) {
            schema.types = IndexSet::from([OBJECT]);
        }
    }

    /// Reads an object of names, each with the names that it asks for, if there are some.
    fn dependencies(&mut self, keyword: &str, value: &Node) -> IndexMap<String, Vec<String>> {
        let Some(members) = value.as_object() else {
            self.wrong(&format!("`{keyword}`"), "an object of arrays of names", value);
            return IndexMap::new();
        };
        let mut all = IndexMap::new();
        for (name, member) in members {
            let names = required_alone(&member.value).unwrap_or(&member.value);
            let mut wanted = self.names(&format!("{keyword}/{name}"), names);
            let mut seen = IndexSet::new();
            wanted.retain(|it| it != name && seen.insert(it.clone()));
            if !wanted.is_empty() {
                all.insert(name.clone(), wanted);
            }
        }
        all
    }
}

/// Tells whether an alternative says nothing of an object but which of its properties there are.
fn is_of_keys(object: &SchemaObject, branch: &SchemaObject) -> bool {
    let is_any = |(name, property): (&String, &SchemaObject)| {
        let nothing = SchemaObject {
            location: property.location.clone(),
            boolean: property.boolean.filter(|fits| *fits),
            ..SchemaObject::default()
        };
        *property == nothing && (!object.unevaluated || object.properties.contains_key(name))
    };
    let keys_alone = SchemaObject {
        types: branch.types.clone(),
        properties: branch.properties.clone(),
        required: branch.required.clone(),
        location: branch.location.clone(),
        ..SchemaObject::default()
    };
    !branch.required.is_empty()
        && branch.types.iter().all(|ty| *ty == OBJECT)
        && branch.properties.iter().all(is_any)
        && *branch == keys_alone
}

/// Tells whether a schema says nothing but which properties an object has, and of other values
/// nothing.
pub(super) fn is_of_required(schema: &SchemaObject) -> bool {
    let required_alone = SchemaObject {
        required: schema.required.clone(),
        keys: schema.keys.clone(),
        location: schema.location.clone(),
        docs: schema.docs.clone(),
        ..SchemaObject::default()
    };
    let is_choice = schema.keys.keywords.len() == schema.keys.choices.len();
    let says_some = !schema.required.is_empty() || !schema.keys.choices.is_empty();
    is_choice && says_some && *schema == required_alone
}

/// The names that a schema asks for, if it says nothing else: `{"required": ["a"]}`.
fn required_alone(value: &Node) -> Option<&Node> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    members.get("required").map(|member| &member.value).filter(|names| names.as_array().is_some())
}

/// Tells whether some of the `dependencies` ask for more than names.
fn has_schemas(value: &Node) -> bool {
    let is_list = |member: &Node| member.as_array().is_some() || required_alone(member).is_some();
    value.as_object().is_some_and(|members| !members.values().all(|it| is_list(&it.value)))
}
