//! Random valid messages, made from the model.

use acp_bindgen::ir::{
    Enum, EnumBase, Field, Finite, IntegerType, Kind, Protocol, Record, Tagging, Type, TypeKind,
    Union, Variant,
};
use serde_json::{Map, Value, json};

use super::fitted;
use super::support::Random;

/// How deep a message goes before everything optional is left out.
const DEPTH: usize = 6;

/// Integers that every language holds exactly.
pub(super) const EXACT: i128 = (1 << 53) - 1;

/// Makes messages of one protocol.
pub(crate) struct Generator<'a> {
    /// The protocol.
    protocol: &'a Protocol,
    /// How its unions come to an end.
    finite: Finite<'a>,
    /// Where chance comes from.
    pub(super) random: Random,
}

impl<'a> Generator<'a> {
    /// Begins with a number, from which all chance comes.
    pub(crate) fn new(protocol: &'a Protocol, seed: u64) -> Self {
        Self { protocol, finite: Finite::new(protocol), random: Random(seed) }
    }

    /// A value of a named type. Every field with a default is there, so that the value is what
    /// it encodes to again.
    pub(crate) fn named(&mut self, name: &str, depth: usize) -> Value {
        match &self.protocol.types[name].kind {
            TypeKind::Alias { target } => self.value(target, depth),
            TypeKind::Tuple(tuple) => {
                let least = tuple.least();
                let most = tuple.most().unwrap_or(least.max(tuple.items.len() as u64) + 2);
                let more =
                    if depth > DEPTH { 0 } else { self.random.number() % (most - least + 1) };
                let places = 0..usize::try_from(least + more).unwrap();
                places.map(|at| self.value(tuple.item(at).unwrap(), depth + 1)).collect()
            }
            TypeKind::Enum(kind) => self.constant(kind),
            TypeKind::Record(record) => Value::Object(self.record(record, depth)),
            TypeKind::Union(union) => self.union(name, union, depth),
        }
    }

    pub(super) fn value(&mut self, ty: &Type, depth: usize) -> Value {
        match ty {
            Type::Any => self.any(depth),
            Type::Null => Value::Null,
            Type::Boolean => Value::Bool(self.random.once_in(2)),
            Type::Integer(integer) => self.integer(integer),
            Type::Number(number) => {
                let low = number.minimum.unwrap_or(-1e6);
                let high = number.maximum.unwrap_or(1e6);
                let share = f64::from(u32::try_from(self.random.number() >> 32).unwrap_or(0));
                let (low, high) = (number.above.unwrap_or(low), number.below.unwrap_or(high));
                fitted::number(number, low + (high - low) * (share / f64::from(u32::MAX)))
            }
            Type::String(string) => {
                let mut text = self.text();
                while (text.chars().count() as u64) < string.min_length.unwrap_or(0) {
                    text.push('é');
                }
                let longest = string.max_length.and_then(|length| usize::try_from(length).ok());
                Value::String(text.chars().take(longest.unwrap_or(usize::MAX)).collect())
            }
            Type::Literal { value } => value.clone(),
            Type::Array(array) => {
                let least = array.min_items.unwrap_or(0);
                let most = array.max_items.unwrap_or(least + 3);
                let more =
                    if depth > DEPTH { 0 } else { self.random.number() % (most - least + 1) };
                let items = (0..least + more).map(|_| self.value(&array.items, depth + 1));
                let mut items: Vec<Value> = items.collect();
                if array.unique {
                    fitted::distinct(&mut items);
                }
                Value::Array(items)
            }
            Type::Map(map) => {
                let count = if depth > DEPTH { 0 } else { self.random.below(3) };
                self.map(map, count, depth)
            }
            Type::Nullable { inner } if self.random.once_in(3) || depth > DEPTH => {
                let _ = inner;
                Value::Null
            }
            Type::Nullable { inner } => self.value(inner, depth),
            Type::Named { name } => self.named(name, depth),
        }
    }

    fn record(&mut self, record: &Record, depth: usize) -> Map<String, Value> {
        let mut members: Map<String, Value> =
            record.fields.iter().filter_map(|field| self.field(field, depth)).collect();
        if let Some(ty) = record.unknown.kept().filter(|_| depth <= DEPTH) {
            for index in 0..self.random.below(3) {
                members.insert(format!("_rest {index}"), self.value(ty, depth + 1));
            }
        }
        for keys in &record.forbidden {
            let is_optional = |key: &&String| {
                let mut fields = record.fields.iter().filter(|field| field.name.wire == **key);
                fields.all(|field| !field.is_always_present())
            };
            if keys.iter().all(|key| members.contains_key(key))
                && let Some(key) = keys.iter().find(is_optional)
            {
                members.remove(key);
            }
        }
        self.fit_keys(record, &mut members, depth);
        members
    }

    fn field(&mut self, field: &Field, depth: usize) -> Option<(String, Value)> {
        let present = field.is_always_present() || depth <= DEPTH && self.random.once_in(2);
        let value = if field.presence.is_nullable() && (depth > DEPTH || self.random.once_in(4)) {
            Value::Null
        } else if present {
            self.value(&field.ty, depth + 1)
        } else {
            return None;
        };
        present.then(|| (field.name.wire.clone(), value))
    }

