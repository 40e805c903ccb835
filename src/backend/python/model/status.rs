//! Warnings: what is said when something deprecated is used.

use super::super::expression::Expression;
use super::super::imports::Imports;
use super::declarations::{TypesBuilder, Warnings};
use super::defaults::Default;
use super::variants::Attribute;
use crate::ir::{Docs, Field, Method, Protocol, TypeKind};

/// The module of what warns.
pub(super) const STATUS: &str = "_status";

/// Tells whether programs are warned of anything.
pub(crate) fn has_deprecated(protocol: &Protocol) -> bool {
    let of_types = protocol.types.values().any(|def| match &def.kind {
        TypeKind::Record(record) => def.docs.deprecated || any_deprecated(&record.fields),
        TypeKind::Union(union) => {
            any_deprecated(&union.shared) || union.variants.iter().any(|it| it.docs.deprecated)
        }
        TypeKind::Enum(_) | TypeKind::Alias { .. } => false,
    });
    of_types || protocol.methods.iter().any(|method| method.docs.deprecated)
}

fn any_deprecated(fields: &[Field]) -> bool {
    fields.iter().any(|field| field.docs.deprecated)
}

/// The text of a warning as a literal.
pub(super) fn deprecated(name: &str, docs: &Docs) -> Option<Expression> {
    docs.deprecated.then(|| Expression::string(&format!("`{name}` is deprecated")))
}

/// The text of the warning that a method gives, as a literal.
pub(super) fn deprecated_method(
    name: &str,
    method: &Method,
    imports: &mut Imports,
) -> Option<Expression> {
    let text = deprecated(name, &method.docs)?;
    imports.own(".", STATUS);
    Some(text)
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
        let decorator = deprecated(class, docs);
        if decorator.is_none() && !own.iter().any(|it| it.field.docs.deprecated) {
            return Warnings::default();
        }
        self.imports.own(".", STATUS);
        let name = || Expression::string(class);
        let of_class =
            decorator.iter().map(|_| Expression::apply("_status.deprecated_class", [name()]));
        let mut statements: Vec<_> = of_class.collect();
        for attribute in own.iter().copied().chain(inherits) {
            if attribute.field.docs.deprecated {
                statements.push(self.field_warning(class, attribute));
            }
        }
        Warnings { decorator, statements }
    }

    /// The statement that warns of an attribute if it was given.
    fn field_warning(&mut self, class: &str, attribute: &Attribute<'a>) -> Expression {
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
        Expression::apply("_status.deprecated_field", arguments)
    }
}
