//! Classes with an initializer of their own: variants that are kept as they came, and objects
//! that cannot be structs.

use super::declarations::{BODY, FUNCTION, Writer};
use super::defaults::Default;
use super::doc::{docstring, inline};
use super::fields::{claim, description, with_attributes};
use super::layout::{Expression, assignment, listed};
use super::literal;
use super::model::{Declaration, Function, Slotted};
use super::types::{Reader, optional};
use super::variants::{Attribute, Leaf};
use crate::ir::Field;

impl<'a> Writer<'a, '_> {
    /// A variant that is kept as it came, but for the shared fields.
    pub(super) fn raw(
        &mut self,
        union: &str,
        leaf: &Leaf<'a>,
        property: &str,
        fields: &[Attribute<'a>],
        is_class: bool,
    ) {
        self.imports.own("._support", "OpenVariant");
        let mut parents = Vec::new();
        if is_class {
            parents.push(self.scope.class(union).to_owned());
        }
        parents.push(String::from("OpenVariant"));
        claim(&leaf.class, fields, self.diagnostics);
        let fallback = format!(
            "A variant of `{}` that is kept as it came.",
            inline(self.scope.def(union).map_or("", |def| &def.name.wire))
        );
        let attributes: Vec<_> = fields.iter().collect();
        let text = description(leaf.docs, self.mode, &fallback, BODY);
        let text = with_attributes(text, self.mode, &attributes, self.scope);
        let mut parameters = vec![String::from("self")];
        parameters.extend(self.raw_parameters());
        let arguments = [literal::string(property), String::from("tag"), String::from("raw")];
        let body = listed(FUNCTION, "super().__init__", &arguments, "");
        self.slotted(&leaf.class, &parents, &text, parameters, body, &attributes);
        self.define(&leaf.class, leaf.wire, leaf.place);
    }

    /// A class for an object that cannot be a struct.
    pub(super) fn plain(
        &mut self,
        class: &str,
        mut parents: Vec<String>,
        text: &[String],
        attributes: &[&Attribute<'_>],
        tags: &[(&str, &str)],
    ) {
        self.imports.own("._support", "PlainObject");
        parents.push(String::from("PlainObject"));
        let parameters = vec![String::from("self")];
        self.slotted(class, &parents, text, parameters, Vec::new(), attributes);
        if let Some(Declaration::Slotted(slotted)) = self.module.declarations.last_mut() {
            slotted.wire.extend(pairs("__tags__", tags.iter().copied()));
        }
    }

    /// A class whose initializer takes the fields by keyword, after other parameters.
    fn slotted(
        &mut self,
        class: &str,
        parents: &[String],
        text: &[String],
        mut parameters: Vec<String>,
        mut body: Vec<String>,
        attributes: &[&Attribute<'_>],
    ) {
        if !attributes.is_empty() {
            parameters.push(String::from("*"));
        }
        for Attribute { name, field, .. } in attributes {
            let (parameter, value) = self.parameter(name, field);
            parameters.push(parameter);
            body.extend(assignment(FUNCTION, &format!("self.{name}"), None, Some(&value)));
        }
        let doc = [String::from("Keep an object as it is.")];
        self.module.declarations.push(Declaration::Slotted(Slotted {
            header: listed(0, &format!("class {class}"), parents, ":"),
            doc: docstring(text, BODY).unwrap_or_default(),
            slots: assignment(BODY, "__slots__", None, Some(&slots(attributes))),
            wire: pairs(
                "__wire__",
                attributes.iter().map(|it| (it.name.as_str(), it.field.name.wire.as_str())),
            ),
            initializer: Function {
                header: listed(BODY, "def __init__", &parameters, " -> None:"),
                doc: docstring(&doc, FUNCTION).unwrap_or_default(),
                body,
            },
        }));
    }

    /// A parameter for a field, and the value that the field gets.
    fn parameter(&mut self, name: &str, field: &Field) -> (String, Expression) {
        let ty = self.scope.annotation(field, Reader::People, &mut self.imports);
        let given = Expression::atom(name);
        let made = match self.scope.absent(field, &mut self.imports) {
            None => return (format!("{name}: {}", ty.flat()), given),
            Some(Default::Shared(Expression::Atom(default))) => {
                return (format!("{name}: {} = {default}", ty.flat()), given);
            }
            Some(Default::Factory(Expression::Lambda(body))) => body.flat(),
            Some(Default::Factory(class)) => format!("{}()", class.flat()),
            Some(Default::Shared(made)) => made.flat(),
        };
        self.imports.msgspec("UNSET");
        let ty = optional(ty, false, true, &mut self.imports);
        let value = Expression::atom(format!("{made} if {name} is UNSET else {name}"));
        (format!("{name}: {} = UNSET", ty.flat()), value)
    }

    /// Parameters for the tag and the other properties of an object that is kept as it came.
    pub(super) fn raw_parameters(&mut self) -> [String; 2] {
        self.imports.collections("Mapping");
        self.imports.typing("Any");
        [String::from("tag: str"), String::from("raw: Mapping[str, Any] | None = None")]
    }
}

/// A class variable that holds pairs of strings, unless there are none.
fn pairs<'p>(name: &str, pairs: impl Iterator<Item = (&'p str, &'p str)>) -> Vec<String> {
    let pair = |(left, right)| {
        Expression::tuple([left, right].map(|text| Expression::atom(literal::string(text))))
    };
    let pairs: Vec<Expression> = pairs.map(pair).collect();
    if pairs.is_empty() {
        return Vec::new();
    }
    assignment(BODY, name, None, Some(&Expression::tuple(pairs)))
}

/// The names of attributes as a tuple, in the linter's order.
fn slots(attributes: &[&Attribute<'_>]) -> Expression {
    let mut names: Vec<&str> = attributes.iter().map(|field| field.name.as_str()).collect();
    names.sort_by(|a, b| super::imports::compare(a, b));
    let names = names.into_iter().map(literal::string);
    Expression::tuple(names.map(Expression::Atom))
}
