//! The languages whose generated code is compared.

use crate::backend::Backend;
use crate::backend::python::Python;
use crate::backend::rust::Rust;
use crate::backend::typescript::TypeScript;
use crate::breaking::verdict::{Effect, Source};

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
        self.backend().id()
    }

    pub(super) fn backend(self) -> &'static dyn Backend {
        match self {
            Self::Rust => &Rust,
            Self::TypeScript => &TypeScript,
            Self::Python => &Python,
        }
    }

    /// The text between the name of a type and that of its member.
    pub(super) fn separator(self) -> &'static str {
        if self == Self::Rust { "::" } else { "." }
    }

    /// Tells whether a value of a narrower type can be used where a wider one is expected, so that
    /// a changed type breaks only those who read values or only those who build them.
    pub(super) fn has_subtypes(self) -> bool {
        self != Self::Rust
    }

    /// Tells whether users have what is unstable only if they ask for it.
    pub(super) fn hides_unstable(self) -> bool {
        self == Self::Rust
    }

    /// The part of a verdict that is about this language.
    pub(super) fn effect_mut(self, source: &mut Source) -> &mut Effect {
        match self {
            Self::Rust => &mut source.rust,
            Self::TypeScript => &mut source.typescript,
            Self::Python => &mut source.python,
        }
    }
}
