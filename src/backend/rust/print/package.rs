//! The files of the package.

use super::modules::{Module, modules, table_module};
use super::{readme, runtime};
use crate::backend::rust::layout::Page;
use crate::backend::rust::model::Model;
use crate::backend::rust::{docs, literal};
use crate::backend::{Options, header_lines};
use crate::ir::Protocol;
use crate::output::FileSet;

/// The whole package.
pub(in crate::backend::rust) fn files(
    protocol: &Protocol,
    options: &Options,
    model: &Model,
) -> FileSet {
    let header = header_lines(&protocol.origin);
    let rust = |text: &str| format!("// {}\n// {}\n\n{text}", header[0], header[1]);
    let mut files = FileSet::new();
    let toml = include_str!("../../../../templates/rust/Cargo.toml.txt");
    let package = package(options);
    let toml = toml.replace("PACKAGE", &package);
    files.insert("Cargo.toml", format!("# {}\n# {}\n\n{toml}", header[0], header[1]));
    files.insert("README.md", readme::readme(&protocol.title.wire, &package, model, &header));
    let mut modules = modules(model);
    let at = modules.len() - 1;
    modules.insert(at, table_module(model));
    files.insert("src/lib.rs", rust(&library(protocol, options, &modules)));
    for module in modules {
        let Module { name, text, parts, .. } = module;
        if parts.is_empty() {
            files.insert(format!("src/{name}.rs"), rust(&text));
        } else {
            files.insert(format!("src/{name}/mod.rs"), rust(&text));
        }
        for (part, text) in parts {
            files.insert(format!("src/{name}/{part}.rs"), rust(text));
        }
    }
    files
}

/// All of the package's code as one file, to be included in a module of another crate. That crate
/// needs the package's dependencies.
pub(in crate::backend::rust) fn single_file(protocol: &Protocol, model: &Model) -> String {
    let header = header_lines(&protocol.origin);
    let mut text = format!("// {}\n// {}\n\n", header[0], header[1]);
    // An included file cannot speak for the module it is included in, only for its own items. What
    // of them is used is up to the crate.
    let unused = "#[allow(dead_code, unused_imports)]\n";
    let lints = format!("{unused}{}", runtime::LINTS.replace("#![", "#["));
    let modules = modules(model);
    for module in &modules {
        let mut inside = module.text.clone();
        for (part, text) in module.parts {
            inside =
                inside.replacen(&format!("mod {part};"), &format!("mod {part} {{\n{text}}}"), 1);
        }
        text.extend([&lints, module.before, "mod ", module.name, " {\n", &inside, "}\n\n"]);
    }
    text.extend(exports(&modules).iter().flat_map(|export| [unused, export.as_str(), "\n"]));
    text
}

/// A crate's name: what is allowed in it of the name wanted.
fn package(options: &Options) -> String {
    let name: String = options
        .package
        .chars()
        .filter(|next| next.is_ascii_alphanumeric() || matches!(next, '-' | '_'))
        .collect();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name
    } else {
        format!("sdk{name}")
    }
}

fn library(protocol: &Protocol, options: &Options, modules: &[Module]) -> String {
    let mut page = Page::new();
    let title = literal::printable(&protocol.title.wire);
    page.line(&format!("//! {}.", docs::markdown(&title).join(" ")));
    let about = docs::inner_comment(&protocol.docs, options);
    if !about.is_empty() {
        page.line("//!");
        page.lines(&about);
    }
    page.gap();
    for line in runtime::LINTS.lines() {
        page.line(line);
    }
    page.gap();
    for module in modules {
        let declaration = format!("{}mod {};", module.before, module.name);
        declaration.lines().for_each(|line| page.line(line));
    }
    page.gap();
    page.lines(&exports(modules));
    page.finish()
}

/// What the package gives under its own name.
fn exports(modules: &[Module]) -> Vec<String> {
    let exports = modules.iter().filter_map(|module| Some((module.name, module.exports?)));
    exports.map(|(name, exports)| format!("pub use {name}::{exports};")).collect()
}
