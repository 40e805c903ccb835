//! Constraints beyond bounds, as checks of values that are read.

use proc_macro2::TokenStream;
use quote::quote;

use super::bounds::string_bounds;
use super::scope::Scope;
use crate::backend::rust::literals;
use crate::ir::{KeyRules, NumberType, StringType, Type};
use crate::pattern::{Syntax, spell};

/// The function of the runtime that reads a value and checks it, with its further arguments.
/// `None` for a type without such constraints.
pub(super) fn check(scope: &Scope<'_>, ty: &Type) -> Option<Check> {
    let checked = |check| Some(Check::Value(check));
    match ty {
        Type::Integer(integer) => checked(whole_step(integer.multiple_of?)),
        Type::Number(number) => checked(of_number(number)?),
        Type::String(string) => {
            let pattern = pattern(string.checked_pattern()?);
            checked(quote!(|text: &String| { #pattern PATTERN.check(text) }))
        }
        Type::Array(array) if scope.protocol.is_distinct(array) => {
            checked(quote!(|items: &Vec<_>| json::check_distinct(items)))
        }
        Type::Map(map) if !map.keys.is_empty() => Some(Check::Keys(rules(&map.keys))),
        _ => None,
    }
}

/// The check of what is read.
pub(super) enum Check {
    /// Of the value: a closure.
    Value(TokenStream),
    /// Of the keys of a map: the rules.
    Keys(TokenStream),
}

/// The check of a newtype's number: of its bounds, and of what is beyond those.
pub(super) fn of_newtype(ty: &Type, bounds: Option<&[TokenStream; 2]>) -> Option<TokenStream> {
    let bounds = bounds.map(|[low, high]| quote!(json::check_bounds(number, &#low, &#high)?;));
    let check = match ty {
        Type::Integer(integer) => {
            let step = literals::integer(integer.multiple_of?.into());
            quote!(json::check_whole_multiple(*number, #step))
        }
        Type::Number(number) => numbers(number)?,
        _ => return None,
    };
    Some(quote!(|number| { #bounds #check }))
}

/// The bounds of a newtype's string: its lengths, and its pattern with the spelling here. Nothing
/// if it may be any.
pub(super) fn of_string_newtype(string: &StringType) -> Vec<TokenStream> {
    let pattern = string.checked_pattern().map(|source| {
        let spelled = spell(source, Syntax::Rust);
        [quote!(#source), quote!(#spelled)]
    });
    match (string_bounds(string), pattern) {
        (None, None) => Vec::new(),
        (bounds, pattern) => {
            let bounds = bounds.unwrap_or_else(|| [quote!(0), quote!(usize::MAX)]);
            bounds.into_iter().chain(pattern.into_iter().flatten()).collect()
        }
    }
}

/// The check of a text: a closure. `None` if it may be any.
pub(crate) fn of_text(text: &StringType) -> Option<TokenStream> {
    let length = string_bounds(text).map(
        |[low, high]| quote!(json::check_length("characters", text.chars().count(), #low, #high)),
    );
    match (length, text.checked_pattern().map(pattern)) {
        (None, None) => None,
        (Some(length), None) => Some(quote!(|text| #length)),
        (None, Some(pattern)) => Some(quote!(|text| { #pattern PATTERN.check(text) })),
        (Some(length), Some(pattern)) => {
            Some(quote!(|text| { #pattern #length?; PATTERN.check(text) }))
        }
    }
}

/// A static `PATTERN`, which is compiled once.
fn pattern(source: &str) -> TokenStream {
    let spelled = spell(source, Syntax::Rust);
    quote!(static PATTERN: json::Pattern = json::Pattern::new(#source, #spelled);)
}

fn whole_step(step: u64) -> TokenStream {
    let step = literals::integer(step.into());
    quote!(|number| json::check_whole_multiple(*number, #step))
}

fn of_number(number: &NumberType) -> Option<TokenStream> {
    let check = numbers(number)?;
    Some(quote!(|number| { #check }))
}

/// The checks of a number, of which the last is what the closure gives.
fn numbers(number: &NumberType) -> Option<TokenStream> {
    let checks = [
        (quote!(json::check_above), number.above),
        (quote!(json::check_below), number.below),
        (quote!(json::check_multiple), number.multiple_of),
    ];
    let checks = checks.into_iter().filter_map(|(function, bound)| {
        let bound = literals::float(bound?);
        Some(quote!(#function(*number, #bound)))
    });
    let mut checks: Vec<TokenStream> = checks.collect();
    let last = checks.pop()?;
    Some(quote!(#(#checks?;)* #last))
}

/// The rules for the keys of an object.
pub(super) fn rules(rules: &KeyRules) -> TokenStream {
    let most = |most: Option<u64>| most.map_or_else(|| quote!(usize::MAX), length);
    let (minimum, maximum) =
        (length(rules.min_properties.unwrap_or(0)), most(rules.max_properties));
    let dependent = rules.dependent.iter().map(|(key, wanted)| quote!((#key, &[#(#wanted),*])));
    let choices = rules.choices.iter().map(|choice| {
        let sets = choice.sets.iter().map(|set| quote!(&[#(#set),*]));
        let (expected, only_one) = (choice.expected(), choice.only_one);
        quote! {
            json::KeyChoice { expected: #expected, sets: &[#(#sets),*], only_one: #only_one }
        }
    });
    let names = rules.names.as_ref().map_or_else(
        || quote!(None),
        |names| {
            let (minimum, maximum) =
                (length(names.text.min_length.unwrap_or(0)), most(names.text.max_length));
            let listed = names
                .listed
                .as_ref()
                .map_or_else(|| quote!(None), |listed| quote!(Some(&[#(#listed),*])));
            let check = names.text.checked_pattern().map(pattern).map_or_else(
                || quote!(None),
                |pattern| quote!(Some(|text| { #pattern PATTERN.check(text) })),
            );
            quote! {
                Some(json::Names {
                    minimum: #minimum,
                    maximum: #maximum,
                    listed: #listed,
                    check: #check,
                })
            }
        },
    );
    quote! {
        &json::Keys {
            minimum: #minimum,
            maximum: #maximum,
            dependent: &[#(#dependent),*],
            choices: &[#(#choices),*],
            names: #names,
        }
    }
}

fn length(length: u64) -> TokenStream {
    literals::integer(length.min(u32::MAX.into()).into())
}
