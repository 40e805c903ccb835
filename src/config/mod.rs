//! The choices of a run: the same on the command line, in `acp-bindgen.toml` and in a build script.

#[cfg(feature = "cli")]
mod diff;
#[cfg(feature = "cli")]
mod file;
#[cfg(feature = "cli")]
mod file_names;
#[cfg(feature = "json-schema")]
mod json_schema;
#[cfg(feature = "cli")]
mod lint;
#[cfg(feature = "cli")]
mod mistakes;
mod name;
#[cfg(feature = "cli")]
mod places;
#[cfg(feature = "cli")]
mod policy;
mod reading;
#[cfg(feature = "serde")]
mod refs;
mod target;
#[cfg(feature = "cli")]
mod target_tables;
#[cfg(feature = "cli")]
mod targets;
#[cfg(feature = "cli")]
mod validate;

#[cfg(feature = "cli")]
pub use diff::DiffConfig;
#[cfg(feature = "cli")]
use std::path::Path;
use std::path::PathBuf;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

#[cfg(feature = "cli")]
pub use self::file_names::FileNames;
#[cfg(feature = "json-schema")]
pub use self::json_schema::json_schema;
#[cfg(feature = "cli")]
pub use self::lint::LintConfig;
pub(crate) use self::name::check_name;
#[cfg(feature = "cli")]
pub use self::places::Places;
#[cfg(feature = "cli")]
pub use self::policy::PolicyTable;
pub use self::target::{BadTarget, Target};
#[cfg(feature = "cli")]
pub use self::targets::{Link, Specifiers, Targets, Templates};
#[cfg(feature = "cli")]
pub use self::validate::ValidateConfig;
#[cfg(feature = "cli")]
use crate::backend::metadata::Metadata;
use crate::backend::{DocsMode, Runtime, StabilityMode};
use crate::decode::UnknownFields;
#[cfg(feature = "cli")]
use crate::diagnostic::{Diagnostic, nearest};
use crate::input::MappedUrl;
use crate::lower::Patterns;

/// The choices of a run: its inputs, targets and output folder. Each has a default.
///
/// A field is one flag of the command line (`--schema`), one key of `acp-bindgen.toml`
/// (`schema = …`) and one method of [`Builder`](crate::Builder).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Config {
    /// The protocol's schema: a path, `-` for standard input, `bundled:NAME`, or `git:REV:PATH`. A
    /// further one adds methods and types of your own to it.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "one_or_more"))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "json-schema", schemars(with = "json_schema::OneOrMore"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "SCHEMA"))]
    pub schema: Vec<String>,

    /// A JSON Merge Patch for the schema, from the same kinds of place. May be
    /// repeated.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub overlay: Vec<String>,

    /// A catalogue: a saved answer of the request that lists entries (such as `tools/list`), as the
    /// schema's `x-catalogue` says. Each entry gets a typed call.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub catalogue: Option<String>,

    /// The file to read where references of the schema name a URL, which nothing is read from; for a
    /// URL that ends in `/`, the folder. May be repeated. In a file this is a table.
    #[cfg_attr(feature = "serde", serde(with = "refs"))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "json-schema", schemars(with = "indexmap::IndexMap<String, String>"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "URL=FILE"))]
    pub refs: Vec<MappedUrl>,

    /// A file of old names of types, as `diff --write-aliases` writes it. Packages keep them,
    /// deprecated, until the version in which they are to go.
    #[cfg(feature = "cli")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE")]
    pub aliases: Option<PathBuf>,

    /// The targets, separated by commas: `rust`, `typescript`, `python`, `docs`, or the name of a
    /// custom target. By default all of them but docs.
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

    /// `off` leaves the schema's descriptions out of comments and docs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "MODE"))]
    pub docs: Option<DocsMode>,

    /// The runtime: `embedded` by default, a copy of it in each package. With `package` it is a
    /// package of its own, which several protocols share; `none` leaves connections out.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub runtime: Option<Runtime>,

    /// `preserve` keeps the members of an object that its schema does not mention, and sends them
    /// back. By default they are dropped where the schema says nothing of them.
    #[cfg_attr(feature = "serde", serde(rename = "unknown-fields"))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "MODE"))]
    pub unknown_fields: Option<UnknownFields>,

    /// `check` has generated code look at the patterns of strings that mean the same in every
    /// language, and take no time that grows faster than the text. By default they are shown only.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "MODE"))]
    pub patterns: Option<Patterns>,

    /// `stable` leaves out what the schema marks as unstable. By default it is marked as such.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "cli", arg(long, value_name = "MODE"))]
    pub stability: Option<StabilityMode>,

    /// Choices for a single target: `[targets.NAME]`.
    #[cfg(feature = "cli")]
    #[serde(skip_serializing_if = "Targets::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "json_schema::Table"))]
    #[command(flatten)]
    pub targets: Targets,

    /// The metadata in the manifests of packages, such as the version and the licence.
    #[cfg(feature = "cli")]
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    #[arg(skip)]
    pub package: Metadata,

    /// The policy of `diff`: which findings count, and which are accepted.
    #[cfg(feature = "cli")]
    #[serde(skip_serializing_if = "DiffConfig::is_empty")]
    #[arg(skip)]
    pub diff: DiffConfig,

    /// The policy of `lint`: which rules count, and which findings are accepted.
    #[cfg(feature = "cli")]
    #[serde(skip_serializing_if = "LintConfig::is_empty")]
    #[arg(skip)]
    pub lint: LintConfig,
    /// The policy of `validate`: which findings count, and which are accepted.
    #[cfg(feature = "cli")]
    #[serde(skip_serializing_if = "ValidateConfig::is_empty")]
    #[arg(skip)]
    pub validate: ValidateConfig,

    /// Where the configuration file says what can only be judged later.
    #[cfg(feature = "cli")]
    #[serde(skip)]
    #[arg(skip)]
    pub places: Places,
}

