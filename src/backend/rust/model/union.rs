//! Unions.

use std::collections::HashMap;

use proc_macro2::Ident;
use quote::format_ident;

use super::decode::{self, DecodeFn, Helper};
use super::field::{self, RecordModel};
use super::parameters::{Parameter, parameters, value_parameter};
use super::scope::Scope;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::names;
use crate::backend::rust::types::RustType;
use crate::decode::{Items, Step, UnionPlan};
use crate::ir::{Findings, Namespace, Selector, Things, Type, Union, Variant};

/// An enum with payloads.
#[derive(Debug)]
pub(crate) struct UnionModel {
    pub ident: Ident,
    /// The property that holds the tag.
    pub tag: Option<String>,
    pub shape: Shape,
    pub variants: Vec<VariantModel>,
    pub open: Option<OpenModel>,
    /// Properties that stand in the same object and are not the variants' own.
    pub shared: Vec<String>,
    /// Functions that decode payloads.
    pub helpers: Vec<Helper>,
    /// The steps to take where no tag selects a variant.
    pub steps: Vec<Step>,
    /// True if they are taken strictly first.
    pub strict_first: bool,
    /// True if a variant that has refused a value need not be tried for it again.
    pub is_retried: bool,
    /// True if nothing but the tag selects a variant.
    pub is_by_tag_alone: bool,
    /// The variant that can be given as one value.
    pub shorthand: Option<ShorthandModel>,
    /// The words for what was expected where no variant fits.
    pub expected: String,
}

/// The JSON that a union is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Objects with named members only.
    Object,
    /// Any JSON value.
    Value,
}

/// A variant that can be given as the value of its one required field.
#[derive(Debug)]
pub(crate) struct ShorthandModel {
    /// The function that makes the variant.
    pub constructor: Ident,
    /// The type of the value.
    pub ty: RustType,
}

/// A variant.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each says something else of the variant")]
pub(crate) struct VariantModel {
    pub ident: Ident,
    /// The tag's value, if a tag selects it.
    pub tag: Option<String>,
    pub docs: DocComment,
    pub payload: Option<Payload>,
    /// True if it stands for `null`.
    pub is_null: bool,
    /// True if no other variant carries the same payload, so that one can be made from it.
    pub is_unique: bool,
    /// True if the payload has a constructor, which then takes the parameters.
    pub has_constructor: bool,
    /// True if the payload has more fields than that takes.
    pub has_options: bool,
    /// The function that makes one, and what it must be given.
    pub constructor: Ident,
    pub parameters: Vec<Parameter>,
    /// The function that gives the payload, if this is the variant.
    pub accessor: Ident,
}

/// The payload of a variant.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each says something else of the type")]
pub(crate) struct Payload {
    /// The type, without its box.
    pub ty: RustType,
    pub boxed: bool,
    /// True if it is an object with named members.
    pub is_object: bool,
    /// True if it keeps members that it does not list.
    pub keeps_members: bool,
    /// True if it looks at all keys of the object, those of the unions around it among them.
    pub looks_at_keys: bool,
    /// True if it is a union itself, which looks for its own tag from the start of the object.
    pub is_union: bool,
    pub decode: DecodeFn,
}

/// The variant for unknown tags.
#[derive(Debug)]
pub(crate) struct OpenModel {
    pub ident: Ident,
    pub docs: DocComment,
    pub constructor: Ident,
    pub accessor: Ident,
    /// The type that an unknown variant has to be, too.
    pub payload: Option<RustType>,
    /// True if that keeps members that it does not list.
    pub keeps_members: bool,
}

/// Fields beside a union: a struct, of which one field holds an enum.
#[derive(Debug)]
pub(crate) struct CompositeModel {
    pub record: RecordModel,
    /// The field that holds the union.
    pub field: Ident,
    pub union: UnionModel,
}

