//! Unions.

use std::collections::HashMap;

use super::field::{self, RecordModel};
use super::kinds::{self, Kinds};
use super::parameters::{Parameter, parameters, value_parameter};
use super::read::{self, Helper, Read};
use super::scope::Scope;
use super::size;
use crate::backend::names::Namespace;
use crate::backend::rust::{docs, ident};
use crate::diagnostic::Diagnostics;
use crate::ir::{Selector, Type, Union, Variant};

/// One of several variants: an enum.
#[derive(Debug)]
pub(in crate::backend::rust) struct UnionModel {
    pub ident: String,
    /// The property that holds the tag.
    pub tag: Option<String>,
    pub shape: Shape,
    pub variants: Vec<VariantModel>,
    pub open: Option<OpenModel>,
    /// Properties that stand in the same object and are not the variants' own.
    pub shared: Vec<String>,
    /// Functions that read payloads.
    pub helpers: Vec<Helper>,
    /// What to expect, in words, where no variant fits.
    pub expected: String,
}

/// What JSON a union is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::backend::rust) enum Shape {
    /// Objects with named members only.
    Object,
    /// Anything.
    Value,
}

/// A variant.
#[derive(Debug)]
pub(in crate::backend::rust) struct VariantModel {
    pub ident: String,
    /// The tag's value, if a tag selects it.
    pub tag: Option<String>,
    pub docs: Vec<String>,
    pub payload: Option<Payload>,
    /// Whether it stands for `null`.
    pub is_null: bool,
    /// The kinds of JSON it can be.
    pub kinds: Kinds,
    /// Whether no other variant carries the same payload, so that one can be made from it.
    pub is_unique: bool,
    /// Whether the payload has a constructor, which then takes the parameters.
    pub has_constructor: bool,
    /// The function that makes one, and what it must be given.
    pub constructor: String,
    pub parameters: Vec<Parameter>,
    /// The function that gives the payload, if this is the variant.
    pub accessor: String,
}

/// What a variant carries.
#[derive(Debug)]
pub(in crate::backend::rust) struct Payload {
    /// The type, without its box.
    pub ty: String,
    pub boxed: bool,
    /// Whether it is an object with named members.
    pub is_object: bool,
    /// Whether it is a union itself, which looks for its own tag from the start of the object.
    pub is_union: bool,
    pub read: Read,
}

/// The variant for unknown tags.
#[derive(Debug)]
pub(in crate::backend::rust) struct OpenModel {
    pub ident: String,
    pub docs: Vec<String>,
    pub constructor: String,
    pub accessor: String,
    /// The type that an unknown variant has to be, too.
    pub payload: Option<String>,
    /// How many variants stand before it.
    pub position: usize,
}

/// Fields beside a union: a struct, of which one field holds an enum.
#[derive(Debug)]
pub(in crate::backend::rust) struct CompositeModel {
    pub record: RecordModel,
    /// The field that holds the union.
    pub field: String,
    pub union: UnionModel,
}

/// Decides a union of nothing but variants.
pub(super) fn union(
    scope: &Scope<'_>,
    owner: &str,
    ident: &str,
    union: &Union,
    diagnostics: &mut Diagnostics,
) -> UnionModel {
    let mut names = Namespace::new(format!("variants of `{owner}` in Rust"));
    let mut functions = Namespace::new(format!("functions of `{owner}` in Rust"));
    let mut helpers = Vec::new();
    let mut variants: Vec<VariantModel> = Vec::new();
    for variant in &union.variants {
        let model = lower(scope, owner, variant, &mut helpers);
        let (wire, place) = (&variant.name.wire, &variant.place);
        names.claim(&model.ident, wire, place, diagnostics);
        functions.claim(&model.constructor, wire, place, diagnostics);
        functions.claim(&model.accessor, wire, place, diagnostics);
        variants.push(model);
    }
    mark_unique(ident, &mut variants);
    let open = union.open.as_ref().map(|open| {
        let model = OpenModel {
            ident: ident::variant(&open.name),
            docs: docs::comment(&open.docs, scope.options),
            constructor: ident::value(&open.name),
            accessor: format!("as_{}", open.name.snake()),
            payload: open.payload.as_ref().map(|payload| scope.expression(payload)),
            position: open.position,
        };
        names.claim(&model.ident, &open.name.wire, &open.place, diagnostics);
        functions.claim(&model.constructor, &open.name.wire, &open.place, diagnostics);
        model
    });
    let shape = if scope.is_object(&Type::Named { name: owner.to_owned() }) {
        Shape::Object
    } else {
        Shape::Value
    };
    UnionModel {
        ident: ident.to_owned(),
        tag: union.tag().map(|tag| tag.wire.clone()),
        shape,
        expected: expected(scope, union),
        variants,
        open,
        shared: union.shared.iter().map(|field| field.name.wire.clone()).collect(),
        helpers,
    }
}

