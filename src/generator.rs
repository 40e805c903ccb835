//! The pipeline: schema text to packages.

#[cfg(feature = "cli")]
use crate::aliases::add_aliases;
use crate::backend::folder::TemplateFolder;
#[cfg(feature = "cli")]
use crate::backend::metadata::VERSION_HELP;
use crate::backend::{Backend, Options, StabilityMode, rust::Rust};
#[cfg(feature = "cli")]
use crate::backend::{
    DocsMode,
    custom::Custom,
    docs::{Docs, Since},
    license::{LICENSE, license_text},
    python::Python,
    typescript::TypeScript,
};
#[cfg(feature = "cli")]
use crate::config::Specifiers;
use crate::config::{Config, Target, check_name};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::Protocol;
use crate::load::{Inputs, Purpose, load};
use crate::output::FileSet;
#[cfg(feature = "cli")]
use crate::source::SourceText;
use crate::source::Sources;

/// Turns the text of a schema into packages, in memory.
#[derive(Clone, Debug, Default)]
pub struct Generator {
    config: Config,
    templates: Vec<(Target, TemplateFolder)>,
    /// Older versions of the protocol with their labels, the oldest first.
    #[cfg(feature = "cli")]
    history: Vec<(String, Protocol)>,
    /// The text of the file of old names.
    #[cfg(feature = "cli")]
    aliases: Option<SourceText>,
    /// The text of the file of the licence.
    #[cfg(feature = "cli")]
    license: Option<String>,
    single_file: Option<String>,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Generation {
    /// The protocol, if the schema describes one.
    pub protocol: Option<Protocol>,
    /// A package for each language. Empty if there is any error.
    pub packages: Vec<Package>,
    /// The findings about the schema, in order.
    pub diagnostics: Diagnostics,
    /// The texts that diagnostics point into.
    pub sources: Sources,
}

/// The files of one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The language.
    pub target: Target,
    /// Its files, relative to the package's folder.
    pub files: FileSet,
}

impl Generator {
    /// Makes a generator of what the configuration asks for. It neither reads nor writes files,
    /// and leaves the choices of schema, overlays and folder alone.
    pub fn new(config: Config) -> Self {
        Self { config, ..Self::default() }
    }

    /// Takes the user's templates for each target that has some.
    #[must_use]
    pub fn templates(mut self, templates: Vec<(Target, TemplateFolder)>) -> Self {
        self.templates = templates;
        self
    }

