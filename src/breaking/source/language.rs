//! The languages whose generated code is compared.

use crate::backend::Backend;
use crate::backend::python::Python;
use crate::backend::rust::Rust;
use crate::backend::typescript::TypeScript;

/// A language whose generated public API is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lowercase")]
pub enum Language {
    /// A Rust crate.
    Rust,
    /// An npm package.
    TypeScript,
    /// A Python package.
    Python,
}

impl Language {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Rust, Self::TypeScript, Self::Python];

    /// The language as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::TypeScript => "TypeScript",
            Self::Python => "Python",
        }
    }

    /// The language as the command line has it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::TypeScript => "typescript",
            Self::Python => "python",
        }
    }

    /// What generates it.
    pub(super) fn backend(self) -> &'static dyn Backend {
        match self {
            Self::Rust => &Rust,
            Self::TypeScript => &TypeScript,
            Self::Python => &Python,
        }
    }
}
