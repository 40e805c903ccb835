//! The tables of targets in the configuration file: `[targets.NAME]`.

use std::fmt;
use std::path::PathBuf;

use indexmap::IndexMap;
use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Target;
use super::mistakes::HELP;
use super::targets::{Link, Specifiers, Targets, Templates};
use crate::backend::docs::Format;

/// The choices for a single target in the configuration file. `json_schema` describes them.
#[derive(Default, Serialize)]
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
                while let Some(target) = tables.next_key::<Target>()? {
                    let choices = tables.next_value_seed(Table(&target))?;
                    targets.choose(target, choices);
                }
                Ok(targets)
            }
        }

        deserializer.deserialize_map(Tables)
    }
}

impl Targets {
    /// Takes the choices of a target.
    fn choose(&mut self, target: Target, choices: Choices) {
        if target == Target::Docs {
            self.format = choices.format;
            self.since = choices.since;
            let links = choices.links.into_iter();
            self.links.extend(links.map(|(from, to)| Link { from, to }));
        }
        if target == Target::TypeScript {
            self.specifiers = choices.specifiers;
        }
        self.names.extend(choices.name.map(|name| (target.clone(), name)));
        for (from, to) in choices.files.into_iter().flatten() {
            self.files.push(target.clone(), from, to);
        }
        self.out.extend(choices.out.map(|folder| (target.clone(), folder)));
        self.templates
            .extend(choices.templates.map(|folder| Templates { target: Some(target), folder }));
    }
}

/// Reads the table of a target. What is wrong is said of the key or value.
struct Table<'a>(&'a Target);

impl<'de> DeserializeSeed<'de> for Table<'_> {
    type Value = Choices;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Choices, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Table<'_> {
    type Value = Choices;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Choices, A::Error> {
        let mut choices = Choices::default();
        while let Some(key) = table.next_key_seed(KeyOf(self.0))? {
            match key {
                Key::Templates => choices.templates = Some(table.next_value()?),
                Key::Out => choices.out = Some(table.next_value()?),
                Key::Format => choices.format = Some(table.next_value()?),
                Key::Since => choices.since = Some(table.next_value()?),
                Key::Links => {
                    let links = table.next_value::<IndexMap<String, Address>>()?;
                    choices.links = links.into_iter().map(|(from, to)| (from, to.0)).collect();
                }
                Key::Name => choices.name = Some(table.next_value_seed(Published(self.0))?),
                Key::Specifiers => choices.specifiers = Some(table.next_value()?),
                Key::Files => choices.files = Some(table.next_value()?),
            }
        }
        if choices.templates.is_none() && !self.0.is_built_in() {
            let message = format!("`{}` has no `templates`", self.0.id());
            let help = "add `templates = \"DIR\"`, the folder of those that print it";
            return Err(A::Error::custom(format_args!("{message}{HELP}{help}")));
        }
        Ok(choices)
    }
}

/// A key in the table of a target.
#[derive(Clone, Copy, Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Key {
    Templates,
    Out,
    Format,
    Since,
    Links,
    Name,
    Specifiers,
    Files,
}

/// Reads a key in the table of a target, which must be one that the target has.
struct KeyOf<'a>(&'a Target);

impl<'de> DeserializeSeed<'de> for KeyOf<'_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        let key = Key::deserialize(deserializer)?;
        let (name, targets): (_, &[Target]) = match key {
            Key::Templates | Key::Out => return Ok(key),
            Key::Format => ("format", &[Target::Docs]),
            Key::Since => ("since", &[Target::Docs]),
            Key::Links => ("links", &[Target::Docs]),
            Key::Name => ("name", Target::LANGUAGES),
            Key::Specifiers => ("specifiers", &[Target::TypeScript]),
            Key::Files => ("files", &[Target::TypeScript, Target::Python]),
        };
        if targets.contains(self.0) {
            return Ok(key);
        }
        let (have, table) = match targets {
            [only] => (format!("`{}` has", only.id()), only),
            [one, other] => (format!("`{}` and `{}` have", one.id(), other.id()), one),
            _ => ("languages have".to_owned(), &Target::Rust),
        };
        let message = format!("`{}` has no `{name}`: only {have}", self.0.id());
        let help =
            format!("take it out, or put it where it belongs, as in `[targets.{}]`", table.id());
        Err(D::Error::custom(format_args!("{message}{HELP}{help}")))
    }
}

/// Reads the name under which the package of a target is published.
struct Published<'a>(&'a Target);

impl<'de> DeserializeSeed<'de> for Published<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        let name = String::deserialize(deserializer)?;
        check_published(self.0, &name).map_err(D::Error::custom)?;
        Ok(name)
    }
}

/// The address that links begin with.
struct Address(String);

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let to = String::deserialize(deserializer)?;
        let link = Link::new("", &to).map_err(|message| {
            let help = "write an address with `https://`, or a path such as `../schema`";
            D::Error::custom(format_args!("{message}{HELP}{help}"))
        })?;
        Ok(Self(link.to))
    }
}

/// Checks that a package of a target can be published under a name.
fn check_published(target: &Target, name: &str) -> Result<(), String> {
    let (is_good, of, help) = match target {
        Target::Rust => (
            is_crate_name(name),
            "a package on crates.io",
            "use letters, digits, `-` and `_`, a letter first, 64 at most",
        ),
        Target::TypeScript => (
            is_npm_name(name),
            "an npm package",
            "use lowercase letters, digits, `-`, `_` and `.`, perhaps after a scope: `@my/sdk`",
        ),
        Target::Python => (
            is_distribution(name),
            "a package on PyPI",
            "use letters, digits, `-`, `_` and `.`, a letter or digit at both ends",
        ),
        Target::Docs | Target::Custom(_) => return Ok(()),
    };
    if is_good { Ok(()) } else { Err(format!("`{name}` cannot name {of}{HELP}{help}")) }
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
