//! Structs that wrap one value.

use super::codec;
use crate::backend::rust::layout::Page;
use crate::backend::rust::model::NewtypeModel;

/// Prints a newtype, after its doc comment.
pub(super) fn print(page: &mut Page, ident: &str, newtype: &NewtypeModel) {
    let (name, arguments) = &newtype.implementation;
    let visibility = if newtype.wrapped.is_some() { "pub " } else { "" };
    page.line(&format!("#[derive({})]", derives(newtype.derives)));
    page.line(&format!("pub struct {ident}({visibility}{});", newtype.inner));
    page.gap();
    let arguments: Vec<String> =
        std::iter::once(ident.to_owned()).chain(arguments.iter().cloned()).collect();
    page.call("", &format!("json::{name}!"), &arguments, ";");
}

/// Prints how a wrapped array or map is read.
pub(super) fn codec(page: &mut Page, ident: &str, newtype: &NewtypeModel) {
    let Some((read, helpers)) = &newtype.wrapped else { return };
    page.gap();
    page.block(&format!("impl json::Decode for {ident}"), |page| {
        codec::reading(page, "decode", "reader", |page| {
            codec::helpers(page, helpers);
            page.line(&format!("{}(reader).map(Self)", read.function()));
        });
    });
}

/// `Clone, Copy, Debug, PartialEq, Eq, …`, in the usual order.
fn derives(more: &str) -> String {
    let (copy, more) = match more.strip_prefix("Copy, ") {
        Some(more) => (", Copy", more),
        None => ("", more),
    };
    let separator = if more.is_empty() { "" } else { ", " };
    format!("Clone{copy}, Debug, PartialEq{separator}{more}")
}
