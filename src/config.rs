//! What to generate: the same choices on the command line, in `acp-bindgen.toml` and in a build
//! script.

#[cfg(feature = "cli")]
mod file;

use std::path::PathBuf;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::backend::{Backend, DocsMode, Runtime, rust::Rust};
#[cfg(feature = "cli")]
use crate::backend::{
    docs::{self, Docs},
    python::Python,
    typescript::TypeScript,
};

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

    /// What to generate, separated by commas. All languages by default, and no docs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "TARGET", value_delimiter = ','))]
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

    /// Whether the schema's descriptions become comments and docs. They do by default.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "MODE"))]
    pub docs: Option<DocsMode>,

    /// What drives connections in Rust: `tokio` by default.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub runtime: Option<Runtime>,

    /// What concerns one target only: `[targets.NAME]`.
    #[cfg(feature = "cli")]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Targets::is_empty"))]
    #[command(flatten)]
    pub targets: Targets,
}

/// Choices that concern one target only, by its name.
#[cfg(feature = "cli")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
#[serde(default, deny_unknown_fields)]
pub struct Targets {
    /// `[targets.docs]`
    #[command(flatten)]
    pub docs: DocsChoices,
}

/// What can be chosen about reference docs.
#[cfg(feature = "cli")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
#[serde(default, deny_unknown_fields)]
pub struct DocsChoices {
    /// The format of reference docs (target `docs`): `html` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<docs::Format>,
}

#[cfg(feature = "cli")]
impl Targets {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn or(&self, other: &Self) -> Self {
        Self { docs: DocsChoices { format: self.docs.format.or(other.docs.format) } }
    }
}

/// What can be generated.
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
    /// Reference docs.
    #[cfg(feature = "cli")]
    Docs,
}

impl Config {
    /// The keys of all choices. Each is a flag of that name; what `targets` holds, is one each.
    pub const KEYS: [&'static str; 8] =
        ["schema", "overlay", "target", "out", "name", "docs", "runtime", "targets"];

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
            targets: self.targets.or(&other.targets),
        }
    }

    /// What to generate, each once, in the order given.
    pub fn targets(&self) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        let chosen = if self.target.is_empty() { Target::LANGUAGES } else { &self.target };
        for target in chosen {
            if !targets.contains(target) {
                targets.push(*target);
            }
        }
        targets
    }

    /// What generates a target as it was chosen.
    pub fn backend(&self, target: Target) -> &'static dyn Backend {
        match target {
            Target::Rust => &Rust,
            #[cfg(feature = "cli")]
            Target::TypeScript => &TypeScript,
            #[cfg(feature = "cli")]
            Target::Python => &Python,
            #[cfg(feature = "cli")]
            Target::Docs => match self.targets.docs.format.unwrap_or_default() {
                docs::Format::Html => &Docs { format: docs::Format::Html },
                docs::Format::Markdown => &Docs { format: docs::Format::Markdown },
                docs::Format::Mdx => &Docs { format: docs::Format::Mdx },
            },
        }
    }
}

impl Target {
    /// All that this build can generate.
    #[cfg(feature = "cli")]
    pub const ALL: &'static [Self] = &[Self::Rust, Self::TypeScript, Self::Python, Self::Docs];
    /// All languages that this build can generate: what is generated if nobody chooses.
    #[cfg(feature = "cli")]
    pub const LANGUAGES: &'static [Self] = &[Self::Rust, Self::TypeScript, Self::Python];
    /// All that this build can generate.
    #[cfg(not(feature = "cli"))]
    pub const ALL: &'static [Self] = &[Self::Rust];
    /// All languages that this build can generate: what is generated if nobody chooses.
    #[cfg(not(feature = "cli"))]
    pub const LANGUAGES: &'static [Self] = &[Self::Rust];

    /// Its name: `rust`.
    pub fn id(self) -> &'static str {
        Config::default().backend(self).id()
    }
}
