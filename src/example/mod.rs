//! Instances of a protocol's types: valid, as small as can be while they still mean something,
//! and always the same.
//!
//! ```
//! use acp_bindgen::example::Examples;
//! # use acp_bindgen::{Config, Generator, SchemaText, Target};
//! # let schema = serde_json::json!({"$defs": {"Lamp": {
//! #     "type": "object",
//! #     "properties": { "on": { "type": "boolean" }, "room": { "type": "string", "minLength": 6 } },
//! #     "required": ["room"],
//! # }}});
//! # let config = Config { target: vec![Target::Rust], ..Config::default() };
//! # let generation = Generator::new(config)
//! #     .generate(SchemaText::from_value("lamp.json", &schema));
//! # let protocol = generation.protocol.expect("it has no errors");
//! let examples = Examples::new(&protocol);
//! let lamp = examples.named("Lamp").expect("a lamp is small");
//! assert_eq!(lamp, serde_json::json!({ "on": true, "room": "room room" }));
//! let least = examples.least("Lamp").expect("a lamp is small");
//! assert_eq!(least, serde_json::json!({ "room": "room room" }));
//! ```

mod message;
mod program;
mod scalar;

pub(crate) use self::program::ShownCall;
use serde_json::{Map, Value, json};

use crate::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use crate::ir::{
    Docs, Field, Finite, KeyChoice, MapType, Name, Protocol, Record, Selector, Stability, Tuple,
    Type, TypeKind, Union, Variant,
};

/// The depth of objects to which fields that may be absent are shown.
const SHOWN: usize = 3;

/// The most values in one example. A type whose smallest value has more gets none; neither does
/// one whose strings have to be longer than a reader would look at.
const LARGEST: usize = 400;

/// Makes instances of the types of one protocol. Taking a look at the protocol costs time linear
/// in its size, each instance at most a constant.
#[derive(Debug)]
pub struct Examples<'a> {
    protocol: &'a Protocol,
    finite: Finite<'a>,
    plan: DecodePlan,
}

/// The fields that an instance is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
    /// Fields that may be absent, too, to this depth.
    Telling(usize),
    /// Only what has to be there.
    Least,
}

/// An instance in the making.
struct Making {
    /// The number of values that it may still hold.
    left: usize,
}

impl<'a> Examples<'a> {
    /// Gets ready for a protocol.
    pub fn new(protocol: &'a Protocol) -> Self {
        let plan = DecodePlan::new(protocol, UnknownFields::Drop);
        Self { protocol, finite: Finite::new(protocol), plan }
    }

    /// An instance of a definition that shows what it is for: with the settled fields of its
    /// outer objects, whether or not they may be absent, and the first settled variant of each
    /// union. `None` if even its smallest instance has several hundred values or a string of
    /// thousands of characters, if what its parts need does not go together, or if there is no such
    /// type.
    pub fn named(&self, name: &str) -> Option<Value> {
        let (name, _) = self.protocol.types.get_key_value(name)?;
        self.example(&Type::Named { name: name.clone() })
    }

    /// The smallest instance of a definition, with the same exceptions as [`Examples::named`].
    pub fn least(&self, name: &str) -> Option<Value> {
        let (name, def) = self.protocol.types.get_key_value(name)?;
        let ty = Type::Named { name: name.clone() };
        let value = self.value(&ty, &def.name, Fill::Least, &mut Making { left: LARGEST });
        value.filter(|value| self.is_valid(&ty, value))
    }

    /// An instance of any type; see [`Examples::named`].
    pub fn example(&self, ty: &Type) -> Option<Value> {
        let name = Name::new("value");
        self.shown(ty, |fill, making| self.value(ty, &name, fill, making))
    }

    /// An instance of the union of this name that is the variant of this index, in schema order;
    /// see [`Examples::named`].
    pub fn variant(&self, name: &str, index: usize) -> Option<Value> {
        let (ty, union) = self.union(name)?;
        let variant = union.variants.get(index)?;
        self.shown(&ty, |fill, making| self.chosen(union, variant, fill, making))
    }

