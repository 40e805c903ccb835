//! A few of the inputs, given to the parsers of all languages.

use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::typescript::TypeScript;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::Diagnostics;
use serde_json::{Map, Value};

use super::bases::Bases;
use super::input::Input;
use crate::{parsers, support};

/// How many inputs are looked at.
const SAMPLE: u64 = 150;

/// Asserts that TypeScript and Python read what is generated of some inputs. Rust is read by `syn`
/// for each of them.
pub(crate) fn compile_some(seed: u64) {
    let bases = Bases::read();
    let inputs: Vec<Input> =
        (0..SAMPLE).map(|number| Input::numbered(&bases, seed, number)).collect();
    if let Some(node) = support::node() {
        let complaints = parsers::typescript(&node, &emitted(&inputs, &TypeScript, "ts"));
        assert!(complaints.is_empty(), "seed {seed}: {complaints}");
    }
    if let Some(python) = support::python() {
        let complaints = parsers::python(&python, &emitted(&inputs, &Python, "py"));
        assert!(complaints.is_empty(), "seed {seed}: {complaints}");
    }
}

/// The files with this extension that a language makes of inputs, by path.
fn emitted(inputs: &[Input], language: &dyn Backend, extension: &str) -> Value {
    let mut all = Map::new();
    for (number, input) in inputs.iter().enumerate() {
        let Some(protocol) = support::lowered("fuzz.json", &input.new).protocol else { continue };
        let options = Options::new("fuzz", DocsMode::Full, Runtime::Tokio);
        let mut diagnostics = Diagnostics::new();
        let files = language.emit(&protocol, &options, &mut diagnostics);
        if !diagnostics.has_errors() {
            for (path, text) in crate::with_extension(&files, extension) {
                all.insert(format!("{number}/{path}"), text.into());
            }
        }
    }
    Value::Object(all)
}
