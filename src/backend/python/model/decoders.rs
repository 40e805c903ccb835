//! What `_decoders.py` defines: for each definition a function that decodes it, and the table that
//! says how.

use serde::Serialize;

use super::super::expression::Expression;
use super::super::imports::{Import, Imports};
use super::scope::Scope;

/// `_decoders.py`
#[derive(Debug, Serialize)]
pub(crate) struct DecodersModule {
    pub(crate) imports: Vec<Import>,
    pub(crate) functions: Vec<DecoderFunction>,
    /// The tables, those of records first: others name them.
    pub(crate) tables: Vec<DecoderTable>,
}

/// The function that decodes a definition.
#[derive(Debug, Serialize)]
pub(crate) struct DecoderFunction {
    pub(crate) name: String,
    /// The definition's class: as a literal, and as it is imported.
    pub(crate) key: String,
    pub(crate) class: String,
    pub(crate) table: String,
    pub(crate) decodes: Decodes,
}

/// What a function decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Decodes {
    Record,
    Enum,
    Union,
    Alias,
}

/// What a function decodes with.
#[derive(Debug, Serialize)]
pub(crate) struct DecoderTable {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) contents: Table,
}

/// The contents of a table.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Table {
    /// The properties of a record.
    Object(ObjectDecoder),
    /// The variants of a union.
    Variant(VariantDecoder),
    /// The decoder of what an alias stands for.
    Decode(Expression),
}

/// How the properties of an object become attributes.
#[derive(Debug, Default, Serialize)]
pub(crate) struct ObjectDecoder {
    pub(crate) fields: Vec<FieldDecoder>,
    pub(crate) rest: Option<RestDecoder>,
}

/// How the members become an attribute that no field names.
#[derive(Debug, Serialize)]
pub(crate) struct RestDecoder {
    /// The name of the attribute, as a literal.
    pub(crate) name: String,
    pub(crate) decode: Expression,
    /// The properties that are not among them, as literals.
    pub(crate) known: Vec<String>,
}

/// How one property of an object becomes an attribute.
#[derive(Debug, Serialize)]
pub(crate) struct FieldDecoder {
    /// The names of the attribute and of the property, as literals.
    pub(crate) name: String,
    pub(crate) wire: String,
    pub(crate) decode: Expression,
    pub(crate) is_required: bool,
    pub(crate) is_nullable: bool,
    /// What makes the JSON that stands for a value that is malformed, or `null`.
    pub(crate) on_error: Option<Expression>,
    pub(crate) on_null: Option<Expression>,
}

/// How a variant is decoded. All names of attributes, properties and tags are literals.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum VariantDecoder {
    /// An object of a class.
    Leaf {
        class: String,
        /// The table of the properties, if a definition has it; else the properties themselves.
        table: Option<String>,
        object: ObjectDecoder,
        /// The shared attributes that the class does not have.
        without: Vec<String>,
    },
    /// An object that is kept as it came.
    Kept {
        class: String,
        /// The property of the tag.
        property: String,
        /// The properties that are not kept, because they are shared ones.
        omitted: Vec<String>,
        /// What must hold.
        check: Option<Box<PayloadDecoder>>,
    },
    /// A value of a type, on its own.
    Plain { decode: Box<PayloadDecoder> },
    /// A union in the same object.
    Union(UnionDecoder),
}

/// How the payload of a variant is decoded.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PayloadDecoder {
    /// By a decoder.
    Decode(Expression),
    /// By the table of a definition that has no class: it is only checked.
    Shaped(VariantDecoder),
}

/// How the variants of a union are told apart.
#[derive(Debug, Default, Serialize)]
pub(crate) struct UnionDecoder {
    /// Whether it is always an object.
    pub(crate) is_object: bool,
    /// The properties beside the variants.
    pub(crate) shared: Vec<FieldDecoder>,
    /// The property that holds the tag.
    pub(crate) tag: Option<String>,
    /// The variants that a tag selects.
    pub(crate) tagged: Vec<(String, VariantDecoder)>,
    /// The others.
    pub(crate) untagged: Vec<VariantDecoder>,
    /// Which of the others are tried before the variant for tags that are not known, and after it.
    pub(crate) before: Vec<Arm>,
    pub(crate) arms: Vec<Arm>,
    /// The variant for tags that are not known.
    pub(crate) unknown: Option<Box<VariantDecoder>>,
    /// What could have been decoded, in words, as a literal; unless that is one of the tags.
    pub(crate) expected: Option<String>,
}

/// Which variants are tried for values of some JSON types.
#[derive(Debug, Serialize)]
pub(crate) struct Arm {
    /// The JSON types as literals; none of them is all of them.
    pub(crate) kinds: Vec<String>,
    #[serde(flatten)]
    pub(crate) tried: Tried,
}

/// The variants that are tried, by their indices among those that no tag selects.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tried {
    /// This one, for good.
    Only(usize),
    /// In this order.
    InOrder(Vec<usize>),
    /// Those that know most of the keys first. Each with the keys that it knows, as literals, or
    /// `None` for every key.
    MostKeys(Vec<(usize, Option<Vec<String>>)>),
}

/// Decides how values are decoded, and collects what that needs.
pub(super) struct DecoderBuilder<'a, 'w> {
    pub(super) scope: &'w Scope<'a>,
    pub(super) imports: Imports,
    /// The definitions without a class that are being decided on, each inside the one before.
    pub(super) checks: Vec<&'a str>,
}

impl DecoderBuilder<'_, '_> {
    /// Imports something of `_decoding.py`.
    pub(super) fn helper(&mut self, name: &'static str) -> &'static str {
        self.imports.own("._decoding", name);
        name
    }

    /// Imports something of `_values.py`.
    pub(super) fn value(&mut self, name: &'static str) -> &'static str {
        self.imports.own("._values", name);
        name
    }

    /// Imports something of `_unions.py`.
    pub(super) fn choice(&mut self, name: &'static str) {
        self.imports.own("._unions", name);
    }

    /// A class of a variant.
    pub(super) fn class(&mut self, class: &str) -> String {
        self.imports.own(".", "types");
        format!("types.{class}")
    }
}
