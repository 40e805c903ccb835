//! Imports: what a file of the package takes from the others.

use std::collections::BTreeSet;

use serde::Serialize;

use super::names;
use super::types::{Expr, Scope};
use crate::ir::Type;

/// The functions of the runtime that decoders call, by the file that has them.
#[derive(Debug, Default, Serialize)]
pub(super) struct RuntimeImports {
    /// Of `decoding.ts`.
    decoding: BTreeSet<&'static str>,
    /// Of `values.ts`.
    values: BTreeSet<&'static str>,
    /// Of `keywords.ts`.
    keywords: BTreeSet<&'static str>,
}

impl RuntimeImports {
    /// Takes functions of `decoding.ts`.
    pub(super) fn decoding<const N: usize>(&mut self, names: [&'static str; N]) {
        self.decoding.extend(names);
    }

    /// Takes a function of `keywords.ts`.
    pub(super) fn keyword(&mut self, name: &'static str) -> String {
        self.keywords.insert(name);
        name.to_owned()
    }

    /// Tells whether anything of `keywords.ts` is called.
    pub(super) fn has_keywords(&self) -> bool {
        !self.keywords.is_empty()
    }

    /// Takes a function of `values.ts`.
    pub(super) fn value(&mut self, name: &'static str) -> String {
        self.values.insert(name);
        name.to_owned()
    }
}

/// The types and codecs that a file refers to.
#[derive(Debug, Default, Serialize)]
pub(super) struct TypeImports {
    types: BTreeSet<String>,
    codecs: BTreeSet<String>,
}

impl TypeImports {
    /// A type, and what it refers to.
    pub(super) fn expression(&mut self, scope: Scope<'_>, ty: &Type) -> Expr {
        self.types.extend(ty.named().map(|name| scope.names.name(name).to_owned()));
        scope.expression(ty)
    }

    /// Params or result of an extension: an object, as JSON-RPC wants it, where the schema allows
    /// anything.
    pub(super) fn extension(&mut self, scope: Scope<'_>, ty: &Type) -> Expr {
        if *scope.protocol.resolve(ty) == Type::Any {
            let types = vec![Expr::Keyword("string"), Expr::UNKNOWN];
            return Expr::Apply(String::from("Record"), types);
        }
        self.expression(scope, ty)
    }

    /// The codec of an extension's params or result.
    pub(super) fn extension_codec(&mut self, scope: Scope<'_>, ty: &Type) -> String {
        if *scope.protocol.resolve(ty) == Type::Any {
            return String::from("rpc.rawObject");
        }
        self.codec(scope, ty)
    }

    /// Takes the codec of a type: of one that has no name, the one that leaves values as they are.
    pub(super) fn codec(&mut self, scope: Scope<'_>, ty: &Type) -> String {
        let name = match ty {
            Type::Named { name } => name,
            Type::Null => return String::from("rpc.none"),
            _ => return String::from("rpc.raw"),
        };
        let codec = names::codec(scope.names.name(name));
        self.codecs.insert(codec.clone());
        codec
    }
}