    fn union(&mut self, name: &str, union: &Union, depth: usize) -> Value {
        let mut shared: Map<String, Value> =
            union.shared.iter().filter_map(|field| self.field(field, depth)).collect();
        // Deep down, the variant that leads to an end.
        let last = self.finite.variant(name).filter(|_| depth > DEPTH);
        let count = union.variants.len() + usize::from(union.open.is_some());
        let chosen = union.variants.get(last.unwrap_or_else(|| self.random.below(count)));
        let payload = chosen.map_or_else(
            || union.open.as_ref().and_then(|open| open.payload.as_ref()),
            |variant: &Variant| variant.payload.as_ref(),
        );
        let mut value = match payload {
            Some(payload) => self.value(payload, depth + 1),
            None => json!({}),
        };
        if let Value::Object(members) = &value {
            // A variant says more of what it describes itself.
            shared.retain(|name, _| !members.contains_key(name));
        }
        let (Value::Object(members), Tagging::Internal { property }) = (&mut value, &union.tagging)
        else {
            if let Value::Object(members) = &mut value {
                members.append(&mut shared);
            }
            return value;
        };
        match chosen.map(|variant| &variant.selector) {
            Some(acp_bindgen::ir::Selector::Tag { value }) => {
                shared.insert(property.wire.clone(), value.clone().into());
            }
            Some(acp_bindgen::ir::Selector::Untagged) => {}
            None => {
                shared.insert(property.wire.clone(), self.unknown().into());
                shared.insert("x-extra".to_owned(), self.any(depth));
            }
        }
        // The tag stands first, last, or between.
        let mut all = if self.random.once_in(2) {
            shared.append(members);
            shared
        } else {
            members.append(&mut shared);
            std::mem::take(members)
        };
        if let Some(payload) = payload
            && let Kind::Record(record) = self.protocol.resolved(payload).kind
        {
            self.fit_keys(record, &mut all, depth);
        }
        Value::Object(all)
    }

    fn constant(&mut self, kind: &Enum) -> Value {
        match (&kind.open, &kind.base) {
            (Some(open), EnumBase::String) if self.random.once_in(4) => {
                if kind.is_bounded() {
                    self.value(&Type::String(open.text.clone()), 0)
                } else {
                    self.unknown().into()
                }
            }
            (Some(_), EnumBase::Integer(integer)) if self.random.once_in(4) => {
                self.integer(integer)
            }
            _ => self.random.pick(&kind.values).value.clone(),
        }
    }

    fn integer(&mut self, integer: &IntegerType) -> Value {
        let (low, high) = integer.range();
        let (low, high) = (low.max(-EXACT), high.min(EXACT));
        let number = match self.random.below(4) {
            0 => low,
            1 => high,
            _ => low + i128::from(self.random.number()) % (high - low + 1),
        };
        i64::try_from(fitted::integer(integer, number)).map_or(Value::Null, Value::from)
    }

    fn any(&mut self, depth: usize) -> Value {
        match self.random.below(if depth > DEPTH { 4 } else { 6 }) {
            0 => Value::Null,
            1 => self.random.once_in(2).into(),
            2 => json!(-1.5),
            3 => self.text().into(),
            4 => (0..self.random.below(3)).map(|_| self.any(depth + 1)).collect(),
            _ => {
                let count = self.random.below(3);
                Value::Object((0..count).map(|_| (self.text(), self.any(depth + 1))).collect())
            }
        }
    }

    /// A string that no schema lists.
    fn unknown(&mut self) -> String {
        format!("_unlisted {}", self.text())
    }

    pub(super) fn text(&mut self) -> String {
        let pieces = [
            "",
            "a",
            "kind",
            "é",
            "😀",
            "\"",
            "\\",
            "\n",
            "\u{0}",
            "\u{2028}",
            "\u{202e}",
            "null",
            "0",
            "__proto__",
            "constructor",
            "/",
            "${x}",
            "type",
            " ",
            "日本",
        ];
        (0..self.random.below(3)).map(|_| *self.random.pick(&pieces)).collect()
    }
}

/// Tags, constants and property names of a protocol, and a text that is none of them.
pub(crate) fn texts(protocol: &Protocol) -> Vec<String> {
    let mut texts = vec![String::from("_unlisted")];
    for def in protocol.types.values() {
        match &def.kind {
            TypeKind::Record(record) => {
                texts.extend(record.fields.iter().map(|field| field.name.wire.clone()));
            }
            TypeKind::Union(union) => {
                texts.extend(union.tagged().map(|(tag, _)| tag.to_owned()));
                texts.extend(union.tag().map(|tag| tag.wire.clone()));
            }
            TypeKind::Enum(values) => {
                let values = values.values.iter().filter_map(|value| value.value.as_str());
                texts.extend(values.map(str::to_owned));
            }
            TypeKind::Tuple(_) | TypeKind::Alias { .. } => {}
        }
    }
    texts
}
