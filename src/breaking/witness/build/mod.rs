//! The smallest value of a type.

mod vary;

use std::collections::HashSet;

use serde_json::{Map, Value, json};

pub(super) use self::vary::MOST;
use super::scalars::{nearest_to_zero, numbers, sample};
use crate::breaking::shape::{Alternative, Content, Member, Object, alternatives};
use crate::decode::DecodePlan;
use crate::ir::{ArrayType, KeyRules, MapType, Protocol, Type, Union};
use crate::source::MAX_DEPTH;

/// Builds values that a protocol's schema takes.
pub(super) struct Builder<'a> {
    protocol: &'a Protocol,
    /// How the protocol's values are read.
    plan: &'a DecodePlan,
    /// The definitions that are being built, so that one does not contain itself.
    open: HashSet<&'a str>,
    /// Properties that the receiver insists on: an object is built with them, so that only what
    /// is looked at is wrong with it.
    wanted: Vec<&'a str>,
    /// Lengths of texts and lists that the receiver does not take, where it takes others.
    pub(super) lengths: Vec<usize>,
    /// The number of values that may still be made.
    left: usize,
    /// The number of values that the one being built is in.
    depth: usize,
}

/// The most values that one builder makes for variations: a schema can ask for more than any
/// machine holds.
const MOST_VALUES: usize = 200_000;

/// The most values in a message: nobody reads a larger one.
pub(super) const LARGEST: usize = 10_000;

/// A property that no object lists.
const UNLISTED: &str = "unlisted";

impl<'a> Builder<'a> {
    pub(super) fn new(protocol: &'a Protocol, plan: &'a DecodePlan) -> Self {
        let (open, wanted, lengths) = (HashSet::new(), Vec::new(), Vec::new());
        Self { protocol, plan, open, wanted, lengths, left: MOST_VALUES, depth: 0 }
    }

    /// A builder of what is to stand in one message.
    pub(super) fn of_message(protocol: &'a Protocol, plan: &'a DecodePlan) -> Self {
        Self { left: LARGEST, ..Self::new(protocol, plan) }
    }

    /// Tells whether something was not built because it is too large.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Counts values that are made. `None`: they are too many, and nothing more is made.
    fn spend(&mut self, count: usize) -> Option<()> {
        let left = self.left.checked_sub(count);
        self.left = left.unwrap_or(0);
        left.map(drop)
    }

    /// The smallest value of a type. `None`: each would have to contain itself, or has to match
    /// a pattern, or is too large, or nested deeper than receivers take it.
    pub(super) fn smallest(&mut self, ty: &'a Type) -> Option<Value> {
        self.spend(1)?;
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = self.smallest_inside(ty);
        self.depth -= 1;
        value
    }

    fn smallest_inside(&mut self, ty: &'a Type) -> Option<Value> {
        if let Type::Named { name } = ty {
            let name = name.as_str();
            if !self.open.insert(name) {
                return None;
            }
            let value = self.smallest_form(ty);
            self.open.remove(name);
            return value;
        }
        self.smallest_form(ty)
    }

    fn smallest_form(&mut self, ty: &'a Type) -> Option<Value> {
        let forms = alternatives(self.protocol, ty);
        // Null says least.
        let others = forms.iter().filter(|form| !matches!(form, Alternative::Null));
        let mut built = others.filter_map(|form| self.of_form(form));
        built.next().or_else(|| forms.iter().find_map(|form| self.of_form(form)))
    }

    fn of_form(&mut self, form: &Alternative<'a>) -> Option<Value> {
        Some(match form {
            Alternative::Null => Value::Null,
            Alternative::Boolean => json!(false),
            Alternative::Integer(integer) => nearest_to_zero(integer)?,
            Alternative::Number(number) => numbers(number).into_iter().next()?,
            Alternative::String(string) => sample(*string)?,
            Alternative::Constant(value) => (*value).clone(),
            Alternative::Array(array) => {
                let count = usize::try_from(array.min_items.unwrap_or(0)).ok()?.min(1000);
                Value::Array(self.items(array, count)?)
            }
            Alternative::Tuple(tuple) => {
                let count = usize::try_from(tuple.least()).ok()?.min(1000);
                Value::Array(self.places(tuple, count)?)
            }
            Alternative::Any => json!({}),
            Alternative::Map(map) => {
                let least = usize::try_from(map.keys.min_properties.unwrap_or(0)).ok()?;
                self.of_map(map, least)?
            }
            Alternative::Object(object) => Value::Object(self.of_object(object)?),
        })
    }

    /// The required members of an object.
    fn of_object(&mut self, object: &Object<'a>) -> Option<Map<String, Value>> {
        // What is wanted of this object is not wanted of those inside.
        let wanted = std::mem::take(&mut self.wanted);
        let members = self.of_object_with(object, &wanted);
        self.wanted = wanted;
        members
    }

    fn of_object_with(
        &mut self,
        object: &Object<'a>,
        wanted: &[&str],
    ) -> Option<Map<String, Value>> {
        let mut members = Map::new();
        let is_meant = |member: &&Member<'_>| member.required || wanted.contains(&member.name);
        for member in object.members.iter().filter(is_meant) {
            let value = match self.content(member.content) {
                Some(value) => value,
                None if member.nullable => Value::Null,
                None => return None,
            };
            members.insert(member.name.to_owned(), value);
        }
        self.fit_keys(object, &mut members)?;
        Some(members)
    }

