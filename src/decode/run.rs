//! Runs the plan on a JSON value.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::error::{DecodeError, PathStep};
use super::given::Given;
use super::mode::Mode;
use super::outer::Outer;
use super::plan::{
    DecodePlan, FieldPlan, Items, OnAbsent, OnInvalid, OnNull, Rest, Substitute, TypePlan,
};
use super::refused::Refused;
use super::remark::{Forgiveness, Refusal, Remark, RemarkKind, Remarks};
use super::rules;
use super::scalar;
use crate::diagnostic::nearest;
use crate::ir::{ArrayType, Field, Protocol, Record, Tuple, Type, TypeKind};
use crate::source::Location;

/// Decodes JSON values as generated code does, and encodes them again.
///
/// ```
/// use acp_bindgen::decode::{DecodePlan, Decoder, Mode};
/// use acp_bindgen::ir::Type;
/// use acp_bindgen::{Purpose, SchemaText, UnknownFields, load};
/// use serde_json::json;
///
/// // A wrong volume is forgiven: it counts as the default.
/// let schema = json!({ "$defs": { "Greeting": {
///     "type": "object",
///     "properties": {
///         "text": { "type": "string" },
///         "volume": { "type": "integer", "default": 5, "x-deserialize-default-on-error": true },
///     },
///     "required": ["text"],
/// } } });
/// let schema = SchemaText::from_value("hello.json", &schema);
/// let protocol = load(schema, Purpose::Generate).protocol.ok_or("the schema has errors")?;
/// let plan = DecodePlan::new(&protocol, UnknownFields::Drop);
/// let greeting = Type::Named { name: "Greeting".into() };
/// let value = json!({ "text": "hello", "volume": "loud" });
///
/// let lenient = Decoder::new(&protocol, &plan, Mode::Lenient);
/// assert_eq!(lenient.decode(&greeting, &value), Ok(json!({ "text": "hello", "volume": 5 })));
/// assert_eq!(lenient.examine(&greeting, &value).remarks[0].path(), "volume");
///
/// let strict = Decoder::new(&protocol, &plan, Mode::Strict);
/// assert!(strict.decode(&greeting, &value).is_err_and(|error| error.path() == "volume"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decoder<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) plan: &'a DecodePlan,
    pub(super) mode: Mode,
    pub(super) given: Option<&'a Given<'a>>,
    pub(super) remarks: Option<&'a Remarks>,
    pub(super) refused: Option<&'a Refused>,
}

/// The outcome of examining a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Examined {
    /// The value as [`Decoder::decode`] gives it, if nothing in it is refused.
    pub value: Option<Value>,
    /// The remarks about its parts, in their order. The first refusal is the error that
    /// [`Decoder::decode`] gives.
    pub remarks: Vec<Remark>,
}

pub(super) type Result<T = Value> = std::result::Result<T, DecodeError>;

impl<'a> Decoder<'a> {
    /// A decoder for a protocol.
    pub fn new(protocol: &'a Protocol, plan: &'a DecodePlan, mode: Mode) -> Self {
        Self { protocol, plan, mode, given: None, remarks: None, refused: None }
    }

    /// Decodes a value as a type and encodes it again: with the defaults of absent fields, without
    /// what was forgiven, and with those members that no field names that the plan keeps.
    pub fn decode(&self, ty: &Type, value: &Value) -> Result {
        let refused = Refused::default();
        Decoder { refused: Some(&refused), ..*self }.within(ty, value, None)
    }

    /// Decodes a value as a type, and says of each part what is wrong with it, what was forgiven,
    /// and what the schema does not know.
    pub fn examine(&self, ty: &Type, value: &Value) -> Examined {
        let remarks = Remarks::default();
        let decoded = Decoder { remarks: Some(&remarks), ..*self }.decode(ty, value);
        let decoded = decoded.map_err(|error| remarks.refuse(error)).ok();
        let remarks = remarks.into_list();
        let is_valid = !remarks.iter().any(Remark::is_refusal);
        Examined { value: decoded.filter(|_| is_valid), remarks }
    }

    pub(super) fn within(&self, ty: &Type, value: &Value, outer: Option<&Outer<'_>>) -> Result {
        match ty {
            Type::Any => Ok(value.clone()),
            Type::Null => scalar::null(value),
            Type::Boolean => scalar::boolean(value),
            Type::Integer(integer) => scalar::integer(value, integer, self.mode),
            Type::Number(number) => scalar::number(value, number),
            Type::String(string) => scalar::string(value, string, self.mode),
            Type::Literal { value: constant } => scalar::literal(value, constant),
            Type::Array(array) => self.array(array, Items::All, value),
            Type::Map(map) => {
                let mut members = Map::new();
                for (key, member) in object(value)? {
                    let decoded = || self.within(&map.values, member, None).map(Some);
                    let decoded = self.part(|| PathStep::Key(key.clone()), None, decoded)?;
                    members.extend(decoded.map(|decoded| (key.clone(), decoded)));
                }
                rules::check(&map.keys, object(value)?, self.mode)?;
                Ok(Value::Object(members))
            }
            Type::Nullable { .. } if value.is_null() => Ok(Value::Null),
            Type::Nullable { inner } => self.within(inner, value, outer),
            Type::Named { name } => self.named(name, value, outer),
        }
    }

