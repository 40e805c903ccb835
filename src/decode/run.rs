//! Runs the plan on a JSON value.

use serde_json::{Map, Value};

use super::error::DecodeError;
use super::mode::Mode;
use super::plan::{
    Candidates, DecodePlan, FieldPlan, Items, OnAbsent, OnInvalid, OnNull, Rest, Step, Substitute,
    TypePlan, UnionPlan,
};
use super::scalar;
use crate::ir::{
    ArrayType, Field, JsonType, OpenVariant, Protocol, Record, Type, TypeKind, Union, Variant,
};

/// Decodes JSON values as generated code does, and encodes them again.
#[derive(Clone, Copy, Debug)]
pub struct Decoder<'a> {
    protocol: &'a Protocol,
    plan: &'a DecodePlan,
    mode: Mode,
    given: Option<&'a Given<'a>>,
}

/// A field of which a value that the schema gives is being decoded.
#[derive(Debug)]
struct Given<'g> {
    field: &'g Field,
    /// The field in whose value that field is.
    next: Option<&'g Given<'g>>,
}

impl Given<'_> {
    fn is_within(&self, field: &Field) -> bool {
        std::ptr::eq(self.field, field) || self.next.is_some_and(|next| next.is_within(field))
    }
}

/// A union, of which a variant is being decoded from the same value.
#[derive(Clone, Copy)]
struct Outer<'o> {
    name: &'o str,
    union: &'o Union,
    /// The tag's property, if the tag has selected the variant.
    tag: Option<&'o str>,
    /// The union of which that one is a variant.
    next: Option<&'o Outer<'o>>,
}

impl Outer<'_> {
    /// Tells whether the value is already being decoded as this union.
    fn is_within(&self, name: &str) -> bool {
        self.name == name || self.next.is_some_and(|next| next.is_within(name))
    }

    /// Tells whether a member of the value belongs to one of the unions.
    fn owns(&self, key: &str) -> bool {
        self.tag == Some(key)
            || self.union.shared.iter().any(|field| field.name.wire == key)
            || self.next.is_some_and(|next| next.owns(key))
    }
}

type Result<T = Value> = std::result::Result<T, DecodeError>;

impl<'a> Decoder<'a> {
    /// A decoder for a protocol.
    pub fn new(protocol: &'a Protocol, plan: &'a DecodePlan, mode: Mode) -> Self {
        Self { protocol, plan, mode, given: None }
    }

    /// Decodes a value as a type and encodes it again: with the defaults of absent fields, without
    /// what was forgiven, and with those members that no field names that the plan keeps.
    pub fn decode(&self, ty: &Type, value: &Value) -> Result {
        self.within(ty, value, None)
    }

    fn within(&self, ty: &Type, value: &Value, outer: Option<&Outer<'_>>) -> Result {
        match ty {
            Type::Any => Ok(value.clone()),
            Type::Null => scalar::null(value),
            Type::Boolean => scalar::boolean(value),
            Type::Integer(integer) => scalar::integer(value, integer, self.mode),
            Type::Number(number) => scalar::number(value, number),
            Type::String(string) => scalar::string(value, string),
            Type::Literal { value: constant } => scalar::literal(value, constant),
            Type::Array(array) => self.array(array, Items::All, value),
            Type::Map(map) => {
                let members = object(value)?.iter().map(|(key, member)| {
                    let member = self.decode(&map.values, member);
                    member.map(|it| (key.clone(), it)).map_err(|error| error.in_key(key))
                });
                members.collect::<Result<Map<_, _>>>().map(Value::Object)
            }
            Type::Nullable { .. } if value.is_null() => Ok(Value::Null),
            Type::Nullable { inner } => self.within(inner, value, outer),
            Type::Named { name } => self.named(name, value, outer),
        }
    }

    fn named(&self, name: &str, value: &Value, outer: Option<&Outer<'_>>) -> Result {
        let kind = self.protocol.type_def(name).map(|def| &def.kind);
        match (kind, self.plan.get(name)) {
            (Some(TypeKind::Alias { target }), _) => self.within(target, value, outer),
            (Some(TypeKind::Enum(values)), _) => scalar::enumeration(value, values, self.mode),
            (Some(TypeKind::Record(record)), Some(TypePlan::Record(plan))) => {
                let found = object(value)?;
                let mut members = Map::new();
                self.fields(&record.fields, &plan.fields, found, &mut members)?;
                allowed(&plan.forbidden, found)?;
                self.rest(record, &plan.rest, found, outer, &mut members)?;
                Ok(Value::Object(members))
            }
            (Some(TypeKind::Union(union)), Some(TypePlan::Union(plan))) => {
                // As a variant of itself it takes nothing that its other variants do not.
                if outer.is_some_and(|outer| outer.is_within(name)) {
                    return Err(DecodeError::new(&plan.expected, value));
                }
                self.union(&Outer { name, union, tag: None, next: outer }, plan, value)
            }
            _ => Ok(value.clone()),
        }
    }

