//! The contents of `codecs.py`: a constant for each definition.

use super::layout::{Expression, assignment};
use super::literal;
use super::model::CodecsModule;
use super::scope::Scope;
use crate::ir::TypeKind;

/// Writes the model of `codecs.py`.
pub(super) fn codecs_module(scope: &Scope<'_>) -> CodecsModule {
    let mut modules = std::collections::BTreeSet::new();
    let mut codecs = Vec::new();
    for (name, def) in &scope.protocol.types {
        if scope.variants.is_folded(name) {
            continue;
        }
        let module = if matches!(def.kind, TypeKind::Enum(_)) { "enums" } else { "types" };
        modules.insert(module);
        let class = scope.class(name);
        let annotation = Expression::atom(format!("Codec[{module}.{class}]"));
        let value = Expression::Call(
            String::from("Codec"),
            vec![(None, Expression::atom(literal::string(class)))],
        );
        codecs.push(assignment(0, &constant(class), Some(&annotation), Some(&value)));
    }
    let modules: Vec<&str> = modules.into_iter().collect();
    CodecsModule { imports: vec![format!("    from . import {}", modules.join(", "))], codecs }
}

/// The constant that holds the codec of a class.
pub(super) fn constant(class: &str) -> String {
    format!("{class}Codec")
}
