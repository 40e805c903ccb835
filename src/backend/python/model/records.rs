//! Structs: the classes of records, and of variants that have fields.

use super::super::docs::{self, docstring, inline};
use super::super::expression::{Expression, LITERAL};
use super::super::imports::Imports;
use super::super::types::{Reader, optional};
use super::super::{literals, names};
use super::declarations::{Constant, Declaration, PlainClass, Struct, TypesBuilder};
use super::defaults::Default;
use super::fields::{StructField, check_default, claim, description, with_attributes};
use super::variants::{Attribute, Generated, VariantClass};
use super::{BODY, Parameter};
use crate::backend::api::Origin;
use crate::ir::{Field, Name, Type, TypeDef, TypeKind};

/// The deepest nesting of defaults that classes make.
const MAX_NESTING: usize = 32;

impl<'a> TypesBuilder<'a, '_> {
    /// The class of a record, unless it is already there.
    pub(super) fn record(&mut self, name: &'a str, def: &'a TypeDef) {
        let TypeKind::Record(record) = &def.kind else { return };
        if !self.begin(name) {
            return;
        }
        let bases: Vec<&'a str> = self.scope.variants.bases(name).to_vec();
        for base in &bases {
            self.union_class(base);
        }
        for field in &record.fields {
            self.default_first(field);
        }
        let class = self.scope.class(name).to_owned();
        let attributes: Vec<_> = record.fields.iter().map(Attribute::own).collect();
        let attributes: Vec<&Attribute<'_>> = attributes.iter().collect();
        claim(&class, attributes.iter().copied(), self.diagnostics);
        for field in &record.fields {
            check_default(self.scope, &class, field, self.diagnostics);
        }
        let fallback = format!("The object `{}`.", inline(&def.name.wire));
        let text = description(&def.docs, self.mode, &fallback, BODY);
        let bases: Vec<String> =
            bases.iter().map(|base| self.scope.class(base).to_owned()).collect();
        let warnings = self.warnings(&class, &def.docs, &attributes, &[]);
        let declaration = if self.scope.needs_wire_map(name, record) {
            let text = with_attributes(text, self.mode, &attributes, self.scope);
            let kept = self.scope.kept(name);
            let has_many_metaclasses = bases.len() > 1;
            let plain = self.plain_object(&class, bases, text, &attributes, &[], kept);
            Declaration::Plain(PlainClass { has_many_metaclasses, warnings, ..plain })
        } else {
            Declaration::Struct(Struct {
                name: class.clone(),
                has_many_metaclasses: bases.len() > 1,
                bases,
                is_closed: self.scope.is_closed(name),
                doc: docstring(&text, BODY),
                fields: self.struct_fields(&attributes),
                takes: self.taken(&attributes, &[]),
                warnings,
                ..Struct::default()
            })
        };
        self.declare(
            declaration,
            Origin::Type(name.to_owned()),
            &class,
            &def.name.wire,
            &def.location,
        );
    }

    /// Declares the class that makes a field's default before the class of the field, so that it
    /// can be named there. Where defaults are nested deeply it stands wherever it comes.
    fn default_first(&mut self, field: &'a Field) {
        let Type::Named { name } = self.scope.protocol.resolve(&field.ty) else { return };
        let is_made_by_class = matches!(
            self.scope.absent(field, &mut Imports::default()),
            Some(Default::Factory(Expression::Atom(_)))
        );
        if is_made_by_class
            && self.nesting < MAX_NESTING
            && let Some(def) = self.scope.def(name)
        {
            self.nesting += 1;
            self.record(name, def);
            self.nesting -= 1;
        }
    }

    /// The class of a variant that has its own.
    pub(super) fn variant(
        &mut self,
        union: &str,
        def: &'a TypeDef,
        class: &VariantClass<'a>,
        generated: &Generated<'a>,
        has_base: bool,
    ) {
        let mut bases = Vec::new();
        let mut has_many_metaclasses = false;
        if let Some((name, _)) = &generated.inherits
            && let Some(record) = self.scope.def(name)
        {
            self.record(name, record);
            bases.push(self.scope.class(name).to_owned());
            let others = self.scope.variants.bases(name).iter().filter(|base| **base != union);
            has_many_metaclasses = others.count() + usize::from(has_base) > 1;
        }
        if has_base {
            bases.push(self.scope.class(union).to_owned());
        }
        claim(&class.name, generated.fields(), self.diagnostics);
        for Attribute { field, .. } in &generated.declares {
            check_default(self.scope, &class.name, field, self.diagnostics);
        }
        let fallback =
            format!("The variant `{}` of `{}`.", inline(class.wire), inline(&def.name.wire));
        let text = description(class.docs, self.mode, &fallback, BODY);
        let mut facts = Vec::new();
        if let Some((name, _)) = &generated.inherits {
            facts.push(format!("It has the fields of `{}`.", self.scope.class(name)));
        }
        let constants =
            generated.constants.iter().map(|(name, value)| (name.wire.as_str(), *value));
        let tags: Vec<(&str, &str)> = generated.tag.into_iter().chain(constants).collect();
        for (property, value) in &tags {
            facts.push(format!("On the wire, `{}` is `{}`.", inline(property), inline(value)));
        }
        let declared: Vec<_> = generated.declares.iter().collect();
        let text = docs::with_facts(text, &facts, BODY);
        let inherits = generated.inherits.as_ref().map_or(&[][..], |(_, fields)| fields);
        let warnings = self.warnings(&class.name, class.docs, &declared, inherits);
        let declaration = if generated.needs_wire_map {
            let text = with_attributes(text, self.mode, &declared, self.scope);
            let rest = generated.rest;
            let plain = self.plain_object(&class.name, bases, text, &declared, &tags, rest);
            Declaration::Plain(PlainClass { has_many_metaclasses, warnings, ..plain })
        } else {
            let tag =
                generated.tag.map(|(property, value)| [property, value].map(literals::string));
            let shown_tag = self.shown_tag(union, generated).filter(|_| has_base);
            if let Some([_, value]) = &shown_tag {
                self.imports.typing("ClassVar");
                if value != "None" {
                    self.imports.typing(LITERAL);
                }
            }
            let constants = generated.constants.iter().map(|(name, value)| Constant {
                name: names::attribute(name),
                value: literals::string(value),
                wire: literals::string(&name.wire),
            });
            let constants: Vec<_> = constants.collect();
            if !generated.constants.is_empty() {
                self.imports.typing(LITERAL);
                self.imports.msgspec("field");
            }
            Declaration::Struct(Struct {
                name: class.name.clone(),
                bases,
                is_derived: generated.inherits.is_some(),
                has_many_metaclasses,
                tag,
                shown_tag,
                is_closed: generated.is_closed,
                doc: docstring(&text, BODY),
                takes: self.taken(&generated.fields().collect::<Vec<_>>(), &constants),
                constants,
                fields: self.struct_fields(&declared),
                warnings,
            })
        };
        self.declare(declaration, class.origin(union), &class.name, class.wire, class.location);
    }

    /// The attribute that gives the tag of a variant, and the tag, or `None` where it has none.
    fn shown_tag(&self, union: &str, generated: &Generated<'_>) -> Option<[String; 2]> {
        let property = &self.scope.plan.union(union)?.tag.as_ref()?.property;
        let shown = names::attribute(&Name::new(property));
        let mut names = generated.fields().map(|it| it.name.clone());
        let mut constants = generated.constants.iter().map(|(name, _)| names::attribute(name));
        if names.any(|name| name == shown) || constants.any(|name| name == shown) {
            return None;
        }
        let value = match generated.tag {
            Some((of, value)) if of == property => literals::string(value),
            Some(_) => return None,
            None => String::from("None"),
        };
        Some([shown, value])
    }

    /// The parameters of a struct's initializer: the values on the wire for an enum, any sequence for
    /// a list, and any mapping for a dictionary. Nothing, if it has no such attribute.
    fn taken(&mut self, attributes: &[&Attribute<'_>], constants: &[Constant]) -> Vec<Parameter> {
        let mut imports = Imports::default();
        let mut is_more = false;
        let constants = constants.iter().map(|constant| {
            let value = Expression::atom(constant.value.clone());
            let ty = Expression::Index(LITERAL, vec![value.clone()]);
            Parameter { default: Some(value), ..Parameter::new(&constant.name, ty) }
        });
        let mut taken: Vec<_> = constants.collect();
        for Attribute { name, field, .. } in attributes {
            let ty = self.scope.ty(&field.ty, Reader::People, &mut imports);
            let accepted = self.scope.accepted(field, &ty, &mut imports);
            is_more |= accepted.is_some();
            let ty = accepted.map_or(ty, |(ty, _)| ty);
            let is_optional = !field.is_always_present();
            let ty = optional(ty, field.presence.is_nullable(), is_optional, &mut imports);
            let default = self.scope.absent(field, &mut imports).map(|default| match default {
                Default::Shared(value @ Expression::Atom(_)) => value,
                _ => Expression::atom("..."),
            });
            taken.push(Parameter { default, ..Parameter::new(name, ty) });
        }
        if !is_more {
            return Vec::new();
        }
        imports.typing("TYPE_CHECKING");
        self.imports.extend(imports);
        taken
    }

    fn struct_fields(&mut self, attributes: &[&Attribute<'_>]) -> Vec<StructField> {
        self.imports.msgspec("Struct");
        let (scope, mode) = (self.scope, self.mode);
        let field =
            |it: &&Attribute<'_>| scope.struct_field(it, mode, &self.defined, &mut self.imports);
        attributes.iter().map(field).collect()
    }
}