    /// Adds members that the rules for the keys of an object ask for.
    fn fit_keys(&mut self, object: &Object<'a>, members: &mut Map<String, Value>) -> Option<()> {
        let Some(rules) = object.keys else { return Some(()) };
        let asked = |members: &Map<String, Value>| {
            let active = rules.dependent.iter().filter(|(key, _)| members.contains_key(*key));
            let mut wanted = active.flat_map(|(_, wanted)| wanted);
            let dependent = wanted.find(|name| !members.contains_key(*name));
            // Of sets of which there has to be one, the first.
            let unmet =
                rules.choices.iter().filter(|it| it.count(|key| members.contains_key(key)) == 0);
            let mut chosen = unmet.flat_map(|it| it.sets.iter().take(1).flatten());
            dependent.or_else(|| chosen.find(|name| !members.contains_key(*name))).cloned()
        };
        let least = usize::try_from(rules.min_properties.unwrap_or(0)).ok()?.min(1000);
        loop {
            let optional = || {
                let mut others = object.members.iter().map(|member| member.name.to_owned());
                others.find(|name| !members.contains_key(name))
            };
            let is_short = members.len() < least;
            let unlisted = || {
                let free = |name: &String| !members.contains_key(name);
                (0..=least).map(|at| format!("{UNLISTED}{at}")).find(free)
            };
            let next = asked(members).or_else(|| {
                is_short.then(|| optional().or_else(|| unlisted().filter(|_| !object.closed)))?
            });
            let Some(name) = next else { return Some(()) };
            let value = match object.member(&name) {
                Some(member) => self.content(member.content)?,
                None => Value::Bool(true),
            };
            self.spend(1)?;
            members.insert(name, value);
        }
    }

    /// A map of so many small values.
    fn of_map(&mut self, map: &'a MapType, count: usize) -> Option<Value> {
        let names = keys(&map.keys, count.min(1000))?;
        let value = if names.is_empty() { Value::Null } else { self.smallest(&map.values)? };
        self.spend(size(&value).saturating_mul(names.len()))?;
        Some(names.into_iter().map(|name| (name, value.clone())).collect::<Map<_, _>>().into())
    }

    /// As many items as this: small ones, and different ones where no two may be the same.
    fn items(&mut self, array: &'a ArrayType, count: usize) -> Option<Vec<Value>> {
        if count == 0 {
            return Some(Vec::new());
        }
        if count == 1 || !array.unique {
            let before = self.left;
            let item = self.smallest(&array.items)?;
            let size = before - self.left;
            self.spend(size.saturating_mul(count - 1))?;
            return Some(vec![item; count]);
        }
        let mut all = Vec::new();
        self.vary(&array.items, None, 0, &mut all);
        let mut items: Vec<Value> = Vec::new();
        for item in all {
            if items.len() < count && !items.contains(&item) {
                items.push(item);
            }
        }
        (items.len() == count).then_some(items)
    }

    /// An array of one value, as often as this.
    pub(super) fn repeated(&mut self, item: Value, count: usize) -> Option<Value> {
        self.spend(size(&item).saturating_mul(count))?;
        Some(Value::Array(vec![item; count]))
    }

    fn content(&mut self, content: Content<'a>) -> Option<Value> {
        match content {
            Content::Type(ty) => self.smallest(ty),
            Content::Tag(tag) => Some(json!(tag)),
            Content::OtherTag(union) => Some(json!(other_tag(union))),
        }
    }

    /// The smallest object of a type with these members put in.
    pub(super) fn with_member(
        &mut self,
        ty: &'a Type,
        name: &str,
        value: &Value,
        wanted: Vec<&'a str>,
    ) -> Option<Value> {
        self.wanted = wanted;
        let forms = alternatives(self.protocol, ty);
        forms.iter().find_map(|form| match form {
            Alternative::Object(object) if object.member(name).is_some() => {
                let mut members = self.of_object_but(object, name)?;
                members.insert(name.to_owned(), value.clone());
                Some(Value::Object(members))
            }
            _ => None,
        })
    }

    /// The required members of an object, one left out.
    fn of_object_but(&mut self, object: &Object<'a>, name: &str) -> Option<Map<String, Value>> {
        let mut rest = object.clone();
        rest.members.retain(|member| member.name != name);
        self.of_object(&rest)
    }

    /// A variant's object around what it carries.
    pub(super) fn in_variant(
        &mut self,
        union: &'a Union,
        tag: Option<&str>,
        carried: Value,
    ) -> Option<Value> {
        let beside = Object::new(&union.shared, false);
        let (Some(property), Some(tag)) = (union.tag(), tag) else {
            if union.shared.is_empty() {
                return Some(carried);
            }
            let mut members = self.of_object(&beside)?;
            members.extend(carried.as_object()?.clone());
            return Some(Value::Object(members));
        };
        let mut members = Map::new();
        members.insert(property.wire.clone(), json!(tag));
        members.extend(self.of_object(&beside)?);
        members.extend(carried.as_object()?.clone());
        Some(Value::Object(members))
    }
}

/// So many keys that fit the rules for them, as far as that is simple.
fn keys(rules: &KeyRules, count: usize) -> Option<Vec<String>> {
    let names = rules.names.as_ref();
    let listed = names.and_then(|names| names.listed.clone());
    let text = names.map(|names| &names.text);
    let least = text.and_then(|text| text.min_length).unwrap_or(0);
    let least = usize::try_from(least).ok().filter(|least| *least <= 1000)?;
    let plain = (0..count).map(|at| if at == 0 { "key".into() } else { format!("key{at}") });
    let mut found: Vec<String> =
        listed.unwrap_or_else(|| plain.map(|key: String| format!("{key:_<least$}")).collect());
    found.truncate(count);
    (found.len() == count).then_some(found)
}

/// The number of values in a value, itself counted.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

/// A tag that a union does not have.
pub(super) fn other_tag(union: &Union) -> String {
    let mut tag = "unlisted".to_owned();
    while union.tagged().any(|(known, _)| known == tag) {
        tag.push('_');
    }
    tag
}
