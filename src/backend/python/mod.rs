//! The Python target: `msgspec` models, method names and interfaces, as a package that any
//! standard build backend turns into a wheel.
//!
//! `model` decides every name, type, default value and docstring; the templates in
//! `templates/python/` spell the statements, and the filter `layout` breaks those that are too
//! long.

mod api;
mod data;
mod docs;
mod expression;
mod imports;
mod layout;
mod literals;
mod model;
mod moved;
mod names;
mod package;
mod places;
mod program;
mod reimport;
mod runtime;
mod types;

use serde::Serialize;

use super::syntax::SyntaxFilters;
use super::template::{TemplateText, Templates};
use super::{Backend, Options, header_lines};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Protocol, TypeKind, with_distinct_names};
use crate::output::FileSet;
use model::{Model, has_deprecated, has_unstable};

/// The syntax filters of Python.
pub(super) const SYNTAX: SyntaxFilters = SyntaxFilters {
    id: "python",
    ident: names::variable,
    literal: literals::scalar,
    doc: docs::plain,
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
    "_depth.py",
    "_keywords.py",
    "_parsing.py",
    "_quick.py",
    "_repair.py",
    "_shorthands.py",
    "status.py",
    "_support.py",
    "_taking.py",
    "_unions.py",
    "_values.py",
    "alias.py",
    "catalogue.py",
    "codecs.py",
    "connection.py",
    "connections.py",
    "enum.py",
    "enums.py",
    "errors.py",
    "handle.py",
    "hosts.py",
    "imports.py",
    "interface.py",
    "interfaces.py",
    "late.py",
    "methods.py",
    "old_names.py",
    "params.py",
    "payloads.py",
    "peer.py",
    "plain_class.py",
    "progress.py",
    "pyproject.toml",
    "remote/__init__.py",
    "remote/protocol.py",
    "states.py",
    "struct.py",
    "tuple.py",
    "types.py",
    "types_imports.py",
    "union.py",
];

/// The modules that codecs stand on, which are the same for every protocol.
const RUNTIME: [&str; 10] = [
    "_codec.py",
    "_decoding.py",
    "_depth.py",
    "_parsing.py",
    "_quick.py",
    "_repair.py",
    "_support.py",
    "_taking.py",
    "_unions.py",
    "_values.py",
];

impl Backend for Python {
    fn id(&self) -> &'static str {
        "python"
    }

    fn api(&self, protocol: &Protocol, options: &Options) -> super::api::Api {
        let sides = &protocol.sides;
        let protocol = &*options.narrowed(protocol);
        // What is wrong with a protocol is said by `emit`.
        with_distinct_names(protocol, &mut Diagnostics::new(), |protocol, findings| {
            Model::new(protocol, sides, options, findings).api(protocol)
        })
    }

    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet {
        let sides = &protocol.sides;
        let protocol = &*options.narrowed(protocol);
        let printed = with_distinct_names(protocol, diagnostics, |protocol, findings| {
            print(protocol, Model::new(protocol, sides, options, findings), options)
        });
        match printed {
            Ok((files, package)) => moved::moved(files, &package, &options.moves, diagnostics),
            Err(problems) => {
                diagnostics.extend(problems);
                FileSet::new()
            }
        }
    }

    fn templates(&self) -> &'static [TemplateText] {
        TEMPLATES
    }
}