/// Decides a union of nothing but variants.
pub(super) fn union(
    scope: &Scope<'_>,
    owner: &str,
    ident: &Ident,
    union: &Union,
    diagnostics: &mut Findings,
) -> UnionModel {
    let mut names =
        Namespace::new(Things::Members(owner.to_owned()), format!("variants of `{owner}` in Rust"));
    let mut functions = Namespace::new(
        Things::Members(owner.to_owned()),
        format!("functions of `{owner}` in Rust"),
    );
    let plan = scope.plan.union(owner);
    let (mut helpers, mut unused) = (Vec::new(), Vec::new());
    let mut variants: Vec<VariantModel> = Vec::new();
    for (index, variant) in union.variants.iter().enumerate() {
        let is_tried = plan.is_none_or(|plan| plan.is_tried(index));
        let helpers = if is_tried { &mut helpers } else { &mut unused };
        let model = lower(scope, owner, variant, helpers);
        let (wire, location) = (&variant.name.wire, &variant.location);
        names.claim(&model.ident.to_string(), wire, location, diagnostics);
        functions.claim(&model.constructor.to_string(), wire, location, diagnostics);
        functions.claim(&model.accessor.to_string(), wire, location, diagnostics);
        variants.push(model);
    }
    mark_unique(scope, ident, union, &mut variants);
    let open = union.open.as_ref().map(|open| {
        let model = OpenModel {
            ident: names::variant(&open.name),
            docs: DocComment::new(&open.docs, scope.options),
            constructor: names::value(&open.name),
            accessor: format_ident!("as_{}", open.name.snake()),
            payload: open.payload.as_ref().map(|payload| scope.rust_type(payload)),
            keeps_members: open.payload.as_ref().is_some_and(|ty| scope.keeps_members(ty)),
        };
        names.claim(&model.ident.to_string(), &open.name.wire, &open.location, diagnostics);
        functions.claim(
            &model.constructor.to_string(),
            &open.name.wire,
            &open.location,
            diagnostics,
        );
        model
    });
    let shape = if scope.is_object(&Type::Named { name: owner.to_owned() }) {
        Shape::Object
    } else {
        Shape::Value
    };
    UnionModel {
        ident: ident.clone(),
        tag: union.tag().map(|tag| tag.wire.clone()),
        shape,
        steps: plan.map_or_else(Vec::new, |plan| plan.steps.clone()),
        strict_first: plan.is_some_and(|plan| plan.strict_first),
        is_retried: plan.is_some_and(|plan| plan.is_retried),
        is_by_tag_alone: plan.is_some_and(UnionPlan::is_by_tag_alone),
        expected: plan.map_or_else(String::new, |plan| plan.expected.clone()),
        shorthand: shorthand(scope, union, &variants),
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
    diagnostics: &mut Findings,
) -> CompositeModel {
    let plans = scope.plan.union(owner).map_or(&[][..], |plan| &plan.shared);
    let record = field::record(scope, owner, &shared.shared, plans, None, diagnostics);
    let field = names::kind_field(shared);
    let ident = names::kind_type(&scope.ident(owner), &field);
    let union = union(scope, owner, &ident, shared, diagnostics);
    CompositeModel { record, field, union }
}

fn lower(
    scope: &Scope<'_>,
    owner: &str,
    variant: &Variant,
    helpers: &mut Vec<Helper>,
) -> VariantModel {
    let snake = variant.name.snake();
    let is_null = variant.payload.as_ref().is_some_and(|ty| *scope.resolve(ty) == Type::Null);
    let payload = variant.payload.as_ref().filter(|_| !is_null);
    let own = payload.and_then(|ty| parameters(scope, ty));
    let value = |ty| vec![value_parameter(scope, format_ident!("value"), ty)];
    VariantModel {
        ident: names::variant(&variant.name),
        tag: match &variant.selector {
            Selector::Tag { value } => Some(value.clone()),
            Selector::Untagged => None,
        },
        docs: DocComment::new(&variant.docs, scope.options),
        is_null,
        is_unique: false,
        has_constructor: own.is_some(),
        has_options: payload.is_some_and(|ty| has_options(scope, ty)),
        constructor: names::value(&variant.name),
        accessor: format_ident!("as_{snake}"),
        parameters: own.or_else(|| payload.map(value)).unwrap_or_default(),
        payload: payload.map(|ty| Payload {
            ty: scope.rust_type(ty),
            boxed: scope.needs_box(owner, ty) || scope.is_struct(ty),
            is_object: scope.is_object(ty),
            keeps_members: scope.keeps_members(ty),
            looks_at_keys: scope.looks_at_keys(ty),
            is_union: scope.union(ty).is_some(),
            decode: decode::decode_fn(
                scope,
                ty,
                Items::All,
                &format_ident!("decode_{snake}"),
                helpers,
            ),
        }),
    }
}

/// Finds the variant that can be given as one value. What another variant is made from is not
/// taken from it.
fn shorthand(
    scope: &Scope<'_>,
    union: &Union,
    variants: &[VariantModel],
) -> Option<ShorthandModel> {
    let shorthand = union.shorthand.as_ref()?;
    let (of, model) = union
        .variants
        .iter()
        .zip(variants)
        .find(|(variant, _)| variant.tag() == Some(shorthand.variant.as_str()))?;
    let fields = scope.protocol.fields(of.payload.as_ref()?);
    let field = fields.iter().find(|field| field.name.wire == shorthand.field)?;
    let ty = scope.rust_type(scope.protocol.resolve(&field.ty));
    let is_taken = |variant: &VariantModel| {
        variant.is_unique && variant.payload.as_ref().is_some_and(|payload| payload.ty == ty)
    };
    let is_alone = model.parameters.len() == 1 && !variants.iter().any(is_taken);
    is_alone.then(|| ShorthandModel { constructor: model.constructor.clone(), ty })
}

/// Tells whether a type has fields that its constructor is not given.
fn has_options(scope: &Scope<'_>, ty: &Type) -> bool {
    let fields = scope.definition(ty).map_or(&[][..], |(_, def)| def.kind.fields());
    fields.iter().any(|field| !field.presence.is_required())
}

/// Finds the payloads that only one variant carries, whatever aliases they are written with.
fn mark_unique(scope: &Scope<'_>, ident: &Ident, union: &Union, variants: &mut [VariantModel]) {
    let types: Vec<Option<RustType>> = union
        .variants
        .iter()
        .map(|variant| variant.payload.as_ref().map(|ty| scope.written_out(ty)))
        .collect();
    let mut counts: HashMap<&RustType, usize> = HashMap::new();
    for ty in types.iter().flatten() {
        *counts.entry(ty).or_default() += 1;
    }
    let own = RustType::Named(ident.clone());
    for (variant, ty) in variants.iter_mut().zip(&types) {
        let Some(ty) = ty.as_ref().filter(|_| variant.payload.is_some()) else { continue };
        variant.is_unique = *ty != own && counts.get(ty) == Some(&1);
    }
}
