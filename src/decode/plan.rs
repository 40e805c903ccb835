//! The decode plan: for each definition, how a decoder proceeds.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::Value;

use crate::ir::{JsonType, JsonTypes, KeyRules, Type};

/// The steps of a decoder, for every record and union of a protocol. An enum, a tuple or an alias is
/// decoded as the IR says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecodePlan {
    pub(super) types: IndexMap<String, TypePlan>,
    /// The enums of many values: where each stands that is a string.
    pub(super) listed: IndexMap<String, Listed>,
}

/// The positions of an enum's values that are strings.
pub(crate) type Listed = HashMap<String, usize>;

/// The plan of a definition.
#[derive(Clone, Debug, PartialEq)]
pub enum TypePlan {
    /// As an object with named fields.
    Record(RecordPlan),
    /// As one of several variants.
    Union(UnionPlan),
}

/// The plan of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordPlan {
    /// For each field of the record, in its order.
    pub fields: Vec<FieldPlan>,
    /// The treatment of members that no field names.
    pub rest: Rest,
    /// Sets of keys: an object that has all of one is refused, at the last key of the set.
    pub forbidden: Vec<Vec<String>>,
    /// The rules for its keys. An object with too few or too many is refused, a key that another
    /// asks for is missing, and a name that is not allowed is refused in a strict decoder, at the
    /// key.
    pub keys: KeyRules,
    /// True if a strict decoder refuses each member that no field names, nor a union around the
    /// object.
    pub closed: bool,
}

/// The treatment of the members of an object that no field names.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a protocol has hundreds of them, not millions")]
pub enum Rest {
    /// They are not part of the decoded value.
    Dropped,
    /// Each is decoded as this type, kept, and encoded after the fields, in the order in which
    /// they came. One that is invalid is an error, also in a lenient decoder. A member that belongs
    /// to a union around the object, as its shared field or as the tag that selected the variant,
    /// is none of them.
    Kept(Type),
}

/// The plan of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldPlan {
    /// The treatment of a field that is absent.
    pub absent: OnAbsent,
    /// The treatment of `null`.
    pub null: OnNull,
    /// The treatment of a value that the field's type refuses.
    pub invalid: OnInvalid,
    /// The items of the field's array that have to be valid.
    pub items: Items,
}

/// The treatment of a field that is absent.
#[derive(Clone, Debug, PartialEq)]
pub enum OnAbsent {
    /// The object is refused, at the field.
    Refuse,
    /// The field stays absent.
    Leave,
    /// The field has this value, decoded like one that came.
    Default(Value),
}

/// The treatment of a field that is `null`.
#[derive(Clone, Debug, PartialEq)]
pub enum OnNull {
    /// The field's type decides.
    Decode,
    /// `null` is a state of the field beside the values of its type.
    Keep,
    /// In a lenient decoder, this; a strict one refuses it.
    Become(Substitute),
}

/// The treatment of a value that the field's type refuses.
#[derive(Clone, Debug, PartialEq)]
pub enum OnInvalid {
    /// The object is refused, where the value is invalid.
    Refuse,
    /// In a lenient decoder, this; a strict one refuses it.
    Become(Substitute),
}

/// The substitute for a value that is forgiven.
#[derive(Clone, Debug, PartialEq)]
pub enum Substitute {
    /// Nothing: the field is absent.
    Absent,
    /// A value, decoded like one that came, but never refused: an empty array stands even where
    /// the type has a smallest number of items.
    Value(Value),
}

/// The items of an array that have to be valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Items {
    /// All.
    All,
    /// In a lenient decoder, invalid items are left out; in a strict one, all have to be valid.
    ValidOnly,
}

/// The plan of a union.
///
/// The shared fields are decoded first. Then the tag, if there is one, is looked up: a known tag
/// selects its variant, and an invalid body is an error of that body. If no tag selects a
/// variant, the steps are taken in order. If none of them decodes the value, it is refused: at
/// the tag if [`UnionPlan::is_by_tag_alone`], else the value itself.
#[derive(Clone, Debug, PartialEq)]
pub struct UnionPlan {
    /// True if only objects can be decoded. Anything else is refused before all steps.
    pub is_object: bool,
    /// For each shared field of the union, in its order.
    pub shared: Vec<FieldPlan>,
    /// The tag.
    pub tag: Option<TagPlan>,
    /// The treatment of the other members of an object whose tag selects a variant without a
    /// payload.
    pub bare: Rest,
    /// The steps where no tag selects a variant, in order.
    pub steps: Vec<Step>,
    /// True if a lenient decoder takes the steps as a strict one first, and forgives only if none
    /// of them decodes the value as it is: several variants are tried, and one may forgive.
    pub strict_first: bool,
    /// True if one value may be decoded as this union several times, because the union is a part
    /// of variants that are tried, its own or those of another. A decoder then notes which variant
    /// has refused which value, and does not try it there again: else the time doubles with each
    /// level of a recursive union.
    pub is_retried: bool,
    /// The values that it takes, in words: `a string or an object`.
    pub expected: String,
}

/// The selection of a variant by the tag of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagPlan {
    /// The property of the object that holds the tag.
    pub property: String,
    /// Each known tag, and the variant that it selects: an index into the union's variants.
    pub variants: Vec<(String, usize)>,
    /// The tags that it takes, in words: `one of "text", "image"`.
    pub expected: String,
}

