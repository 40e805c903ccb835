//! The Rust target: a crate.
//!
//! The IR is lowered to a model in which everything is decided, then printed.

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
use crate::diagnostic::Diagnostics;
use crate::ir::Protocol;
use crate::output::FileSet;

/// Generates a Rust package.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rust;

impl Backend for Rust {
    fn id(&self) -> &'static str {
        "rust"
    }

    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet {
        let model = model::build(protocol, options, diagnostics);
        print::files(protocol, options, &model)
    }
}
