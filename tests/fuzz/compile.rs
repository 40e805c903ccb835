//! A few of the inputs, given to the tools of all languages.

use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::rust::Rust;
use acp_bindgen::backend::typescript::TypeScript;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::output::FileSet;
use serde_json::{Map, Value};

use super::bases::Bases;
use super::input::Input;
use crate::{parsers, support};

/// How many inputs are parsed.
const PARSED: u64 = 150;

/// How many inputs are judged by compilers, type checkers, formatters and linters.
const JUDGED: usize = 10;

/// Asserts that TypeScript and Python read what is generated of some inputs. Rust is read by `syn`
/// for each of them.
pub(crate) fn parse_some(seed: u64) {
    let bases = Bases::read();
    let inputs: Vec<Input> =
        (0..PARSED).map(|number| Input::numbered(&bases, seed, number)).collect();
    if let Some(node) = support::node() {
        let complaints = parsers::typescript(&node, &texts(&inputs, &TypeScript, "ts"));
        assert!(complaints.is_empty(), "seed {seed}: {complaints}");
    }
    if let Some(python) = support::python() {
        let complaints = parsers::python(&python, &texts(&inputs, &Python, "py"));
        assert!(complaints.is_empty(), "seed {seed}: {complaints}");
    }
}

/// Has the tools of each language judge the packages of some inputs, as strictly as those of the
/// cases.
pub(crate) fn judge_some(seed: u64) {
    println!("Compilers judge {JUDGED} inputs of seed {seed}.");
    let bases = Bases::read();
    let folder = |language: &dyn Backend| {
        let mut all = FileSet::new();
        let mut names = Vec::new();
        for number in 0.. {
            if names.len() == JUDGED {
                break;
            }
            let name = format!("fuzz{number}");
            let input = Input::numbered(&bases, seed, number);
            let files = emitted(&input, language, &name).unwrap_or_default();
            for (path, text) in files.iter() {
                all.insert(format!("{name}/{path}"), text);
            }
            if !files.is_empty() {
                names.push(name);
            }
        }
        let folder = support::synced(&format!("fuzz-{}", language.id()), &all);
        (folder, names)
    };
    let (workspace, names) = folder(&Rust);
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {names:?}\n");
    support::write_files(&workspace, [("Cargo.toml", manifest.as_str())]);
    support::check_rust(&workspace);
    if let Some(node) = support::node() {
        support::check_typescript(&node, &folder(&TypeScript).0);
    }
    if let Some(python) = support::python() {
        let (folder, names) = folder(&Python);
        let projects: Vec<_> = names.iter().map(|name| folder.join(name)).collect();
        support::check_python(&python, &folder, &projects);
    }
}

/// The files with this extension that a language makes of inputs, by path.
fn texts(inputs: &[Input], language: &dyn Backend, extension: &str) -> Value {
    let mut all = Map::new();
    for (number, input) in inputs.iter().enumerate() {
        let files = emitted(input, language, "fuzz").unwrap_or_default();
        for (path, text) in crate::with_extension(&files, extension) {
            all.insert(format!("{number}/{path}"), text.into());
        }
    }
    Value::Object(all)
}

/// The package that a language makes of an input, unless there is an error in it.
fn emitted(input: &Input, language: &dyn Backend, name: &str) -> Option<FileSet> {
    let protocol = support::lowered("fuzz.json", &input.new).protocol?;
    let options = Options::new(name, DocsMode::Full, Runtime::Embedded);
    let mut diagnostics = Diagnostics::new();
    let files = language.emit(&protocol, &options, &mut diagnostics);
    (!diagnostics.has_errors()).then_some(files)
}