/// A step where no tag selects a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Tries variants. If none of them accepts the value, the next step is taken.
    Choose(Choice),
    /// If the tag is a string: keeps the object raw, as the open variant. Its payload, if it has
    /// one, has to decode; if it does not, its error is the union's. Without such a tag, the next
    /// step is taken.
    Open,
}

/// The variants that are tried, by the JSON type of the value. The sets of arms do not overlap;
/// together they are what can come here: an object if the union only has objects, else any JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// JSON types, and the variants that are tried for a value of one of them.
    pub arms: Vec<(JsonTypes, Candidates)>,
}

/// The variants that are tried: indexes into the union's variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Candidates {
    /// None: no variant takes such values.
    None,
    /// This one, for good: if it is invalid, its error is the union's.
    Only(usize),
    /// In this order. The first that accepts the value is right.
    InOrder(Vec<usize>),
    /// Of those that accept the value, the one that knows most of the keys that the object has,
    /// each counted once; among equals the first of this list. To get there, try them by falling
    /// count.
    MostKeys(Vec<(usize, KnownKeys)>),
}

/// The keys that a variant makes something of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownKeys {
    /// Every key.
    Every,
    /// These.
    Listed(Vec<String>),
}

impl DecodePlan {
    /// The plan of a definition. `None` for an enum, a tuple and an alias.
    pub fn get(&self, name: &str) -> Option<&TypePlan> {
        self.types.get(name)
    }

    /// Where the values of an enum stand that are strings, if it has many.
    pub(crate) fn listed(&self, name: &str) -> Option<&Listed> {
        self.listed.get(name)
    }

    /// The plan of a record.
    pub fn record(&self, name: &str) -> Option<&RecordPlan> {
        match self.types.get(name)? {
            TypePlan::Record(record) => Some(record),
            TypePlan::Union(_) => None,
        }
    }

    /// The plan of a union.
    pub fn union(&self, name: &str) -> Option<&UnionPlan> {
        match self.types.get(name)? {
            TypePlan::Union(union) => Some(union),
            TypePlan::Record(_) => None,
        }
    }
}

impl RecordPlan {
    /// The type of the members that no field names, where they are kept.
    pub fn kept(&self) -> Option<&Type> {
        match &self.rest {
            Rest::Kept(ty) => Some(ty),
            Rest::Dropped => None,
        }
    }
}

impl UnionPlan {
    /// Tells whether nothing but the tag selects a variant, so that an object without a known one
    /// is refused at the tag.
    pub fn is_by_tag_alone(&self) -> bool {
        self.tag.is_some() && self.steps.iter().all(|step| *step == Step::Open)
    }

    /// Tells whether a variant that refuses a value may leave it to another.
    pub(super) fn is_doubtful(&self) -> bool {
        self.steps.iter().any(Step::is_doubtful)
    }

    /// Tells whether some value is read as this variant. One behind another that takes anything
    /// never is.
    pub fn is_tried(&self, variant: usize) -> bool {
        let mut tagged = self.tag.iter().flat_map(|tag| &tag.variants);
        let arms = self.steps.iter().filter_map(Step::choice).flat_map(|choice| &choice.arms);
        tagged.any(|(_, index)| *index == variant)
            || arms.into_iter().any(|(_, found)| found.includes(variant))
    }

    /// The variant that a tag selects.
    pub fn tagged(&self, tag: &str) -> Option<usize> {
        let variants = &self.tag.as_ref()?.variants;
        variants.iter().find(|(known, _)| known == tag).map(|(_, variant)| *variant)
    }
}

impl Step {
    /// The variants that are tried here.
    pub fn choice(&self) -> Option<&Choice> {
        match self {
            Self::Choose(choice) => Some(choice),
            Self::Open => None,
        }
    }

    /// Tells whether a variant that refuses a value here leaves it to another.
    pub(super) fn is_doubtful(&self) -> bool {
        let mut arms = self.choice().into_iter().flat_map(|choice| &choice.arms);
        arms.any(|(_, found)| !matches!(found, Candidates::None | Candidates::Only(_)))
    }
}

impl Choice {
    /// The variants that are tried for a value of this JSON type.
    pub fn candidates(&self, ty: JsonType) -> &Candidates {
        let mut arms = self.arms.iter();
        arms.find(|(types, _)| types.contains(ty)).map_or(&Candidates::None, |(_, found)| found)
    }
}

impl Candidates {
    fn includes(&self, variant: usize) -> bool {
        match self {
            Self::None => false,
            Self::Only(index) => *index == variant,
            Self::InOrder(order) => order.contains(&variant),
            Self::MostKeys(known) => known.iter().any(|(index, _)| *index == variant),
        }
    }

    /// The variants in the order in which they are tried for a value.
    pub fn order(&self, value: &Value) -> Vec<usize> {
        let known = match self {
            Self::None => return Vec::new(),
            Self::Only(index) => return vec![*index],
            Self::InOrder(order) => return order.clone(),
            Self::MostKeys(known) => known,
        };
        let present = |keys: &KnownKeys| match (keys, value) {
            (KnownKeys::Listed(keys), Value::Object(members)) => {
                keys.iter().filter(|key| members.contains_key(*key)).count()
            }
            (KnownKeys::Every, Value::Object(members)) => members.len(),
            _ => 0,
        };
        let mut order: Vec<(usize, usize)> =
            known.iter().map(|(index, keys)| (*index, present(keys))).collect();
        order.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        order.into_iter().map(|(index, _)| index).collect()
    }
}
