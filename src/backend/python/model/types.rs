//! The contents of `types.py`: structs, unions with their variants, and aliases, each after
//! what it inherits.

use std::collections::HashSet;

use super::super::imports::Imports;
use super::Exports;
use super::declarations::{TypesBuilder, TypesModule};
use super::scope::Scope;
use super::variants::VariantKind;
use crate::backend::DocsMode;
use crate::ir::{Findings, TypeDef, TypeKind};

/// Decides the contents of `types.py`, and claims the names it defines.
pub(super) fn types_module(
    scope: &Scope<'_>,
    mode: DocsMode,
    exports: &mut Exports,
    diagnostics: &mut Findings,
) -> TypesModule {
    let mut builder = TypesBuilder {
        scope,
        mode,
        diagnostics,
        exports,
        imports: Imports::default(),
        declarations: Vec::new(),
        origins: Vec::new(),
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
            TypeKind::Enum(_) | TypeKind::Tuple(_) | TypeKind::Alias { .. } => {}
        }
    }
    builder.aliases(false);
    builder.old_variants();
    let wires = builder.wires();
    TypesModule {
        imports: builder.imports.statements(scope.modules, "types"),
        declarations: builder.declarations.into(),
        origins: builder.origins,
        wires,
        has_old_names: !builder.exports.old_types.is_empty(),
    }
}

impl<'a> TypesBuilder<'a, '_> {
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
