//! Classes with an initializer of their own: variants that are kept as they came, and objects
//! that cannot be structs.

use serde::Serialize;

use super::super::docs::{docstring, inline};
use super::super::expression::Expression;
use super::super::imports::compare;
use super::super::literals;
use super::super::types::{Reader, optional};
use super::defaults::Default;
use super::fields::{claim, description, with_attributes};
use super::types::{Declaration, TypesBuilder};
use super::variants::{Attribute, VariantClass};
use super::{BODY, Parameter};
use crate::ir::Field;

/// A class with an initializer of its own.
#[derive(Debug, Serialize)]
pub(crate) struct PlainClass {
    pub(crate) name: String,
    /// The classes of the package that it inherits.
    pub(crate) bases: Vec<String>,
    /// The property of the tag as a literal, for a variant that is kept as it came.
    pub(crate) kept_by: Option<String>,
    pub(crate) doc: String,
    /// The names of its attributes as literals, in the linter's order.
    pub(crate) slots: Vec<String>,
    /// Attributes and wire names, as literals.
    pub(crate) wire: Vec<[String; 2]>,
    /// The properties that select it, and their values, as literals.
    pub(crate) tags: Vec<[String; 2]>,
    pub(crate) fields: Vec<PlainField>,
}

/// A field of such a class: a parameter of its initializer.
#[derive(Debug, Serialize)]
pub(crate) struct PlainField {
    #[serde(flatten)]
    pub(crate) parameter: Parameter,
    /// What makes a fresh default where the parameter is `UNSET`.
    pub(crate) made: Option<Expression>,
}

impl<'a> TypesBuilder<'a, '_> {
    /// A variant that is kept as it came, but for the shared fields.
    pub(super) fn raw_variant(
        &mut self,
        union: &str,
        class: &VariantClass<'a>,
        property: &str,
        fields: &[Attribute<'a>],
        has_base: bool,
    ) {
        self.imports.own("._support", "OpenVariant");
        self.raw_parameters();
        let bases = has_base.then(|| self.scope.class(union).to_owned());
        claim(&class.name, fields, self.diagnostics);
        let fallback = format!(
            "A variant of `{}` that is kept as it came.",
            inline(self.scope.def(union).map_or("", |def| &def.name.wire))
        );
        let attributes: Vec<_> = fields.iter().collect();
        let text = description(class.docs, self.mode, &fallback, BODY);
        let text = with_attributes(text, self.mode, &attributes, self.scope);
        let kept_by = Some(literals::string(property));
        let bases = bases.into_iter().collect();
        let declared =
            PlainClass { kept_by, ..self.plain_class(&class.name, bases, &text, &attributes) };
        self.declare(Declaration::Plain(declared), &class.name, class.wire, class.place);
    }

    /// A class for an object that cannot be a struct.
    pub(super) fn plain_object(
        &mut self,
        class: &str,
        bases: Vec<String>,
        text: &[String],
        attributes: &[&Attribute<'_>],
        tags: &[(&str, &str)],
    ) -> Declaration {
        self.imports.own("._support", "PlainObject");
        let tags = tags.iter().map(|(property, value)| [*property, *value].map(literals::string));
        let tags = tags.collect();
        Declaration::Plain(PlainClass { tags, ..self.plain_class(class, bases, text, attributes) })
    }

    fn plain_class(
        &mut self,
        class: &str,
        bases: Vec<String>,
        text: &[String],
        attributes: &[&Attribute<'_>],
    ) -> PlainClass {
        let mut slots: Vec<&str> = attributes.iter().map(|field| field.name.as_str()).collect();
        slots.sort_by(|a, b| compare(a, b));
        let wire = attributes.iter().map(|it| [it.name.as_str(), it.field.name.wire.as_str()]);
        PlainClass {
            name: class.to_owned(),
            bases,
            kept_by: None,
            doc: docstring(text, BODY),
            slots: slots.into_iter().map(literals::string).collect(),
            wire: wire.map(|pair| pair.map(literals::string)).collect(),
            tags: Vec::new(),
            fields: attributes.iter().map(|it| self.plain_field(&it.name, it.field)).collect(),
        }
    }

    fn plain_field(&mut self, name: &str, field: &Field) -> PlainField {
        let ty = self.scope.annotation(field, Reader::People, &mut self.imports);
        let made = match self.scope.absent(field, &mut self.imports) {
            None => return PlainField { parameter: Parameter::new(name, ty), made: None },
            Some(Default::Shared(default @ Expression::Atom(_))) => {
                let parameter = Parameter { default: Some(default), ..Parameter::new(name, ty) };
                return PlainField { parameter, made: None };
            }
            Some(Default::Factory(Expression::Lambda(body))) => *body,
            Some(Default::Factory(class)) => Expression::apply(class.to_string(), []),
            Some(Default::Shared(made)) => made,
        };
        self.imports.msgspec("UNSET");
        let ty = optional(ty, false, true, &mut self.imports);
        let default = Some(Expression::atom("UNSET"));
        PlainField {
            parameter: Parameter { default, ..Parameter::new(name, ty) },
            made: Some(made),
        }
    }

    /// Imports what the parameters for the tag and the properties of an object need that is kept
    /// as it came.
    pub(super) fn raw_parameters(&mut self) {
        self.imports.collections("Mapping");
        self.imports.typing("Any");
    }
}
