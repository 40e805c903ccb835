//! Choices that concern one target only.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{FileNames, Target};
use crate::backend::docs::Format;

/// Choices that concern one target only: `[targets.NAME]` in the configuration file.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Targets {
    /// A folder of templates that replace those of a language, or make up a custom target. `DIR`
    /// alone is for the only target. May be repeated.
    #[arg(long, value_name = "TARGET=DIR")]
    pub templates: Vec<Templates>,

    /// The format of reference docs (target `docs`): `html` by default.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,

    /// A folder of older schemas, each called after its version (`v1.2.0.json`): reference docs then
    /// say since when things are there.
    #[arg(long, value_name = "DIR")]
    pub since: Option<PathBuf>,

    /// In reference docs, what links in descriptions begin with, and what they shall begin with
    /// instead. May be repeated; the longest beginning counts.
    #[arg(long = "link", value_name = "FROM=TO")]
    pub links: Vec<Link>,

    /// The names under which packages are published, if these are others: on npm one that may have
    /// a scope (`@my/sdk`), on crates.io or `PyPI` another than code imports.
    #[arg(skip)]
    pub names: Vec<(Target, String)>,

    /// The way in which modules of TypeScript name each other.
    #[arg(skip)]
    pub specifiers: Option<Specifiers>,

    /// The folders of packages that are not with the others.
    #[arg(skip)]
    pub out: Vec<(Target, PathBuf)>,

    /// The files of packages that have another path than usual.
    #[arg(skip)]
    pub files: FileNames,
}

/// The way in which modules of TypeScript name each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Specifiers {
    /// By what they are compiled to: `./types.js`.
    #[default]
    Js,
    /// By their sources: `./types.ts`.
    Ts,
}

/// A beginning of links, and another one for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The beginning of the links that are rewritten.
    pub from: String,
    /// The beginning to write instead: an address, or a path that begins with `/`, `.` or `#`.
    pub to: String,
}

impl FromStr for Link {
    type Err = String;

    /// Reads `FROM=TO`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (from, to) = text.split_once('=').ok_or("there is no `=` in it")?;
        Self::new(from, to)
    }
}

impl Link {
    pub(super) fn new(from: &str, to: &str) -> Result<Self, String> {
        let is_address = to.starts_with("http://") || to.starts_with("https://");
        if !is_address && !to.starts_with(['/', '.', '#']) {
            return Err(format!("`{to}` is neither an address nor begins with `/`, `.` or `#`"));
        }
        Ok(Self { from: from.to_owned(), to: to.to_owned() })
    }
}

/// A folder of templates for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Templates {
    /// The target. None: the only one that is generated.
    pub target: Option<Target>,
    /// The folder.
    pub folder: PathBuf,
}

impl FromStr for Templates {
    type Err = std::convert::Infallible;

    /// `TARGET=DIR`, or `DIR`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = text.split_once('=').and_then(|(target, folder)| {
            Some(Self { target: Some(target.parse().ok()?), folder: folder.into() })
        });
        Ok(named.unwrap_or_else(|| Self { target: None, folder: text.into() }))
    }
}

impl Targets {
    /// The folder of a target's package, if it is not with the others.
    pub(super) fn out_of(&self, target: &Target) -> Option<&Path> {
        let mut of_target = self.out.iter().filter(|(of, _)| of == target);
        of_target.next().map(|(_, folder)| folder.as_path())
    }

    /// The name under which a target's package is published, if it is chosen.
    pub(crate) fn name_of(&self, target: &Target) -> Option<&str> {
        self.names.iter().find(|(of, _)| of == target).map(|(_, name)| name.as_str())
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes from others the choices that these leave open.
    pub(super) fn or(mut self, other: Self) -> Self {
        for templates in other.templates {
            if self.templates.iter().all(|of| of.target != templates.target) {
                self.templates.push(templates);
            }
        }
        for (target, folder) in other.out {
            if self.out_of(&target).is_none() {
                self.out.push((target, folder));
            }
        }
        for (target, name) in other.names {
            if self.name_of(&target).is_none() {
                self.names.push((target, name));
            }
        }
        self.format = self.format.or(other.format);
        self.since = self.since.or(other.since);
        self.specifiers = self.specifiers.or(other.specifiers);
        if self.links.is_empty() {
            self.links = other.links;
        }
        if self.files.is_empty() {
            self.files = other.files;
        }
        self
    }
}
