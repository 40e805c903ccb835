//! The contents of `codecs.py`: a constant for each definition.

use std::collections::BTreeSet;

use serde::Serialize;

use super::super::names;
use super::scope::Scope;
use crate::backend::template::Sequence;
use crate::ir::{Type, TypeKind};

/// `codecs.py`
#[derive(Debug, Serialize)]
pub(crate) struct CodecsModule {
    /// The modules of the types that it names.
    pub(crate) modules: BTreeSet<&'static str>,
    pub(crate) codecs: Sequence<CodecConstant>,
}

/// The codec of a class.
#[derive(Debug, Serialize)]
pub(crate) struct CodecConstant {
    pub(crate) name: String,
    /// The module that defines the class.
    pub(crate) module: &'static str,
    pub(crate) class: String,
    /// The constant that has the same codec, if the class is an old name.
    pub(crate) same_as: Option<String>,
}

/// Decides the contents of `codecs.py`.
pub(super) fn codecs_module(scope: &Scope<'_>) -> CodecsModule {
    let (mut modules, mut codecs) = (BTreeSet::new(), Vec::new());
    for (name, def) in &scope.protocol.types {
        if scope.variants.is_inlined(name) {
            continue;
        }
        let new_name = match &def.kind {
            TypeKind::Alias { target: Type::Named { name } } if def.old_name => Some(name.as_str()),
            _ => None,
        };
        if new_name.is_some_and(|name| scope.variants.is_inlined(name)) {
            continue;
        }
        let same_as = new_name.map(|name| names::codec(scope.class(name)));
        let kind = new_name.and_then(|name| scope.kind(name)).unwrap_or(&def.kind);
        let module = if matches!(kind, TypeKind::Enum(_)) { "enums" } else { "types" };
        modules.insert(module);
        let class = scope.class(new_name.unwrap_or(name)).to_owned();
        let name = names::codec(scope.class(name));
        codecs.push(CodecConstant { name, module, class, same_as });
    }
    CodecsModule { modules, codecs: codecs.into() }
}
