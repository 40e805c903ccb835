//! Values of a type around its edges.

use serde_json::{Value, json};

use super::{Builder, UNLISTED, keys, size};
use crate::breaking::shape::{
    Alternative, Content, Object, alternatives, open_alternatives, spelling, variant_alternatives,
};
use crate::breaking::witness::scalars::{any, edges, numbers, texts};
use crate::ir::{Enum, Kind, StringType, Type, Variant};

/// The depth to which a value is varied below the location that is looked at.
const DEPTH: usize = 2;

/// The most variations of one value.
pub(in crate::breaking::witness) const MOST: usize = 64;

/// Keys that tell most rules apart.
const NAMES: [&str; 4] = ["", "a", "A b", "a-key-of-many-characters"];

impl<'a> Builder<'a> {
    /// Values of a type around the property, tag or constant that is looked at: small ones, of
    /// every kind that there is.
    pub(in crate::breaking::witness) fn variations(
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

    pub(in crate::breaking::witness) fn vary(
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
