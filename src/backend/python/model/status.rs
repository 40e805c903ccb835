//! Warnings that programs get when they use a deprecated or unstable part.

use super::super::expression::Expression;
use super::super::imports::Imports;
use super::declarations::{TypesBuilder, Warnings};
use super::defaults::Default;
use super::variants::Attribute;
use crate::ir::{Docs, Field, Protocol, Side, TypeKind};

/// A status that is warned of: deprecated or unstable.
#[derive(Clone, Copy)]
struct Standing {
    /// The word for the status: the names of the functions that warn begin with it.
    word: &'static str,
    applies: fn(&Docs) -> bool,
}

const STANDINGS: [Standing; 2] = [
    Standing { word: "deprecated", applies: |docs| docs.deprecated },
    Standing { word: "unstable", applies: Docs::is_unstable },
];

/// Tells whether programs are warned of anything deprecated.
pub(crate) fn has_deprecated(protocol: &Protocol) -> bool {
    any(protocol, |docs| docs.deprecated)
}

/// Tells whether programs are warned of anything unstable.
pub(crate) fn has_unstable(protocol: &Protocol) -> bool {
    any(protocol, Docs::is_unstable)
}

fn any(protocol: &Protocol, applies: fn(&Docs) -> bool) -> bool {
    let among = |fields: &[Field]| fields.iter().any(|field| applies(&field.docs));
    let of_types = protocol.types.values().any(|def| match &def.kind {
        TypeKind::Record(record) => applies(&def.docs) || among(&record.fields),
        TypeKind::Union(union) => {
            among(&union.shared) || union.variants.iter().any(|it| applies(&it.docs))
        }
        TypeKind::Enum(_) | TypeKind::Tuple(_) | TypeKind::Alias { .. } => false,
    });
    let is_called = |side: &Side| protocol.handled_by(&side.name.wire).any(|it| applies(&it.docs));
    of_types || protocol.sides.iter().any(is_called)
}

/// The decorators of a class or a function.
pub(super) fn decorators(name: &str, docs: &Docs, imports: &mut Imports) -> Vec<Expression> {
    let standings = STANDINGS.iter().filter(|standing| (standing.applies)(docs));
    let decorators = standings.map(|Standing { word, .. }| {
        imports.module("runtime/status", "_status");
        // To type checkers, the text of what is deprecated has to be a literal.
        Expression::apply(
            format!("_status.{word}"),
            [Expression::string(&format!("`{name}` is {word}"))],
        )
    });
    decorators.collect()
}

impl<'a> TypesBuilder<'a, '_> {
    /// The warnings of a class, and of the attributes that it has of its own. Where there are
    /// any, those of the attributes that it `inherits` are given with them.
    pub(super) fn warnings(
        &mut self,
        class: &str,
        docs: &Docs,
        own: &[&Attribute<'a>],
        inherits: &[Attribute<'a>],
    ) -> Warnings {
        let decorators = decorators(class, docs, &mut self.imports);
        let mut statements = Vec::new();
        for Standing { word, applies } in STANDINGS {
            if applies(docs) {
                let function = format!("_status.{word}_class");
                statements.push(Expression::apply(function, [Expression::string(class)]));
            }
        }
        let is_own = |it: &&Attribute<'_>| STANDINGS.iter().any(|of| (of.applies)(&it.field.docs));
        if statements.is_empty() && !own.iter().any(is_own) {
            return Warnings::default();
        }
        self.imports.module("runtime/status", "_status");
        for attribute in own.iter().copied().chain(inherits) {
            for standing in STANDINGS {
                if (standing.applies)(&attribute.field.docs) {
                    statements.push(self.field_warning(standing.word, class, attribute));
                }
            }
        }
        Warnings { decorators, statements }
    }

    /// The statement that warns of an attribute if it was given.
    fn field_warning(&mut self, word: &str, class: &str, attribute: &Attribute<'a>) -> Expression {
        let Attribute { name, field, .. } = attribute;
        let mut arguments = vec![Expression::string(&format!("{class}.{name}"))];
        if let Some(absent) = self.scope.absent(field, &mut self.imports) {
            arguments.push(Expression::atom(format!("self.{name}")));
            let made = match absent {
                Default::Shared(made) => made,
                Default::Factory(Expression::Lambda(body)) => *body,
                Default::Factory(class) => Expression::apply(class.to_string(), []),
            };
            arguments.extend((made != Expression::atom("UNSET")).then_some(made));
        }
        Expression::apply(format!("_status.{word}_field"), arguments)
    }
}