    /// Takes older versions of the protocol with their labels, the oldest first: reference docs say
    /// since when things are there.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn history(mut self, history: Vec<(String, Protocol)>) -> Self {
        self.history = history;
        self
    }

    /// Takes the text of a file of old names, which packages keep.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn aliases(mut self, aliases: Option<SourceText>) -> Self {
        self.aliases = aliases;
        self
    }

    /// Takes the text of the licence, which packages carry. Without it, the text is that of the
    /// licence which the configuration names, if it is known.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn license(mut self, text: Option<String>) -> Self {
        self.license = text;
        self
    }

    /// Makes a Rust package one file, to be included in another crate. `file`: its name, without
    /// the ending.
    #[must_use]
    pub fn single_file(mut self, file: impl Into<String>) -> Self {
        self.single_file = Some(file.into());
        self
    }

    /// Generates the packages of a schema, or of a schema with everything that belongs to it. If
    /// anything is wrong, `diagnostics` says so; if any of it is an error, there are no packages.
    pub fn generate(&self, inputs: impl Into<Inputs>) -> Generation {
        let loaded = load(inputs, Purpose::Generate);
        let (mut diagnostics, mut sources) = (loaded.diagnostics, loaded.sources);
        // It may be large, and packages are made of the protocol.
        drop(loaded.schema);
        let is_stable = self.config.stability == Some(StabilityMode::Stable);
        let protocol = loaded.protocol.map(|it| if is_stable { it.stable() } else { it });
        #[cfg(feature = "cli")]
        let protocol = protocol.map(|it| self.with_aliases(it, &mut sources, &mut diagnostics));
        let packages = match &protocol {
            Some(protocol) => self.emit(protocol, &mut sources, &mut diagnostics),
            None => Vec::new(),
        };
        diagnostics.sort();
        Generation { protocol, packages, diagnostics, sources }
    }

    fn emit(
        &self,
        protocol: &Protocol,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Package> {
        let package = match package(self.config.name.as_deref(), protocol) {
            Ok(name) => name,
            Err(diagnostic) => {
                diagnostics.push(diagnostic);
                return Vec::new();
            }
        };
        let docs = self.config.docs.unwrap_or_default();
        let mut options = Options::new(package, docs, self.config.runtime.unwrap_or_default());
        options.single_file.clone_from(&self.single_file);
        options.unknown_fields = self.config.unknown_fields.unwrap_or_default();
        #[cfg(feature = "cli")]
        if let Err(diagnostic) = self.describe(&mut options) {
            diagnostics.push(diagnostic);
            return Vec::new();
        }
        #[cfg(feature = "cli")]
        {
            options.license = self.license_of(&options, sources, diagnostics);
        }
        let targets = self.config.targets().into_iter().map(|target| {
            let mut options = self.options_for(&target, &options, sources);
            let templates = self.templates.iter().find(|(of, _)| *of == target);
            options.templates =
                templates.map(|(_, folder)| folder.clone().located(sources)).unwrap_or_default();
            (target, options)
        });
        let targets: Vec<_> = targets.collect();
        let mut packages = Vec::new();
        // One after another, and the last first: what the later languages need while they are made
        // is not beside the files of the others.
        for (target, options) in targets.into_iter().rev() {
            #[cfg_attr(not(feature = "cli"), allow(unused_mut, reason = "there is no licence"))]
            let mut files = match target {
                #[cfg(feature = "cli")]
                Target::Docs => self.docs(sources).emit(protocol, &options, diagnostics),
                _ => backend(&target, &self.config).emit(protocol, &options, diagnostics),
            };
            #[cfg(feature = "cli")]
            if let Some(text) = options.license.filter(|_| Target::LANGUAGES.contains(&target)) {
                files.insert(LICENSE, text);
            }
            packages.push(Package { target, files });
        }
        packages.reverse();
        if diagnostics.has_errors() { Vec::new() } else { packages }
    }
}

#[cfg(not(feature = "cli"))]
impl Generator {
    /// The options of a target: those of all.
    #[allow(clippy::unused_self, reason = "there is nothing to choose for one target")]
    fn options_for(&self, _: &Target, options: &Options, _: &mut Sources) -> Options {
        options.clone()
    }
}

#[cfg(feature = "cli")]
impl Generator {
    /// The options of a target.
    fn options_for(&self, target: &Target, options: &Options, sources: &mut Sources) -> Options {
        let mut options = options.clone();
        let targets = &self.config.targets;
        match (target, targets.name_of(target)) {
            // npm packages are imported by the names under which they are published.
            (Target::TypeScript, Some(name)) => name.clone_into(&mut options.package),
            (_, name) => options.published = name.map(str::to_owned),
        }
        options.imports_sources = targets.specifiers == Some(Specifiers::Ts);
        options.moves = targets.files.moves(target, sources);
        options
    }

