//! The Python target: `msgspec` models, method names and interfaces, as a package that any
//! standard build backend turns into a wheel.
//!
//! The IR becomes a model in which every name, type expression, literal, line break and
//! docstring line is decided ([`model`]); the templates in `templates/python/` print it.

mod api;
mod calls;
mod catalogue;
mod codecs;
mod connections;
mod declarations;
mod decoders;
mod defaults;
mod doc;
mod enums;
mod errors;
mod fields;
mod imports;
mod layout;
mod leaves;
mod literal;
mod methods;
mod model;
mod names;
mod package;
mod runtime;
mod scope;
mod slotted;
mod types;
mod unions;
mod variants;

#[cfg(test)]
mod tests;

use serde::Serialize;

use super::syntax::SyntaxFilters;
use super::template::{TemplateText, Templates};
use super::{Backend, Options, header_lines};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::Protocol;
use crate::output::FileSet;
use declarations::Exports;
use scope::Scope;
use variants::Variants;

/// How text stands in Python.
pub(super) const SYNTAX: SyntaxFilters = SyntaxFilters {
    id: "python",
    ident: names::variable,
    literal: literal::scalar,
    doc: doc::plain,
};

/// Generates a Python package.
#[derive(Clone, Copy, Debug, Default)]
pub struct Python;

/// Includes templates by their names without the extension that they share.
macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../templates/python/", $name, ".jinja")))),*]
    };
}

static TEMPLATES: &[TemplateText] = templates![
    "README.md",
    "__init__.py",
    "_codec.py",
    "_decoders.py",
    "_decoding.py",
    "_parsing.py",
    "_support.py",
    "_unions.py",
    "_values.py",
    "alias.py",
    "catalogue.py",
    "codecs.py",
    "connections.py",
    "enum.py",
    "enums.py",
    "errors.py",
    "function.py",
    "interfaces.py",
    "methods.py",
    "pyproject.toml",
    "slotted.py",
    "struct.py",
    "types.py",
    "union.py",
];

impl Backend for Python {
    fn id(&self) -> &'static str {
        "python"
    }

    fn api(&self, protocol: &Protocol, options: &Options) -> super::api::Api {
        api::api(protocol, options)
    }

    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet {
        let scope = Scope::new(protocol, Variants::new(protocol, diagnostics));
        let mut exports = Exports::new();
        let mode = options.docs;
        let types = declarations::types_module(&scope, mode, &mut exports, diagnostics);
        let enums = enums::enums_module(&scope, mode, &mut exports, diagnostics);
        let interfaces = methods::interfaces_module(&scope, mode, &mut exports, diagnostics);
        let methods = methods::methods_module(&scope, diagnostics);
        let decoders = decoders::decoders_module(&scope);
        let codecs = codecs::codecs_module(&scope);
        let errors = errors::errors_module(&scope);
        let connections = connections::connections_module(&scope, mode, &mut exports, diagnostics);
        let catalogue = catalogue::catalogue_module(&scope, mode, diagnostics);
        let init = package::init_module(protocol, &exports, mode);
        let files = package::package_files(protocol, options);

        let folder = format!("src/{}", files.package);
        let nothing = serde_json::json!({});
        let mut printer = match Printer::new(protocol, options) {
            Ok(printer) => printer,
            Err(problems) => {
                diagnostics.extend(problems);
                return FileSet::new();
            }
        };
        printer.print("pyproject.toml", "pyproject.toml", &files);
        printer.print("README.md", "README.md", &files);
        printer.print("__init__.py", &format!("{folder}/__init__.py"), &init);
        for module in
            ["_codec.py", "_decoding.py", "_parsing.py", "_support.py", "_unions.py", "_values.py"]
        {
            printer.print(module, &format!("{folder}/{module}"), &nothing);
        }
        printer.print("_decoders.py", &format!("{folder}/_decoders.py"), &decoders);
        printer.print("codecs.py", &format!("{folder}/codecs.py"), &codecs);
        printer.print("enums.py", &format!("{folder}/enums.py"), &enums);
        printer.print("errors.py", &format!("{folder}/errors.py"), &errors);
        if let Some(connections) = &connections {
            printer.print("connections.py", &format!("{folder}/connections.py"), connections);
            for (name, text) in runtime::RPC {
                printer.copy(text, &format!("{folder}/rpc/{name}"));
            }
            if connections.has_streams {
                for (name, text) in runtime::STREAMS {
                    printer.copy(text, &format!("{folder}/{name}"));
                }
            }
        }
        if let Some(catalogue) = &catalogue {
            printer.print("catalogue.py", &format!("{folder}/catalogue.py"), catalogue);
        }
        printer.print("interfaces.py", &format!("{folder}/interfaces.py"), &interfaces);
        printer.print("methods.py", &format!("{folder}/methods.py"), &methods);
        printer.print("types.py", &format!("{folder}/types.py"), &types);
        printer.files.insert(format!("{folder}/py.typed"), "");
        for problem in printer.problems {
            diagnostics.push(problem);
        }
        printer.files
    }

    fn templates(&self) -> &'static [TemplateText] {
        TEMPLATES
    }
}

/// Prints models with templates, each file under its header.
struct Printer {
    templates: Templates,
    header: [String; 2],
    files: FileSet,
    problems: Vec<Diagnostic>,
}

/// A template's model: what it prints, and who generated it.
#[derive(Serialize)]
struct Page<'m, M> {
    header: &'m [String; 2],
    #[serde(flatten)]
    model: &'m M,
}

impl Printer {
    fn new(protocol: &Protocol, options: &Options) -> Result<Self, Diagnostics> {
        Ok(Self {
            templates: Templates::overridden(TEMPLATES, &options.templates)?,
            header: header_lines(&protocol.origin),
            files: FileSet::new(),
            problems: Vec::new(),
        })
    }

    fn print<M: Serialize>(&mut self, template: &str, path: &str, model: &M) {
        match self.templates.render(template, Page { header: &self.header, model }) {
            Ok(text) => self.files.insert(path, text),
            Err(problem) => self.problems.push(problem),
        }
    }

    /// Writes what is the same for every protocol.
    fn copy(&mut self, text: &str, path: &str) {
        let [first, second] = &self.header;
        self.files.insert(path, format!("# {first}\n# {second}\n{text}"));
    }
}
