//! Classes with an initializer of their own: variants that are kept as they came, and objects
//! that cannot be structs.

use super::super::docs::{docstring, inline};
use super::super::expression::Expression;
use super::super::imports::compare;
use super::super::types::{Reader, optional};
use super::super::{literals, names};
use super::declarations::{Declaration, PlainClass, PlainField, TypesBuilder, Warnings};
use super::defaults::Default;
use super::fields::{claim, description, with_attributes};
use super::variants::{Attribute, VariantClass, additional};
use super::{BODY, Parameter};
use crate::ir::{Field, Name, Type};

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
        self.imports.own("runtime/support", "OpenVariant");
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
        let warnings = self.warnings(&class.name, class.docs, &attributes, &[]);
        let shown = names::attribute(&Name::new(property));
        let is_taken = shown == "tag" || shown == "raw" || fields.iter().any(|it| it.name == shown);
        let declared = PlainClass {
            kept_by,
            shown_tag: (!is_taken).then_some(shown),
            warnings,
            ..self.plain_class(&class.name, bases, text, &attributes, None)
        };
        let of = class.origin(union);
        self.declare(Declaration::Plain(declared), of, &class.name, class.wire, class.location);
    }

    /// A class for an object that cannot be a struct.
    pub(super) fn plain_object(
        &mut self,
        class: &str,
        bases: Vec<String>,
        text: Vec<String>,
        attributes: &[&Attribute<'_>],
        tags: &[(&str, &str)],
        rest: Option<&Type>,
    ) -> PlainClass {
        self.imports.own("runtime/support", "PlainObject");
        let tags = tags.iter().map(|(property, value)| [*property, *value].map(literals::string));
        let tags = tags.collect();
        PlainClass { tags, ..self.plain_class(class, bases, text, attributes, rest) }
    }

    fn plain_class(
        &mut self,
        class: &str,
        bases: Vec<String>,
        mut text: Vec<String>,
        attributes: &[&Attribute<'_>],
        rest: Option<&Type>,
    ) -> PlainClass {
        let additional = rest.map(|_| additional(attributes));
        if let Some(name) = &additional {
            if attributes.is_empty() {
                text.extend([String::new(), String::from("Attributes:")]);
            }
            text.push(format!("    {name}: The members of the object that no attribute is for."));
        }
        let mut slots: Vec<&str> = attributes.iter().map(|field| field.name.as_str()).collect();
        slots.extend(additional.as_deref());
        slots.sort_by(|a, b| compare(a, b));
        let wire = attributes.iter().map(|it| [it.name.as_str(), it.field.name.wire.as_str()]);
        let mut fields: Vec<_> =
            attributes.iter().map(|it| self.plain_field(&it.name, it.field)).collect();
        let slots = slots.into_iter().map(literals::string).collect();
        fields.extend(rest.zip(additional.clone()).map(|(ty, name)| self.kept_field(name, ty)));
        PlainClass {
            name: class.to_owned(),
            bases,
            has_many_metaclasses: false,
            kept_by: None,
            shown_tag: None,
            doc: docstring(&text, BODY),
            slots,
            wire: wire.map(|pair| pair.map(literals::string)).collect(),
            tags: Vec::new(),
            warnings: Warnings::default(),
            additional: additional.map(|name| literals::string(&name)),
            fields,
        }
    }

    fn plain_field(&mut self, name: &str, field: &Field) -> PlainField {
        let ty = self.scope.ty(&field.ty, Reader::People, &mut self.imports);
        let accepted = self.scope.accepted(field, &ty, &mut self.imports);
        let (ty, kept) = match accepted {
            Some((ty, (function, first))) => {
                self.imports.module("runtime/taking", "_taking");
                let arguments = first.into_iter().chain([Expression::atom(name.to_owned())]);
                (ty, Some(Expression::apply(function, arguments)))
            }
            None => (ty, None),
        };
        let (is_nullable, is_optional) = (field.presence.is_nullable(), !field.is_always_present());
        let ty = optional(ty, is_nullable, is_optional, &mut self.imports);
        let wire = field.name.wire.clone();
        let new = |ty| Parameter { wire, ..Parameter::new(name, ty) };
        let made = match self.scope.absent(field, &mut self.imports) {
            None => return PlainField { parameter: new(ty), made: None, kept },
            Some(Default::Shared(default @ Expression::Atom(_))) => {
                let parameter = Parameter { default: Some(default), ..new(ty) };
                return PlainField { parameter, made: None, kept };
            }
            Some(Default::Factory(Expression::Lambda(body))) => *body,
            Some(Default::Factory(class)) => Expression::apply(class.to_string(), []),
            Some(Default::Shared(made)) => made,
        };
        self.imports.msgspec("UNSET");
        let ty = optional(ty, false, true, &mut self.imports);
        let default = Some(Expression::atom("UNSET"));
        PlainField { parameter: Parameter { default, ..new(ty) }, made: Some(made), kept }
    }

    /// The members that no field names.
    fn kept_field(&mut self, name: String, ty: &Type) -> PlainField {
        let values = self.scope.ty(ty, Reader::People, &mut self.imports);
        // A dictionary of `Any` takes every dictionary as it is.
        let is_any = values == Expression::atom("Any");
        let taken = if is_any { "dict" } else { "Mapping" };
        let ty = Expression::Index(taken, vec![Expression::atom("str"), values]);
        let kept = (!is_any).then(|| {
            self.imports.collections("Mapping");
            self.imports.module("runtime/taking", "_taking");
            Expression::apply("_taking.mapped", [Expression::atom(name.clone())])
        });
        self.imports.msgspec("UNSET");
        let ty = optional(ty, false, true, &mut self.imports);
        let default = Some(Expression::atom("UNSET"));
        let made = Some(Expression::Dict(Vec::new()));
        let parameter = Parameter { default, ..Parameter::new(name, ty) };
        PlainField { parameter, made, kept }
    }

    /// Imports what the parameters for the tag and the properties of an object need that is kept
    /// as it came.
    pub(super) fn raw_parameters(&mut self) {
        self.imports.collections("Mapping");
        self.imports.typing("Any");
    }
}