    /// An instance of the open union of this name with a tag that it does not know; see
    /// [`Examples::named`].
    pub fn unknown(&self, name: &str) -> Option<Value> {
        let (ty, union) = self.union(name)?;
        self.shown(&ty, |fill, making| self.untold(union, fill, making))
    }

    fn union(&self, name: &str) -> Option<(Type, &'a Union)> {
        let (name, def) = self.protocol.types.get_key_value(name)?;
        let TypeKind::Union(union) = &def.kind else { return None };
        Some((Type::Named { name: name.clone() }, union))
    }

    /// The most telling instance that is small enough.
    fn shown(&self, ty: &Type, make: impl Fn(Fill, &mut Making) -> Option<Value>) -> Option<Value> {
        [Fill::Telling(SHOWN), Fill::Telling(2), Fill::Telling(1), Fill::Least]
            .into_iter()
            .filter_map(|fill| make(fill, &mut Making { left: LARGEST }))
            .find(|value| self.is_valid(ty, value))
    }

    /// Tells whether the parts of an instance go together.
    fn is_valid(&self, ty: &Type, value: &Value) -> bool {
        Decoder::new(self.protocol, &self.plan, Mode::Strict).decode(ty, value).is_ok()
    }

    fn value(&self, ty: &Type, name: &Name, fill: Fill, making: &mut Making) -> Option<Value> {
        making.left = making.left.checked_sub(1)?;
        Some(match ty {
            Type::Any => json!({}),
            Type::Null => Value::Null,
            Type::Boolean => Value::Bool(true),
            Type::Integer(integer) => scalar::integer(integer),
            Type::Number(number) => scalar::number(number),
            Type::String(string) => scalar::string(string, name)?.into(),
            Type::Literal { value } => value.clone(),
            Type::Array(array) => {
                let least = array.min_items.unwrap_or(0);
                let least = usize::try_from(least).unwrap_or(usize::MAX);
                let may_have_one = array.max_items.is_none_or(|most| most > 0);
                if fill == Fill::Least || least > 0 || !may_have_one {
                    let items =
                        (0..least).map(|_| self.value(&array.items, name, inside(fill), making));
                    return items.collect();
                }
                json!([self.value(&array.items, name, inside(fill), making)?])
            }
            Type::Map(map) => self.map(map, name, fill, making)?,
            Type::Nullable { .. } if fill == Fill::Least => Value::Null,
            Type::Nullable { inner } => self.value(inner, name, fill, making)?,
            Type::Named { name } => return self.definition(name, fill, making),
        })
    }

    /// A map of one value, or of as many as it has to have.
    fn map(&self, map: &MapType, name: &Name, fill: Fill, making: &mut Making) -> Option<Value> {
        let least = usize::try_from(map.keys.min_properties.unwrap_or(0)).ok()?;
        let wanted = usize::from(fill != Fill::Least && *map.values != Type::Any);
        let count = least.max(wanted);
        let listed = map.keys.names.as_ref().and_then(|names| names.listed.as_ref());
        let text = map.keys.names.as_ref().map(|names| &names.text);
        let patterned = text.filter(|text| text.pattern.is_some());
        let key = |at: usize| match (listed, at) {
            (None, 0) if patterned.is_some() => scalar::string(patterned?, name),
            (Some(listed), _) => listed.get(at).cloned(),
            (None, 0) => Some(String::from("key")),
            (None, _) => Some(format!("key{at}")),
        };
        let mut members = Map::new();
        for at in 0..count {
            members.insert(key(at)?, self.value(&map.values, name, inside(fill), making)?);
        }
        Some(Value::Object(members))
    }

