//! Validity by the letter of a schema: what a JSON Schema validator says of a value. The model says
//! less than some schemas do; nothing is shown as proof that its sender's own schema forbids.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Number, Value};

use super::branches::Branches;
use crate::decode::pattern;
use crate::ir::is_multiple;
use crate::source::{Json, Node};

/// The depth at which no more is looked at.
const DEPTH: usize = 100;

/// A schema, taken at its word.
pub(super) struct Letter<'a> {
    root: &'a Node,
    /// The branches of choices that were looked at, by the addresses of these.
    choices: RefCell<HashMap<*const Node, Rc<Branches<'a>>>>,
    /// The texts in lists of constants that were looked at, by the addresses of these.
    texts: RefCell<HashMap<*const Node, Rc<HashSet<&'a str>>>>,
}

impl<'a> Letter<'a> {
    pub(super) fn new(root: &'a Node) -> Self {
        Self { root, choices: RefCell::default(), texts: RefCell::default() }
    }

    /// Tells whether a definition forbids a value. It does not if there is none of this name, or if
    /// a keyword cannot be judged.
    pub(super) fn forbids(&self, name: &str, value: &Value) -> bool {
        self.definition(name).is_some_and(|node| !self.is_valid(node, value, 0))
    }

    fn definition(&self, name: &str) -> Option<&'a Node> {
        let of = |keyword| self.root.get(keyword).and_then(|all: &Node| all.get(name));
        of("$defs").or_else(|| of("definitions"))
    }

    /// The definition that a `$ref` names.
    fn referenced(&self, said: &Node) -> Option<&'a Node> {
        let name = said.as_str().and_then(|it| it.rsplit('/').next()).unwrap_or_default();
        self.definition(&name.replace("~1", "/").replace("~0", "~"))
    }

    fn branches(&self, said: &'a Node) -> Rc<Branches<'a>> {
        let resolved = |branch: &'a Node| match branch.get("$ref") {
            Some(reference) if branch.get("properties").is_none() => {
                self.referenced(reference).unwrap_or(branch)
            }
            _ => branch,
        };
        let mut known = self.choices.borrow_mut();
        let found = known.entry(std::ptr::from_ref(said));
        Rc::clone(found.or_insert_with(|| Rc::new(Branches::new(said, resolved))))
    }

    /// The texts in a list of constants.
    fn texts(&self, said: &'a Node) -> Rc<HashSet<&'a str>> {
        let mut known = self.texts.borrow_mut();
        let texts = || said.as_array().unwrap_or_default().iter().filter_map(Node::as_str);
        let found = known.entry(std::ptr::from_ref(said));
        Rc::clone(found.or_insert_with(|| Rc::new(texts().collect())))
    }

    fn is_valid(&self, node: &'a Node, value: &Value, depth: usize) -> bool {
        match &node.json {
            Json::Bool(all) => *all,
            Json::Object(members) if depth < DEPTH => members.iter().all(|(keyword, member)| {
                self.satisfies((node, keyword), &member.value, value, depth + 1)
            }),
            _ => true,
        }
    }

    /// Tells whether a value satisfies a keyword of a schema, which says `said`.
    fn satisfies(
        &self,
        (node, keyword): (&'a Node, &str),
        said: &'a Node,
        value: &Value,
        depth: usize,
    ) -> bool {
        let is_valid = |node| self.is_valid(node, value, depth);
        let listed = || said.as_array().unwrap_or_default().iter();
        match keyword {
            "$ref" => self.referenced(said).is_none_or(is_valid),
            "type" => match said.as_array() {
                Some(names) => names.iter().any(|name| is_of_type(name.as_str(), value)),
                None => is_of_type(said.as_str(), value),
            },
            "const" => is_constant(said, value),
            "enum" => match value.as_str() {
                Some(text) => self.texts(said).contains(text),
                None => listed().any(|each| is_constant(each, value)),
            },
            "allOf" => listed().all(is_valid),
            "anyOf" => self.branches(said).of(value).any(is_valid),
            "oneOf" => self.branches(said).of(value).filter(|branch| is_valid(branch)).count() == 1,
            "not" => !is_valid(said),
            "if" => {
                let then = if is_valid(said) { "then" } else { "else" };
                node.get(then).is_none_or(is_valid)
            }
            _ => match value {
                Value::Object(members) => self.object((node, keyword), said, members, depth),
                Value::Array(items) => self.array((node, keyword), said, items, depth),
                Value::String(text) => is_text(keyword, said, text),
                Value::Number(number) => is_number(keyword, said, number),
                _ => true,
            },
        }
    }

    fn object(
        &self,
        (node, keyword): (&'a Node, &str),
        said: &'a Node,
        members: &serde_json::Map<String, Value>,
        depth: usize,
    ) -> bool {
        let listed = |list: &Node| {
            let mut names = list.as_array().unwrap_or_default().iter().filter_map(Node::as_str);
            names.all(|name| members.contains_key(name))
        };
        let mut known = said.as_object().into_iter().flatten();
        match keyword {
            "required" => listed(said),
            "properties" => known.all(|(name, property)| {
                let member = members.get(name);
                member.is_none_or(|member| self.is_valid(&property.value, member, depth))
            }),
            "additionalProperties" => {
                let properties = node.get("properties").and_then(Node::as_object);
                let is_listed = |name: &str| properties.is_some_and(|all| all.contains_key(name));
                // Which of them a pattern is for is not judged.
                node.get("patternProperties").is_some()
                    || members
                        .iter()
                        .filter(|(name, _)| !is_listed(name))
                        .all(|(_, member)| self.is_valid(said, member, depth))
            }
            "propertyNames" => {
                members.keys().all(|name| self.is_valid(said, &Value::from(name.as_str()), depth))
            }
            "minProperties" => is_at_least(members.len(), said),
            "maxProperties" => is_at_most(members.len(), said),
            "dependentRequired" => {
                known.all(|(name, others)| !members.contains_key(name) || listed(&others.value))
            }
            "dependentSchemas" => {
                let value = Value::Object(members.clone());
                known.all(|(name, schema)| {
                    !members.contains_key(name) || self.is_valid(&schema.value, &value, depth)
                })
            }
            _ => true,
        }
    }

    fn array(
        &self,
        (node, keyword): (&'a Node, &str),
        said: &'a Node,
        items: &[Value],
        depth: usize,
    ) -> bool {
        let first = node.get("prefixItems").and_then(Node::as_array).unwrap_or_default();
        match keyword {
            "items" => items.iter().skip(first.len()).all(|item| self.is_valid(said, item, depth)),
            "prefixItems" => {
                first.iter().zip(items).all(|(schema, item)| self.is_valid(schema, item, depth))
            }
            "contains" => items.iter().any(|item| self.is_valid(said, item, depth)),
            "minItems" => is_at_least(items.len(), said),
            "maxItems" => is_at_most(items.len(), said),
            "uniqueItems" => {
                said.as_bool() != Some(true)
                    || items
                        .iter()
                        .enumerate()
                        .all(|(at, item)| !items.iter().take(at).any(|other| is_equal(item, other)))
            }
            _ => true,
        }
    }
}

fn is_of_type(name: Option<&str>, value: &Value) -> bool {
    match name {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    }
}

/// Tells whether a value is the one that a schema names.
fn is_constant(said: &Node, value: &Value) -> bool {
    match said.as_str() {
        Some(text) => value.as_str() == Some(text),
        None => is_equal(&said.to_value(), value),
    }
}

/// Tells whether two values are the same by JSON Schema: `1` is `1.0`.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => one == other,
    }
}

fn is_text(keyword: &str, said: &Node, text: &str) -> bool {
    match keyword {
        "minLength" => is_at_least(text.chars().count(), said),
        "maxLength" => is_at_most(text.chars().count(), said),
        "pattern" => said.as_str().and_then(|it| pattern::matches(it, text)).unwrap_or(true),
        _ => true,
    }
}

fn is_number(keyword: &str, said: &Node, number: &Number) -> bool {
    if let (Json::Number(step), "multipleOf") = (&said.json, keyword) {
        return is_multiple(number, step);
    }
    let (Some(bound), Some(number)) = (bound(said), number.as_f64()) else { return true };
    match keyword {
        "minimum" => number >= bound,
        "maximum" => number <= bound,
        "exclusiveMinimum" => number > bound,
        "exclusiveMaximum" => number < bound,
        _ => true,
    }
}

fn bound(said: &Node) -> Option<f64> {
    match &said.json {
        Json::Number(bound) => bound.as_f64(),
        _ => None,
    }
}

#[allow(clippy::cast_precision_loss, reason = "no message has that many parts")]
fn is_at_least(count: usize, said: &Node) -> bool {
    bound(said).is_none_or(|bound| count as f64 >= bound)
}

#[allow(clippy::cast_precision_loss, reason = "no message has that many parts")]
fn is_at_most(count: usize, said: &Node) -> bool {
    bound(said).is_none_or(|bound| count as f64 <= bound)
}
