//! Records and their fields.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;

use super::decode::{self, DecodeFn, Helper, Wrapper};
use super::default::{self, DefaultValue, Form};
use super::parameters::{Parameter, field_parameter};
use super::scope::Scope;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::names;
use crate::backend::rust::types::RustType;
use crate::decode::{self as plan, FieldPlan, Items, OnAbsent, OnNull, Substitute};
use crate::ir::{Field, Findings, MapType, Namespace, Presence, Things, Type};

/// An object with named fields.
#[derive(Debug)]
pub(crate) struct RecordModel {
    pub fields: Vec<FieldModel>,
    /// The field for members that no other field is for, if they are kept.
    pub additional: Option<AdditionalModel>,
    /// Functions that decode values of fields.
    pub helpers: Vec<Helper>,
    /// Sets of keys of which an object must not have all.
    pub forbidden: Vec<Vec<String>>,
    /// The rules for the keys of an object, if there are some.
    pub keys: Option<TokenStream>,
    /// True if a strict decoder refuses members that no field names.
    pub closed: bool,
}

/// The field of the members that are not listed.
#[derive(Debug)]
pub(crate) struct AdditionalModel {
    pub ident: Ident,
    pub ty: RustType,
    /// The parameter of the function that sets it.
    pub parameter: Parameter,
    /// The function that decodes each of the members.
    pub decode: DecodeFn,
}

/// A field.
#[derive(Debug)]
pub(crate) struct FieldModel {
    /// The property's name.
    pub wire: String,
    /// The field's name.
    pub ident: Ident,
    /// The name of the method that sets it.
    pub setter: Ident,
    /// The parameter of that method, or of a constructor.
    pub parameter: Parameter,
    pub docs: DocComment,
    pub ty: RustType,
    /// True if the value is in a box.
    pub boxed: bool,
    pub default_fn: Option<DefaultFn>,
    pub storage: Storage,
    pub on_invalid: OnInvalid,
    pub decode: DecodeFn,
}

/// A function that makes the default of a field.
#[derive(Debug)]
pub(crate) struct DefaultFn {
    pub ident: Ident,
    pub returns: RustType,
    pub body: TokenStream,
}

/// The storage of a field's value.
#[derive(Clone, Debug)]
pub(crate) enum Storage {
    /// The value, which must be there.
    Required,
    /// The value, or the default.
    Defaulted(DefaultValue),
    /// `Option`.
    Optional,
    /// `Patch`.
    Patch,
    /// Not at all: the value is always this (an expression of a reference to it).
    Constant(TokenStream),
}

/// The treatment of a malformed value.
#[derive(Clone, Debug)]
pub(crate) enum OnInvalid {
    /// It is an error.
    Refuse,
    /// It is as if there were none.
    Absent,
    /// It becomes another value.
    Become(DefaultValue),
    /// `null` is as if there were no value.
    NullAbsent,
    /// `null` becomes another value.
    NullBecomes(DefaultValue),
}

impl FieldModel {
    /// Tells whether a constructor must be given it.
    pub(crate) fn is_required(&self) -> bool {
        matches!(self.storage, Storage::Required)
    }

    /// Tells whether the value is always the same.
    pub(crate) fn is_constant(&self) -> bool {
        matches!(self.storage, Storage::Constant(_))
    }
}

impl RecordModel {
    /// The fields that a constructor must be given.
    pub(crate) fn required(&self) -> impl Iterator<Item = &FieldModel> {
        self.fields.iter().filter(|field| field.is_required())
    }

    /// The fields that the struct has: those that are not constant.
    pub(crate) fn stored(&self) -> impl Iterator<Item = &FieldModel> {
        self.fields.iter().filter(|field| !field.is_constant())
    }

    /// Tells whether deriving `Default` gives a value without anything.
    pub(crate) fn derives_default(&self) -> bool {
        self.fields.iter().all(|field| match &field.storage {
            Storage::Required => false,
            Storage::Defaulted(default) => default.form == Form::Standard,
            Storage::Optional | Storage::Patch | Storage::Constant(_) => true,
        })
    }
}

/// Decides a record.
pub(super) fn record(
    scope: &Scope<'_>,
    owner: &str,
    fields: &[Field],
    plans: &[FieldPlan],
    kept: Option<&Type>,
    diagnostics: &mut Findings,
) -> RecordModel {
    let mut names =
        Namespace::new(Things::Members(owner.to_owned()), format!("fields of `{owner}` in Rust"));
    let mut helpers = Vec::new();
    let idents: Vec<Ident> = fields.iter().map(|field| names::value(&field.name)).collect();
    let fields = fields
        .iter()
        .zip(plans)
        .zip(&idents)
        .map(|((field, plan), ident)| {
            names.claim(&ident.to_string(), &field.name.wire, &field.location, diagnostics);
            let mut word = field.name.snake();
            let is_taken = |name: String| idents.iter().any(|ident| *ident == name);
            while is_taken(format!("decode_{word}")) || is_taken(format!("default_{word}")) {
                word.push('_');
            }
            lower(scope, owner, (field, plan), ident, &word, &mut helpers)
        })
        .collect();
    let additional = kept.map(|ty| additional(scope, &idents, ty, &mut helpers));
    RecordModel { fields, additional, helpers, forbidden: Vec::new(), keys: None, closed: false }
}