    /// Adds the old names of types. What is wrong with them is reported.
    fn with_aliases(
        &self,
        mut protocol: Protocol,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Protocol {
        if let Some(text) = self.aliases.clone() {
            let chosen = self.config.package.version.as_deref();
            let version = chosen.map(str::to_owned).or_else(|| protocol.origin.version.clone());
            add_aliases(&mut protocol, text, version.as_deref(), sources, diagnostics);
        }
        protocol
    }

    /// Takes what manifests are to say of packages.
    fn describe(&self, options: &mut Options) -> Result<(), Diagnostic> {
        let metadata = &self.config.package;
        if !metadata.is_version_good() {
            let version = metadata.version.as_deref().unwrap_or_default();
            let message = format!("`{version}` is no version in every language");
            return Err(Diagnostic::error("bad-config", message).help(VERSION_HELP));
        }
        options.metadata = metadata.clone();
        Ok(())
    }

    /// The text of the licence that packages carry, if one is chosen. That it is not known is
    /// reported.
    fn license_of(
        &self,
        options: &Options,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<String> {
        if self.single_file.is_some() || self.license.is_some() {
            return self.license.clone().filter(|_| self.single_file.is_none());
        }
        let metadata = &self.config.package;
        let chosen = metadata.license.as_deref()?;
        let names = metadata.authors.iter().map(|author| author.split('<').next().unwrap_or(""));
        let names: Vec<&str> = names.map(str::trim).filter(|name| !name.is_empty()).collect();
        let holders = match names.as_slice() {
            [] => format!("The {} authors", options.package),
            names => names.join(", "),
        };
        let unknown = match license_text(chosen, &holders) {
            Ok(text) => return Some(text),
            Err(unknown) if unknown.is_empty() => chosen.to_owned(),
            Err(unknown) => unknown.join("` and `"),
        };
        let message =
            format!("the text of the licence `{unknown}` is not known: no package carries it");
        let mut finding = Diagnostic::warning("no-license-text", message).help(
            "name the file that holds it in the table `[package]`: `license-file = \"LICENSE\"`",
        );
        self.config.places.put_into(&mut finding, "package.license", chosen, sources);
        diagnostics.push(finding);
        None
    }

    /// The reference docs that are wanted. `sources`: the schema's text first.
    fn docs(&self, sources: &Sources) -> Docs {
        let targets = &self.config.targets;
        let has_prose = self.config.docs.unwrap_or_default() == DocsMode::Full;
        Docs {
            format: targets.format.unwrap_or_default(),
            since: Since::new(self.history.iter().map(|(label, it)| (label.as_str(), it))),
            links: targets.links.iter().map(|it| (it.from.clone(), it.to.clone())).collect(),
            schema: sources.get(0).filter(|_| has_prose).map(|schema| schema.text.clone()),
        }
    }
}

/// The backend of a target, as the configuration wants it.
pub fn backend<'t>(target: &'t Target, config: &Config) -> Box<dyn Backend + 't> {
    #[cfg(not(feature = "cli"))]
    let _ = config;
    match target {
        Target::Rust => Box::new(Rust),
        #[cfg(feature = "cli")]
        Target::TypeScript => Box::new(TypeScript),
        #[cfg(feature = "cli")]
        Target::Python => Box::new(Python),
        #[cfg(feature = "cli")]
        Target::Docs => {
            let format = config.targets.format.unwrap_or_default();
            Box::new(Docs { format, ..Docs::default() })
        }
        #[cfg(feature = "cli")]
        Target::Custom(name) => Box::new(Custom { name }),
    }
}

/// The chosen name if it can name a package in every language, else the protocol's own.
fn package(chosen: Option<&str>, protocol: &Protocol) -> Result<String, Diagnostic> {
    let Some(name) = chosen else { return Ok(protocol.package_name()) };
    check_name(name).map(|()| name.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::SchemaText;

    #[test]
    fn a_chosen_name_is_checked() {
        let schema =
            SchemaText::from_value("s.json", &json!({ "title": "T", "$defs": { "A": {} } }));
        let protocol = load(schema, Purpose::Generate).protocol.unwrap();
        let named = |chosen| package(chosen, &protocol).map_err(|diagnostic| diagnostic.code);
        assert_eq!(named(None).as_deref(), Ok("t"));
        assert_eq!(named(Some("my-sdk_2")).as_deref(), Ok("my-sdk_2"));
        for bad in ["", "2x", "A", "a b", "../x", "é", "class", "fn", "std"] {
            assert_eq!(named(Some(bad)), Err("bad-name"), "{bad}");
        }
        let help = package(Some("@my/sdk"), &protocol).map_err(|diagnostic| diagnostic.help);
        assert!(help.unwrap_err().is_some_and(|help| help.contains("[targets.typescript]")));
    }
}
