//! Prints the model. Nothing is decided here but layout.

mod catalogue;
mod codec;
mod enumeration;
mod errors;
mod handler;
mod methods;
mod newtype;
mod package;
mod peer;
mod readme;
mod record;
mod service;
mod table;
mod union;
mod union_codec;

pub(super) use package::files;

use super::layout::Page;
use super::model::{Model, TypeModel, TypeModelKind};

/// The module of types: what a user of the package names, makes and reads.
fn types(model: &Model) -> String {
    let mut page = Page::new();
    for ty in &model.types {
        page.gap();
        page.lines(&ty.docs);
        match &ty.kind {
            TypeModelKind::Record(model) => record::print(&mut page, &ty.ident, model),
            TypeModelKind::Union(model) => union::print(&mut page, model),
            TypeModelKind::Composite(model) => record::composite(&mut page, &ty.ident, model),
            TypeModelKind::Enum(model) => enumeration::print(&mut page, &ty.ident, model),
            TypeModelKind::Newtype(model) => newtype::print(&mut page, &ty.ident, model),
            TypeModelKind::Alias { target } => {
                page.line(&format!("pub type {} = {target};", ty.ident));
            }
        }
    }
    page.finish()
}

/// The module of codecs: how the types become JSON and come from it.
fn codecs(model: &Model) -> String {
    let mut page = Page::new();
    for TypeModel { ident, kind, .. } in &model.types {
        match kind {
            TypeModelKind::Record(model) => codec::record(&mut page, ident, model),
            TypeModelKind::Union(model) => union_codec::print(&mut page, model),
            TypeModelKind::Composite(model) => {
                codec::composite(&mut page, ident, model);
                union_codec::print(&mut page, &model.union);
            }
            TypeModelKind::Newtype(model) => newtype::codec(&mut page, ident, model),
            TypeModelKind::Enum(_) | TypeModelKind::Alias { .. } => {}
        }
    }
    page.finish()
}
