//! Bounds of numbers and lengths, as arguments of the functions that check them.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::literals;
use crate::backend::rust::types::MachineInteger;
use crate::ir::{NumberType, StringType, Tuple};

/// A bound of an integer: the type's own by name.
pub(super) fn integer_bound(bound: i128, machine: MachineInteger) -> TokenStream {
    let ty = machine.ty();
    if bound == machine.range.1 {
        quote!(#ty::MAX)
    } else if bound == machine.range.0 && bound != 0 {
        quote!(#ty::MIN)
    } else {
        literals::integer(bound)
    }
}

/// The bounds of a number, if it has any.
pub(super) fn number_bounds(number: &NumberType) -> Option<[TokenStream; 2]> {
    if number.minimum.is_none() && number.maximum.is_none() {
        return None;
    }
    let low = number.minimum.map_or_else(|| quote!(f64::NEG_INFINITY), literals::float);
    let high = number.maximum.map_or_else(|| quote!(f64::INFINITY), literals::float);
    Some([low, high])
}

/// The bounds of a string's length, if it has any.
pub(super) fn string_bounds(string: &StringType) -> Option<[TokenStream; 2]> {
    length_bounds(string.min_length, string.max_length)
}

/// The bounds of a tuple's length.
pub(super) fn tuple_bounds(tuple: &Tuple) -> [TokenStream; 2] {
    length_bounds(Some(tuple.least()), tuple.most())
        .unwrap_or_else(|| [quote!(0), quote!(usize::MAX)])
}

/// The bounds of a length, if it has any.
pub(super) fn length_bounds(low: Option<u64>, high: Option<u64>) -> Option<[TokenStream; 2]> {
    let low = low.unwrap_or(0);
    if low == 0 && high.is_none() {
        return None;
    }
    let length = |length: u64| literals::integer(length.min(u32::MAX.into()).into());
    Some([length(low), high.map_or_else(|| quote!(usize::MAX), length)])
}