    fn named(&self, name: &str, value: &Value, outer: Option<&Outer<'_>>) -> Result {
        let Some(remarks) = self.remarks else { return self.definition(name, value, outer) };
        let mark = remarks.mark();
        let decoded = self.definition(name, value, outer);
        let Some(def) = self.protocol.type_def(name) else { return decoded };
        remarks.locate(mark, &def.location);
        decoded.map_err(|error| error.located(&def.location))
    }

    fn definition(&self, name: &str, value: &Value, outer: Option<&Outer<'_>>) -> Result {
        let kind = self.protocol.type_def(name).map(|def| &def.kind);
        match (kind, self.plan.get(name)) {
            (Some(TypeKind::Alias { target }), _) => self.within(target, value, outer),
            (Some(TypeKind::Enum(values)), _) => {
                let listed = self.plan.listed(name);
                let decoded = scalar::enumeration(value, values, listed, self.mode)?;
                if self.remarks.is_some() && !scalar::is_known(value, values, listed) {
                    let known = values.values.iter().filter_map(|known| known.value.as_str());
                    let near = near(value.as_str().unwrap_or_default(), known);
                    self.remark(RemarkKind::UnknownValue { near });
                }
                Ok(decoded)
            }
            (Some(TypeKind::Record(record)), Some(TypePlan::Record(plan))) => {
                let found = object(value)?;
                let mut members = Map::new();
                self.fields(&record.fields, &plan.fields, found, &mut members)?;
                allowed(&plan.forbidden, found)?;
                rules::check(&plan.keys, found, self.mode)?;
                self.rest(record, &plan.rest, found, outer, &mut members)?;
                Ok(Value::Object(members))
            }
            (Some(TypeKind::Tuple(tuple)), _) => self.tuple(tuple, value),
            (Some(TypeKind::Union(union)), Some(TypePlan::Union(plan))) => {
                self.union(&Outer { union, tag: None, next: outer }, plan, value)
            }
            _ => Ok(value.clone()),
        }
    }

    fn array(&self, array: &ArrayType, items: Items, value: &Value) -> Result {
        let found = scalar::array(value, array.unique, self.mode)?;
        let skips = items == Items::ValidOnly && self.mode == Mode::Lenient;
        let mut decoded = Vec::with_capacity(found.len());
        for (index, item) in found.iter().enumerate() {
            let item = || match self.attempt(skips, || self.within(&array.items, item, None)) {
                Err(error) if skips => {
                    self.forgive(&error, || Forgiveness::LeftOut);
                    Ok(None)
                }
                item => item.map(Some),
            };
            decoded.extend(self.part(|| PathStep::Index(index), None, item)?);
        }
        // Those that are left out are none; those that are refused are told of already.
        let count = if skips { decoded.len() } else { found.len() };
        scalar::count(count, array.min_items, array.max_items)?;
        if self.protocol.is_distinct(array) {
            scalar::distinct(if skips { &decoded } else { found })?;
        }
        Ok(Value::Array(decoded))
    }

    /// Decodes each item as what is at its place. Of those that have none, only the number counts.
    fn tuple(&self, tuple: &Tuple, value: &Value) -> Result {
        let found = scalar::array(value, tuple.unique, self.mode)?;
        let mut decoded = Vec::with_capacity(found.len());
        for (index, item) in found.iter().enumerate() {
            let Some(ty) = tuple.item(index) else { break };
            let item = || self.within(ty, item, None).map(Some);
            decoded.extend(self.part(|| PathStep::Index(index), None, item)?);
        }
        scalar::count(found.len(), Some(tuple.least()), tuple.most())?;
        Ok(Value::Array(decoded))
    }

    pub(super) fn fields(
        &self,
        fields: &[Field],
        plans: &[FieldPlan],
        found: &Map<String, Value>,
        members: &mut Map<String, Value>,
    ) -> Result<()> {
        for (field, plan) in fields.iter().zip(plans) {
            let key = &field.name.wire;
            let value = || match (found.get(key), &plan.absent) {
                (Some(value), _) => self.field(field, plan, value),
                (None, OnAbsent::Refuse) => Err(DecodeError::missing()),
                (None, OnAbsent::Leave) => Ok(None),
                (None, OnAbsent::Default(value)) => Ok(Some(self.given(field, plan, value))),
            };
            let step = || PathStep::Key(key.clone());
            if let Some(value) = self.part(step, Some(&field.location), value)? {
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
                let taken = self.substitute(field, plan, substitute);
                self.forgive(&self.unwanted_null(field, plan, value), || taken.clone().into());
                return Ok(taken);
            }
            _ => {}
        }
        let forgives = is_lenient && plan.invalid != OnInvalid::Refuse;
        let decoded = self.attempt(forgives, || self.items(&field.ty, plan.items, value));
        match (decoded, &plan.invalid) {
            (Err(error), OnInvalid::Become(substitute)) if is_lenient => {
                let taken = self.substitute(field, plan, substitute);
                self.forgive(&error, || taken.clone().into());
                Ok(taken)
            }
            (decoded, _) => decoded.map(Some),
        }
    }

