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
use crate::parallel;
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
    "_decoders.py",
    "_shorthands.py",
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
/// The parts of a large model go as they are printed.
fn print(
    protocol: &Protocol,
    model: Model,
    options: &Options,
) -> Result<(FileSet, String), Diagnostics> {
    let init = package::init_module(protocol, &model.exports, options.docs);
    let files = package::package_files(protocol, options, &model.sides, &model.states.states);
    let folder = format!("src/{}", files.package);
    let templates =
        Templates::overridden(TEMPLATES, &options.templates)?.with_filter("layout", layout::layout);
    let mut printer = Printer::new(protocol);
    let has_old_names = model.types.has_old_names;
    // What takes longest is begun first.
    printer.print("types.py", &folder, model.types);
    printer.print("_decoders.py", &folder, model.decoders);
    printer.print("pyproject.toml", "", &files);
    printer.print("README.md", "", &files);
    printer.print("__init__.py", &folder, &init);
    for (name, text) in runtime::CODECS {
        printer.copy(text, &format!("{folder}/{name}"));
    }
    if printer.has_deprecated || printer.has_unstable || has_old_names {
        let (name, text) = runtime::STATUS;
        printer.copy(text, &format!("{folder}/{name}"));
    }
    if protocol.has_keywords() {
        let (name, text) = runtime::KEYWORDS;
        printer.copy(text, &format!("{folder}/{name}"));
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
    printer.files.insert(format!("{folder}/py.typed"), "");
    Ok((printer.finish(&templates, protocol.is_large())?, files.package.clone()))
}

/// Prints models with templates, each file under its header.
struct Printer<'m> {
    header: [String; 2],
    has_deprecated: bool,
    has_unstable: bool,
    files: FileSet,
    waiting: Vec<Waiting<'m>>,
}

/// A file that is printed once all are decided: its path, and what prints it.
type Waiting<'m> = (String, Box<dyn FnOnce(&Templates) -> Result<String, Diagnostic> + Send + 'm>);

/// A template's model: what it prints, and who generated it.
#[derive(Serialize)]
struct Page<M> {
    header: [String; 2],
    has_deprecated: bool,
    has_unstable: bool,
    #[serde(flatten)]
    model: M,
}

impl<'m> Printer<'m> {
    fn new(protocol: &Protocol) -> Self {
        Self {
            header: header_lines(&protocol.origin),
            has_deprecated: has_deprecated(protocol),
            has_unstable: has_unstable(protocol),
            files: FileSet::new(),
            waiting: Vec::new(),
        }
    }

    /// Has a template printed as the file of its name in a folder. The model goes after that.
    fn print<M: Serialize + Send + 'm>(&mut self, template: &'static str, folder: &str, model: M) {
        let path = format!("{folder}/{template}");
        let Self { has_deprecated, has_unstable, .. } = *self;
        let page = Page { header: self.header.clone(), has_deprecated, has_unstable, model };
        let print = move |templates: &Templates| {
            let model = Templates::model(&page);
            drop(page);
            templates.render_value(template, &model)
        };
        self.waiting.push((path.trim_start_matches('/').to_owned(), Box::new(print)));
    }

    /// Writes what is the same for every protocol.
    fn copy(&mut self, text: &str, path: &str) {
        let [first, second] = &self.header;
        self.files.insert(path, format!("# {first}\n# {second}\n{text}"));
    }

    /// Prints the files.
    fn finish(self, templates: &Templates, is_large: bool) -> Result<FileSet, Diagnostics> {
        let Self { mut files, waiting, .. } = self;
        let printed = parallel::map_if(is_large, waiting, |(path, print)| (path, print(templates)));
        let mut problems = Diagnostics::new();
        for (path, text) in printed {
            match text {
                Ok(text) => files.insert(path, text),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(files) } else { Err(problems) }
    }
}
