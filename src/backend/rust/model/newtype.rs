//! Types that are one value of a simpler type.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::bounds;
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
    if let Type::String(string) = target {
        let implementation = if string.is_bounded() { "checked_string" } else { "string_newtype" };
        return Some(NewtypeModel {
            derives: quote!(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord),
            implementation: format_ident!("{implementation}"),
            arguments: keywords::of_string_newtype(string),
            inner,
            wrapped: None,
        });
    }
    let (derives, bounds) = match target {
        Type::Integer(integer) => {
            let machine = MachineInteger::new(integer);
            let (low, high) = integer.range();
            let is_bound = (low, high) != machine.range;
            let bounds = [low, high].map(|bound| bounds::integer_bound(bound, machine));
            let derives = quote!(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord);
            (derives, is_bound.then_some(bounds))
        }
        Type::Number(number) => {
            (quote!(Clone, Copy, Debug, PartialEq, PartialOrd), bounds::number_bounds(number))
        }
        _ => return None,
    };
    if let Some(check) = keywords::of_newtype(target, bounds.as_ref()) {
        return Some(NewtypeModel {
            derives,
            implementation: format_ident!("judged_number"),
            arguments: vec![quote!(#inner), check],
            inner,
            wrapped: None,
        });
    }
    let implementation = if bounds.is_some() { "checked_number" } else { "number_newtype" };
    Some(NewtypeModel {
        derives,
        implementation: format_ident!("{implementation}"),
        arguments: [quote!(#inner)].into_iter().chain(bounds.into_iter().flatten()).collect(),
        inner,
        wrapped: None,
    })
}