    fn definition(&self, name: &str, fill: Fill, making: &mut Making) -> Option<Value> {
        let def = self.protocol.type_def(name)?;
        match &def.kind {
            TypeKind::Alias { target } => {
                let own = scalar::instance_name(&def.name);
                self.value(target, &own, fill, making)
            }
            TypeKind::Enum(values) => {
                let settled = values.values.iter().find(|value| is_settled(&value.docs));
                Some(settled.or(values.values.first())?.value.clone())
            }
            TypeKind::Tuple(tuple) => self.items(tuple, &def.name, fill, making),
            TypeKind::Record(record) => {
                let mut members = self.fields(&record.fields, fill, making)?;
                self.choose(record, &mut members, fill, making)?;
                leave_out(record, &mut members);
                let least = usize::try_from(record.keys.min_properties.unwrap_or(0)).ok()?;
                for Field { name, ty, .. } in &record.fields {
                    if members.len() < least && !members.contains_key(&name.wire) {
                        let value = self.value(ty, name, inside(fill), making)?;
                        members.insert(name.wire.clone(), value);
                    }
                }
                Some(Value::Object(members))
            }
            TypeKind::Union(union) => {
                let variant = match fill {
                    Fill::Telling(_) => settled(union),
                    Fill::Least => None,
                };
                match variant.or_else(|| union.variants.get(self.finite.variant(name)?)) {
                    Some(variant) => self.chosen(union, variant, fill, making),
                    None => self.untold(union, fill, making),
                }
            }
        }
    }

    /// The items of a tuple: also those that may be missing, if the instance is to tell of them.
    fn items(&self, tuple: &Tuple, name: &Name, fill: Fill, making: &mut Making) -> Option<Value> {
        let least = usize::try_from(tuple.least()).unwrap_or(usize::MAX);
        let count = if fill == Fill::Least { least } else { least.max(tuple.items.len()) };
        (0..count).map(|at| self.value(tuple.item(at)?, name, inside(fill), making)).collect()
    }

    fn fields(
        &self,
        fields: &[Field],
        fill: Fill,
        making: &mut Making,
    ) -> Option<Map<String, Value>> {
        let mut members = Map::new();
        for field in fields {
            if field.presence.is_required() {
                let value = if field.presence.is_nullable() && fill == Fill::Least {
                    Value::Null
                } else {
                    self.value(&field.ty, &field.name, inside(fill), making)?
                };
                members.insert(field.name.wire.clone(), value);
            } else if fill != Fill::Least && self.is_telling(field) {
                let value = match &field.default {
                    Some(default @ (Value::String(_) | Value::Number(_))) => default.clone(),
                    _ => self.value(&field.ty, &field.name, inside(fill), making)?,
                };
                members.insert(field.name.wire.clone(), value);
            }
        }
        Some(members)
    }

    /// Adds the properties of one set where one of several has to be there, and leaves out others
    /// where it has to be the only one.
    fn choose(
        &self,
        record: &Record,
        members: &mut Map<String, Value>,
        fill: Fill,
        making: &mut Making,
    ) -> Option<()> {
        let is_whole = |set: &[String], members: &Map<String, Value>| {
            set.iter().all(|key| members.contains_key(key))
        };
        for KeyChoice { sets, only_one } in &record.keys.choices {
            let mut chosen = sets.iter().find(|set| is_whole(set, members));
            for set in sets {
                if chosen.is_some() {
                    break;
                }
                let missing = set.iter().filter(|key| !members.contains_key(*key));
                let added = missing.map(|key| {
                    let field = record.fields.iter().find(|field| field.name.wire == *key);
                    let value = field.map_or(Some(Value::Bool(true)), |field| {
                        self.value(&field.ty, &field.name, inside(fill), making)
                    });
                    Some((key.clone(), value?))
                });
                if let Some(added) = added.collect::<Option<Vec<_>>>() {
                    members.extend(added);
                    chosen = Some(set);
                }
            }
            let chosen = chosen?;
            for other in sets.iter().filter(|set| *only_one && *set != chosen) {
                if is_whole(other, members) {
                    let other: Vec<_> = other.iter().filter(|key| !chosen.contains(key)).collect();
                    leave_out_one(record, &other, members);
                }
            }
        }
        Some(())
    }

