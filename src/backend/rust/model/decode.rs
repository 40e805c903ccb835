//! Functions that decode what a Rust type alone does not describe.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use serde_json::Value;

use super::bounds::{integer_bound, length_bounds, number_bounds, string_bounds};
use super::keywords::{self, Check};
use super::scope::Scope;
use crate::backend::rust::literals;
use crate::backend::rust::types::{MachineInteger, RustType};
use crate::decode::Items;
use crate::ir::{ArrayType, Type};

/// The function that decodes a value.
#[derive(Clone, Debug)]
pub(crate) enum DecodeFn {
    /// The decoder of its type.
    Default,
    /// The decoder of arrays whose malformed items are left out.
    ValidItems,
    /// Another one.
    Named(TokenStream),
}

impl DecodeFn {
    /// Tells whether it is that of the type.
    pub(crate) fn is_default(&self) -> bool {
        matches!(self, Self::Default)
    }
}

impl ToTokens for DecodeFn {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Default => quote!(json::Decode::decode),
            Self::ValidItems => quote!(json::valid_items),
            Self::Named(path) => path.clone(),
        });
    }
}

/// A function that decodes part of a type: it calls another with more arguments.
#[derive(Clone, Debug)]
pub(crate) struct Helper {
    pub ident: Ident,
    /// The type of the value.
    pub returns: RustType,
    /// The function of the runtime that it calls.
    pub callee: Ident,
    /// Its arguments after the reader.
    pub arguments: Vec<TokenStream>,
}

/// Finds how a value of the type is decoded, an array with `items`. Functions for it are added to
/// `helpers`, under names that begin with `name`.
pub(super) fn decode_fn(
    scope: &Scope<'_>,
    ty: &Type,
    items: Items,
    name: &Ident,
    helpers: &mut Vec<Helper>,
) -> DecodeFn {
    let resolved = scope.resolve(ty);
    let Some(check) = keywords::check(scope, resolved) else {
        return unchecked(scope, resolved, items, name, helpers);
    };
    let inner = unchecked(scope, resolved, items, &format_ident!("{name}_unchecked"), helpers);
    let (callee, arguments) = match check {
        Check::Value(check) => ("checked", vec![quote!(#inner), check]),
        Check::Keys(rules) => ("keyed", vec![rules, quote!(#inner)]),
    };
    helper(helpers, name, scope.rust_type(resolved), callee, arguments)
}

/// Finds how a value is decoded of which only the type and its bounds are looked at.
fn unchecked(
    scope: &Scope<'_>,
    resolved: &Type,
    items: Items,
    name: &Ident,
    helpers: &mut Vec<Helper>,
) -> DecodeFn {
    let (callee, arguments) = match resolved {
        Type::Integer(integer) => {
            let machine = MachineInteger::new(integer);
            let (low, high) = integer.range();
            if (low, high) == machine.range {
                return DecodeFn::Default;
            }
            let [low, high] = [low, high].map(|bound| integer_bound(bound, machine));
            ("number_in", vec![quote!(&#low), quote!(&#high)])
        }
        Type::Number(number) => match number_bounds(number) {
            Some([low, high]) => ("number_in", vec![quote!(&#low), quote!(&#high)]),
            None => return DecodeFn::Default,
        },
        Type::String(string) => match string_bounds(string) {
            Some(bounds) => ("string_of", bounds.to_vec()),
            None => return DecodeFn::Default,
        },
        Type::Literal { value } => {
            let callee = if is_scalar_literal(value) { "literal" } else { "literal_value" };
            (callee, vec![literal_reference(value)])
        }
        Type::Array(array) => {
            let (callee, plain) = match items {
                Items::All => ("array_of", DecodeFn::Default),
                Items::ValidOnly => ("valid_items_of", DecodeFn::ValidItems),
            };
            let name = format_ident!("{name}_item");
            let item = decode_fn(scope, &array.items, Items::All, &name, helpers);
            match array_arguments(array, &item) {
                Some(arguments) => (callee, arguments),
                None => return plain,
            }
        }
        Type::Map(map) => {
            let name = format_ident!("{name}_value");
            match decode_fn(scope, &map.values, Items::All, &name, helpers) {
                DecodeFn::Default => return DecodeFn::Default,
                values => ("map_of", vec![quote!(#values)]),
            }
        }
        Type::Nullable { inner } => {
            let inner = decode_fn(scope, inner, items, &format_ident!("{name}_value"), helpers);
            let returns = scope.rust_type(resolved);
            return wrapped(inner, name, Wrapper::Nullable, returns, helpers);
        }
        Type::Any | Type::Null | Type::Boolean | Type::Named { .. } => return DecodeFn::Default,
    };
    helper(helpers, name, scope.rust_type(resolved), callee, arguments)
}

/// The wrapper of a value that may be absent or `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapper {
    /// `null`.
    Nullable,
    /// `null`, or absent.
    Patch,
}

/// The function for a value that may also be something else.
pub(super) fn wrapped(
    inner: DecodeFn,
    name: &Ident,
    wrapper: Wrapper,
    returns: RustType,
    helpers: &mut Vec<Helper>,
) -> DecodeFn {
    match (inner, wrapper) {
        (DecodeFn::Default, _) => DecodeFn::Default,
        (DecodeFn::ValidItems, Wrapper::Nullable) => {
            DecodeFn::Named(quote!(json::valid_items_or_null))
        }
        (DecodeFn::ValidItems, Wrapper::Patch) => DecodeFn::Named(quote!(json::valid_items_patch)),
        (DecodeFn::Named(inner), Wrapper::Nullable) => {
            helper(helpers, name, returns, "nullable", vec![inner])
        }
        (DecodeFn::Named(inner), Wrapper::Patch) => {
            helper(helpers, name, returns, "patch", vec![inner])
        }
    }
}

fn helper(
    helpers: &mut Vec<Helper>,
    name: &Ident,
    returns: RustType,
    callee: &str,
    arguments: Vec<TokenStream>,
) -> DecodeFn {
    let (ident, callee) = (name.clone(), format_ident!("{callee}"));
    helpers.push(Helper { ident, returns, callee, arguments });
    DecodeFn::Named(quote!(#name))
}

/// The bounds of an array's length and the function that decodes its items, if it has any of its
/// own.
fn array_arguments(array: &ArrayType, items: &DecodeFn) -> Option<Vec<TokenStream>> {
    let bounds = length_bounds(array.min_items, array.max_items);
    if items.is_default() && bounds.is_none() {
        return None;
    }
    let [low, high] = bounds.unwrap_or_else(|| [quote!(0), quote!(usize::MAX)]);
    Some(vec![low, high, quote!(#items)])
}

/// Tells whether a constant is of a type that Rust compares as JSON does.
fn is_scalar_literal(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_i64(),
        value => value.is_string() || value.is_boolean(),
    }
}

/// A reference to a constant, for comparing and for writing.
pub(super) fn literal_reference(value: &Value) -> TokenStream {
    match value {
        Value::String(text) => quote!(#text),
        Value::Bool(boolean) => quote!(&#boolean),
        Value::Number(number) if number.is_i64() => {
            let number = literals::untyped_integer(number.as_i64().unwrap_or_default());
            quote!(&#number)
        }
        other => {
            let text = other.to_string();
            quote!(&json::constant::<json::Value>(#text))
        }
    }
}
