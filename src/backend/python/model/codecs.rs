//! The contents of `codecs.py`: a constant for each definition.

use std::collections::BTreeSet;

use serde::Serialize;

use super::super::names;
use super::scope::Scope;
use crate::ir::TypeKind;

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
