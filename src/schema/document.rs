//! A schema document, and its objects: the keywords of one node as typed values.

use indexmap::{IndexMap, IndexSet};
use serde_json::{Number, Value};

use super::Annotations;
use super::rare::{Lacking, Rare, lacking};
use crate::ir::{Docs, JsonType as Kind, KeyChoice};
use crate::source::Location;

/// A schema document: the root, and the definitions by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The root schema.
    pub root: SchemaObject,
    /// `$defs`, or `definitions` in older drafts, in document order.
    pub definitions: IndexMap<String, SchemaObject>,
}

/// A node of a JSON Schema (draft 2020-12, and draft-07 where it says the same).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaObject {
    /// Its location.
    pub location: Location,
    /// `true` or `false` in place of an object.
    pub boolean: Option<bool>,
    /// True if it is written as `false`: there is to be no value. Others turn out to fit none.
    pub denied: bool,
    /// `$ref`.
    pub reference: Option<Box<Reference>>,
    /// `type`; empty when absent.
    pub types: IndexSet<JsonType>,
    /// `properties`.
    pub properties: IndexMap<String, SchemaObject>,
    /// `required`.
    pub required: IndexSet<String>,
    /// `additionalProperties`, or `unevaluatedProperties`.
    pub additional: Additional,
    /// True if `unevaluatedProperties` says so: then it knows the properties that are merged, too.
    pub unevaluated: bool,
    /// `prefixItems`: the schema of each item by its place. Before 2020-12: a list of `items`.
    pub prefix: Vec<SchemaObject>,
    /// `items`: the schema of those after the prefix. Beside a list of `items`: `additionalItems`.
    pub items: Option<Box<SchemaObject>>,
    /// `anyOf`.
    pub any_of: Vec<SchemaObject>,
    /// `oneOf`.
    pub one_of: Vec<SchemaObject>,
    /// `allOf`.
    pub all_of: Vec<SchemaObject>,
    /// `not`.
    pub not: Option<Box<SchemaObject>>,
    /// `const`.
    pub constant: Option<Value>,
    /// `enum`, each value with its location.
    pub enumeration: Option<Vec<(Value, Location)>>,
    /// `default`, with its location.
    pub default: Option<Box<(Value, Location)>>,
    /// `examples`, each with its location.
    pub examples: Vec<(Value, Location)>,
    /// `title`.
    pub title: Option<String>,
    /// `description`, `deprecated`, `x-docs-ignore`.
    pub docs: Docs,
    /// `format`.
    pub format: Option<String>,
    /// `contentEncoding`.
    pub encoding: Option<String>,
    /// `pattern`.
    pub pattern: Option<String>,
    /// `minimum`, `maximum` and their exclusive twins.
    pub bounds: Rare<Bounds>,
    /// `minLength`.
    pub min_length: Option<u64>,
    /// `maxLength`.
    pub max_length: Option<u64>,
    /// `minItems`.
    pub min_items: Option<u64>,
    /// `multipleOf`.
    pub multiple_of: Option<Number>,
    /// `uniqueItems`.
    pub unique_items: bool,
    /// `maxItems`.
    pub max_items: Option<u64>,
    /// Keywords about the keys of an object.
    pub keys: Rare<Keys>,
    /// `discriminator.propertyName`: a hint.
    pub discriminator: Option<String>,
    /// Properties that several of the schemas which it merges describe: each as one schema.
    pub narrowed: Rare<IndexMap<String, SchemaObject>>,
    /// The `x-` keywords.
    pub annotations: Rare<Annotations>,
    /// Keywords that restrict values in a way the IR cannot say.
    pub unmodelled: Vec<(String, Location)>,
    /// Keywords that no type can say and that were left out, so that more fits than the schema says.
    pub left_out: Vec<String>,
}

lacking!(Annotations, Bounds, Keys, IndexMap<String, SchemaObject>);

/// A `$ref` to a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The definition's name.
    pub name: String,
    /// The reference as written.
    pub text: String,
    /// The location of the string.
    pub location: Location,
}

/// The values of `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names of JSON's own types")]
pub enum JsonType {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl JsonType {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Null,
        Self::Boolean,
        Self::Integer,
        Self::Number,
        Self::String,
        Self::Array,
        Self::Object,
    ];

    /// The type of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|json_type| json_type.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

impl From<Kind> for JsonType {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Null => Self::Null,
            Kind::Boolean => Self::Boolean,
            Kind::Number => Self::Number,
            Kind::String => Self::String,
            Kind::Array => Self::Array,
            Kind::Object => Self::Object,
        }
    }
}

