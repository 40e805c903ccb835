//! The contents of `_decoders.py`: for each definition a function that decodes it, and the
//! table that says how.
//!
//! A table may name any function, a function any table: functions stand above.

use serde::Serialize;

use super::super::expression::Expression;
use super::super::imports::{Import, Imports};
use super::super::{literals, names};
use super::choices::VariantDecoder;
use super::decode::FieldDecoder;
use super::scope::Scope;
use super::variants::Attribute;
use crate::ir::{TypeDef, TypeKind};

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
    Fields(Vec<FieldDecoder>),
    /// The variants of a union.
    Variant(VariantDecoder),
    /// The decoder of what an alias stands for.
    Decode(Expression),
}

/// Decides the contents of `_decoders.py`.
pub(super) fn decoders_module(scope: &Scope<'_>) -> DecodersModule {
    let mut builder = DecoderBuilder { scope, imports: Imports::default(), checks: Vec::new() };
    let types = scope.protocol.types.iter();
    let types: Vec<_> = types.filter(|(name, _)| !scope.variants.is_inlined(name)).collect();
    let functions = types.iter().map(|(name, def)| builder.function(name, def)).collect();
    let is_record = |def: &TypeDef| matches!(def.kind, TypeKind::Record(_));
    let records = types.iter().filter(|(_, def)| is_record(def));
    let others = types.iter().filter(|(_, def)| !is_record(def));
    let tables = records.chain(others).filter_map(|(name, def)| builder.table(name, def)).collect();
    DecodersModule { imports: builder.imports.statements(), functions, tables }
}

/// Decides how values are decoded, and collects what that needs.
pub(super) struct DecoderBuilder<'a, 'w> {
    pub(super) scope: &'w Scope<'a>,
    imports: Imports,
    /// The definitions without a class that are being decided on, each inside the one before.
    pub(super) checks: Vec<&'a str>,
}

impl<'a> DecoderBuilder<'a, '_> {
    fn function(&mut self, key: &str, def: &TypeDef) -> DecoderFunction {
        let decodes = match &def.kind {
            TypeKind::Record(_) => Decodes::Record,
            TypeKind::Enum(_) => Decodes::Enum,
            TypeKind::Union(_) => Decodes::Union,
            TypeKind::Alias { .. } => Decodes::Alias,
        };
        let class = self.scope.class(key);
        let module = if decodes == Decodes::Enum { "enums" } else { "types" };
        match decodes {
            Decodes::Record => {
                self.imports.own(".", module);
                self.imports.own("._decoding", "record");
            }
            Decodes::Enum => {
                self.imports.own(".", module);
                self.value("choice");
            }
            Decodes::Union | Decodes::Alias => {}
        }
        DecoderFunction {
            name: names::decoder(&def.name),
            key: literals::string(class),
            class: format!("{module}.{class}"),
            table: names::table(&def.name),
            decodes,
        }
    }

    fn table(&mut self, key: &str, def: &'a TypeDef) -> Option<DecoderTable> {
        let contents = match &def.kind {
            TypeKind::Record(record) => {
                Table::Fields(self.fields(record.fields.iter().map(Attribute::own)))
            }
            TypeKind::Union(union) => Table::Variant(self.union(key, union)),
            TypeKind::Alias { target } => Table::Decode(self.ty(target)),
            TypeKind::Enum(_) => return None,
        };
        Some(DecoderTable { name: names::table(&def.name), contents })
    }

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
