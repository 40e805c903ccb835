//! A target of templates that a user wrote: they print the model of the protocol itself.
//!
//! Each file of the folder is one file of the package, or one for each type, side or method
//! (`paths`). What a template sees and calls is in `context`, `filters` and `types`.

mod context;
mod filters;
mod paths;
mod syntax;
mod types;
mod value;

use std::collections::HashMap;
use std::sync::Arc;

use self::context::Context;
use self::paths::OutputPath;
use super::folder::TemplateFile;
use super::template::{Templates, is_partial};
use super::{Backend, DocsMode, Options};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::Protocol;
use crate::output::FileSet;
use crate::source::Location;

/// Generates what the templates in [`Options::templates`] print.
#[derive(Clone, Copy, Debug)]
pub struct Custom<'a> {
    /// The target's name, as the user gave it.
    pub name: &'a str,
}

impl Backend for Custom<'_> {
    fn id(&self) -> &str {
        self.name
    }

    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet {
        let shown = match options.docs {
            DocsMode::Full => protocol.clone(),
            DocsMode::Off => protocol.clone().without_prose(),
        };
        let context = Context::new(Arc::new(shown), options);
        let folder = &options.templates;
        let templates = match Templates::custom(folder, |it| context.extend(it)) {
            Ok(templates) => templates,
            Err(problems) => {
                diagnostics.extend(problems);
                return FileSet::new();
            }
        };
        let (files, taken) = (FileSet::new(), HashMap::new());
        let mut printer = Printer { options, context, templates, files, taken };
        for file in &folder.files {
            printer.file(file, diagnostics);
        }
        if printer.files.is_empty() && !diagnostics.has_errors() {
            let message = format!("there is no template in `{}`", options.templates.label);
            diagnostics.push(Diagnostic::error("no-templates", message).help(
                "a file that ends in `.jinja` is a template, unless its name begins with `_`",
            ));
        }
        printer.files
    }
}

struct Printer<'a> {
    options: &'a Options,
    context: Context,
    templates: Templates,
    files: FileSet,
    /// Which file of the folder took a path of the package.
    taken: HashMap<String, Location>,
}

impl Printer<'_> {
    fn file(&mut self, file: &TemplateFile, diagnostics: &mut Diagnostics) {
        match file.template_name() {
            None => self.insert(file.path.clone(), file.text.clone(), file, diagnostics),
            Some(name) if is_partial(name) => {}
            Some(name) => match OutputPath::parse(name) {
                Ok(path) => self.print(name, &path, file, diagnostics),
                Err(why) => {
                    let message = format!("`{}` cannot name an output file: {why}", file.path);
                    diagnostics.push(
                        Diagnostic::error("template-path", message).at(file.location()).help(
                            "write `[type]`, `[side]`, `[method]` or `[package]`, if you like with \
                             a case: `[type.pascal]`",
                        ),
                    );
                }
            },
        }
    }

    /// Prints a template: once, or for each thing that its path has a placeholder for.
    fn print(
        &mut self,
        name: &str,
        path: &OutputPath<'_>,
        file: &TemplateFile,
        diagnostics: &mut Diagnostics,
    ) {
        let items = match path.repeated() {
            None => vec![(None, self.context.root(None))],
            Some(placeholder) => self
                .context
                .items(placeholder)
                .into_iter()
                .map(|(name, item)| (Some(name), self.context.root(Some((placeholder, item)))))
                .collect(),
        };
        for (item, context) in items {
            let text = match self.templates.render_value(name, &context) {
                Ok(text) => text,
                Err(finding) => {
                    diagnostics.push(match item {
                        Some(item) => finding.label(format!("for `{}`", item.wire)),
                        None => finding,
                    });
                    // The next item would most often say the same.
                    return;
                }
            };
            // A template for each type can leave some out by printing nothing.
            if item.is_some() && text.trim().is_empty() {
                continue;
            }
            let path = path.fill(&self.options.package, item.as_ref());
            self.insert(path, text, file, diagnostics);
        }
    }

    fn insert(
        &mut self,
        path: String,
        text: String,
        file: &TemplateFile,
        diagnostics: &mut Diagnostics,
    ) {
        if let Some(other) = self.taken.insert(path.clone(), file.location()) {
            diagnostics.push(
                Diagnostic::error("file-collision", format!("`{path}` would be written twice"))
                    .at(file.location())
                    .related(other, "it is also written from here")
                    .help("rename one of them, or print nothing for one of the things"),
            );
        }
        self.files.insert(path, text);
    }
}