impl From<JsonType> for Kind {
    fn from(json_type: JsonType) -> Self {
        match json_type {
            JsonType::Null => Self::Null,
            JsonType::Boolean => Self::Boolean,
            JsonType::Integer | JsonType::Number => Self::Number,
            JsonType::String => Self::String,
            JsonType::Array => Self::Array,
            JsonType::Object => Self::Object,
        }
    }
}

/// The rule for properties that are not listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Additional {
    /// Nothing.
    #[default]
    Unspecified,
    /// `true`
    Allowed,
    /// `false`
    Denied,
    /// A schema for their values.
    Schema(Box<SchemaObject>),
}

/// The keywords about the keys of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    /// `minProperties`.
    pub min_properties: Option<u64>,
    /// `maxProperties`.
    pub max_properties: Option<u64>,
    /// `propertyNames`.
    pub names: Option<Box<SchemaObject>>,
    /// `dependentRequired`, or `dependencies` on names.
    pub dependent: IndexMap<String, Vec<String>>,
    /// `anyOf` and `oneOf` whose alternatives say nothing but which properties there are.
    pub choices: Vec<KeyChoice>,
    /// The keywords that are there, each with its location.
    pub keywords: Vec<(&'static str, Location)>,
}

/// Bounds of a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// `minimum`
    pub minimum: Option<Number>,
    /// `maximum`
    pub maximum: Option<Number>,
    /// `exclusiveMinimum`
    pub exclusive_minimum: Option<Number>,
    /// `exclusiveMaximum`
    pub exclusive_maximum: Option<Number>,
}

impl SchemaObject {
    /// The schemas within it.
    pub fn parts(&self) -> impl Iterator<Item = &SchemaObject> {
        self.properties.values().chain(self.unnamed_parts())
    }

    /// The schemas within it, but for those of its properties.
    pub fn unnamed_parts(&self) -> impl Iterator<Item = &SchemaObject> {
        let additional = match &self.additional {
            Additional::Schema(schema) => Some(schema.as_ref()),
            _ => None,
        };
        let lists = [&self.any_of, &self.one_of, &self.all_of, &self.prefix].into_iter().flatten();
        let single = [self.items.as_deref(), self.not.as_deref(), additional];
        lists.chain(single.into_iter().flatten())
    }

    /// The schemas within it, to change them.
    pub(crate) fn parts_mut(&mut self) -> impl Iterator<Item = &mut SchemaObject> {
        let additional = match &mut self.additional {
            Additional::Schema(schema) => Some(schema.as_mut()),
            _ => None,
        };
        let lists = [&mut self.any_of, &mut self.one_of, &mut self.all_of, &mut self.prefix];
        let single = [self.items.as_deref_mut(), self.not.as_deref_mut(), additional];
        let properties = self.properties.values_mut();
        properties.chain(lists.into_iter().flatten()).chain(single.into_iter().flatten())
    }

