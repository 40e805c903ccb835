//! Types as a comparison sees them: what a value can be, whatever the schema calls it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ptr;

use serde_json::Value;

use crate::ir::{
    ArrayType, EnumBase, Field, IntegerType, KeyRules, Kind, MapType, NumberType, Protocol, Record,
    StringType, Tuple, Type, Union, Variant,
};

/// A form that a value of a type can have.
#[derive(Clone, Debug)]
pub(super) enum Alternative<'a> {
    Any,
    Null,
    Boolean,
    Integer(&'a IntegerType),
    Number(&'a NumberType),
    String(Option<&'a StringType>),
    Constant(&'a Value),
    Array(&'a ArrayType),
    Tuple(&'a Tuple),
    Map(&'a MapType),
    Object(Object<'a>),
}

/// An object with named members.
#[derive(Clone, Debug, Default)]
pub(super) struct Object<'a> {
    pub(super) members: Vec<Member<'a>>,
    /// True if no other members are allowed.
    pub(super) closed: bool,
    /// The rules for its keys.
    pub(super) keys: Option<&'a KeyRules>,
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member<'a> {
    pub(super) name: &'a str,
    pub(super) content: Content<'a>,
    pub(super) required: bool,
    pub(super) nullable: bool,
}

/// The content of a member.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    /// A value of a type.
    Type(&'a Type),
    /// This tag.
    Tag(&'a str),
    /// Any tag that is none of this union's.
    OtherTag(&'a Union),
}

impl<'a> Object<'a> {
    pub(super) fn new(fields: impl IntoIterator<Item = &'a Field>, closed: bool) -> Self {
        Self { members: fields.into_iter().map(Member::from_field).collect(), closed, keys: None }
    }

    pub(super) fn member(&self, name: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|member| member.name == name)
    }
}

impl<'a> Member<'a> {
    fn tag(name: &'a str, content: Content<'a>) -> Self {
        Self { name, content, required: true, nullable: false }
    }

    fn from_field(field: &'a Field) -> Self {
        Self {
            name: &field.name.wire,
            content: Content::Type(&field.ty),
            required: field.presence.is_required(),
            nullable: field.presence.is_nullable(),
        }
    }
}

/// The items of an array: of one type, or of several by their places.
#[derive(Clone, Copy, Debug)]
pub(super) enum List<'a> {
    Array(&'a ArrayType),
    Tuple(&'a Tuple),
}

impl<'a> Alternative<'a> {
    /// The items, if it is an array.
    pub(super) fn list(&self) -> Option<List<'a>> {
        match self {
            Self::Array(array) => Some(List::Array(array)),
            Self::Tuple(tuple) => Some(List::Tuple(tuple)),
            _ => None,
        }
    }
}

impl<'a> List<'a> {
    /// The smallest number of items, and the largest.
    pub(super) fn bounds(self) -> (u64, Option<u64>) {
        match self {
            Self::Array(array) => (array.min_items.unwrap_or(0), array.max_items),
            Self::Tuple(tuple) => (tuple.least(), tuple.most()),
        }
    }

    /// True if no two items are the same.
    pub(super) fn is_unique(self) -> bool {
        match self {
            Self::Array(array) => array.unique,
            Self::Tuple(tuple) => tuple.unique,
        }
    }

    /// The number of items that have types of their own.
    pub(super) fn places(self) -> usize {
        match self {
            Self::Array(_) => 0,
            Self::Tuple(tuple) => tuple.items.len(),
        }
    }

    /// The type of the item at a place.
    pub(super) fn item(self, at: usize) -> Option<&'a Type> {
        match self {
            Self::Array(array) => (array.max_items != Some(0)).then_some(&*array.items),
            Self::Tuple(tuple) => tuple.item(at),
        }
    }
}

/// The unions whose forms are listed already, with no other members beside them.
type Unfolded = BTreeSet<*const Union>;

/// Every form that a value of a type can have.
pub(super) fn alternatives<'a>(protocol: &'a Protocol, ty: &'a Type) -> Vec<Alternative<'a>> {
    forms(protocol, ty, &mut Unfolded::new())
}

/// The forms of a type that are not listed yet.
fn forms<'a>(
    protocol: &'a Protocol,
    ty: &'a Type,
    unfolded: &mut Unfolded,
) -> Vec<Alternative<'a>> {
    let resolved = protocol.resolved(ty);
    let mut found = Vec::new();
    if resolved.nullable && !matches!(resolved.kind, Kind::Any | Kind::Null) {
        found.push(Alternative::Null);
    }
    match resolved.kind {
        Kind::Any => found.push(Alternative::Any),
        Kind::Null => found.push(Alternative::Null),
        Kind::Boolean => found.push(Alternative::Boolean),
        Kind::Integer(integer) => found.push(Alternative::Integer(integer)),
        Kind::Number(number) => found.push(Alternative::Number(number)),
        Kind::String(string) => found.push(Alternative::String(Some(string))),
        Kind::Literal(value) => found.push(Alternative::Constant(value)),
        Kind::Array(array) => found.push(Alternative::Array(array)),
        Kind::Tuple(tuple) => found.push(Alternative::Tuple(tuple)),
        Kind::Map(map) => found.push(Alternative::Map(map)),
        Kind::Record(record) => found.push(Alternative::Object(object(record))),
        Kind::Enum(of) => {
            found.extend(of.values.iter().map(|value| Alternative::Constant(&value.value)));
            match (&of.open, &of.base) {
                (Some(open), EnumBase::String) => {
                    let text = Some(&open.text).filter(|text| **text != StringType::default());
                    found.push(Alternative::String(text));
                }
                (Some(_), EnumBase::Integer(integer)) => {
                    found.push(Alternative::Integer(integer));
                }
                (None, _) => {}
            }
        }
        // Each is unfolded: none is a variant of itself (`cyclic-ref`). It is unfolded once: where
        // two variants lead to it at each of many levels, its forms are as many as there are ways.
        Kind::Union(union) if unfolded.insert(ptr::from_ref(union)) => {
            for variant in &union.variants {
                found.extend(variant_forms(protocol, union, variant, unfolded));
            }
            found.extend(open_forms(protocol, union, unfolded));
        }
        Kind::Union(_) => {}
    }
    found
}

/// Every form of one variant, its tag and the shared fields included.
pub(super) fn variant_alternatives<'a>(
    protocol: &'a Protocol,
    union: &'a Union,
    variant: &'a Variant,
) -> Vec<Alternative<'a>> {
    variant_forms(protocol, union, variant, &mut Unfolded::new())
}

fn variant_forms<'a>(
    protocol: &'a Protocol,
    union: &'a Union,
    variant: &'a Variant,
    unfolded: &mut Unfolded,
) -> Vec<Alternative<'a>> {
    let tag = variant.tag().zip(union.tag());
    let tag = tag.map(|(value, tag)| Member::tag(&tag.wire, Content::Tag(value)));
    in_one_object(protocol, union, tag, variant.payload.as_ref(), unfolded)
}