    /// The error of a strict decoder for a `null` that a lenient one forgives.
    fn unwanted_null(&self, field: &Field, plan: &FieldPlan, value: &Value) -> DecodeError {
        let strict = Decoder { mode: Mode::Strict, remarks: None, ..*self };
        let refused = strict.items(&field.ty, plan.items, value).err();
        refused.unwrap_or_else(|| DecodeError::new("a value", value))
    }

    /// Decodes a field's value, of whose items only the valid ones may be wanted.
    fn items(&self, ty: &Type, items: Items, value: &Value) -> Result {
        match self.protocol.resolve(ty) {
            Type::Array(array) => self.array(array, items, value),
            Type::Nullable { .. } if value.is_null() => Ok(Value::Null),
            Type::Nullable { inner } => self.items(inner, items, value),
            _ => self.within(ty, value, None),
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
        let (decoded, _) = self.within_given(field, value);
        decoded.unwrap_or_else(|_| value.clone())
    }

    /// Tells whether a value that the schema gives would, with the defaults inside it, have to hold
    /// itself.
    pub(super) fn is_endless(&self, field: &Field, value: &Value) -> bool {
        self.within_given(field, value).1
    }

    /// Decodes a value that the schema gives, and tells whether it has to hold itself.
    fn within_given(&self, field: &Field, value: &Value) -> (Result, bool) {
        let given = Given { field, next: self.given, is_endless: Cell::new(false) };
        let inside = Decoder { given: Some(&given), remarks: None, ..*self };
        let decoded = inside.decode(&field.ty, value);
        (decoded, given.is_endless.get())
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
        let is_denied = record.unknown.is_denied();
        let is_refused = is_denied && self.mode != Mode::Lenient;
        if *rest == Rest::Dropped && self.remarks.is_none() && !is_refused {
            return Ok(());
        }
        for (key, value) in found {
            if record.fields.iter().any(|field| field.name.wire == *key)
                || outer.is_some_and(|outer| outer.owns(key))
            {
                continue;
            }
            let step = || PathStep::Key(key.clone());
            let kept = self.part(step, None, || {
                if is_refused {
                    return Err(DecodeError::new("no other property", value));
                }
                if record.unknown.kept().is_none() {
                    let known = record.fields.iter().map(|field| field.name.wire.as_str());
                    let near = near(key, known);
                    self.remark(RemarkKind::UnknownProperty { is_denied, near });
                }
                match rest {
                    Rest::Kept(ty) => self.within(ty, value, None).map(Some),
                    Rest::Dropped => Ok(None),
                }
            })?;
            members.extend(kept.map(|kept| (key.clone(), kept)));
        }
        Ok(())
    }

    pub(super) fn remark(&self, kind: RemarkKind) {
        if let Some(remarks) = self.remarks {
            remarks.push(kind);
        }
    }

    fn forgive(&self, error: &DecodeError, forgiveness: impl FnOnce() -> Forgiveness) {
        if let Some(remarks) = self.remarks {
            let (refusal, within) = (Refusal::from(error), error.path());
            let forgiveness = forgiveness();
            remarks.push(RemarkKind::Forgiven { refusal, within, forgiveness });
        }
    }

    /// Decodes a part of a value. Where remarks are made, an error is one, and the other parts are
    /// decoded all the same.
    pub(super) fn part(
        &self,
        step: impl FnOnce() -> PathStep,
        schema: Option<&Location>,
        decode: impl FnOnce() -> Result<Option<Value>>,
    ) -> Result<Option<Value>> {
        let Some(remarks) = self.remarks else {
            return decode().map_err(|error| error.within(step()));
        };
        let mark = remarks.mark();
        let decoded = decode().unwrap_or_else(|error| {
            remarks.refuse(error);
            None
        });
        if remarks.mark() > mark {
            remarks.move_out(mark, &step(), schema);
        }
        Ok(decoded)
    }

    /// Decodes a part that `may` be invalid while the whole is valid: the remarks about an invalid
    /// part are then taken back.
    pub(super) fn attempt(&self, may: bool, decode: impl FnOnce() -> Result) -> Result {
        let Some(remarks) = self.remarks.filter(|_| may) else { return decode() };
        let mark = remarks.mark();
        let decoded = decode();
        if decoded.is_ok() && !remarks.has_refused(mark) {
            return decoded;
        }
        match (remarks.take_back(mark), decoded) {
            (Some(first), _) | (None, Err(first)) => Err(first),
            (None, decoded) => decoded,
        }
    }
}

impl From<Option<Value>> for Forgiveness {
    fn from(taken: Option<Value>) -> Self {
        taken.map_or(Self::Absent, Self::Value)
    }
}

/// Finds the known name that was probably meant.
pub(super) fn near<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    nearest(name, known).map(str::to_owned)
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

pub(super) fn object(value: &Value) -> Result<&Map<String, Value>> {
    value.as_object().ok_or_else(|| DecodeError::new("an object", value))
}
