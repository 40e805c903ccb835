//! The contents of `payloads.py`: any request, any result, any notification of a side.

use serde::Serialize;

use super::super::expression::Expression;
use super::super::imports::{Import, Imports};
use super::super::names;
use super::Exports;
use super::scope::Scope;
use crate::ir::{Aggregate, Part, Side, Type};

/// `payloads.py`
#[derive(Debug, Serialize)]
pub(crate) struct PayloadsModule {
    imports: Vec<Import>,
    aggregates: Vec<AggregateAlias>,
}

/// Any of what the methods of a side carry in one part of a call.
#[derive(Debug, Serialize)]
struct AggregateAlias {
    name: String,
    /// The class of the side.
    interface: String,
    /// `params` or `result`.
    part: &'static str,
    /// `request` or `notification`.
    of: &'static str,
    #[serde(rename = "type")]
    ty: Expression,
    /// The constant with the codecs, and the function that decodes.
    table: String,
    function: String,
    cases: Vec<Case>,
}

/// A method, and how its part is decoded.
#[derive(Debug, Serialize)]
struct Case {
    /// The constant of its name.
    constant: String,
    codec: String,
}

/// Decides the contents of the module. `None`: these sides handle nothing.
pub(super) fn payloads_module(
    scope: &Scope<'_>,
    sides: &[Side],
    exports: &mut Exports,
) -> Option<PayloadsModule> {
    let found = scope.protocol.aggregates(sides);
    if found.is_empty() {
        return None;
    }
    let mut imports = Imports::default();
    imports.collections("Mapping");
    imports.typing("Final");
    imports.typing("TypeAlias");
    imports.module("methods", "methods");
    imports.own("runtime/payloads", "Json");
    imports.own("runtime/payloads", "Reader");
    let mut aggregates = Vec::new();
    for aggregate in &found {
        let alias = alias(scope, aggregate, &mut imports);
        exports.payloads.extend([alias.name.clone(), alias.function.clone()]);
        aggregates.push(alias);
    }
    Some(PayloadsModule { imports: imports.statements(scope.modules, "payloads"), aggregates })
}

fn alias(scope: &Scope<'_>, aggregate: &Aggregate<'_>, imports: &mut Imports) -> AggregateAlias {
    let is_result = aggregate.part == Part::Result;
    let (part, read) =
        if is_result { ("result", "read_result") } else { ("params", "read_params") };
    imports.own("runtime/payloads", read);
    let (mut types, mut cases) = (Vec::new(), Vec::new());
    for method in &aggregate.methods {
        let ty = method.result().filter(|_| is_result).unwrap_or_else(|| method.params());
        types.push(scope.typed(ty, imports));
        let constant = names::constant(&method.name);
        cases.push(Case { constant, codec: codec(scope, ty, imports) });
    }
    AggregateAlias {
        name: names::class(&aggregate.name),
        interface: names::side(aggregate.side).name,
        part,
        of: if aggregate.part == Part::Notification { "notification" } else { "request" },
        ty: Expression::union(types),
        table: format!("{}S", names::constant(&aggregate.name)),
        function: format!("decode_{}", aggregate.name.snake()),
        cases,
    }
}

/// The codec that reads values of a type, as an expression.
fn codec(scope: &Scope<'_>, ty: &Type, imports: &mut Imports) -> String {
    let other = match ty {
        Type::Named { name } => {
            imports.module("codecs", "codecs");
            return format!("codecs.{}", names::codec(scope.class(name)));
        }
        Type::Null => "NONE",
        _ => "ANY",
    };
    imports.own("runtime/payloads", other);
    String::from(other)
}
