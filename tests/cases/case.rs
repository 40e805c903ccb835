//! One case: a schema, and what the tool makes of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use acp_bindgen::aliases::add_aliases;
use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::rust::Rust;
use acp_bindgen::backend::typescript::TypeScript;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::ir::Protocol;
use acp_bindgen::output::FileSet;
use acp_bindgen::schema::SchemaText;
use acp_bindgen::source::SourceText;
use acp_bindgen::{Config, Inputs};

use crate::support;

/// A case and its outcome.
pub(crate) struct Case {
    /// The folder's name.
    pub(crate) name: String,
    /// The folder.
    pub(crate) folder: PathBuf,
    /// What the tool says about the schema, as a person reads it; usually nothing.
    pub(crate) report: String,
    /// The files of each language that accepts the schema.
    pub(crate) outputs: BTreeMap<&'static str, FileSet>,
    /// The model, unless the schema is bad.
    pub(crate) protocol: Option<Protocol>,
    /// Whether its packages have connections: those of cases about types have none.
    pub(crate) runtime: Runtime,
}

impl Case {
    /// The name of the case's package in every language.
    pub(crate) fn package(&self) -> String {
        package(&self.name)
    }

    /// A text without the names by which one case differs from any other.
    pub(crate) fn anonymous(&self, text: &str) -> String {
        let title = self.protocol.as_ref().map(|protocol| protocol.title.wire.as_str());
        let text = text.replace(&self.package(), "PACKAGE");
        let text = text.replace(&self.package().to_ascii_uppercase(), "PACKAGE");
        let text = text.replace(&self.package().replace('_', "-"), "PACKAGE");
        let text = text.replace(&self.package().replace('_', " "), "PACKAGE");
        match title {
            Some(title) if title.starts_with("Case ") => text.replace(title, "TITLE"),
            _ => text,
        }
    }

    /// The files of each language without descriptions.
    pub(crate) fn outputs_without_docs(&self) -> BTreeMap<&'static str, FileSet> {
        self.outputs_with(DocsMode::Off, self.runtime)
    }

    /// The files of each language.
    pub(crate) fn outputs_with(
        &self,
        docs: DocsMode,
        runtime: Runtime,
    ) -> BTreeMap<&'static str, FileSet> {
        let options = Options::new(self.package(), docs, runtime);
        let mut ignored = acp_bindgen::diagnostic::Diagnostics::new();
        let protocol = self.protocol.iter();
        protocol
            .flat_map(|protocol| {
                languages().map(|language| {
                    (language.id(), language.emit(protocol, &options, &mut ignored))
                })
            })
            .collect()
    }
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<Case> {
    let mut folders: Vec<PathBuf> = fs::read_dir(support::root().join("tests/cases"))
        .expect("the cases are there")
        .map(|entry| entry.expect("they can be listed").path())
        .filter(|path| path.join("schema.json").exists())
        .collect();
    folders.sort();
    folders.into_iter().map(read).collect()
}

fn read(folder: PathBuf) -> Case {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = fs::read_to_string(folder.join("schema.json")).expect("a schema can be read");
    let catalogue = fs::read_to_string(folder.join("catalogue.json")).ok();
    let catalogue = catalogue.map(|text| SchemaText::new("catalogue.json", text));
    let config = fs::read_to_string(folder.join("config.toml")).unwrap_or_default();
    let config: Config = toml::from_str(&config).expect("a configuration can be read");
    let inputs = Inputs::from(SchemaText::new("schema.json", text)).catalogue(catalogue);
    let inputs = inputs.patterns(config.patterns.unwrap_or_default());
    let mut lowered = support::lowered_from(inputs);
    if let (Ok(text), Some(protocol)) =
        (fs::read_to_string(folder.join("aliases.toml")), &mut lowered.protocol)
    {
        let text = SourceText::new("aliases.toml", text);
        let (sources, diagnostics) = (&mut lowered.sources, &mut lowered.diagnostics);
        add_aliases(protocol, text, Some("2.1.0"), sources, diagnostics);
    }
    let mut outputs = BTreeMap::new();
    let runtime = config.runtime.unwrap_or_default();
    if let Some(protocol) = &lowered.protocol {
        let options = Options::new(package(&name), DocsMode::Full, runtime);
        for language in languages() {
            let before = lowered.diagnostics.count(acp_bindgen::diagnostic::Severity::Error);
            let files = language.emit(protocol, &options, &mut lowered.diagnostics);
            if lowered.diagnostics.count(acp_bindgen::diagnostic::Severity::Error) == before {
                outputs.insert(language.id(), files);
            }
        }
    }
    Case { name, folder, report: lowered.report(), outputs, protocol: lowered.protocol, runtime }
}

fn languages() -> [&'static dyn Backend; 3] {
    [&Rust, &TypeScript, &Python]
}

fn package(name: &str) -> String {
    format!("case_{}", name.replace('-', "_"))
}