/// Every form of a variant that a union does not list.
pub(super) fn open_alternatives<'a>(
    protocol: &'a Protocol,
    union: &'a Union,
) -> Vec<Alternative<'a>> {
    open_forms(protocol, union, &mut Unfolded::new())
}

fn open_forms<'a>(
    protocol: &'a Protocol,
    union: &'a Union,
    unfolded: &mut Unfolded,
) -> Vec<Alternative<'a>> {
    let (Some(open), Some(tag)) = (&union.open, union.tag()) else { return Vec::new() };
    let tag = Member::tag(&tag.wire, Content::OtherTag(union));
    in_one_object(protocol, union, Some(tag), open.payload.as_ref(), unfolded)
}

/// The forms of a payload whose members stand beside those of the union.
fn in_one_object<'a>(
    protocol: &'a Protocol,
    union: &'a Union,
    tag: Option<Member<'a>>,
    payload: Option<&'a Type>,
    unfolded: &mut Unfolded,
) -> Vec<Alternative<'a>> {
    let beside: Vec<Member<'a>> =
        tag.into_iter().chain(union.shared.iter().map(Member::from_field)).collect();
    let Some(payload) = payload else {
        return vec![Alternative::Object(Object { members: beside, ..Object::default() })];
    };
    if beside.is_empty() {
        return forms(protocol, payload, unfolded);
    }
    let mut found = alternatives(protocol, payload);
    for alternative in &mut found {
        if let Alternative::Object(object) = alternative {
            let mut members = beside.clone();
            let own = object.members.iter().copied();
            members.extend(own.filter(|own| beside.iter().all(|m| m.name != own.name)));
            object.members = members;
        }
    }
    found
}

/// The object that a record describes.
pub(super) fn object(record: &Record) -> Object<'_> {
    let keys = Some(&record.keys).filter(|keys| !keys.is_empty());
    Object { keys, ..Object::new(&record.fields, record.unknown.is_denied()) }
}

/// A value as text: a string without its quotes.
pub(super) fn spelling(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| Cow::from(value.to_string()), Cow::from)
}
