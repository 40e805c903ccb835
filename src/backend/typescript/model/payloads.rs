//! The aggregates of sides: any request, any result, any notification.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::backend::typescript::imports::TypeImports;
use crate::backend::typescript::literals::literal;
use crate::backend::typescript::names;
use crate::backend::typescript::types::{Expr, Member, Scope};
use crate::ir::{Aggregate, Method, Part, Side, Type};

/// All aggregates.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct PayloadsModel {
    aggregates: Vec<AggregateModel>,
    imports: TypeImports,
    /// The functions of `values.ts` that decode what has no codec of its own.
    values: BTreeSet<&'static str>,
    /// The functions of `payloads.ts` that read parts of calls.
    readers: BTreeSet<&'static str>,
}

/// Any of what the methods of a side carry in one part of a call.
#[derive(Debug, Serialize)]
struct AggregateModel {
    name: String,
    /// The interface of the side.
    interface: String,
    /// `params` or `result`.
    part: &'static str,
    /// `request` or `notification`.
    of: &'static str,
    #[serde(rename = "type")]
    ty: Expr,
    cases: Vec<CaseModel>,
}

/// A method, and how its part is decoded.
#[derive(Debug, Serialize)]
struct CaseModel {
    /// The literal of its wire name.
    method: String,
    codec: String,
}

impl PayloadsModel {
    /// The aggregates of these sides. `None`: they handle nothing.
    pub(super) fn new(scope: Scope<'_>, sides: &[Side]) -> Option<Self> {
        let mut model = Self {
            aggregates: Vec::new(),
            imports: TypeImports::default(),
            values: BTreeSet::new(),
            readers: BTreeSet::new(),
        };
        for aggregate in &scope.protocol.aggregates(sides) {
            let is_result = aggregate.part == Part::Result;
            model.readers.insert(if is_result { "resultOf" } else { "paramsOf" });
            let aggregate = model.aggregate(scope, aggregate);
            model.aggregates.push(aggregate);
        }
        (!model.aggregates.is_empty()).then_some(model)
    }

    fn aggregate(&mut self, scope: Scope<'_>, aggregate: &Aggregate<'_>) -> AggregateModel {
        let is_result = aggregate.part == Part::Result;
        let part = if is_result { "result" } else { "params" };
        let carried = |method: &'_ Method| -> Type {
            let result = method.result().filter(|_| is_result);
            result.unwrap_or_else(|| method.params()).clone()
        };
        let methods: Vec<(String, Type)> = aggregate
            .methods
            .iter()
            .map(|method| (literal(&method.name.wire), carried(method)))
            .collect();
        let members = methods.iter().map(|(method, ty)| {
            let member = |key: &str, ty| Member { key: Some(String::from(key)), ty };
            let ty = self.imports.expression(scope, ty);
            Expr::Object(vec![member("method", Expr::Literal(method.clone())), member(part, ty)])
        });
        AggregateModel {
            name: names::aggregate(&aggregate.name),
            interface: names::side(aggregate.side).name,
            part,
            of: if aggregate.part == Part::Notification { "notification" } else { "request" },
            ty: Expr::union(members.collect::<Vec<_>>()),
            cases: methods
                .into_iter()
                .map(|(method, ty)| CaseModel { method, codec: self.codec(scope, &ty) })
                .collect(),
        }
    }

    /// The codec of a type: of one that has no name, a new one.
    fn codec(&mut self, scope: Scope<'_>, ty: &Type) -> String {
        let decoder = match ty {
            Type::Named { .. } => return self.imports.codec(scope, ty),
            Type::Null => "nothing",
            _ => "any",
        };
        self.values.insert(decoder);
        let mut imports = TypeImports::default();
        format!("codec<{}>({decoder})", imports.expression(scope, ty))
    }
}
