//! The model of what tells of an item from its start to its end.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::method::MethodModel;
use super::parameters::{Parameter, required};
use super::scope::Scope;
use super::values::{Held, held, storage};
use crate::backend::rust::names;
use crate::backend::rust::types::RustType;
use crate::ir::{Progress, Side, Type, TypeKind};

/// A type that tells of an item.
#[derive(Debug)]
pub(crate) struct ProgressModel {
    pub ident: Ident,
    /// The wire name of the notification.
    #[cfg(feature = "cli")]
    pub wire: String,
    /// The function that sends it.
    pub told_by: Ident,
    /// The function of the peer that begins one, and the parameter for the item.
    pub function: Ident,
    pub parameter: Ident,
    /// The types of the notification's params, of the item and of a change, and of the key.
    pub params: RustType,
    pub item: RustType,
    pub change: RustType,
    pub key_type: RustType,
    /// The names of the types, as comments say them.
    pub item_name: String,
    pub union: Ident,
    /// The variants that carry the item and a change.
    pub opens: VariantPath,
    pub changes: VariantPath,
    /// The parameters that the notification needs beside the change, in their order.
    pub before: Vec<Parameter>,
    pub after: Vec<Parameter>,
    /// The fields of both types that hold the key and the status.
    pub key: Ident,
    pub status: Ident,
    pub status_wire: String,
    /// The value that an item begins with, if the caller gives none.
    pub started: Option<Started>,
    /// The values with which it ends, as they are put into a change: each with its name.
    pub completed: (String, TokenStream),
    pub failed: (String, TokenStream),
    pub cancelled: (String, TokenStream),
}

/// A variant of a union, and whether it has its payload in a box.
#[derive(Debug)]
pub(crate) struct VariantPath {
    pub ident: Ident,
    pub boxed: bool,
}

/// A value of a field that need not be there.
#[derive(Debug)]
pub(crate) struct Started {
    /// The value as the field holds it.
    pub value: TokenStream,
    /// The expression that tells whether nothing is there, in an item called `opening`.
    pub is_absent: TokenStream,
}

/// Decides what tells of items at this side.
pub(super) fn progresses(
    scope: &Scope<'_>,
    side: &Side,
    methods: &[MethodModel<'_>],
) -> Vec<ProgressModel> {
    let all = methods.iter().flat_map(|it| it.method.progress.iter().map(move |of| (it, of)));
    all.filter_map(|(method, progress)| model(scope, side, method, progress)).collect()
}

fn model(
    scope: &Scope<'_>,
    side: &Side,
    method: &MethodModel<'_>,
    it: &Progress,
) -> Option<ProgressModel> {
    let (owner, def) = scope.definition(method.method.params())?;
    let TypeKind::Record(record) = &def.kind else { return None };
    let fields: Vec<_> = required(scope, owner, &record.fields).collect();
    let place = fields.iter().position(|(field, _)| field.name.wire == it.property.wire)?;
    let mut before: Vec<Parameter> = fields.into_iter().map(|(_, parameter)| parameter).collect();
    let after = before.split_off(place + 1);
    before.pop();
    let mut parameter = names::value(&it.thing);
    while before.iter().chain(&after).any(|it| it.ident == parameter) {
        parameter = quote::format_ident!("{parameter}_");
    }
    let named = |name: &String| Type::Named { name: name.clone() };
    let (item, change) = (named(&it.item), named(&it.change));
    let key = scope.protocol.field(&change, &it.key.wire)?;
    let status = scope.protocol.field(&change, &it.status.wire)?;
    let opened = scope.protocol.field(&item, &it.status.wire)?;
    let ends = |value: &String| Some((value.clone(), held(scope, status, value)?));
    let started = it.started.as_ref().and_then(|value| {
        let field = names::value(&it.status);
        let is_absent = match storage(opened) {
            Held::Option => quote!(opening.#field.is_none()),
            Held::Patch => quote!(matches!(opening.#field, json::Patch::Absent)),
            Held::Plain | Held::Nullable => return None,
        };
        Some(Started { value: held(scope, opened, value)?, is_absent })
    });
    Some(ProgressModel {
        ident: names::type_name(&it.name, |name| *side.name.pascal() == *name),
        #[cfg(feature = "cli")]
        wire: method.method.name.wire.clone(),
        told_by: method.ident.clone(),
        function: names::value(&it.name),
        parameter,
        params: method.params.clone(),
        item: scope.rust_type(&item),
        change: scope.rust_type(&change),
        key_type: scope.rust_type(&key.ty),
        item_name: scope.ident(&it.item).to_string(),
        union: scope.ident(&it.union),
        opens: variant(scope, it, &it.opens)?,
        changes: variant(scope, it, &it.changes)?,
        before,
        after,
        key: names::value(&it.key),
        status: names::value(&it.status),
        status_wire: it.status.wire.clone(),
        started,
        completed: ends(&it.completed)?,
        failed: ends(&it.failed)?,
        cancelled: ends(&it.cancelled)?,
    })
}

fn variant(scope: &Scope<'_>, it: &Progress, tag: &str) -> Option<VariantPath> {
    let TypeKind::Union(union) = &scope.protocol.type_def(&it.union)?.kind else { return None };
    let variant = union.variants.iter().find(|variant| variant.tag() == Some(tag))?;
    let payload = variant.payload.as_ref()?;
    Some(VariantPath {
        ident: names::variant(&variant.name),
        boxed: scope.needs_box(&it.union, payload) || scope.is_struct(payload),
    })
}