    /// Tells whether a field that may be absent says something by being there: it is settled, and
    /// holds more than any JSON.
    fn is_telling(&self, field: &Field) -> bool {
        let is_anything = match self.protocol.resolve(&field.ty) {
            Type::Any => true,
            Type::Map(map) => *map.values == Type::Any,
            _ => false,
        };
        is_settled(&field.docs) && !is_anything
    }

    fn chosen(
        &self,
        union: &Union,
        variant: &Variant,
        fill: Fill,
        making: &mut Making,
    ) -> Option<Value> {
        let payload = variant.payload.as_ref();
        let mut members = match (&variant.selector, payload) {
            (Selector::Untagged, Some(payload)) if union.shared.is_empty() => {
                return self.value(payload, &variant.name, fill, making);
            }
            (_, Some(payload)) => self.object(payload, &variant.name, fill, making)?,
            (_, None) => Map::new(),
        };
        if let (Some(value), Some(tag)) = (variant.tag(), union.tag()) {
            let body = std::mem::take(&mut members);
            members.insert(tag.wire.clone(), value.into());
            members.extend(body);
        }
        self.merged(union, members, fill, making)
    }

    /// An object with a tag that the union does not know.
    fn untold(&self, union: &Union, fill: Fill, making: &mut Making) -> Option<Value> {
        let open = union.open.as_ref()?;
        let mut members = match &open.payload {
            Some(payload) => self.object(payload, &open.name, fill, making)?,
            None => Map::new(),
        };
        members.insert(union.tag()?.wire.clone(), unlisted(union).into());
        self.merged(union, members, fill, making)
    }

    /// The members of a payload that stands in one object with others.
    fn object(
        &self,
        payload: &Type,
        name: &Name,
        fill: Fill,
        making: &mut Making,
    ) -> Option<Map<String, Value>> {
        match self.value(payload, name, fill, making)? {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The fields that all variants share, before those of one.
    fn merged(
        &self,
        union: &Union,
        members: Map<String, Value>,
        fill: Fill,
        making: &mut Making,
    ) -> Option<Value> {
        let mut all = self.fields(&union.shared, fill, making)?;
        all.extend(members);
        Some(Value::Object(all))
    }
}

/// Leaves out, of each set of properties that must not all be there, the last that may be absent.
fn leave_out(record: &Record, members: &mut Map<String, Value>) {
    for keys in &record.forbidden {
        if !keys.iter().all(|key| members.contains_key(key)) {
            continue;
        }
        leave_out_one(record, &keys.iter().collect::<Vec<_>>(), members);
    }
}

/// Leaves out the last of these properties that may be absent.
fn leave_out_one(record: &Record, keys: &[&String], members: &mut Map<String, Value>) {
    let may_be_absent = |key: &&&String| {
        let mut fields = record.fields.iter().filter(|field| field.name.wire == ***key);
        fields.all(|field| !field.presence.is_required())
    };
    if let Some(key) = keys.iter().rev().find(may_be_absent) {
        members.shift_remove(*key);
    }
}

/// The fields that the parts of a value are to hold.
fn inside(fill: Fill) -> Fill {
    match fill {
        Fill::Telling(depth @ 2..) => Fill::Telling(depth - 1),
        Fill::Telling(_) | Fill::Least => Fill::Least,
    }
}

/// The first variant that is part of the stable protocol.
fn settled(union: &Union) -> Option<&Variant> {
    union.variants.iter().find(|variant| is_settled(&variant.docs)).or(union.variants.first())
}

fn is_settled(docs: &Docs) -> bool {
    docs.stability == Stability::Stable && !docs.deprecated && !docs.hidden
}

/// A tag that the union does not know.
fn unlisted(union: &Union) -> String {
    let mut tag = String::from("_custom");
    while union.tagged().any(|(known, _)| known == tag) {
        tag.insert(0, '_');
    }
    tag
}