/// Prints all files of the package. Gives them with the name of the package, as code imports it.
/// The parts of a large model go once they are printed.
fn print(
    protocol: &Protocol,
    model: Model,
    options: &Options,
) -> Result<(FileSet, String), Diagnostics> {
    let init = package::init_module(protocol, &model.exports, options.docs);
    let files = package::package_files(protocol, options, &model.sides, &model.states.states);
    let folder = format!("src/{}", files.package);
    let mut printer = Printer::new(protocol, options)?;
    printer.print("pyproject.toml", "", &files);
    printer.print("README.md", "", &files);
    printer.print("__init__.py", &folder, &init);
    for module in RUNTIME {
        printer.print(module, &folder, ());
    }
    if printer.has_deprecated || printer.has_unstable || model.types.has_old_names {
        printer.print("status.py", &folder, ());
    }
    if protocol.has_keywords() {
        printer.print("_keywords.py", &folder, ());
    }
    if !model.shorthands.shorthands.is_empty() {
        printer.print("_shorthands.py", &folder, &model.shorthands);
    }
    if !model.states.states.is_empty() {
        let (name, text) = runtime::STATE;
        printer.copy(text, &format!("{folder}/{name}"));
        printer.print("states.py", &folder, &model.states);
    }
    if protocol.types.values().any(|def| matches!(def.kind, TypeKind::Tuple(_))) {
        let (name, text) = runtime::TUPLES;
        printer.copy(text, &format!("{folder}/{name}"));
    }
    printer.print("_decoders.py", &folder, model.decoders);
    printer.print("codecs.py", &folder, model.codecs);
    printer.print("enums.py", &folder, model.enums);
    printer.print("errors.py", &folder, model.errors);
    if !model.sides.sides.is_empty() {
        printer.print("connections.py", &folder, &model.sides);
        for (name, text) in runtime::RPC {
            printer.copy(text, &format!("{folder}/rpc/{name}"));
        }
        printer.print("remote/__init__.py", &folder, &model.remote);
        printer.print("remote/protocol.py", &folder, &model.remote);
        let http = runtime::REMOTE_HTTP.iter().filter(|_| model.remote.has_http);
        for (name, text) in runtime::REMOTE.iter().chain(http) {
            printer.copy(text, &format!("{folder}/remote/{name}"));
        }
        if model.sides.has_handles() {
            let (name, text) = runtime::HANDLES;
            printer.copy(text, &format!("{folder}/{name}"));
        }
        if !model.hosts.hosts.is_empty() {
            printer.print("hosts.py", &folder, &model.hosts);
            for (name, text) in runtime::HOSTS {
                printer.copy(text, &format!("{folder}/rpc/{name}"));
            }
        }
        if model.sides.has_progress() {
            let (name, text) = runtime::PROGRESS;
            printer.copy(text, &format!("{folder}/{name}"));
        }
        if model.sides.has_helpers() {
            let (name, text) = runtime::HELPERS;
            printer.copy(text, &format!("{folder}/{name}"));
        }
        if model.sides.has_streams {
            for (name, text) in runtime::STREAMS {
                printer.copy(text, &format!("{folder}/{name}"));
            }
        }
    }
    if let Some(catalogue) = &model.catalogue {
        printer.print("catalogue.py", &folder, catalogue);
    }
    printer.print("interfaces.py", &folder, &model.sides);
    printer.print("methods.py", &folder, model.methods);
    if let Some(payloads) = &model.payloads {
        let (name, text) = runtime::PAYLOADS;
        printer.copy(text, &format!("{folder}/{name}"));
        printer.print("payloads.py", &folder, payloads);
    }
    printer.print("types.py", &folder, model.types);
    printer.files.insert(format!("{folder}/py.typed"), "");
    if printer.problems.is_empty() {
        return Ok((printer.files, files.package));
    }
    let mut problems = Diagnostics::new();
    printer.problems.into_iter().for_each(|problem| problems.push(problem));
    Err(problems)
}

/// Prints models with templates, each file under its header.
struct Printer {
    templates: Templates,
    header: [String; 2],
    has_deprecated: bool,
    has_unstable: bool,
    files: FileSet,
    problems: Vec<Diagnostic>,
}

/// A template's model: what it prints, and who generated it.
#[derive(Serialize)]
struct Page<'m, M> {
    header: &'m [String; 2],
    has_deprecated: bool,
    has_unstable: bool,
    #[serde(flatten)]
    model: &'m M,
}

impl Printer {
    fn new(protocol: &Protocol, options: &Options) -> Result<Self, Diagnostics> {
        Ok(Self {
            templates: Templates::overridden(TEMPLATES, &options.templates)?
                .with_filter("layout", layout::layout),
            header: header_lines(&protocol.origin),
            has_deprecated: has_deprecated(protocol),
            has_unstable: has_unstable(protocol),
            files: FileSet::new(),
            problems: Vec::new(),
        })
    }

    /// Prints a template as the file of its name in a folder.
    fn print<M: Serialize>(&mut self, template: &str, folder: &str, model: M) {
        let path = format!("{folder}/{template}");
        let Self { header, has_deprecated, has_unstable, .. } = &*self;
        let page = Templates::model(Page {
            header,
            has_deprecated: *has_deprecated,
            has_unstable: *has_unstable,
            model: &model,
        });
        drop(model);
        match self.templates.render_value(template, &page) {
            Ok(text) => self.files.insert(path.trim_start_matches('/'), text),
            Err(problem) => self.problems.push(problem),
        }
    }

    /// Writes what is the same for every protocol.
    fn copy(&mut self, text: &str, path: &str) {
        let [first, second] = &self.header;
        self.files.insert(path, format!("# {first}\n# {second}\n{text}"));
    }
}
