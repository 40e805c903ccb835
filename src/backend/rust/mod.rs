//! The Rust target: a crate.
//!
//! The IR is lowered to a model in which everything is decided, then printed.

mod docs;
mod ident;
mod layout;
mod literal;
mod model;
mod print;
#[cfg(test)]
mod runtime_tests;

use super::{Backend, Options};
use crate::diagnostic::Diagnostics;
use crate::ir::Protocol;
use crate::output::FileSet;

/// Generates a Rust package.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rust;

impl Rust {
    /// Writes all of a package's code as one file, for a build script: to be included in a module
    /// of a crate that depends on `serde` and on `serde_json` with its feature `raw_value`.
    pub fn emit_file(
        self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> String {
        let model = model::build(protocol, options, diagnostics);
        print::single_file(protocol, &model)
    }
}

impl Backend for Rust {
    fn id(&self) -> &'static str {
        "rust"
    }

    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet {
        let model = model::build(protocol, options, diagnostics);
        print::files(protocol, options, &model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::DocsMode;
    use crate::lower::lower;
    use crate::schema::{Schema, SchemaText};
    use crate::source::Sources;

    const SCHEMA: &str = r#"{
        "title": "Tiny",
        "$defs": {
            "PingRequest": {
                "x-side": "server", "x-method": "ping", "description": "Says [hello].",
                "type": "object", "properties": { "text": { "type": "string" } }
            },
            "PingResponse": { "x-side": "server", "x-method": "ping", "type": "object" }
        }
    }"#;

    #[test]
    fn all_code_fits_in_one_file_to_include() {
        let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
        let text = SchemaText::new("tiny.json", SCHEMA);
        let schema = Schema::read(&mut sources, text, Vec::new(), &mut diagnostics).unwrap();
        let protocol = lower(&schema, &sources, &mut diagnostics).unwrap();
        let options = Options { package: "tiny".to_owned(), docs: DocsMode::Full };
        let file = Rust.emit_file(&protocol, &options, &mut diagnostics);
        assert!(!diagnostics.has_errors());
        let file = syn::parse_file(&file).unwrap();
        assert!(file.attrs.is_empty(), "an included file may not have inner attributes");
        let modules = file.items.iter().filter_map(|item| match item {
            syn::Item::Mod(module) => Some((module.ident.to_string(), module.content.is_some())),
            _ => None,
        });
        let modules: Vec<(String, bool)> = modules.collect();
        assert!(modules.iter().all(|(_, inline)| *inline));
        let names: Vec<&str> = modules.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["codecs", "dispatch", "handlers", "json", "methods", "rpc", "types"]);
    }
}
