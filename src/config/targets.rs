//! Choices that concern one target only.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use indexmap::IndexMap;
use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::target::BadTarget;
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
    fn new(from: &str, to: &str) -> Result<Self, String> {
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

/// The choices for a single target in the configuration file. `json_schema` describes them.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
struct Choices {
    #[serde(skip_serializing_if = "Option::is_none")]
    templates: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<PathBuf>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    links: IndexMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    specifiers: Option<Specifiers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<IndexMap<String, String>>,
}

impl Choices {
    /// The name of a choice that only reference docs have, if one is made.
    fn of_docs(&self) -> Option<&'static str> {
        (self.format.is_some().then_some("format"))
            .or(self.since.is_some().then_some("since"))
            .or((!self.links.is_empty()).then_some("links"))
    }
}

impl Serialize for Targets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = IndexMap::<&str, Choices>::new();
        for Templates { target, folder } in &self.templates {
            if let Some(target) = target {
                table.entry(target.id()).or_default().templates = Some(folder.clone());
            }
        }
        for (target, folder) in &self.out {
            table.entry(target.id()).or_default().out = Some(folder.clone());
        }
        let links = self.links.iter().map(|link| (link.from.clone(), link.to.clone()));
        let docs = Choices {
            format: self.format,
            since: self.since.clone(),
            links: links.collect(),
            ..Choices::default()
        };
        if docs.of_docs().is_some() {
            let of_docs = table.entry(Target::Docs.id()).or_default();
            let (templates, out) = (of_docs.templates.take(), of_docs.out.take());
            *of_docs = Choices { templates, out, ..docs };
        }
        for (target, name) in &self.names {
            table.entry(target.id()).or_default().name = Some(name.clone());
        }
        if self.specifiers.is_some() {
            table.entry(Target::TypeScript.id()).or_default().specifiers = self.specifiers;
        }
        for (target, from, to) in self.files.iter() {
            let files = &mut table.entry(target.id()).or_default().files;
            files.get_or_insert_default().insert(from.to_owned(), to.to_owned());
        }
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Targets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tables;

        impl<'de> Visitor<'de> for Tables {
            type Value = Targets;

            fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
                text.write_str("a table for each target")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut tables: A) -> Result<Targets, A::Error> {
                let mut targets = Targets::default();
                while let Some(name) = tables.next_key::<String>()? {
                    tables.next_value_seed(Table { name: &name, targets: &mut targets })?;
                }
                Ok(targets)
            }
        }

        deserializer.deserialize_map(Tables)
    }
}

/// The table of a target, which is where an error in it is shown.
struct Table<'a> {
    name: &'a str,
    targets: &'a mut Targets,
}

impl<'de> DeserializeSeed<'de> for Table<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let choices = Choices::deserialize(deserializer)?;
        self.targets.choose(self.name, choices).map_err(D::Error::custom)
    }
}

impl Targets {
    /// Takes the choices of a target.
    fn choose(&mut self, name: &str, choices: Choices) -> Result<(), String> {
        let target: Target = name.parse().map_err(|error: BadTarget| error.to_string())?;
        if target == Target::Docs {
            self.format = choices.format;
            self.since.clone_from(&choices.since);
            for (from, to) in &choices.links {
                self.links.push(Link::new(from, to)?);
            }
        } else if let Some(choice) = choices.of_docs() {
            return Err(format!("`{name}` has no `{choice}`: only `docs` has"));
        }
        if let Some(published) = choices.name {
            check_published(&target, &published)?;
            self.names.push((target.clone(), published));
        }
        if target == Target::TypeScript {
            self.specifiers = choices.specifiers;
        } else if choices.specifiers.is_some() {
            return Err(format!("`{name}` has no `specifiers`: only `typescript` has"));
        }
        if choices.files.is_some() && ![Target::TypeScript, Target::Python].contains(&target) {
            return Err(format!("`{name}` has no `files`: only `typescript` and `python` have"));
        }
        for (from, to) in choices.files.into_iter().flatten() {
            self.files.push(target.clone(), from, to);
        }
        self.out.extend(choices.out.map(|folder| (target.clone(), folder)));
        if let Some(folder) = choices.templates {
            self.templates.push(Templates { target: Some(target), folder });
        } else if !target.is_built_in() {
            return Err(format!("`{name}` has no `templates`"));
        }
        Ok(())
    }
}

/// Checks that a package of a target can be published under a name.
fn check_published(target: &Target, name: &str) -> Result<(), String> {
    let (is_good, of) = match target {
        Target::Rust => (is_crate_name(name), "a package on crates.io"),
        Target::TypeScript => (is_npm_name(name), "an npm package"),
        Target::Python => (is_distribution(name), "a package on PyPI"),
        Target::Docs | Target::Custom(_) => {
            let target = target.id();
            return Err(format!("`{target}` has no `name`: only languages have"));
        }
    };
    if is_good { Ok(()) } else { Err(format!("`{name}` cannot name {of}")) }
}

/// Tells whether a text can name a package on crates.io: letters, digits, `-` and `_`, a letter first.
fn is_crate_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Tells whether a text can name a package on `PyPI`: letters, digits, `-`, `_` and `.`, neither of
/// these at an end.
fn is_distribution(name: &str) -> bool {
    let is_end = |end: Option<u8>| end.is_some_and(|byte| byte.is_ascii_alphanumeric());
    name.len() <= 100
        && is_end(name.bytes().next())
        && is_end(name.bytes().last())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Tells whether a text can name an npm package: a name, or a scope and a name.
fn is_npm_name(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit())
            && part.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte)
            })
    };
    let parts = name.strip_prefix('@').map_or(Some(("scope", name)), |rest| rest.split_once('/'));
    name.len() <= 100 && parts.is_some_and(|(scope, name)| is_part(scope) && is_part(name))
}
