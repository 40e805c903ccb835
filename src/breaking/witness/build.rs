//! Values of a type: the smallest, and those around its edges.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::scalars::{any, edges, nearest_to_zero, numbers, sample, texts};
use crate::breaking::shape::{
    Alternative, Content, Member, Object, alternatives, open_alternatives, spelling,
    variant_alternatives,
};
use crate::decode::DecodePlan;
use crate::ir::{
    ArrayType, Enum, KeyRules, Kind, MapType, Protocol, StringType, Type, Union, Variant,
};
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

/// The depth to which a value is varied below the location that is looked at.
const DEPTH: usize = 2;

/// The most variations of one value.
pub(super) const MOST: usize = 64;

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
            wanted.find(|name| !members.contains_key(*name)).cloned()
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
        let beside = Object::of(&union.shared, false);
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

    /// Values of a type around the property, tag or constant that is looked at: small ones, of
    /// every kind that there is.
    pub(super) fn variations(
        &mut self,
        ty: &'a Type,
        focus: Option<&str>,
        wanted: Vec<&'a str>,
    ) -> Vec<Value> {
        let mut found = Vec::new();
        self.wanted = wanted;
        self.vary(ty, focus, DEPTH, &mut found);
        found.truncate(MOST * 16);
        found
    }

    pub(super) fn vary(
        &mut self,
        ty: &'a Type,
        focus: Option<&str>,
        depth: usize,
        found: &mut Vec<Value>,
    ) {
        if self.left == 0 {
            return;
        }
        let resolved = self.protocol.resolved(ty);
        if let Type::Named { name } = ty
            && !self.open.insert(name)
        {
            return;
        }
        if resolved.nullable {
            found.push(Value::Null);
        }
        match resolved.kind {
            Kind::Enum(of) if self.listed(ty, of, focus).is_some() => {
                found.extend(self.listed(ty, of, focus).cloned());
                if let Some(open) = &of.open {
                    let text = Some(&open.text).filter(|text| **text != StringType::default());
                    self.vary_form(&Alternative::String(text), focus, depth, found);
                }
            }
            Kind::Union(union) => {
                let is_meant =
                    |variant: &Variant| focus.is_none_or(|focus| variant.tag_or_name() == focus);
                let shared = focus
                    .filter(|focus| union.shared.iter().any(|field| field.name.wire == **focus));
                for variant in &union.variants {
                    if shared.is_none() && !is_meant(variant) {
                        continue;
                    }
                    for form in variant_alternatives(self.protocol, union, variant) {
                        self.vary_form(&form, shared, depth, found);
                    }
                }
                let open = union.open.as_ref().is_some_and(|open| focus == Some(&open.name.wire));
                if focus.is_none() || shared.is_some() || open {
                    for form in open_alternatives(self.protocol, union) {
                        self.vary_form(&form, shared, depth, found);
                    }
                }
            }
            _ => {
                for form in alternatives(self.protocol, ty) {
                    self.vary_form(&form, focus, depth, found);
                }
            }
        }
        if let Type::Named { name } = ty {
            self.open.remove(name.as_str());
        }
    }

    /// The value of an enum of many that is looked at.
    fn listed(&self, ty: &Type, of: &'a Enum, focus: Option<&str>) -> Option<&'a Value> {
        let name = self.protocol.resolve(ty).named()?;
        let at = self.plan.listed(name)?.get(focus?)?;
        of.values.get(*at).map(|value| &value.value)
    }

    fn vary_form(
        &mut self,
        form: &Alternative<'a>,
        focus: Option<&str>,
        depth: usize,
        found: &mut Vec<Value>,
    ) {
        if found.len() > MOST * 16 {
            return;
        }
        match form {
            Alternative::Any => found.extend(any()),
            Alternative::Boolean => found.extend([json!(true), json!(false)]),
            Alternative::Integer(integer) => found.extend(edges(integer)),
            Alternative::Number(number) => {
                found.extend(numbers(number));
            }
            Alternative::String(string) => {
                found.extend(texts(*string));
                found.extend(self.lengths.iter().map(|length| json!("a".repeat(*length))));
            }
            Alternative::Constant(value) => {
                if focus.is_none_or(|focus| focus == spelling(value)) {
                    found.push((*value).clone());
                }
            }
            Alternative::Array(array) => {
                found.extend(self.of_form(form));
                if depth > 0 && array.max_items != Some(0) {
                    let mut items = Vec::new();
                    self.vary(&array.items, focus, depth - 1, &mut items);
                    let least = usize::try_from(array.min_items.unwrap_or(0)).unwrap_or(0);
                    let counts = [1, 2, least]
                        .into_iter()
                        .chain(array.max_items.and_then(|n| usize::try_from(n).ok()))
                        .chain(self.lengths.clone());
                    for count in counts.filter(|count| *count <= 1000) {
                        found.extend(self.items(array, count).map(Value::Array));
                    }
                    let fill = least.clamp(1, 1000);
                    for item in items.into_iter().take(MOST) {
                        if self.spend(size(&item) * fill).is_none() {
                            break;
                        }
                        found.push(Value::Array(vec![item; fill]));
                    }
                }
            }
            Alternative::Tuple(tuple) => self.vary_tuple(tuple, focus, depth, found),
            Alternative::Map(map) => {
                let counts = self.lengths.clone();
                let least = usize::try_from(map.keys.min_properties.unwrap_or(0)).unwrap_or(0);
                for count in [least, 1, 2].into_iter().chain(counts).filter(|it| *it <= 1000) {
                    found.extend(self.of_map(map, count));
                }
                if depth > 0 {
                    let mut inner = Vec::new();
                    self.vary(&map.values, None, depth - 1, &mut inner);
                    let names = keys(&map.keys, 1).unwrap_or_default();
                    for value in inner.into_iter().take(MOST) {
                        found.extend(names.iter().map(|name| json!({ name: value })));
                    }
                    for name in NAMES {
                        let value = self.smallest(&map.values);
                        found.extend(value.map(|value| json!({ name: value })));
                    }
                }
            }
            Alternative::Null => found.push(Value::Null),
            Alternative::Object(object) => self.vary_object(object, focus, depth, found),
        }
    }

    fn vary_object(
        &mut self,
        object: &Object<'a>,
        focus: Option<&str>,
        depth: usize,
        found: &mut Vec<Value>,
    ) {
        if let Some(mut members) = self.of_object(object) {
            // With everything that is wanted, and without what is looked at.
            let is_required =
                |name: &str| object.member(name).is_some_and(|member| member.required);
            if let Some(focus) = focus.filter(|focus| !is_required(focus)) {
                members.shift_remove(focus);
            }
            found.push(Value::Object(members.clone()));
            for count in self.lengths.iter().filter(|count| **count <= 1000 && !object.closed) {
                let mut more = members.clone();
                for at in 0..count.saturating_sub(members.len()) {
                    more.insert(format!("{UNLISTED}{at}"), Value::Bool(true));
                }
                found.push(Value::Object(more));
            }
            if focus.is_none() && !object.closed {
                members.insert(UNLISTED.to_owned(), Value::Bool(true));
                found.push(Value::Object(members));
            }
        }
        let members = object.members.clone();
        // What is looked at may be a tag inside, or a property that only the other schema has.
        let known = focus.filter(|focus| members.iter().any(|member| member.name == *focus));
        for member in members {
            if known.is_some_and(|focus| member.name != focus) {
                continue;
            }
            let Some(rest) = self.of_object_but(object, member.name) else { continue };
            let mut values = Vec::new();
            match member.content {
                Content::Type(ty) if depth > 0 || known.is_some() => {
                    let depth = depth.saturating_sub(1);
                    self.vary(ty, None, depth, &mut values);
                }
                content => values.extend(self.content(content)),
            }
            if member.nullable {
                values.push(Value::Null);
            }
            let beside: usize = rest.values().map(size).sum();
            for value in values.into_iter().take(MOST) {
                if self.spend(beside).is_none() {
                    break;
                }
                let mut members = rest.clone();
                members.insert(member.name.to_owned(), value);
                found.push(Value::Object(members));
            }
        }
    }
}

/// Keys that tell most rules apart.
const NAMES: [&str; 4] = ["", "a", "A b", "a-key-of-many-characters"];

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
