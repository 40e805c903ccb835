//! The class that all variants of a union inherit, and the functions that make them.

use super::super::docs::{code, docstring, inline, lines};
use super::super::expression::Expression;
use super::super::imports::Imports;
use super::super::types::Reader;
use super::super::{literals, names};
use super::calls::Params;
use super::declarations::{Constructor, Declaration, SharedAttribute, TypesBuilder, UnionClass};
use super::fields::{description, hanging};
use super::status;
use super::variants::{Attribute, Generated, VariantClass, VariantKind};
use super::{BODY, FUNCTION, Parameter};
use crate::backend::api::Origin;
use crate::ir::{Field, Namespace, Things, TypeKind};

impl<'a> TypesBuilder<'a, '_> {
    /// The class of a union, unless it is already there.
    pub(super) fn union_class(&mut self, name: &'a str) {
        let scope = self.scope;
        let (Some(def), Some(form)) = (scope.def(name), scope.form(name)) else { return };
        let TypeKind::Union(union) = &def.kind else { return };
        if !self.begin(name) {
            return;
        }
        let class = scope.class(name);
        let fallback = format!("The union `{}`.", inline(&def.name.wire));
        let mut text = description(&def.docs, self.mode, &fallback, BODY);
        text.push(String::new());
        text.push(String::from("One of:"));
        text.extend(form.classes.iter().flat_map(entry));
        let shared: Vec<_> = union
            .shared
            .iter()
            .filter(|field| !is_redefined(&form.classes, field))
            .map(|field| self.shared_attribute(field))
            .collect();
        let mut functions =
            Namespace::new(Things::MembersOfAny, format!("variants of `{class}` in Python"));
        let mut constructors = Vec::new();
        for class in &form.classes {
            functions.claim(&class.function, class.wire, class.location, self.diagnostics);
            constructors.push(self.constructor(class));
        }
        self.imports.own("runtime/support", "Constructors");
        let doc = docstring(&text, BODY);
        let mut variant = String::from("variant");
        let is_taken = |name: &String| {
            let mut classes = form.classes.iter();
            classes.any(|it| it.function == *name || it.fields().iter().any(|it| it.name == *name))
        };
        let tag = union.tag().map(names::attribute);
        while is_taken(&variant) || tag.as_ref() == Some(&variant) {
            variant.push('_');
        }
        let classes = form.classes.iter().map(|it| Expression::atom(it.name.clone()));
        let variants = Expression::union(classes);
        let class_name = class.to_owned();
        let declared =
            UnionClass { name: class_name, doc, shared, variant, variants, constructors };
        let of = Origin::Type(name.to_owned());
        self.declare(Declaration::Union(declared), of, class, &def.name.wire, &def.location);
    }

    /// A function that makes a variant of its fields.
    fn constructor(&mut self, class: &VariantClass<'a>) -> Constructor {
        let fields = class.fields();
        let (scope, is_raw) = (self.scope, matches!(class.kind, VariantKind::Raw { .. }));
        if is_raw {
            self.raw_parameters();
        }
        let mut imports = Imports::default();
        let annotate = |field: &Field| scope.ty(&field.ty, Reader::People, &mut imports);
        let mut params =
            Params::of_fields(scope, &class.name, "made", &fields, annotate, &mut self.imports);
        self.imports.extend(imports);
        if is_raw {
            // The tag and the properties come first.
            params.keywords.splice(0..0, params.positional.take());
        }
        let decorators = status::decorators(&class.name, class.docs, &mut self.imports);
        let fallback = format!("Make a `{}`.", class.name);
        let text = description(class.docs, self.mode, &fallback, FUNCTION);
        let end = text.iter().position(String::is_empty).unwrap_or(text.len());
        Constructor {
            name: class.function.clone(),
            wire: class.wire.to_owned(),
            class: class.name.clone(),
            is_raw,
            tag: class.tag().filter(|_| is_raw).map(literals::string),
            params,
            decorators,
            doc: docstring(text.get(..end).unwrap_or_default(), FUNCTION),
        }
    }

    fn shared_attribute(&mut self, field: &Field) -> SharedAttribute {
        let ty = self.scope.annotation(field, Reader::People, &mut self.imports);
        let name = names::shared_attribute(&field.name);
        let parameter = Parameter { wire: field.name.wire.clone(), ..Parameter::new(name, ty) };
        let doc = self.scope.attribute_doc(&Attribute::shared(field), self.mode);
        SharedAttribute { parameter, doc }
    }
}

/// A variant in the list of a union's docstring, with what tells it apart.
fn entry(class: &VariantClass<'_>) -> Vec<String> {
    let told = match &class.kind {
        VariantKind::Generated(Generated { tag: Some((property, value)), .. })
        | VariantKind::Raw { tag: Some(value), property, .. } => {
            format!(": {} is {}.", code(property), code(value))
        }
        VariantKind::Raw { tag: None, property, .. } => {
            format!(": any other {}, kept as it came.", code(property))
        }
        VariantKind::Generated(_) | VariantKind::Record { .. } => String::new(),
    };
    let lines = lines(&format!("{}{told}", class.name), BODY + 8);
    lines.iter().enumerate().map(|(index, line)| hanging(index, line)).collect()
}

/// Tells whether a variant has its own field where the union has a shared one.
fn is_redefined(classes: &[VariantClass<'_>], shared: &Field) -> bool {
    classes.iter().any(|class| match &class.kind {
        VariantKind::Generated(generated) => generated.fields().any(|attribute| {
            attribute.field.name.wire == shared.name.wire && !std::ptr::eq(attribute.field, shared)
        }),
        _ => false,
    })
}