    fn array(&self, array: &ArrayType, items: Items, value: &Value) -> Result {
        let found = scalar::array(value, array)?;
        let mut decoded = Vec::with_capacity(found.len());
        for (index, item) in found.iter().enumerate() {
            match self.decode(&array.items, item) {
                Err(_) if items == Items::ValidOnly && self.mode == Mode::Lenient => {}
                item => decoded.push(item.map_err(|error| error.in_item(index))?),
            }
        }
        Ok(Value::Array(decoded))
    }

    fn fields(
        &self,
        fields: &[Field],
        plans: &[FieldPlan],
        found: &Map<String, Value>,
        members: &mut Map<String, Value>,
    ) -> Result<()> {
        for (field, plan) in fields.iter().zip(plans) {
            let key = &field.name.wire;
            let value = match found.get(key) {
                Some(value) => self.field(field, plan, value).map_err(|error| error.in_key(key))?,
                None => match &plan.absent {
                    OnAbsent::Refuse => return Err(DecodeError::missing(key)),
                    OnAbsent::Leave => None,
                    OnAbsent::Default(value) => Some(self.given(field, plan, value)),
                },
            };
            if let Some(value) = value {
                members.insert(key.clone(), value);
            }
        }
        Ok(())
    }

    fn field(&self, field: &Field, plan: &FieldPlan, value: &Value) -> Result<Option<Value>> {
        let is_lenient = self.mode == Mode::Lenient;
        match &plan.null {
            OnNull::Keep if value.is_null() => return Ok(Some(Value::Null)),
            OnNull::Become(substitute) if value.is_null() && is_lenient => {
                return Ok(self.substitute(field, plan, substitute));
            }
            _ => {}
        }
        match (self.items(&field.ty, plan.items, value), &plan.invalid) {
            (Err(_), OnInvalid::Become(substitute)) if is_lenient => {
                Ok(self.substitute(field, plan, substitute))
            }
            (decoded, _) => decoded.map(Some),
        }
    }

    /// Decodes a field's value, of whose items only the valid ones may be wanted.
    fn items(&self, ty: &Type, items: Items, value: &Value) -> Result {
        match self.protocol.resolve(ty) {
            Type::Array(array) => self.array(array, items, value),
            Type::Nullable { .. } if value.is_null() => Ok(Value::Null),
            Type::Nullable { inner } => self.items(inner, items, value),
            _ => self.decode(ty, value),
        }
    }

    fn substitute(&self, field: &Field, plan: &FieldPlan, with: &Substitute) -> Option<Value> {
        match with {
            Substitute::Absent => None,
            Substitute::Value(value) => Some(self.given(field, plan, value)),
        }
    }

    /// A value that the schema gives: with the defaults inside it, unless it is none of its type,
    /// or one of them would be itself.
    fn given(&self, field: &Field, plan: &FieldPlan, value: &Value) -> Value {
        if plan.null == OnNull::Keep && value.is_null() {
            return Value::Null;
        }
        if self.given.is_some_and(|given| given.is_within(field)) {
            return value.clone();
        }
        let given = Given { field, next: self.given };
        let decoder = Decoder { given: Some(&given), ..*self };
        decoder.decode(&field.ty, value).unwrap_or_else(|_| value.clone())
    }

    /// The members of a record that no field of it names, nor a union around it.
    fn rest(
        &self,
        record: &Record,
        rest: &Rest,
        found: &Map<String, Value>,
        outer: Option<&Outer<'_>>,
        members: &mut Map<String, Value>,
    ) -> Result<()> {
        let is_denied = self.mode == Mode::Exact && record.unknown.is_denied();
        if *rest == Rest::Dropped && !is_denied {
            return Ok(());
        }
        for (key, value) in found {
            if record.fields.iter().any(|field| field.name.wire == *key)
                || outer.is_some_and(|outer| outer.owns(key))
            {
                continue;
            }
            let Rest::Kept(ty) = rest else {
                return Err(DecodeError::new("no other property", value).in_key(key));
            };
            let value = self.decode(ty, value).map_err(|error| error.in_key(key))?;
            members.insert(key.clone(), value);
        }
        Ok(())
    }

