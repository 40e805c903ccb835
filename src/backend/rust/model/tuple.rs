//! Tuples that are structs.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::bounds::tuple_bounds;
use super::decode;
use super::default::{DefaultValue, Form};
use super::field::{self, FieldModel, OnInvalid, RecordModel, Storage};
use super::parameters::Parameter;
use super::scope::Scope;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::types::RustType;
use crate::decode::{self as plan, FieldPlan, Items, OnAbsent, OnNull};
use crate::ir::{Docs, Field, Findings, Leniency, Name, Presence, Tuple, TupleItem, Type};

/// A tuple that is a struct.
#[derive(Debug)]
pub(crate) struct TupleModel {
    /// A field for each item, and one for the items after those, if there may be any.
    pub record: RecordModel,
    /// True if the last field is for the items after those.
    pub has_rest: bool,
    /// The smallest and the largest number of items.
    pub bounds: [TokenStream; 2],
}

/// Decides a tuple that is a struct.
pub(super) fn tuple(
    scope: &Scope<'_>,
    wire: &str,
    tuple: &Tuple,
    findings: &mut Findings,
) -> TupleModel {
    let items = tuple.items.iter().enumerate();
    let fields: Vec<Field> = items.map(|(at, it)| item(at, at < tuple.required, it)).collect();
    let plans: Vec<FieldPlan> = fields.iter().map(|_| plan()).collect();
    let mut record = field::record(scope, wire, &fields, &plans, None, findings);
    if let Some(rest) = &tuple.rest {
        let (ident, word) = (format_ident!("rest"), format_ident!("decode_rest"));
        let ty = RustType::Vec(Box::new(scope.rust_type(&rest.items)));
        let docs = Docs { description: Some("The items after those.".into()), ..Docs::default() };
        let empty =
            DefaultValue { inner: quote!(Vec::new()), is_some: false, form: Form::Standard };
        let storage = match rest.min_items {
            Some(_) => Storage::Required,
            None => Storage::Defaulted(empty),
        };
        let decode = decode::decode_fn(scope, &rest.items, Items::All, &word, &mut record.helpers);
        record.fields.push(FieldModel {
            wire: String::new(),
            ident: ident.clone(),
            setter: ident.clone(),
            parameter: Parameter::new(ident, ty.clone()),
            docs: DocComment::new(&docs, scope.options),
            ty,
            boxed: false,
            default_fn: None,
            storage,
            on_invalid: OnInvalid::Refuse,
            decode,
        });
    }
    TupleModel { record, has_rest: tuple.rest.is_some(), bounds: tuple_bounds(tuple) }
}

/// An item as a field: one that may be missing and `null` tells the two apart.
fn item(at: usize, is_required: bool, item: &TupleItem) -> Field {
    let (ty, is_nullable) = match &item.ty {
        Type::Nullable { inner } => (inner.as_ref(), true),
        ty => (ty, false),
    };
    Field {
        name: Name::new(format!("item_{at}")),
        ty: ty.clone(),
        presence: Presence::new(is_required, is_nullable),
        default: None,
        formal_default: None,
        leniency: Leniency::default(),
        capabilities: Vec::new(),
        merge: false,
        docs: item.docs.clone(),
        location: item.location.clone(),
    }
}

/// The plan of an item: nothing is forgiven.
fn plan() -> FieldPlan {
    FieldPlan {
        absent: OnAbsent::Leave,
        null: OnNull::Decode,
        invalid: plan::OnInvalid::Refuse,
        items: Items::All,
    }
}
