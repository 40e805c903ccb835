//! Types that are one value of a simpler type.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::decode::{self, DecodeFn, Helper};
use super::keywords;
use super::scope::Scope;
use crate::backend::rust::types::{MachineInteger, RustType};
use crate::decode::Items;
use crate::ir::Type;

/// A type that wraps another.
#[derive(Debug)]
pub(crate) struct NewtypeModel {
    /// The type that it wraps.
    pub inner: RustType,
    /// The derives.
    pub derives: TokenStream,
    /// The macro of the runtime that implements the rest.
    pub implementation: Ident,
    /// Its arguments after the type's name.
    pub arguments: Vec<TokenStream>,
    /// For a wrapped array or map: how it is decoded.
    pub wrapped: Option<(DecodeFn, Vec<Helper>)>,
}

/// The newtype that an alias becomes, if it is not a plain alias.
pub(super) fn newtype(scope: &Scope<'_>, wire: &str, target: &Type) -> Option<NewtypeModel> {
    let inner = scope.rust_type(target);
    if scope.is_recursive_alias(wire) {
        let mut helpers = Vec::new();
        let name = format_ident!("decode_inner");
        let decode = decode::decode_fn(scope, target, Items::All, &name, &mut helpers);
        return Some(NewtypeModel {
            derives: if scope.has_eq(wire) {
                quote!(Clone, Debug, PartialEq, Eq)
            } else {
                quote!(Clone, Debug, PartialEq)
            },
            implementation: format_ident!("wrapper"),
            arguments: vec![quote!(#inner)],
            inner,
            wrapped: Some((decode, helpers)),
        });
    }
    let (derives, bounds) = match target {
        Type::String(string) => (
            quote!(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord),
            decode::string_bounds(string),
        ),
        Type::Integer(integer) => {
            let machine = MachineInteger::new(integer);
            let (low, high) = integer.range();
            let is_bound = (low, high) != machine.range;
            let bounds = [low, high].map(|bound| decode::integer_bound(bound, machine));
            let derives = quote!(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord);
            (derives, is_bound.then_some(bounds))
        }
        Type::Number(number) => {
            (quote!(Clone, Copy, Debug, PartialEq, PartialOrd), decode::number_bounds(number))
        }
        _ => return None,
    };
    let is_text = inner == RustType::String;
    if let Some(check) = keywords::of_newtype(target, bounds.as_ref()) {
        return Some(NewtypeModel {
            derives,
            implementation: format_ident!("judged_number"),
            arguments: vec![quote!(#inner), check],
            inner,
            wrapped: None,
        });
    }
    let implementation = match (is_text, bounds.is_some()) {
        (true, true) => "checked_string",
        (true, false) => "string_newtype",
        (false, true) => "checked_number",
        (false, false) => "number_newtype",
    };
    let number = (!is_text).then(|| quote!(#inner));
    Some(NewtypeModel {
        derives,
        implementation: format_ident!("{implementation}"),
        arguments: number.into_iter().chain(bounds.into_iter().flatten()).collect(),
        inner,
        wrapped: None,
    })
}
