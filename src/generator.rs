//! The middle of the house: schema → IR → chosen languages → files.

use crate::backend::Options;
use crate::backend::folder::TemplateFolder;
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
    templates: Vec<(Target, TemplateFolder)>,
    catalogue: Option<SchemaText>,
    single_file: bool,
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
        Self { config, ..Self::default() }
    }

    /// Takes the templates of the user's that targets print with.
    #[must_use]
    pub fn templates(mut self, templates: Vec<(Target, TemplateFolder)>) -> Self {
        self.templates = templates;
        self
    }

    /// Takes a saved list of what can be called by name, for typed calls of each.
    #[must_use]
    pub fn catalogue(mut self, list: Option<SchemaText>) -> Self {
        self.catalogue = list;
        self
    }

    /// Makes a Rust package one file, to be included in another crate.
    #[must_use]
    pub fn single_file(mut self) -> Self {
        self.single_file = true;
        self
    }

    /// Generates the packages. If anything is wrong, `diagnostics` says so; if any of it is an
    /// error, there are no packages.
    pub fn generate(&self, schema: SchemaText, overlays: Vec<SchemaText>) -> Generation {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let list = self.catalogue.clone();
        let protocol = read_with(schema, overlays, list, &mut sources, &mut diagnostics);
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
        let package = match package_name(self.config.name.as_deref(), protocol) {
            Ok(name) => name,
            Err(diagnostic) => {
                diagnostics.push(diagnostic);
                return Vec::new();
            }
        };
        let docs = self.config.docs.unwrap_or_default();
        let mut options = Options::new(package, docs, self.config.runtime.unwrap_or_default());
        options.single_file = self.single_file;
        let mut packages = Vec::new();
        for target in self.config.targets() {
            let templates = self.templates.iter().find(|(of, _)| *of == target);
            options.templates =
                templates.map(|(_, folder)| folder.clone().located(sources)).unwrap_or_default();
            let files = self.config.backend(&target).emit(protocol, &options, diagnostics);
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
    read_with(schema, overlays, None, sources, diagnostics)
}

/// The same, with a saved list of what can be called by name.
pub fn read_with(
    schema: SchemaText,
    overlays: Vec<SchemaText>,
    catalogue: Option<SchemaText>,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Protocol> {
    let mut schema = Schema::read(sources, schema, overlays, diagnostics)?;
    if let Some(list) = catalogue {
        schema.extend(list, sources, diagnostics);
    }
    lower(&schema, sources, diagnostics)
}

/// The name of packages of a protocol for which none was chosen: its short name, or one like it
/// where that could not name a package in every language.
pub fn default_name(protocol: &Protocol) -> String {
    let letters = protocol.short_name.chars().skip_while(|first| !first.is_ascii_lowercase());
    let name: String = letters.take(LONGEST).collect();
    match name.trim_end_matches('-') {
        "" => "protocol".to_owned(),
        name if RESERVED.contains(&name) => format!("{name}-protocol"),
        name => name.to_owned(),
    }
}

/// The chosen name if it can name a package in every language, else the protocol's own.
fn package_name(chosen: Option<&str>, protocol: &Protocol) -> Result<String, Diagnostic> {
    let Some(name) = chosen else { return Ok(default_name(protocol)) };
    let error = |help: &str| {
        let message = format!("`{name}` cannot name a package");
        Err(Diagnostic::error("bad-name", message).help(help))
    };
    let is_name = name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c));
    if !is_name {
        return error("use lowercase letters, digits, `-` and `_`, a letter first, 40 at most");
    }
    if RESERVED.contains(&name) {
        return error("it means something else in one of the languages; add a word to it");
    }
    Ok(name.to_owned())
}

/// The longest name of a package, so that paths stay short.
const LONGEST: usize = 40;

/// Lowercase words that no package can be called in all languages: keywords of Rust, Python and
/// TypeScript, and the names of crates and modules that come with a language.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "abstract", "alloc", "and", "as", "assert", "async", "await", "become", "box", "break",
    "case", "catch", "class", "const", "continue", "core", "crate", "debugger", "def", "default",
    "del", "delete", "do", "dyn", "elif", "else", "enum", "except", "export", "extends", "extern",
    "false", "final", "finally", "fn", "for", "from", "function", "gen", "global", "if", "impl",
    "import", "in", "instanceof", "interface", "is", "lambda", "let", "loop", "macro", "match",
    "mod", "move", "mut", "new", "nonlocal", "not", "null", "or", "override", "package", "pass",
    "priv", "private", "proc-macro", "proc_macro", "protected", "pub", "public", "raise", "ref",
    "return", "self", "static", "std", "struct", "super", "switch", "test", "this", "throw",
    "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use", "var",
    "virtual", "void", "where", "while", "with", "yield",
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named(title: &str, chosen: Option<&str>) -> Result<String, &'static str> {
        let schema = json!({"title": title, "$defs": {}});
        let mut diagnostics = Diagnostics::new();
        let schema = SchemaText::from_value("s.json", &schema);
        let protocol = read(schema, Vec::new(), &mut Sources::default(), &mut diagnostics);
        let protocol = protocol.ok_or("no protocol")?;
        package_name(chosen, &protocol).map_err(|diagnostic| diagnostic.code)
    }

    #[test]
    fn every_title_gives_a_name() {
        for (title, name) in [
            ("Light Switch Protocol", "lsp"),
            ("Find Nearest", "fn-protocol"),
            ("2 Fast Protocols", "fp"),
            ("9", "protocol"),
            ("", "s"),
            ("../../etc", "etc"),
        ] {
            assert_eq!(named(title, None).as_deref(), Ok(name), "{title}");
        }
        assert!(named(&"long ".repeat(300), None).unwrap().len() <= LONGEST);
    }

    #[test]
    fn a_chosen_name_is_checked() {
        assert_eq!(named("T", Some("my-sdk_2")).as_deref(), Ok("my-sdk_2"));
        for bad in ["", "2x", "A", "a b", "../x", "é", "class", "fn", "std"] {
            assert_eq!(named("T", Some(bad)), Err("bad-name"), "{bad}");
        }
    }
}
