//! The contents of `codecs.py` and `_decoders.py`: a constant and a decoder for each definition.

use std::collections::BTreeSet;

use serde::Serialize;

use super::super::imports::Imports;
use super::super::{literals, names};
use super::decoders::{
    DecoderBuilder, DecoderFunction, DecoderTable, DecodersModule, Decodes, Table,
};
use super::scope::Scope;
use crate::ir::{TypeDef, TypeKind};

/// `codecs.py`
#[derive(Debug, Default, Serialize)]
pub(crate) struct CodecsModule {
    /// The modules of the types that it names.
    pub(crate) modules: BTreeSet<&'static str>,
    pub(crate) codecs: Vec<CodecConstant>,
}

/// The codec of a class.
#[derive(Debug, Serialize)]
pub(crate) struct CodecConstant {
    pub(crate) name: String,
    /// The module that defines the class.
    pub(crate) module: &'static str,
    pub(crate) class: String,
}

/// Decides the contents of `codecs.py`.
pub(super) fn codecs_module(scope: &Scope<'_>) -> CodecsModule {
    let mut codecs = CodecsModule::default();
    for (name, def) in &scope.protocol.types {
        if scope.variants.is_inlined(name) {
            continue;
        }
        let module = if matches!(def.kind, TypeKind::Enum(_)) { "enums" } else { "types" };
        codecs.modules.insert(module);
        let class = scope.class(name).to_owned();
        codecs.codecs.push(CodecConstant { name: names::codec(&class), module, class });
    }
    codecs
}

/// Decides the contents of `_decoders.py`. A table may name any function, a function any table:
/// functions stand above.
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
            TypeKind::Record(record) => Table::Object(self.record(key, record)),
            TypeKind::Union(union) => Table::Variant(self.union(key, union)),
            TypeKind::Alias { target } => Table::Decode(self.ty(target)),
            TypeKind::Enum(_) => return None,
        };
        Some(DecoderTable { name: names::table(&def.name), contents })
    }
}
