//! The contents of `types.py`: structs, unions with their variants, and aliases, each after
//! what it inherits.

use std::collections::HashSet;

use serde::Serialize;

use super::super::imports::{Import, Imports};
use super::Exports;
use super::aliases::{Alias, WireType};
use super::objects::PlainClass;
use super::records::Struct;
use super::scope::Scope;
use super::unions::UnionClass;
use super::variants::VariantKind;
use crate::backend::DocsMode;
use crate::diagnostic::Diagnostics;
use crate::ir::{TypeDef, TypeKind};
use crate::source::Place;

/// `types.py`
#[derive(Debug, Default, Serialize)]
pub(crate) struct TypesModule {
    pub(crate) imports: Vec<Import>,
    pub(crate) declarations: Vec<Declaration>,
    /// The private names that msgspec reads.
    pub(crate) wires: Vec<WireType>,
}

/// One thing that `types.py` defines.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Declaration {
    /// A class for objects with known fields.
    Struct(Struct),
    /// A class that variants inherit, with the functions that make them.
    Union(UnionClass),
    /// A class with an initializer of its own.
    Plain(PlainClass),
    /// Another name for a type.
    Alias(Alias),
}

/// Decides the contents of `types.py`, and claims the names it defines.
pub(super) fn types_module(
    scope: &Scope<'_>,
    mode: DocsMode,
    exports: &mut Exports,
    diagnostics: &mut Diagnostics,
) -> TypesModule {
    let mut builder = TypesBuilder {
        scope,
        mode,
        diagnostics,
        exports,
        imports: Imports::default(),
        declarations: Vec::new(),
        defined: HashSet::new(),
        begun: HashSet::new(),
        nesting: 0,
    };
    builder.aliases(true);
    for (name, def) in &scope.protocol.types {
        match &def.kind {
            _ if scope.variants.is_inlined(name) => {}
            TypeKind::Record(_) => builder.record(name, def),
            TypeKind::Union(_) => builder.union(name, def),
            TypeKind::Enum(_) | TypeKind::Alias { .. } => {}
        }
    }
    builder.aliases(false);
    let wires = builder.wires();
    TypesModule { imports: builder.imports.statements(), declarations: builder.declarations, wires }
}

/// Collects declarations, each once.
pub(super) struct TypesBuilder<'a, 'w> {
    pub(super) scope: &'w Scope<'a>,
    pub(super) mode: DocsMode,
    pub(super) diagnostics: &'w mut Diagnostics,
    exports: &'w mut Exports,
    pub(super) imports: Imports,
    pub(super) declarations: Vec<Declaration>,
    /// The classes that stand above.
    pub(super) defined: HashSet<String>,
    /// The definitions whose classes stand above.
    begun: HashSet<&'a str>,
    /// How many classes wait for the one that makes a default of theirs.
    pub(super) nesting: usize,
}

impl<'a> TypesBuilder<'a, '_> {
    /// Adds a declaration, and claims its name.
    pub(super) fn declare(
        &mut self,
        declaration: Declaration,
        class: &str,
        wire: &str,
        place: &Place,
    ) {
        self.declarations.push(declaration);
        self.exports.claim(class, wire, place, self.diagnostics);
        self.exports.types.push(class.to_owned());
        self.defined.insert(class.to_owned());
    }

    /// Whether a definition is declared for the first time.
    pub(super) fn begin(&mut self, name: &'a str) -> bool {
        self.begun.insert(name)
    }

    /// A union's class, if it has one, and those of its variants.
    fn union(&mut self, name: &'a str, def: &'a TypeDef) {
        let scope = self.scope;
        let Some(form) = scope.form(name) else { return };
        if form.is_class {
            self.union_class(name);
        }
        for class in &form.classes {
            match &class.kind {
                VariantKind::Record { .. } => {}
                VariantKind::Generated(generated) => {
                    self.variant(name, def, class, generated, form.is_class);
                }
                VariantKind::Raw { property, fields, .. } => {
                    self.raw_variant(name, class, property, fields, form.is_class);
                }
            }
        }
    }
}