/// Decides a union with fields beside it.
pub(super) fn composite(
    scope: &Scope<'_>,
    owner: &str,
    shared: &Union,
    diagnostics: &mut Diagnostics,
) -> CompositeModel {
    let record = field::record(scope, owner, &shared.shared, diagnostics);
    let field = kind_field(shared);
    let ident = kind_ident(scope, owner, shared);
    let union = union(scope, owner, &ident, shared, diagnostics);
    CompositeModel { record, field, union }
}

/// The field of a struct that holds the union beside its fields: named for the tag.
pub(super) fn kind_field(union: &Union) -> String {
    let mut field = match union.tag() {
        Some(tag) => ident::value(tag),
        None => String::from("kind"),
    };
    if field.starts_with("r#") {
        field = String::from("kind");
    }
    while union.shared.iter().any(|shared| ident::value(&shared.name) == field) {
        field.push('_');
    }
    field
}

/// The enum of a union with fields beside it.
pub(super) fn kind_ident(scope: &Scope<'_>, owner: &str, union: &Union) -> String {
    let field = crate::ir::Name::new(kind_field(union));
    format!("{}{}", scope.ident(owner), field.pascal())
}

fn lower(
    scope: &Scope<'_>,
    owner: &str,
    variant: &Variant,
    helpers: &mut Vec<Helper>,
) -> VariantModel {
    let snake = variant.name.snake();
    let kinds = variant.payload.as_ref().map_or(Kinds::ALL, |ty| kinds::kinds(scope, ty));
    let is_null = variant.payload.as_ref().is_some_and(|ty| *scope.resolve(ty) == Type::Null);
    let payload = variant.payload.as_ref().filter(|_| !is_null);
    VariantModel {
        ident: ident::variant(&variant.name),
        tag: match &variant.selector {
            Selector::Tag { value } => Some(value.clone()),
            Selector::Untagged => None,
        },
        docs: docs::comment(&variant.docs, scope.options),
        is_null,
        kinds,
        is_unique: false,
        has_constructor: payload.is_some_and(|ty| parameters(scope, ty).is_some()),
        constructor: ident::value(&variant.name),
        accessor: format!("as_{snake}"),
        parameters: payload.map_or_else(Vec::new, |ty| {
            parameters(scope, ty).unwrap_or_else(|| vec![value_parameter(scope, "value", ty)])
        }),
        payload: payload.map(|ty| Payload {
            ty: scope.expression(ty),
            boxed: scope.needs_box(owner, ty) || size::is_large(scope, ty),
            is_object: scope.is_object(ty),
            is_union: scope.union(ty).is_some(),
            read: read::read(scope, ty, &format!("decode_{snake}"), helpers),
        }),
    }
}

/// Finds the payloads that only one variant carries.
fn mark_unique(ident: &str, variants: &mut [VariantModel]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for payload in variants.iter().filter_map(|variant| variant.payload.as_ref()) {
        *counts.entry(payload.ty.clone()).or_default() += 1;
    }
    for variant in variants {
        let Some(payload) = &variant.payload else { continue };
        variant.is_unique = payload.ty != ident && counts.get(&payload.ty) == Some(&1);
    }
}

/// `a string, an integer or an array`
fn expected(scope: &Scope<'_>, union: &Union) -> String {
    let any = Type::Any;
    let mut names: Vec<String> = union
        .untagged()
        .map(|variant| kinds::describe(scope, variant.payload.as_ref().unwrap_or(&any)))
        .collect();
    names.dedup();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::from("an object"),
    }
}