/// Reads a string, or an array of them.
#[cfg(feature = "serde")]
fn one_or_more<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    struct OneOrMore;

    impl<'de> serde::de::Visitor<'de> for OneOrMore {
        type Value = Vec<String>;

        fn expecting(&self, text: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            text.write_str("a string or a list of strings")
        }

        fn visit_str<E>(self, name: &str) -> Result<Vec<String>, E> {
            Ok(vec![name.to_owned()])
        }

        fn visit_seq<A: serde::de::SeqAccess<'de>>(
            self,
            mut items: A,
        ) -> Result<Vec<String>, A::Error> {
            let mut names = Vec::new();
            while let Some(name) = items.next_element()? {
                names.push(name);
            }
            Ok(names)
        }
    }

    input.deserialize_any(OneOrMore)
}

impl Config {
    /// The names of all choices, as keys. As flags they are the same, but for `targets`: each
    /// choice in it is a flag.
    /// The choices of commands are in tables of their own, such as `[diff]`.
    pub const KEYS: &[&'static str] = &[
        "schema",
        "overlay",
        "catalogue",
        "refs",
        "aliases",
        "target",
        "out",
        "name",
        "docs",
        "runtime",
        "unknown-fields",
        "patterns",
        "stability",
        "targets",
    ];

    /// The file that is read when none is named.
    pub const FILE: &'static str = "acp-bindgen.toml";

    /// Takes from another the choices that these leave open. A list is one choice: it replaces the
    /// other's. A folder for all packages is one for each of them: it replaces those that the other
    /// has for single targets.
    #[must_use]
    #[cfg_attr(not(feature = "cli"), allow(unused_mut, reason = "there are no targets"))]
    pub fn or(self, mut other: Self) -> Self {
        fn or<T>(list: Vec<T>, other: Vec<T>) -> Vec<T> {
            if list.is_empty() { other } else { list }
        }
        #[cfg(feature = "cli")]
        if self.out.is_some() {
            other.targets.out.clear();
        }
        #[cfg(feature = "cli")]
        self.replace_places(&mut other.places);
        Self {
            schema: or(self.schema, other.schema),
            overlay: or(self.overlay, other.overlay),
            catalogue: self.catalogue.or(other.catalogue),
            refs: or(self.refs, other.refs),
            #[cfg(feature = "cli")]
            aliases: self.aliases.or(other.aliases),
            target: or(self.target, other.target),
            out: self.out.or(other.out),
            name: self.name.or(other.name),
            docs: self.docs.or(other.docs),
            runtime: self.runtime.or(other.runtime),
            unknown_fields: self.unknown_fields.or(other.unknown_fields),
            patterns: self.patterns.or(other.patterns),
            stability: self.stability.or(other.stability),
            #[cfg(feature = "cli")]
            targets: self.targets.or(other.targets),
            #[cfg(feature = "cli")]
            package: self.package.or(other.package),
            #[cfg(feature = "cli")]
            diff: self.diff.or(other.diff),
            #[cfg(feature = "cli")]
            lint: self.lint.or(other.lint),
            #[cfg(feature = "cli")]
            validate: self.validate.or(other.validate),
            #[cfg(feature = "cli")]
            places: other.places,
        }
    }