    fn union(&self, outer: &Outer<'_>, plan: &UnionPlan, value: &Value) -> Result {
        let union = outer.union;
        if plan.is_object && !value.is_object() {
            return Err(DecodeError::new("an object", value));
        }
        let mut members = Map::new();
        if let Value::Object(found) = value {
            self.fields(&union.shared, &plan.shared, found, &mut members)?;
        }
        let tag = plan.tag.as_ref().map(|tag| tag.property.as_str());
        let found = tag.and_then(|tag| value.get(tag)?.as_str());
        let selected = found.and_then(|found| plan.tagged(found));
        let chosen = match selected.and_then(|index| union.variants.get(index)) {
            Some(variant) => {
                let outer = Outer { tag, ..*outer };
                let body = self.tagged(&outer, variant, plan, value);
                match body {
                    Err(error) if self.mode == Mode::Exact => {
                        self.untagged(&outer, plan, value, None).map_err(|_| error)?
                    }
                    body => {
                        let tag = tag.zip(found);
                        members.extend(tag.map(|(key, tag)| (key.to_owned(), tag.into())));
                        body?
                    }
                }
            }
            None => self.untagged(outer, plan, value, found)?,
        };
        match chosen {
            Value::Object(chosen) => {
                members.extend(chosen);
                Ok(Value::Object(members))
            }
            chosen => Ok(chosen),
        }
    }

    /// The body of a variant that the tag selects.
    fn tagged(
        &self,
        outer: &Outer<'_>,
        variant: &Variant,
        plan: &UnionPlan,
        value: &Value,
    ) -> Result {
        match &variant.payload {
            Some(payload) => self.within(payload, value, Some(outer)),
            None if plan.bare == Rest::Dropped => Ok(Value::Object(Map::new())),
            None => raw(outer, value),
        }
    }

    /// The variant that is found without the help of the tag; `unknown` is the tag, if it is a
    /// string.
    fn untagged(
        &self,
        outer: &Outer<'_>,
        plan: &UnionPlan,
        value: &Value,
        unknown: Option<&str>,
    ) -> Result {
        let attempt = |index: usize| {
            let variant = outer.union.variants.get(index)?;
            self.shape(outer, variant, value).ok()
        };
        for step in &plan.steps {
            let found = match (step, &outer.union.open) {
                (Step::Open, Some(open)) if unknown.is_some() => {
                    return self.open(outer, open, value);
                }
                (Step::Open, _) => None,
                (Step::Choose(choice), _) => match choice.candidates(JsonType::of(value)) {
                    Candidates::Only(index) => {
                        let Some(variant) = outer.union.variants.get(*index) else { continue };
                        return self.shape(outer, variant, value);
                    }
                    candidates => candidates.order(value).into_iter().find_map(attempt),
                },
            };
            if let Some(found) = found {
                return Ok(found);
            }
        }
        Err(refusal(plan, value))
    }

    fn shape(&self, outer: &Outer<'_>, variant: &Variant, value: &Value) -> Result {
        match &variant.payload {
            Some(payload) => self.within(payload, value, Some(outer)),
            None => Ok(value.clone()),
        }
    }

    /// An object with an unknown tag, as it came but for the shared fields.
    fn open(&self, outer: &Outer<'_>, open: &OpenVariant, value: &Value) -> Result {
        if let Some(payload) = &open.payload {
            self.within(payload, value, Some(outer))?;
        }
        raw(outer, value)
    }
}

/// Refuses an object that has all keys of a set.
fn allowed(forbidden: &[Vec<String>], found: &Map<String, Value>) -> Result<()> {
    for keys in forbidden {
        let last = keys.last().and_then(|key| Some((key, found.get(key)?)));
        if let Some((key, value)) = last.filter(|_| keys.iter().all(|it| found.contains_key(it))) {
            return Err(DecodeError::new("no such property", value).in_key(key));
        }
    }
    Ok(())
}

/// The members of an object that do not belong to a union.
fn raw(outer: &Outer<'_>, value: &Value) -> Result {
    let mut members = object(value)?.clone();
    members.retain(|key, _| !outer.owns(key));
    Ok(Value::Object(members))
}

/// Says that no variant takes the value.
fn refusal(plan: &UnionPlan, value: &Value) -> DecodeError {
    let Some(tag) = plan.tag.as_ref().filter(|_| plan.is_by_tag_alone()) else {
        return DecodeError::new(&plan.expected, value);
    };
    let Some(found) = value.get(&tag.property) else { return DecodeError::missing(&tag.property) };
    let known: Vec<String> =
        tag.variants.iter().map(|(tag, _)| Value::from(tag.as_str()).to_string()).collect();
    let expected = match known.as_slice() {
        [] => String::from("a string"),
        [only] => only.clone(),
        known => format!("one of {}", known.join(", ")),
    };
    DecodeError::new(expected, found).in_key(&tag.property)
}

fn object(value: &Value) -> Result<&Map<String, Value>> {
    value.as_object().ok_or_else(|| DecodeError::new("an object", value))
}
