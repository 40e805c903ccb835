//! What to generate: the same choices on the command line, in `acp-bindgen.toml` and in a build
//! script.

#[cfg(feature = "cli")]
mod diff;
#[cfg(feature = "cli")]
mod file;

#[cfg(feature = "cli")]
pub use diff::DiffConfig;

use std::path::PathBuf;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::backend::{Backend, DocsMode, Runtime, rust::Rust};
#[cfg(feature = "cli")]
use crate::backend::{python::Python, typescript::TypeScript};

/// What to generate, from what, and where to. What is not chosen has a default.
///
/// A field is one flag of the command line (`--schema`), one key of `acp-bindgen.toml`
/// (`schema = …`) and one method of [`Builder`](crate::Builder).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Config {
    /// The protocol's schema: a path, `-` for standard input, `bundled:NAME`, or `git:REV:PATH`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "SCHEMA"))]
    pub schema: Option<String>,

    /// A JSON Merge Patch for the schema, from the same kinds of place. May be
    /// repeated.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub overlay: Vec<String>,

    /// The languages to generate, separated by commas. All of them by default.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "LANG", value_delimiter = ','))]
    pub target: Vec<Target>,

    /// The folder to write to, with a subfolder for each language. By default it is named for the
    /// protocol.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "DIR"))]
    pub out: Option<PathBuf>,

    /// The name of the generated packages. By default the protocol's short name.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "PACKAGE"))]
    pub name: Option<String>,

    /// Whether the schema's descriptions become comments. They do by default.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "MODE"))]
    pub docs: Option<DocsMode>,

    /// What drives connections in Rust: `tokio` by default.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub runtime: Option<Runtime>,

    /// What the project makes of a comparison with another schema.
    #[cfg(feature = "cli")]
    #[serde(skip_serializing_if = "DiffConfig::is_empty")]
    #[arg(skip)]
    pub diff: DiffConfig,
}

/// A language to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "cli", value(rename_all = "lowercase"))]
pub enum Target {
    /// A Rust crate.
    Rust,
    /// An npm package.
    #[cfg(feature = "cli")]
    TypeScript,
    /// A Python package.
    #[cfg(feature = "cli")]
    Python,
}

impl Config {
    /// The names of all choices of what to generate, as flags and keys.
    pub const KEYS: [&'static str; 7] =
        ["schema", "overlay", "target", "out", "name", "docs", "runtime"];

    /// The file that is read when none is named.
    pub const FILE: &'static str = "acp-bindgen.toml";

    /// These choices, and those of another wherever these choose nothing. A list is one choice:
    /// it replaces the other's.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        fn or<T>(list: Vec<T>, other: Vec<T>) -> Vec<T> {
            if list.is_empty() { other } else { list }
        }
        Self {
            schema: self.schema.or(other.schema),
            overlay: or(self.overlay, other.overlay),
            target: or(self.target, other.target),
            out: self.out.or(other.out),
            name: self.name.or(other.name),
            docs: self.docs.or(other.docs),
            runtime: self.runtime.or(other.runtime),
            #[cfg(feature = "cli")]
            diff: self.diff.or(other.diff),
        }
    }

    /// The languages to generate, each once, in the order given.
    pub fn targets(&self) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        let chosen = if self.target.is_empty() { Target::ALL } else { &self.target };
        for target in chosen {
            if !targets.contains(target) {
                targets.push(*target);
            }
        }
        targets
    }
}

impl Target {
    /// All languages that this build can generate.
    #[cfg(feature = "cli")]
    pub const ALL: &'static [Self] = &[Self::Rust, Self::TypeScript, Self::Python];
    /// All languages that this build can generate.
    #[cfg(not(feature = "cli"))]
    pub const ALL: &'static [Self] = &[Self::Rust];

    /// Its name: `rust`.
    pub fn id(self) -> &'static str {
        self.backend().id()
    }

    /// What generates it.
    pub fn backend(self) -> &'static dyn Backend {
        match self {
            Self::Rust => &Rust,
            #[cfg(feature = "cli")]
            Self::TypeScript => &TypeScript,
            #[cfg(feature = "cli")]
            Self::Python => &Python,
        }
    }
}
