//! The Rust target: a crate.
//!
//! The IR is lowered to a model in which everything is decided. From it the modules are emitted as
//! tokens, parsed and printed.

#[cfg(feature = "cli")]
mod api;
mod data;
mod definitions;
mod docs;
mod emit;
mod literals;
mod model;
mod names;
mod package;
#[cfg(feature = "cli")]
mod program;
mod runtime;
mod single;
mod source;
mod types;

use std::collections::BTreeMap;

use self::emit::Split;
use self::model::Model;
use self::source::{Fragment, Text};
use super::{Backend, Options, header_lines};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Findings, Protocol, with_distinct_names};
use crate::output::FileSet;

/// The syntax filters of Rust.
#[cfg(feature = "cli")]
pub(super) const SYNTAX: super::syntax::SyntaxFilters = super::syntax::SyntaxFilters {
    id: "rust",
    ident: names::word,
    literal: literals::constant,
    doc: docs::lines,
};

/// Keeps `rustfmt` from changing what the user did not write.
const RUSTFMT: &str = "disable_all_formatting = true\n";

/// Generates a Rust package.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rust;

impl Backend for Rust {
    fn id(&self) -> &'static str {
        "rust"
    }

    #[cfg(feature = "cli")]
    fn api(&self, protocol: &Protocol, options: &Options) -> super::api::Api {
        api::api(protocol, options)
    }

    #[cfg(feature = "cli")]
    fn runtime(&self) -> FileSet {
        runtime::package()
    }

    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet {
        if let Some(file) = options.templates.files.first() {
            let message = "the Rust package is printed by code: it has no templates to replace";
            diagnostics.push(
                Diagnostic::error("no-templates", message)
                    .at(file.location())
                    .help("write a custom target: a `[targets.NAME]` of another name"),
            );
        }
        with_distinct_names(protocol, diagnostics, |protocol, findings| {
            let model = model::build(protocol, options, findings);
            let files = match &options.single_file {
                Some(file) => single_file(&model, file, findings),
                None => package(&model, findings),
            };
            files.unwrap_or_else(|diagnostic| {
                findings.push(diagnostic);
                FileSet::new()
            })
        })
    }
}

fn package(model: &Model<'_>, findings: &mut Findings) -> Result<FileSet, Diagnostic> {
    let protocol = model.scope.protocol;
    let header = header_lines(&protocol.origin);
    let comment = comment(&header);
    let mut files = FileSet::new();
    files.insert("Cargo.toml", package::manifest(model, &header));
    files.insert("README.md", package::readme(model, &header, program(model)));
    files.insert("rustfmt.toml", RUSTFMT);
    let modules = printed(model, &comment, findings)?;
    let mut split = Split::default();
    if protocol.has_unstable() {
        let stable = protocol.stable();
        // What is wrong with it is wrong with all of it.
        let known = &mut Findings::default();
        let stable = model::build(&stable, model.scope.options, known);
        let mut stable = printed(&stable, &comment, known)?;
        for (name, text) in &modules {
            match stable.remove(name) {
                Some(stable) if stable == *text => {}
                Some(stable) => {
                    split.twofold.insert(name);
                    files.insert(format!("src/{name}.rs"), stable);
                }
                None => {
                    split.unstable.insert(name);
                }
            }
        }
    }
    let names: Vec<&str> = modules.keys().copied().collect();
    let library = emit::library(model, &package::guide(model), &names, &split);
    let mut root = Text::new(&comment);
    root.push(Fragment::new("lib", library).parse(protocol)?);
    files.insert("src/lib.rs", root.finish());
    for (name, text) in modules {
        let folder = if split.twofold.contains(name) { "unstable/" } else { "" };
        files.insert(format!("src/{folder}{name}.rs"), text);
    }
    for (path, text) in runtime::files(model) {
        files.insert(format!("src/{path}"), format!("{comment}\n{text}"));
    }
    Ok(files)
}

/// The texts of modules, by their names.
fn printed(
    model: &Model<'_>,
    comment: &str,
    findings: &mut Findings,
) -> Result<BTreeMap<&'static str, String>, Diagnostic> {
    let protocol = model.scope.protocol;
    let mut texts = BTreeMap::new();
    for (name, fragments) in emit::modules(model) {
        let mut text = Text::new(comment);
        for fragment in fragments {
            text.push(fragment.parse(protocol)?);
        }
        texts.insert(name, text.finish());
    }
    let [types, codecs] = definitions::printed(&model.scope, comment, findings)?;
    texts.extend([("types", types), ("codecs", codecs)]);
    Ok(texts)
}

/// The package as one file, with all that is unstable.
fn single_file(
    model: &Model<'_>,
    file: &str,
    findings: &mut Findings,
) -> Result<FileSet, Diagnostic> {
    let protocol = model.scope.protocol;
    let invalid = |error: syn::Error| Diagnostic::error("invalid-rust", error.to_string());
    let mut modules = emit::modules(model);
    let names = modules.iter().map(|(name, _)| *name).chain(["types", "codecs"]);
    let names: Vec<&str> = names.collect();
    let library = emit::library(model, &package::guide(model), &names, &Split::default());
    modules.push(emit::whole("lib", library));
    let mut parsed = single::Files::new();
    for (path, fragments) in modules {
        let mut file = syn::parse_file("").map_err(invalid)?;
        for fragment in fragments {
            let part = fragment.parse(protocol)?;
            file.attrs.extend(part.attrs);
            file.items.extend(part.items);
        }
        parsed.insert(format!("{path}.rs"), file);
    }
    let [types, codecs] = definitions::parsed(&model.scope, findings)?;
    parsed.insert(String::from("types.rs"), types);
    parsed.insert(String::from("codecs.rs"), codecs);
    for (path, text) in runtime::files(model) {
        parsed.insert(path, syn::parse_file(&text).map_err(invalid)?);
    }
    let mut text = Text::new(&comment(&header_lines(&protocol.origin)));
    text.push(single::nested(parsed, file).map_err(invalid)?);
    let mut files = FileSet::new();
    files.insert("lib.rs", text.finish());
    Ok(files)
}

/// The comment that begins every file.
fn comment(header: &[String; 2]) -> String {
    format!("// {}\n// {}\n", header[0], header[1])
}

/// The program in the README, if one can be made.
#[cfg(feature = "cli")]
fn program(model: &Model<'_>) -> Option<String> {
    program::program(model)
}

/// The program in the README: without the feature `cli` there is none.
#[cfg(not(feature = "cli"))]
fn program(_: &Model<'_>) -> Option<String> {
    None
}