    /// The schemas of the values in it, properties and items, to change them.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut SchemaObject> {
        let additional = match &mut self.additional {
            Additional::Schema(schema) => Some(schema.as_mut()),
            _ => None,
        };
        let properties = self
            .properties
            .values_mut()
            .chain(self.narrowed.get_mut().into_iter().flat_map(IndexMap::values_mut));
        properties.chain(&mut self.prefix).chain(self.items.as_deref_mut()).chain(additional)
    }

    /// The schemas that its values fit too, members and alternatives, to change them.
    pub(crate) fn merged_mut(&mut self) -> impl Iterator<Item = &mut SchemaObject> {
        self.any_of.iter_mut().chain(&mut self.one_of).chain(&mut self.all_of)
    }

    /// Tells whether a keyword of it speaks of values of a type.
    pub fn speaks_of(&self, kind: Kind) -> bool {
        match kind {
            Kind::Null | Kind::Boolean => false,
            Kind::Number => *self.bounds != Bounds::default() || self.multiple_of.is_some(),
            Kind::String => {
                self.pattern.is_some()
                    || self.min_length.is_some()
                    || self.max_length.is_some()
                    || self.encoding.is_some()
            }
            Kind::Array => {
                self.is_of_items()
                    || self.min_items.is_some()
                    || self.max_items.is_some()
                    || self.unique_items
            }
            Kind::Object => {
                !self.properties.is_empty()
                    || !self.required.is_empty()
                    || matches!(self.additional, Additional::Denied | Additional::Schema(_))
                    || !self.keys.keywords.is_empty()
            }
        }
    }

    /// Tells whether a keyword of it speaks of numbers, strings or arrays alone.
    pub fn has_bounds(&self) -> bool {
        [Kind::Number, Kind::String, Kind::Array].into_iter().any(|kind| self.speaks_of(kind))
    }

    /// Tells whether it says what the items of an array are.
    pub fn is_of_items(&self) -> bool {
        self.items.is_some() || !self.prefix.is_empty()
    }

    /// The branches of `anyOf` or `oneOf`. The two mean the same where branches exclude each
    /// other, as those of a union must.
    pub fn branches(&self) -> &[SchemaObject] {
        if self.any_of.is_empty() { &self.one_of } else { &self.any_of }
    }

    /// The definition this node stands for: a `$ref`, or an `allOf` of nothing but one `$ref`
    /// (how a description is put beside a reference), and nothing beside it that restricts.
    pub fn alias_target(&self) -> Option<&Reference> {
        if self.restricts_beyond_reference() {
            return None;
        }
        match (&self.reference, self.all_of.as_slice()) {
            (Some(reference), []) => Some(reference),
            (None, [only]) => only.alias_target(),
            _ => None,
        }
    }

    /// The schema that says all this one does: the only member of an `allOf` with nothing beside
    /// it, if it is more than a reference.
    pub fn only_member(&self) -> Option<&SchemaObject> {
        match (&self.reference, self.all_of.as_slice()) {
            (None, [only])
                if !self.restricts_beyond_reference() && self.keys.keywords.is_empty() =>
            {
                only.alias_target().is_none().then_some(only)
            }
            _ => None,
        }
    }

    /// Tells whether any keyword other than `$ref` and `allOf` restricts values.
    fn restricts_beyond_reference(&self) -> bool {
        self.boolean.is_some()
            || !self.types.is_empty()
            || !self.properties.is_empty()
            || !self.required.is_empty()
            || matches!(self.additional, Additional::Denied | Additional::Schema(_))
            || self.is_of_items()
            || !self.any_of.is_empty()
            || !self.one_of.is_empty()
            || self.not.is_some()
            || self.constant.is_some()
            || self.enumeration.is_some()
            || !self.unmodelled.is_empty()
    }

    /// Tells whether nothing restricts values: any JSON.
    pub fn is_unrestricted(&self) -> bool {
        self.boolean != Some(false)
            && self.reference.is_none()
            && self.all_of.is_empty()
            && (self.boolean == Some(true) || !self.restricts_beyond_reference())
    }

    /// The types of values that are not `null`.
    pub fn nonnull_types(&self) -> impl Iterator<Item = JsonType> {
        self.types.iter().copied().filter(|json_type| *json_type != JsonType::Null)
    }

    /// Tells whether `type` names `object` alone.
    pub fn is_object(&self) -> bool {
        self.types.len() == 1 && self.types.contains(&JsonType::Object)
    }

    /// Tells whether `type` names all types, so that it says nothing.
    pub fn is_of_all_types(&self) -> bool {
        let is_part = |json_type: &JsonType| *json_type == JsonType::Integer;
        JsonType::ALL.iter().all(|it| is_part(it) || self.types.contains(it))
    }

    /// Tells whether an object may fit, as far as what stands at this place says.
    pub fn may_be_object(&self) -> bool {
        let is_value = self.constant.is_some() || self.enumeration.is_some();
        self.types.contains(&JsonType::Object)
            || (self.types.is_empty() && !is_value && !self.is_of_items())
    }

    /// Tells whether only `null` fits.
    pub fn is_null(&self) -> bool {
        let is_null_enum = |values: &[(Value, Location)]| {
            !values.is_empty() && values.iter().all(|(value, _)| value.is_null())
        };
        (self.types.len() == 1 && self.types.contains(&JsonType::Null))
            || self.constant == Some(Value::Null)
            || self.enumeration.as_deref().is_some_and(is_null_enum)
    }

    /// Tells whether its `type` says that it is an object, or an object and `null`.
    pub fn is_typed_object(&self) -> bool {
        let is_one = |ty: &JsonType| matches!(ty, JsonType::Object | JsonType::Null);
        self.types.contains(&JsonType::Object) && self.types.iter().all(is_one)
    }

    /// The one constant that fits: `const`, or an `enum` of one value.
    pub fn single_value(&self) -> Option<&Value> {
        match (&self.constant, self.enumeration.as_deref()) {
            (Some(value), _) | (None, Some([(value, _)])) => Some(value),
            _ => None,
        }
    }
}
