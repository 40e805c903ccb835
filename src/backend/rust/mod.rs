//! The Rust target.

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
        _protocol: &Protocol,
        _options: &Options,
        _diagnostics: &mut Diagnostics,
    ) -> FileSet {
        FileSet::new()
    }
}