/// Decides the field for members of a type that no other field is for.
fn additional(
    scope: &Scope<'_>,
    taken: &[Ident],
    ty: &Type,
    helpers: &mut Vec<Helper>,
) -> AdditionalModel {
    let mut ident = format_ident!("additional");
    while taken.contains(&ident) {
        ident = format_ident!("{ident}_");
    }
    let map = Type::Map(MapType { values: Box::new(ty.clone()), keys: Box::default() });
    let map = scope.rust_type(&map);
    let decode =
        decode::decode_fn(scope, ty, Items::All, &format_ident!("decode_{ident}"), helpers);
    let parameter = Parameter::new(ident.clone(), map.clone());
    AdditionalModel { ident, ty: map, parameter, decode }
}

/// Decides a field. The names of its functions end in `word`.
fn lower(
    scope: &Scope<'_>,
    owner: &str,
    (field, plan): (&Field, &FieldPlan),
    ident: &Ident,
    word: &str,
    helpers: &mut Vec<Helper>,
) -> FieldModel {
    let needs_box = scope.needs_box(owner, &field.ty);
    let value = scope.rust_type(&field.ty).boxed_if(needs_box);
    let mut storage = storage(scope, field, needs_box);
    let (ty, wrapper) = match storage {
        Storage::Patch => (RustType::Patch(Box::new(value)), Some(Wrapper::Patch)),
        Storage::Optional => (value.optional(), None),
        _ if field.presence.is_nullable() => (value.optional(), Some(Wrapper::Nullable)),
        Storage::Required | Storage::Defaulted(_) | Storage::Constant(_) => (value, None),
    };
    let nullable = wrapper == Some(Wrapper::Nullable);
    FieldModel {
        wire: field.name.wire.clone(),
        ident: ident.clone(),
        setter: if *ident == "new" { format_ident!("with_new") } else { ident.clone() },
        docs: DocComment::new(&field.docs, scope.options),
        parameter: field_parameter(scope, owner, field, nullable),
        boxed: needs_box && !nullable,
        default_fn: default_fn(&mut storage, word, &ty),
        on_invalid: on_invalid(scope, field, plan, needs_box),
        storage,
        decode: decode_fn(scope, field, plan.items, word, wrapper.map(|it| (it, &ty)), helpers),
        ty,
    }
}

fn decode_fn(
    scope: &Scope<'_>,
    field: &Field,
    items: Items,
    word: &str,
    wrapper: Option<(Wrapper, &RustType)>,
    helpers: &mut Vec<Helper>,
) -> DecodeFn {
    let name = format_ident!("decode_{word}");
    let inner = if wrapper.is_some() { format_ident!("{name}_value") } else { name.clone() };
    let decode = decode::decode_fn(scope, &field.ty, items, &inner, helpers);
    match wrapper {
        Some((wrapper, returns)) => {
            decode::wrapped(decode, &name, wrapper, returns.clone(), helpers)
        }
        None => decode,
    }
}

fn storage(scope: &Scope<'_>, field: &Field, needs_box: bool) -> Storage {
    match (field.presence, &field.default) {
        (Presence::Required, _) => match scope.resolve(&field.ty) {
            Type::Literal { value } => Storage::Constant(decode::literal_reference(value)),
            _ => Storage::Required,
        },
        (Presence::RequiredNullable, _) => Storage::Required,
        (_, Some(default)) => Storage::Defaulted(value(scope, field, default, needs_box)),
        (Presence::Optional, None) => Storage::Optional,
        (Presence::OptionalNullable, None) => Storage::Patch,
    }
}

/// Puts a call that makes a default into a function of its own.
fn default_fn(storage: &mut Storage, word: &str, ty: &RustType) -> Option<DefaultFn> {
    let Storage::Defaulted(default) = storage else { return None };
    if default.form != Form::Call {
        return None;
    }
    let ident = format_ident!("default_{word}");
    let path = quote!(Self::#ident);
    default.form = Form::Function;
    let returns = match ty {
        RustType::Option(inner) if default.is_some => (**inner).clone(),
        ty => ty.clone(),
    };
    Some(DefaultFn { ident, returns, body: std::mem::replace(&mut default.inner, path) })
}

/// The value of a field for a JSON value.
fn value(scope: &Scope<'_>, field: &Field, value: &Value, needs_box: bool) -> DefaultValue {
    let nullable = field.presence.is_nullable();
    if nullable && value.is_null() {
        return DefaultValue::none();
    }
    let inner = default::default(scope, &field.ty, value);
    let inner = if needs_box { inner.boxed() } else { inner };
    if nullable { inner.some() } else { inner }
}

fn on_invalid(scope: &Scope<'_>, field: &Field, plan: &FieldPlan, needs_box: bool) -> OnInvalid {
    // A value that is also that of an absent field need not be written twice.
    let other = |with: &Substitute| match with {
        Substitute::Value(json) if plan.absent != OnAbsent::Default(json.clone()) => {
            Some(value(scope, field, json, needs_box))
        }
        Substitute::Value(_) | Substitute::Absent => None,
    };
    match (&plan.invalid, &plan.null) {
        (plan::OnInvalid::Become(with), _) => {
            other(with).map_or(OnInvalid::Absent, OnInvalid::Become)
        }
        (plan::OnInvalid::Refuse, OnNull::Become(with)) => {
            other(with).map_or(OnInvalid::NullAbsent, OnInvalid::NullBecomes)
        }
        (plan::OnInvalid::Refuse, OnNull::Decode | OnNull::Keep) => OnInvalid::Refuse,
    }
}
