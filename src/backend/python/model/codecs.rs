//! The contents of `codecs.py`: a constant for each definition.

use serde::Serialize;

use super::super::imports::{Import, Imports};
use super::super::{literals, names};
use super::scope::Scope;
use crate::backend::template::Sequence;
use crate::ir::{Type, TypeKind};

/// `codecs.py`
#[derive(Debug, Serialize)]
pub(crate) struct CodecsModule {
    imports: Vec<Import>,
    /// The imports of type checkers alone.
    checked: Vec<Import>,
    /// What is imported to decode: modules of types, and that of decoders, as literals.
    types: [String; 2],
    decoders: String,
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
    let (mut imports, mut checked) = (Imports::default(), Imports::default());
    imports.typing("TYPE_CHECKING");
    imports.own("runtime/codec", "Definitions");
    checked.own("runtime/codec", "Codec");
    let mut codecs = Vec::new();
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
        checked.module(module, module);
        let class = scope.class(new_name.unwrap_or(name)).to_owned();
        let name = names::codec(scope.class(name));
        codecs.push(CodecConstant { name, module, class, same_as });
    }
    let here = "codecs";
    let literal = |module| literals::string(&scope.modules.import(here, module));
    CodecsModule {
        imports: imports.statements(scope.modules, here),
        checked: checked.statements(scope.modules, here),
        types: ["types", "enums"].map(literal),
        decoders: literal("_decoders"),
        codecs: codecs.into(),
    }
}
