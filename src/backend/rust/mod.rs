//! The Rust target: a crate.
//!
//! The IR is lowered to a model in which everything is decided, then printed.

#[cfg(feature = "cli")]
mod api;
mod docs;
mod ident;
mod layout;
mod literal;
mod model;
mod print;
#[cfg(test)]
mod runtime_tests;
mod single;

pub use single::single_file;

use super::{Backend, Options};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::Protocol;
use crate::output::FileSet;

/// How text stands in Rust.
#[cfg(feature = "cli")]
pub(super) const SYNTAX: super::syntax::SyntaxFilters = super::syntax::SyntaxFilters {
    id: "rust",
    ident: ident::word,
    literal: literal::constant,
    doc: docs::lines,
};

/// Generates a Rust package.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rust;

impl Backend for Rust {
    fn id(&self) -> &'static str {
        "rust"
    }

    #[cfg(feature = "cli")]
    fn api(&self, protocol: &Protocol, options: &Options) -> super::api::Api {
        api::api(protocol, options)
    }

    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet {
        if let Some(file) = options.templates.files.first() {
            let message = "the Rust package is printed by code: it has no templates to replace";
            diagnostics.push(
                Diagnostic::error("no-templates", message)
                    .at(file.place())
                    .help("write a custom target: a `[targets.NAME]` of another name"),
            );
        }
        let model = model::build(protocol, options, diagnostics);
        print::files(protocol, options, &model)
    }
}
