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
mod modules;
mod names;
mod package;
mod places;
mod program;
mod reexports;
mod runtime;
mod types;

use serde::Serialize;

use super::moves::Moves;
use super::syntax::SyntaxFilters;
use super::template::{TemplateText, Templates};
use super::{Backend, Options, header_lines};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Protocol, with_distinct_names};
use crate::output::FileSet;
use crate::parallel;
use model::{Model, has_deprecated, has_unstable};
use modules::{Modules, RUNTIME};
use places::Package;

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
    "_endpoint.py",
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
    "methods.py",
    "old_names.py",
    "params.py",
    "payloads.py",
    "peer.py",
    "plain_class.py",
    "progress.py",
    "pyproject.toml",
    "reexports.py",
    "remote.py",
    "rpc.py",
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
        let modules = Modules::new(options);
        // What is wrong with a protocol is said by `emit`.
        with_distinct_names(protocol, &mut Diagnostics::new(), |protocol, findings| {
            Model::new(protocol, sides, options, &modules, findings).api(protocol)
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
        let modules = Modules::new(options);
        let printed = with_distinct_names(protocol, diagnostics, |protocol, findings| {
            let model = Model::new(protocol, sides, options, &modules, findings);
            print(protocol, model, options, &modules)
        });
        printed.unwrap_or_else(|problems| {
            diagnostics.extend(problems);
            FileSet::new()
        })
    }

    fn runtime(&self) -> FileSet {
        runtime::package()
    }

    fn templates(&self) -> &'static [TemplateText] {
        TEMPLATES
    }
}

/// Prints all files of the package. The parts of a large model go as they are printed.
fn print(
    protocol: &Protocol,
    model: Model,
    options: &Options,
    modules: &Modules,
) -> Result<FileSet, Diagnostics> {
    let has_status = runtime::has_status(protocol, &model);
    let init = package::init_module(protocol, modules, &model.exports, options.docs, has_status);
    let files =
        package::package_files(protocol, options, modules, &model.sides, &model.states.states);
    let templates =
        Templates::overridden(TEMPLATES, &options.templates)?.with_filter("layout", layout::layout);
    let mut printer = Printer::new(protocol, modules);
    if !modules.is_runtime_apart {
        for (name, text) in runtime::needed(protocol, &model) {
            printer.copy(text, &format!("{}/{RUNTIME}/{name}", modules.folder()));
        }
    }
    // What takes longest is begun first.
    printer.module("types", model.types);
    printer.module("_decoders", model.decoders);
    printer.print("pyproject.toml", "pyproject.toml", &files);
    printer.print("README.md", "README.md", &files);
    printer.module("__init__", &init);
    if !model.shorthands.shorthands.is_empty() {
        printer.module("_shorthands", &model.shorthands);
    }
    if !model.states.states.is_empty() {
        printer.module("states", &model.states);
    }
    printer.module("codecs", model.codecs);
    printer.module("enums", model.enums);
    printer.module("errors", model.errors);
    if !model.sides.sides.is_empty() {
        printer.module("connections", &model.sides);
        printer.module("rpc", &model.sides.rpc);
        printer.module("remote", &model.remote);
        printer.module("_endpoint", &model.remote);
        if !model.hosts.hosts.is_empty() {
            printer.module("hosts", &model.hosts);
        }
    }
    if let Some(catalogue) = &model.catalogue {
        printer.module("catalogue", catalogue);
    }
    printer.module("interfaces", &model.sides);
    printer.module("methods", model.methods);
    if let Some(payloads) = &model.payloads {
        printer.module("payloads", payloads);
    }
    printer.files.insert(format!("{}/py.typed", modules.folder()), "");
    let places = Package::new(modules, &init.reexports.names);
    printer.put_in_place(options, &places)?;
    printer.finish(&templates, protocol.is_large())
}

/// Prints models with templates, each file under its header.
struct Printer<'m> {
    modules: &'m Modules,
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
    fn new(protocol: &Protocol, modules: &'m Modules) -> Self {
        Self {
            modules,
            header: header_lines(&protocol.origin),
            has_deprecated: has_deprecated(protocol),
            has_unstable: has_unstable(protocol),
            files: FileSet::new(),
            waiting: Vec::new(),
        }
    }

    /// Has the template of a module printed.
    fn module<M: Serialize + Send + 'm>(&mut self, module: &'static str, model: M) {
        let template = TEMPLATES.iter().map(|(name, _)| *name);
        let mut template = template.filter(|name| name.strip_suffix(".py") == Some(module));
        if let Some(template) = template.next() {
            self.print(template, &self.modules.usual_path(module), model);
        }
    }

    /// Has a template printed as a file. The model goes after that.
    fn print<M: Serialize + Send + 'm>(&mut self, template: &'static str, path: &str, model: M) {
        let Self { has_deprecated, has_unstable, .. } = *self;
        let page = Page { header: self.header.clone(), has_deprecated, has_unstable, model };
        let print = move |templates: &Templates| {
            let model = Templates::model(&page);
            drop(page);
            templates.render_value(template, &model)
        };
        self.waiting.push((path.to_owned(), Box::new(print)));
    }

    /// Writes what is the same for every protocol.
    fn copy(&mut self, text: &str, path: &str) {
        let [first, second] = &self.header;
        self.files.insert(path, format!("# {first}\n# {second}\n{text}"));
    }

    /// Gives files the paths that the user wants, and makes the packages that they are in.
    fn put_in_place(&mut self, options: &Options, places: &Package<'_>) -> Result<(), Diagnostics> {
        let mut problems = Diagnostics::new();
        let files = self.files.iter().map(|(path, _)| path);
        let paths = files.chain(self.waiting.iter().map(|(path, _)| path.as_str())).collect();
        let Some(moves) = Moves::new(&paths, &options.moves, places, &mut problems) else {
            return Err(problems);
        };
        for (path, _) in &mut self.waiting {
            *path = moves.moved(path).to_owned();
        }
        let root = self.modules.folder().len();
        for (_, to) in moves.iter() {
            for (end, _) in to.match_indices('/').filter(|(end, _)| *end > root) {
                let folder = to.get(..end).unwrap_or_default();
                self.copy(
                    "\"\"\"Modules of the package.\"\"\"\n",
                    &format!("{folder}/__init__.py"),
                );
            }
        }
        Ok(())
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
