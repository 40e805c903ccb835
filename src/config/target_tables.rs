//! The tables of targets in the configuration file: `[targets.NAME]`.

use std::fmt;
use std::path::PathBuf;

use indexmap::IndexMap;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error as _, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Target;
use super::mistakes::HELP;
use super::targets::{Link, Specifiers, Targets, Templates};
use crate::backend::docs::Format;

/// The choices for one target.
#[derive(Default, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(super) struct Choices {
    /// A folder of templates: they stand in for templates of the same name, or make up a custom
    /// target.
    #[serde(skip_serializing_if = "Option::is_none")]
    templates: Option<PathBuf>,
    /// The folder of the package. By default one of the target's name in `out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    /// The name under which the package is published, if it is another than `name`, by which code
    /// imports it. On npm it may have a scope: `@my/sdk`.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    name: Option<String>,
    /// How modules of TypeScript name each other: `js`, as they are compiled, or `ts`, by their
    /// sources. With `ts` and a scoped name there is a `jsr.json`, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    specifiers: Option<Specifiers>,
    /// Other paths for files of the package: the path that a file usually has, and the one that it
    /// is to have, as in `"src/types.ts" = "src/schema/types.gen.ts"`. Imports follow.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    files: IndexMap<String, String>,
    /// The format of reference docs: `html` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
    /// A folder of older schemas, each called after its version: reference docs then say since when
    /// things are there.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<PathBuf>,
    /// The beginnings of links in descriptions, each with the one that reference docs write instead:
    /// an address, or a path that begins with `/`, `.` or `#`. The longest beginning counts.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    links: IndexMap<String, Address>,
}

/// Reads a text that is there.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

/// The choices that only some targets have, and these. Every target has the others.
const ONLY: [(&str, &[Target]); 6] = [
    ("name", Target::LANGUAGES),
    ("specifiers", &[Target::TypeScript]),
    ("files", &[Target::TypeScript, Target::Python]),
    ("format", &[Target::Docs]),
    ("since", &[Target::Docs]),
    ("links", &[Target::Docs]),
];

/// The targets that alone have a choice. None if all have it.
fn only(choice: &str) -> Option<&'static [Target]> {
    ONLY.iter().find(|(name, _)| *name == choice).map(|(_, targets)| *targets)
}

/// Tells whether a target has a choice.
#[cfg(feature = "json-schema")]
pub(super) fn has(target: &Target, choice: &str) -> bool {
    only(choice).is_none_or(|targets| targets.contains(target))
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
        let links = self.links.iter().map(|link| (link.from.clone(), Address(link.to.clone())));
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
            files.insert(from.to_owned(), to.to_owned());
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
            self.links.extend(links.map(|(from, to)| Link { from, to: to.0 }));
        }
        if target == Target::TypeScript {
            self.specifiers = choices.specifiers;
        }
        self.names.extend(choices.name.map(|name| (target.clone(), name)));
        for (from, to) in choices.files {
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

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Choices, A::Error> {
        let table = OfTarget { table, target: self.0, is_name: false };
        let choices = Choices::deserialize(MapAccessDeserializer::new(table))?;
        if choices.templates.is_none() && !self.0.is_built_in() {
            let message = format!("`{}` has no `templates`", self.0.id());
            let help = "add `templates = \"DIR\"`, the folder of those that print it";
            return Err(A::Error::custom(format_args!("{message}{HELP}{help}")));
        }
        Ok(choices)
    }
}

/// The entries of a table, which must be choices that the target has.
struct OfTarget<'a, A> {
    table: A,
    target: &'a Target,
    /// True if the key that was read last is `name`.
    is_name: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for OfTarget<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let (target, is_name) = (self.target, &mut self.is_name);
        self.table.next_key_seed(Checked {
            seed,
            check: |key: &str| {
                *is_name = key == "name";
                check_key(target, key)
            },
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        if !self.is_name {
            return self.table.next_value_seed(seed);
        }
        let target = self.target;
        let check = |name: &str| check_published(target, name);
        self.table.next_value_seed(Checked { seed, check })
    }
}

/// Reads a text that is checked before it is taken.
struct Checked<S, F> {
    seed: S,
    check: F,
}

impl<'de, S, F> DeserializeSeed<'de> for Checked<S, F>
where
    S: DeserializeSeed<'de>,
    F: FnOnce(&str) -> Result<(), String>,
{
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let text = String::deserialize(deserializer)?;
        (self.check)(&text).map_err(D::Error::custom)?;
        self.seed.deserialize(text.into_deserializer())
    }
}

/// Checks that a target has a choice.
fn check_key(target: &Target, key: &str) -> Result<(), String> {
    let Some(targets) = only(key).filter(|targets| !targets.contains(target)) else {
        return Ok(());
    };
    let (have, table) = match targets {
        [only] => (format!("`{}` has", only.id()), only),
        [one, other] => (format!("`{}` and `{}` have", one.id(), other.id()), one),
        _ => ("languages have".to_owned(), &Target::Rust),
    };
    let message = format!("`{}` has no `{key}`: only {have}", target.id());
    let help = format!("take it out, or put it where it belongs, as in `[targets.{}]`", table.id());
    Err(format!("{message}{HELP}{help}"))
}

/// The address that links begin with.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
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
