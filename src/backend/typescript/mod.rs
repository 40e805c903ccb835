//! The TypeScript target.

use super::{Backend, Options};
use crate::diagnostic::Diagnostics;
use crate::ir::Protocol;
use crate::output::FileSet;

/// Generates a TypeScript package.
#[derive(Clone, Copy, Debug, Default)]
pub struct TypeScript;

impl Backend for TypeScript {
    fn id(&self) -> &'static str {
        "typescript"
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
