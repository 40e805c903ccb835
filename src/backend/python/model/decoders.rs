//! The contents of `_decoders.py`: for each type a function that decodes it, and the table that
//! says how.

use serde::Serialize;

use super::super::expression::Expression;
use super::super::imports::{Import, Imports};
use super::super::names;
use super::scope::Scope;
use crate::backend::template::Sequence;
use crate::ir::{EnumBase, StringType, TypeDef, TypeKind};

/// `_decoders.py`
#[derive(Debug, Serialize)]
pub(crate) struct DecodersModule {
    pub(crate) imports: Vec<Import>,
    /// The imports of type checkers alone.
    pub(crate) checked: Vec<Import>,
    pub(crate) functions: Sequence<DecoderFunction>,
    /// The literals of the classes, each with the name of its function.
    pub(crate) keys: Sequence<(Expression, String)>,
    /// The functions that decode by a table, each with the table.
    pub(crate) parts: Sequence<(String, String)>,
    /// The tables by their names, those of records first: others name them.
    pub(crate) tables: Sequence<(String, Expression)>,
}

/// The function that decodes a definition.
#[derive(Debug, Serialize)]
pub(crate) struct DecoderFunction {
    pub(crate) name: String,
    /// What the function returns.
    pub(crate) decoded: Expression,
}

/// Decides how values are decoded, and collects what that needs.
pub(super) struct DecoderBuilder<'a, 'w> {
    pub(super) scope: &'w Scope<'a>,
    imports: Imports,
}

/// Decides the contents of `_decoders.py`. A table may name any function, a function any table:
/// functions stand above.
pub(super) fn decoders_module(scope: &Scope<'_>) -> DecodersModule {
    let mut builder = DecoderBuilder { scope, imports: Imports::default() };
    let types = scope.protocol.types.iter();
    let types = types.filter(|(name, def)| !scope.variants.is_inlined(name) && !def.old_name);
    let types: Vec<_> = types.collect();
    let functions: Sequence<_> =
        types.iter().map(|(name, def)| builder.function(name, def)).collect();
    let is_record = |def: &TypeDef| matches!(def.kind, TypeKind::Record(_));
    let records = types.iter().filter(|(_, def)| is_record(def));
    let others = types.iter().filter(|(_, def)| !is_record(def));
    let tables = records.chain(others).filter_map(|(name, def)| builder.table(name, def)).collect();
    let named = |(name, def): &(&String, &TypeDef)| {
        (Expression::string(scope.class(name)), names::decoder(&def.name))
    };
    let keys = types.iter().map(named).collect();
    let has_table = |def: &TypeDef| !matches!(def.kind, TypeKind::Enum(_));
    let parts = types.iter().filter(|(_, def)| has_table(def));
    let parts = parts.map(|(_, def)| (names::decoder(&def.name), names::table(&def.name)));
    let parts: Sequence<_> = parts.collect();
    if !parts.is_empty() {
        builder.imports.own("runtime/decoding", "PARTS");
    }
    let mut checked = Imports::default();
    checked.own("runtime/decoding", "Decode");
    if !functions.is_empty() {
        checked.own("runtime/decoding", "Context");
    }
    let [imports, checked] =
        [builder.imports, checked].map(|it| it.statements(scope.modules, "_decoders"));
    DecodersModule { imports, checked, functions, keys, parts, tables }
}

impl<'a> DecoderBuilder<'a, '_> {
    fn function(&mut self, key: &str, def: &TypeDef) -> DecoderFunction {
        let class = self.scope.class(key);
        let table = names::table(&def.name);
        let (function, more) = match &def.kind {
            TypeKind::Record(_) => {
                let more = vec![self.class(class), Expression::Atom(table)];
                self.imports.own("runtime/quick", "record");
                (String::from("record"), more)
            }
            TypeKind::Enum(_) => {
                self.imports.module("enums", "enums");
                let class = Expression::Atom(format!("enums.{class}"));
                if bounded_text(def).is_some() {
                    let more = vec![class, Expression::Atom(table)];
                    (self.keyword("bounded_choice").to_owned(), more)
                } else {
                    (self.value("choice").to_owned(), vec![class])
                }
            }
            TypeKind::Union(_) => (table + ".decode", vec![Expression::Dict(Vec::new())]),
            TypeKind::Tuple(_) | TypeKind::Alias { .. } => (table, Vec::new()),
        };
        let arguments = ["value", "context"].map(Expression::atom).into_iter().chain(more);
        DecoderFunction {
            name: names::decoder(&def.name),
            decoded: Expression::apply(function, arguments),
        }
    }

    fn table(&mut self, key: &str, def: &'a TypeDef) -> Option<(String, Expression)> {
        let contents = match &def.kind {
            TypeKind::Record(record) => list_or_tuple(self.record(key, record)),
            TypeKind::Union(union) => self.union(key, union),
            TypeKind::Tuple(tuple) => self.tuple(tuple),
            TypeKind::Alias { target } => self.ty(target),
            TypeKind::Enum(_) => self.string(bounded_text(def)?),
        };
        Some((names::table(&def.name), contents))
    }

    /// Imports something of `_decoding.py`.
    pub(super) fn helper(&mut self, name: &'static str) -> &'static str {
        self.imports.own("runtime/decoding", name);
        name
    }

    /// Imports something of `_keywords.py`.
    pub(super) fn keyword(&mut self, name: &'static str) -> &'static str {
        self.imports.own("runtime/keywords", name);
        name
    }

    /// Imports the helper for tuples.
    pub(super) fn places(&mut self) -> &'static str {
        self.imports.own("runtime/tuples", "places");
        "places"
    }

    /// Imports something of `_values.py`.
    pub(super) fn value(&mut self, name: &'static str) -> &'static str {
        self.imports.own("runtime/values", name);
        name
    }

    /// Imports something of `_unions.py`.
    pub(super) fn choice(&mut self, name: &'static str) -> &'static str {
        self.imports.own("runtime/unions", name);
        name
    }

    /// A class of a variant.
    pub(super) fn class(&mut self, class: &str) -> Expression {
        self.imports.module("types", "types");
        Expression::Atom(format!("types.{class}"))
    }
}

/// A list, or the empty tuple, which cannot change.
fn list_or_tuple(items: Vec<Expression>) -> Expression {
    if items.is_empty() { Expression::atom("()") } else { Expression::List(items) }
}

/// Bounds of a length as arguments.
pub(super) fn lengths(low: Option<u64>, high: Option<u64>) -> Vec<Expression> {
    let mut bounds = vec![low.unwrap_or(0)];
    bounds.extend(high);
    if bounds == [0] {
        bounds.clear();
    }
    bounds.into_iter().map(|bound| Expression::atom(bound.to_string())).collect()
}

/// The bounds of a value that an open enum of strings does not list, if there are some.
fn bounded_text(def: &TypeDef) -> Option<&StringType> {
    let TypeKind::Enum(of) = &def.kind else { return None };
    let open = of.open.as_ref().filter(|_| of.base == EnumBase::String)?;
    Some(&open.text).filter(|text| text.is_bounded())
}
