//! The Python target.

use super::{Backend, Options};
use crate::diagnostic::Diagnostics;
use crate::ir::Protocol;
use crate::output::FileSet;

/// Generates a Python package.
#[derive(Clone, Copy, Debug, Default)]
pub struct Python;

impl Backend for Python {
    fn id(&self) -> &'static str {
        "python"
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
