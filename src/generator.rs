//! The middle of the house: schema → IR → chosen languages → files.

use crate::backend::Options;
use crate::config::{Config, Target};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::Protocol;
use crate::lower::lower;
use crate::output::FileSet;
use crate::schema::{Schema, SchemaText};
use crate::source::Sources;

/// Turns the text of a schema into packages, in memory.
#[derive(Clone, Debug, Default)]
pub struct Generator {
    config: Config,
}

/// What came of a run.
#[derive(Debug)]
pub struct Generation {
    /// The protocol, if the schema describes one.
    pub protocol: Option<Protocol>,
    /// A package for each language. Empty if there is any error.
    pub packages: Vec<Package>,
    /// What there is to say about the schema, in order.
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
    /// A generator of what the configuration asks for. Where to read and write is not its
    /// concern: it leaves the choices of schema, overlays and folder alone.
    pub fn new(config: Config) -> Self {
        Self { config }
    }

    /// Generates the packages. If anything is wrong, `diagnostics` says so; if any of it is an
    /// error, there are no packages.
    pub fn generate(&self, schema: SchemaText, overlays: Vec<SchemaText>) -> Generation {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let protocol = read(schema, overlays, &mut sources, &mut diagnostics);
        let packages = match &protocol {
            Some(protocol) => self.emit(protocol, &mut diagnostics),
            None => Vec::new(),
        };
        diagnostics.sort();
        Generation { protocol, packages, diagnostics, sources }
    }

    fn emit(&self, protocol: &Protocol, diagnostics: &mut Diagnostics) -> Vec<Package> {
        let package = match package_name(self.config.name.as_deref(), protocol) {
            Ok(name) => name,
            Err(diagnostic) => {
                diagnostics.push(diagnostic);
                return Vec::new();
            }
        };
        let options = Options { package, docs: self.config.docs.unwrap_or_default() };
        let mut packages = Vec::new();
        for target in self.config.targets() {
            let files = target.backend().emit(protocol, &options, diagnostics);
            packages.push(Package { target, files });
        }
        if diagnostics.has_errors() { Vec::new() } else { packages }
    }
}

/// Reads a schema with its overlays as a protocol: everything before a language is chosen.
pub fn read(
    schema: SchemaText,
    overlays: Vec<SchemaText>,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Protocol> {
    let schema = Schema::read(sources, schema, overlays, diagnostics)?;
    lower(&schema, sources, diagnostics)
}

/// The chosen name if it can name a package in every language, else the protocol's own.
fn package_name(chosen: Option<&str>, protocol: &Protocol) -> Result<String, Diagnostic> {
    let Some(name) = chosen else { return Ok(protocol.short_name.clone()) };
    let is_name = name.len() <= 64
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c));
    if is_name {
        return Ok(name.to_owned());
    }
    Err(Diagnostic::error("bad-name", format!("`{name}` cannot name a package"))
        .help("use lowercase letters, digits, `-` and `_`, a letter first"))
}
