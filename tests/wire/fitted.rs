//! Random values made to fit keywords: steps of numbers, items that differ, rules for keys.

use acp_bindgen::ir::{Field, IntegerType, KeyRules, MapType, NumberType, Record};
use serde_json::{Map, Value, json};

use super::generate::{EXACT, Generator};

/// A number of the type that is near another.
pub(super) fn number(number: &NumberType, near: f64) -> Value {
    let Some(step) = number.multiple_of else {
        let is_at = |bound: Option<f64>| bound.is_some_and(|bound| (near - bound).abs() < 1e-9);
        let middle = || f64::midpoint(number.above.unwrap_or(near), number.below.unwrap_or(near));
        return if is_at(number.above) || is_at(number.below) {
            json!(middle())
        } else {
            json!(near)
        };
    };
    let low = number.minimum.unwrap_or(f64::NEG_INFINITY);
    // As a person would write it: with no more digits than the step has.
    let digits = step.to_string().split_once('.').map_or(0, |(_, digits)| digits.len());
    let times = (near / step).floor();
    let times = if times * step < low { times + 1.0 } else { times };
    let text = format!("{:.digits$}", times * step);
    serde_json::from_str(&text).expect("a number")
}

/// A whole number of the type at or next to another.
pub(super) fn integer(integer: &IntegerType, near: i128) -> i128 {
    let step = i128::from(integer.multiple_of.unwrap_or(1));
    let down = near - near.rem_euclid(step);
    if down < integer.range().0.max(-EXACT) { down + step } else { down }
}

/// Leaves out what is there twice.
pub(super) fn distinct(items: &mut Vec<Value>) {
    let mut seen: Vec<Value> = Vec::new();
    items.retain(|item| {
        let is_new = !seen.contains(item);
        seen.push(item.clone());
        is_new
    });
}

impl Generator<'_> {
    /// A map with as many keys as it may have, of names that are allowed.
    pub(super) fn map(&mut self, map: &MapType, count: usize, depth: usize) -> Value {
        let KeyRules { min_properties, max_properties, names, dependent, choices } = &*map.keys;
        let least = usize::try_from(min_properties.unwrap_or(0)).expect("few");
        let most = max_properties.map_or(usize::MAX, |most| usize::try_from(most).expect("few"));
        let is_patterned = names.as_ref().is_some_and(|names| names.text.pattern.is_some());
        let count = if is_patterned { least } else { count.clamp(least, most) };
        let mut members = Map::new();
        while members.len() < count {
            let mut key = self.text();
            if let Some(names) = names {
                if let Some(listed) = &names.listed {
                    key.clone_from(self.random.pick(listed));
                }
                let longest = names.text.max_length.unwrap_or(u64::MAX);
                key = key.chars().take(usize::try_from(longest).expect("few")).collect();
                while (key.chars().count() as u64) < names.text.min_length.unwrap_or(0) {
                    key.push('é');
                }
            }
            let value = self.value(&map.values, depth + 1);
            members.insert(key, value);
        }
        for (key, wanted) in dependent {
            if members.contains_key(key) {
                for name in wanted {
                    let value = self.value(&map.values, depth + 1);
                    members.entry(name.clone()).or_insert(value);
                }
            }
        }
        for choice in choices {
            if choice.fits(|key| members.contains_key(key)) {
                continue;
            }
            assert!(!choice.only_one, "a map whose keys exclude each other");
            for name in choice.sets.first().expect("a set") {
                let value = self.value(&map.values, depth + 1);
                members.insert(name.clone(), value);
            }
        }
        Value::Object(members)
    }

    /// Adds and removes members of an object until its keys fit; those of a tag are `fixed`.
    pub(super) fn fit_keys(
        &mut self,
        record: &Record,
        members: &mut Map<String, Value>,
        depth: usize,
    ) {
        let is_free = |field: &&Field| !field.is_always_present();
        let all_members = |key: &str| record.fields.iter().find(|field| field.name.wire == key);
        for _ in 0..10 {
            for (key, wanted) in &record.keys.dependent {
                if members.contains_key(key) && !wanted.iter().all(|it| members.contains_key(it)) {
                    for name in wanted {
                        let field = all_members(name).expect("a field");
                        let value = self.value(&field.ty, depth + 1);
                        members.entry(name.clone()).or_insert(value);
                    }
                }
            }
            for choice in &record.keys.choices {
                if choice.fits(|key| members.contains_key(key)) {
                    continue;
                }
                let others = choice.sets.iter().skip(1).flatten();
                others.filter(|_| choice.only_one).for_each(|key| drop(members.remove(key)));
                for name in choice.sets.first().expect("a set") {
                    let field = all_members(name).expect("a field");
                    let value = self.value(&field.ty, depth + 1);
                    members.entry(name.clone()).or_insert(value);
                }
            }
            let free: Vec<&Field> = record.fields.iter().filter(is_free).collect();
            let is_there = |field: &&&Field| members.contains_key(&field.name.wire);
            let count = members.len() as u64;
            if count < record.keys.min_properties.unwrap_or(0) {
                let field = free.iter().find(|field| !is_there(field)).expect("another field");
                let value = self.value(&field.ty, depth + 1);
                members.insert(field.name.wire.clone(), value);
            } else if count > record.keys.max_properties.unwrap_or(u64::MAX) {
                let field = free.iter().find(is_there).expect("a field that may be absent");
                let key = field.name.wire.clone();
                members.remove(&key);
            }
        }
    }
}
