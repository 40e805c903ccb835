//! For build scripts.

mod script;
mod toolchain;

use std::fmt;
use std::path::Path;

use crate::backend::{DocsMode, Runtime, StabilityMode};
use crate::config::{Config, Target};
use crate::decode::UnknownFields;
use crate::diagnostic::{Diagnostics, Style, render};
use crate::generator::Generator;
use crate::input::MappedUrl;
#[cfg(feature = "patterns")]
use crate::lower::Patterns;
use crate::output;
use crate::source::Sources;

/// Generates code from a build script: the same choices as the command line and
/// `acp-bindgen.toml`.
///
/// ```
/// use acp_bindgen::{Builder, Target};
///
/// let folder = tempfile::tempdir()?;
/// let schema = folder.path().join("hello.json");
/// let text = r#"{ "title": "Hello Protocol", "$defs": { "Greeting": { "type": "string" } } }"#;
/// std::fs::write(&schema, text)?;
///
/// let schema = schema.to_string_lossy();
/// Builder::new(schema).target(Target::Rust).name("hello").generate_into(folder.path())?;
/// let types = std::fs::read_to_string(folder.path().join("rust/src/types.rs"))?;
/// assert!(types.contains("Greeting"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    config: Config,
}

impl Builder {
    /// Starts from a schema: a path, or any other place that `--schema` takes.
    pub fn new(schema: impl Into<String>) -> Self {
        Self::from(Config { schema: vec![schema.into()], ..Config::default() })
    }

    /// Adds a schema of your own to it: methods and types beside those of the protocol.
    #[must_use]
    pub fn extend(mut self, schema: impl Into<String>) -> Self {
        self.config.schema.push(schema.into());
        self
    }

    /// Adds an overlay, a JSON Merge Patch that is applied to the schema.
    #[must_use]
    pub fn overlay(mut self, overlay: impl Into<String>) -> Self {
        self.config.overlay.push(overlay.into());
        self
    }

    /// Chooses a catalogue: a saved answer of the request that lists entries. Each entry gets a
    /// typed call.
    #[must_use]
    pub fn catalogue(mut self, catalogue: impl Into<String>) -> Self {
        self.config.catalogue = Some(catalogue.into());
        self
    }

    /// Chooses the file to read where references of the schema name a URL, or the folder for those
    /// that begin with a URL that ends in `/`. Nothing is read from the network.
    #[must_use]
    pub fn map_url(mut self, url: impl Into<String>, file: impl Into<String>) -> Self {
        self.config.refs.push(MappedUrl { url: url.into(), file: file.into() });
        self
    }

    /// Chooses a file of old names of types, which packages keep, deprecated.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn aliases(mut self, file: impl AsRef<Path>) -> Self {
        self.config.aliases = Some(file.as_ref().to_owned());
        self
    }

    /// Adds a language. Without any, all that this build knows are generated, and no docs.
    #[must_use]
    pub fn target(mut self, target: Target) -> Self {
        self.config.target.push(target);
        self
    }

    /// Chooses the folder to write to.
    #[must_use]
    pub fn out(mut self, folder: impl AsRef<Path>) -> Self {
        self.config.out = Some(folder.as_ref().to_owned());
        self
    }

    /// Chooses the name of the generated packages.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.config.name = Some(name.into());
        self
    }

    /// Chooses whether the schema's descriptions become comments.
    #[must_use]
    pub fn docs(mut self, docs: DocsMode) -> Self {
        self.config.docs = Some(docs);
        self
    }

    /// Chooses the runtime: a copy of it, a crate of its own, or none.
    #[must_use]
    pub fn runtime(mut self, runtime: Runtime) -> Self {
        self.config.runtime = Some(runtime);
        self
    }

    /// Chooses whether the members of an object that its schema does not mention are kept.
    #[must_use]
    pub fn unknown_fields(mut self, unknown: UnknownFields) -> Self {
        self.config.unknown_fields = Some(unknown);
        self
    }

    /// Chooses whether generated code looks at the patterns of strings. What it looks at is code of
    /// the crate `regex`, which the crate then depends on.
    #[cfg(feature = "patterns")]
    #[must_use]
    pub fn patterns(mut self, patterns: Patterns) -> Self {
        self.config.patterns = Some(patterns);
        self
    }

    /// Chooses what becomes of what the schema marks as unstable.
    #[must_use]
    pub fn stability(mut self, stability: StabilityMode) -> Self {
        self.config.stability = Some(stability);
        self
    }

    /// Chooses the format of reference docs.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn format(mut self, format: crate::backend::docs::Format) -> Self {
        self.config.targets.format = Some(format);
        self
    }

    /// Names a folder of older schemas, each called after its version (`v1.2.0.json`): reference docs
    /// then say since when things are there.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn since(mut self, folder: impl AsRef<Path>) -> Self {
        self.config.targets.since = Some(folder.as_ref().to_owned());
        self
    }

    /// In reference docs, has links in descriptions that begin with `from` begin with `to`: an
    /// address, or a path that begins with `/`, `.` or `#`.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn link(mut self, from: impl Into<String>, to: impl Into<String>) -> Self {
        let link = crate::config::Link { from: from.into(), to: to.into() };
        self.config.targets.links.push(link);
        self
    }

    /// Chooses a folder of templates for a target.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn templates(mut self, target: Target, folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref().to_owned();
        self.config
            .targets
            .templates
            .push(crate::config::Templates { target: Some(target), folder });
        self
    }

    /// The choices so far.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Generates a package for each language into a subfolder of the given folder. Files that do
    /// not change are not touched; if anything fails, nothing is.
    pub fn generate_into(&self, folder: impl AsRef<Path>) -> Result<(), BuildError> {
        let mut diagnostics = Diagnostics::new();
        let inputs = self.config.read_inputs(&mut diagnostics);
        let templates = self.config.read_templates(&mut diagnostics);
        #[cfg(feature = "cli")]
        let history = self.config.read_history(&mut diagnostics);
        #[cfg(feature = "cli")]
        let aliases = self.config.read_aliases(&mut diagnostics);
        #[cfg(feature = "cli")]
        let license = self.config.read_license(&mut diagnostics);
        let Some(inputs) = inputs.filter(|_| !diagnostics.has_errors()) else {
            return Err(BuildError::new(&diagnostics, &Sources::default()));
        };
        let generator = Generator::new(self.config.clone()).templates(templates);
        #[cfg(feature = "cli")]
        let generator = generator.history(history).aliases(aliases).license(license);
        let generation = generator.generate(inputs);
        let mut diagnostics = generation.diagnostics;
        let packages = generation.packages.iter().map(|package| {
            (self.config.package_folder(folder.as_ref(), &package.target), &package.files)
        });
        let plan = output::plan(packages, false, &mut diagnostics);
        if !diagnostics.has_errors()
            && let Err(error) = output::write(plan)
        {
            diagnostics.extend(error);
        }
        if diagnostics.has_errors() {
            return Err(BuildError::new(&diagnostics, &generation.sources));
        }
        Ok(())
    }
}

impl From<Config> for Builder {
    fn from(config: Config) -> Self {
        Self { config }
    }
}

/// The error of a build: all findings, drawn for people. Its debug form is the same text,
/// so that `main() -> Result<(), BuildError>` shows it well.
#[derive(Clone, PartialEq, Eq)]
pub struct BuildError {
    text: String,
}

impl BuildError {
    fn new(diagnostics: &Diagnostics, sources: &Sources) -> Self {
        Self { text: render(diagnostics, sources, Style::Plain) }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text.trim_end())
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\n{self}")
    }
}

impl std::error::Error for BuildError {}
