//! Type expressions.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use serde_json::Value;

use crate::ir::{IntegerFormat, IntegerType};

/// A type of Rust.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum RustType {
    Unit,
    Bool,
    /// A number, by its name: `u8`, `f64`.
    Number(&'static str),
    String,
    /// Any JSON.
    Value,
    /// An object of any JSON.
    Object,
    Map(Box<Self>),
    Vec(Box<Self>),
    Tuple(Vec<Self>),
    Option(Box<Self>),
    Patch(Box<Self>),
    Boxed(Box<Self>),
    /// A type of the package.
    Named(Ident),
}

impl RustType {
    /// Rust's type of a constant.
    pub(super) fn of_literal(value: &Value) -> Self {
        match value {
            Value::Bool(_) => Self::Bool,
            Value::String(_) => Self::String,
            Value::Number(number) if number.is_i64() => Self::Number("i64"),
            _ => Self::Value,
        }
    }

    /// The type in a box, if it is to be in one.
    #[must_use]
    pub(super) fn boxed_if(self, boxed: bool) -> Self {
        if boxed { Self::Boxed(Box::new(self)) } else { self }
    }

    /// `Option` of the type.
    #[must_use]
    pub(super) fn optional(self) -> Self {
        Self::Option(Box::new(self))
    }

    /// Tells whether the type is so simple that values are passed as they are.
    pub(super) fn is_copied(&self) -> bool {
        matches!(self, Self::Unit | Self::Bool | Self::Number(_))
    }

    /// The type of a borrowed value.
    pub(super) fn borrowed(&self) -> TokenStream {
        match self {
            copied if copied.is_copied() => quote!(#copied),
            Self::String => quote!(&str),
            Self::Vec(items) => quote!(&[#items]),
            other => quote!(&#other),
        }
    }
}

impl ToTokens for RustType {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Unit => quote!(()),
            Self::Bool => quote!(bool),
            Self::Number(name) => Ident::new(name, Span::call_site()).into_token_stream(),
            Self::String => quote!(String),
            Self::Value => quote!(json::Value),
            Self::Object => quote!(json::Object),
            Self::Map(values) => quote!(json::Map<#values>),
            Self::Vec(items) => quote!(Vec<#items>),
            Self::Tuple(items) => quote!((#(#items,)*)),
            Self::Option(inner) => quote!(Option<#inner>),
            Self::Patch(inner) => quote!(Patch<#inner>),
            Self::Boxed(inner) => quote!(Box<#inner>),
            Self::Named(ident) => ident.to_token_stream(),
        });
    }
}

/// An integer type of Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MachineInteger {
    pub(super) name: &'static str,
    pub(super) range: (i128, i128),
}

impl MachineInteger {
    /// The type that an integer is held in.
    pub(super) fn new(integer: &IntegerType) -> Self {
        let format = integer.format.unwrap_or(IntegerFormat::Int64);
        let name = match format {
            IntegerFormat::Int8 => "i8",
            IntegerFormat::Int16 => "i16",
            IntegerFormat::Int32 => "i32",
            IntegerFormat::Int64 => "i64",
            IntegerFormat::Uint8 => "u8",
            IntegerFormat::Uint16 => "u16",
            IntegerFormat::Uint32 => "u32",
            IntegerFormat::Uint64 => "u64",
        };
        Self { name, range: format.range() }
    }

    /// Its type expression.
    pub(super) fn ty(self) -> RustType {
        RustType::Number(self.name)
    }
}
