//! The schemas of everyday tools and a recursive JSON value, as parameters of one protocol: what
//! comes out compiles in each language, and is formatted.

use std::sync::OnceLock;

use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::rust::Rust;
use acp_bindgen::backend::typescript::TypeScript;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::{Diagnostics, Severity};
use acp_bindgen::ir::Protocol;
use acp_bindgen::output::FileSet;
use acp_bindgen::{Inputs, SchemaText};

use crate::support;

#[test]
fn rust_compiles() {
    let Some(folder) = written(&Rust) else { return };
    let manifest = "[workspace]\nresolver = \"3\"\nmembers = [\"everyday\"]\n";
    support::write_files(&folder, [("Cargo.toml", manifest)]);
    support::compile_rust(&folder);
}

#[test]
fn typescript_compiles() {
    let Some(node) = support::node() else { return };
    let Some(folder) = written(&TypeScript) else { return };
    support::compile_typescript(&node, &folder);
    let mut prettier = node.prettier();
    prettier.args(["--check", "--log-level", "warn", "--no-editorconfig", "everyday/src"]);
    support::run(prettier.args(["--ignore-path", "/dev/null"]).current_dir(&folder));
}

#[test]
fn python_compiles() {
    let Some(python) = support::python() else { return };
    let Some(folder) = written(&Python) else { return };
    support::compile_python(&python, &folder, &[folder.join("everyday")]);
    let mut ruff = python.ruff();
    support::run(
        ruff.args(["format", "--check", "--isolated", "--quiet", "."]).current_dir(&folder),
    );
}

/// The folder with the package of a language.
fn written(language: &dyn Backend) -> Option<std::path::PathBuf> {
    static PROTOCOL: OnceLock<Option<Protocol>> = OnceLock::new();
    let protocol = PROTOCOL.get_or_init(protocol).as_ref()?;
    let options = Options::new("everyday", DocsMode::Full, Runtime::None);
    let mut diagnostics = Diagnostics::new();
    let files = language.emit(protocol, &options, &mut diagnostics);
    assert_eq!(diagnostics.count(Severity::Error), 0, "{diagnostics:?}");
    let mut all = FileSet::new();
    all.insert_under("everyday", files);
    Some(support::synced(&format!("everyday-{}", language.id()), &all))
}

fn protocol() -> Option<Protocol> {
    let everyday = support::everyday_protocol()?;
    let mut inputs = Inputs::from(SchemaText::from_value("everyday.json", &everyday.document));
    inputs.referred = everyday.referred;
    let lowered = support::lowered_from(inputs);
    assert!(lowered.protocol.is_some(), "{}", lowered.report());
    lowered.protocol
}