    /// Forgets the places of another's choices that are not taken.
    #[cfg(feature = "cli")]
    fn replace_places(&self, places: &mut Places) {
        let chosen = [
            ("schema", !self.schema.is_empty()),
            ("overlay", !self.overlay.is_empty()),
            ("catalogue", self.catalogue.is_some()),
            ("aliases", self.aliases.is_some()),
            ("targets.docs.since", self.targets.since.is_some()),
        ];
        for (key, _) in chosen.iter().filter(|(_, is_chosen)| *is_chosen) {
            places.forget(key);
        }
        for target in self.targets.templates.iter().filter_map(|it| it.target.as_ref()) {
            places.forget(&format!("targets.{}.templates", target.id()));
        }
    }

    /// The text that findings about the choices point into: that of the configuration file, if it
    /// was read.
    #[cfg(feature = "cli")]
    pub fn sources(&self) -> crate::source::Sources {
        self.places.sources()
    }

    /// Puts a finding about a rule or a file of waivers where the configuration file names it, in
    /// the `table` of a command.
    #[cfg(feature = "cli")]
    pub fn locate(&self, error: &mut Diagnostic, table: &str, value: &str) {
        let keys = [format!("{table}.waivers"), format!("{table}.rules")];
        self.places.put(error, &keys.each_ref().map(String::as_str), value);
    }

    /// The targets, each once, in the order given: by default all languages, and all targets that
    /// templates make up.
    pub fn targets(&self) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        let chosen = if self.target.is_empty() { Target::LANGUAGES } else { &self.target };
        for target in chosen {
            if !targets.contains(target) {
                targets.push(target.clone());
            }
        }
        #[cfg(feature = "cli")]
        if self.target.is_empty() {
            for custom in self.custom_targets() {
                if !targets.contains(&custom) {
                    targets.push(custom);
                }
            }
        }
        targets
    }

    /// The folder of a target's package: its own, or one of its name in the folder of all packages.
    pub fn package_folder(&self, all: &std::path::Path, target: &Target) -> PathBuf {
        #[cfg(feature = "cli")]
        if let Some(own) = self.targets.out_of(target) {
            return own.to_path_buf();
        }
        all.join(target.id())
    }

    /// The custom targets, in the order given.
    #[cfg(feature = "cli")]
    pub(crate) fn custom_targets(&self) -> Vec<Target> {
        let named = self.targets.templates.iter().filter_map(|of| of.target.clone());
        named.filter(|target| !target.is_built_in()).collect()
    }

    /// The folder of templates that a target prints with, if one was chosen.
    ///
    /// Fails if a custom target has none, or if it is not clear which target some are for.
    #[cfg(feature = "cli")]
    pub(crate) fn templates_of(&self, target: &Target) -> Result<Option<&Path>, Diagnostic> {
        let of = |wanted: Option<&Target>| {
            let mut found = self.targets.templates.iter().filter(|of| of.target.as_ref() == wanted);
            found.next().map(|of| of.folder.as_path())
        };
        if let Some(folder) = of(None) {
            if self.targets().len() == 1 {
                return Ok(Some(folder));
            }
            let message = format!(
                "it is not clear which target the templates in `{}` are for",
                folder.display()
            );
            return Err(Diagnostic::error("bad-config", message)
                .help("write `--templates TARGET=DIR`, or choose one `--target`"));
        }
        match of(Some(target)) {
            None if !target.is_built_in() => Err(self.unknown_target(target.id())),
            folder => Ok(folder),
        }
    }

    #[cfg(feature = "cli")]
    fn unknown_target(&self, name: &str) -> Diagnostic {
        let custom = self.custom_targets();
        let known: Vec<&str> = Target::ALL.iter().chain(&custom).map(Target::id).collect();
        let error = Diagnostic::error("unknown-target", format!("no target is called `{name}`"));
        error.help(match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "there are {}; a `[targets.{name}]` with `templates` makes a custom one",
                known.join(", ")
            ),
        })
    }
}
