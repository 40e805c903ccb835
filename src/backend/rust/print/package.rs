//! The files of the package.

use super::{codecs, dispatch, errors, handler, methods, readme, table, types};
use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{Model, Slot, TypeModelKind, UnionModel};
use crate::backend::rust::{docs, literal};
use crate::backend::{Options, header_lines};
use crate::ir::Protocol;
use crate::output::FileSet;

/// The files that are the same for every protocol.
const RUNTIME: &[(&str, &str)] = &[
    ("json/constraints.rs", include_str!("../../../../templates/rust/json/constraints.rs")),
    ("json/decode.rs", include_str!("../../../../templates/rust/json/decode.rs")),
    ("json/error.rs", include_str!("../../../../templates/rust/json/error.rs")),
    ("json/fields.rs", include_str!("../../../../templates/rust/json/fields.rs")),
    ("json/macros.rs", include_str!("../../../../templates/rust/json/macros.rs")),
    ("json/mod.rs", include_str!("../../../../templates/rust/json/mod.rs")),
    ("json/number.rs", include_str!("../../../../templates/rust/json/number.rs")),
    ("json/patch.rs", include_str!("../../../../templates/rust/json/patch.rs")),
    ("json/reader.rs", include_str!("../../../../templates/rust/json/reader.rs")),
    ("json/record.rs", include_str!("../../../../templates/rust/json/record.rs")),
    ("json/serde_bridge.rs", include_str!("../../../../templates/rust/json/serde_bridge.rs")),
    ("json/text.rs", include_str!("../../../../templates/rust/json/text.rs")),
    ("json/unknown.rs", include_str!("../../../../templates/rust/json/unknown.rs")),
    ("rpc.rs", include_str!("../../../../templates/rust/rpc.rs")),
];

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
    files.insert("src/lib.rs", rust(&library(protocol, options, model)));
    files.insert("src/types.rs", rust(&type_module(model)));
    files.insert("src/table.rs", rust(&table::table(model)));
    files.insert("src/codecs.rs", rust(&codec_module(model)));
    files.insert("src/methods.rs", rust(&method_module(model)));
    if let Some(errors) = errors::errors(model) {
        files.insert("src/errors.rs", rust(&errors));
    }
    if !model.sides.is_empty() {
        files.insert("src/handlers.rs", rust(&handler_module(model)));
        files.insert("src/dispatch.rs", rust(&dispatch_module(model)));
    }
    for (path, text) in RUNTIME {
        files.insert(format!("src/{path}"), rust(text));
    }
    files
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

fn library(protocol: &Protocol, options: &Options, model: &Model) -> String {
    let mut page = Page::new();
    let title = literal::printable(&protocol.title.wire);
    page.line(&format!("//! {}.", docs::markdown(&title).join(" ")));
    let about = docs::inner_comment(&protocol.docs, options);
    if !about.is_empty() {
        page.line("//!");
        page.lines(&about);
    }
    page.gap();
    page.lines(&LINTS.lines().map(String::from).collect::<Vec<_>>());
    page.gap();
    let sides = !model.sides.is_empty();
    let modules = [
        ("mod codecs;", true),
        ("pub mod dispatch;", sides),
        ("mod errors;", errors::codes(model).is_some()),
        ("mod handlers;", sides),
        (JSON, true),
        ("pub mod methods;", true),
        (RPC, true),
        ("mod table;", true),
        ("mod types;", true),
    ];
    for (module, _) in modules.iter().filter(|(_, wanted)| *wanted) {
        page.lines(&module.lines().map(String::from).collect::<Vec<_>>());
    }
    page.gap();
    let exports = [
        ("handlers::*", sides),
        ("json::{DecodeError, Patch, UnknownVariant}", true),
        ("rpc::{RequestError, Result}", true),
        ("types::*", !model.types.is_empty()),
    ];
    for (export, _) in exports.iter().filter(|(_, wanted)| *wanted) {
        page.line(&format!("pub use {export};"));
    }
    page.finish()
}

/// What `clippy` is not to say of generated code, and why.
const LINTS: &str = include_str!("../../../../templates/rust/lints.rs");

/// Stands before the runtime's modules.
const JSON: &str = "#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = \"what of it is needed depends on the schema\"
)]
pub mod json;";
const RPC: &str = "#[allow(dead_code, reason = \"what of it is needed depends on the schema\")]
pub mod rpc;";

fn module(about: &str, imports: &[&str], body: &str) -> String {
    let mut text = format!("//! {about}\n");
    if !imports.is_empty() {
        text.push('\n');
    }
    text.extend(imports.iter().flat_map(|import| ["use ", import, ";\n"]));
    if !body.is_empty() {
        text.push('\n');
        text.push_str(body);
    }
    text
}

fn type_module(model: &Model) -> String {
    let uses = Uses::of(model);
    let mut names = Vec::new();
    if uses.json {
        names.push("self");
    }
    if uses.patch {
        names.push("Patch");
    }
    if uses.unknown {
        names.push("UnknownVariant");
    }
    let import = match names.as_slice() {
        [] => None,
        ["self"] => Some(String::from("super::json")),
        [name] => Some(format!("super::json::{name}")),
        names => Some(format!("super::json::{{{}}}", names.join(", "))),
    };
    let imports: Vec<&str> = import.as_deref().into_iter().collect();
    module("The types of the protocol.", &imports, &types(model))
}

fn codec_module(model: &Model) -> String {
    let body = codecs(model);
    let uses = Uses::of(model);
    let mut imports = Vec::new();
    if !body.is_empty() {
        imports.push(match (body.contains("json::Result<Patch<"), uses.unknown) {
            (true, true) => "super::json::{self, Patch, UnknownVariant}",
            (true, false) => "super::json::{self, Patch}",
            (false, true) => "super::json::{self, UnknownVariant}",
            (false, false) => "super::json",
        });
        imports.push("super::types::*");
    }
    module("How the types become JSON and come from it.", &imports, &body)
}

fn method_module(model: &Model) -> String {
    module("The names of the methods.", &[], &methods::methods(model))
}

fn handler_module(model: &Model) -> String {
    let mut page = Page::new();
    for side in &model.sides {
        page.gap();
        handler::print(&mut page, side);
    }
    let body = page.finish();
    let mut imports = Vec::new();
    if body.contains("json::") {
        imports.push("super::json");
    }
    if body.contains("methods::") {
        imports.push("super::methods");
    }
    if body.contains("rpc::") {
        imports.push("super::rpc::{self, Result}");
    } else if body.contains("Result<") {
        imports.push("super::rpc::Result");
    }
    imports.push("super::types::*");
    module("What each side does for its peer.", &imports, &body)
}

fn dispatch_module(model: &Model) -> String {
    let mut page = Page::new();
    for side in &model.sides {
        page.gap();
        dispatch::print(&mut page, side);
    }
    let body = page.finish();
    let mut imports = vec!["super::handlers::*"];
    if body.contains("methods::") {
        imports.push("super::methods");
    }
    imports.push(if body.contains("rpc::") {
        "super::rpc::{self, RequestError, Result}"
    } else {
        "super::rpc::{RequestError, Result}"
    });
    module("From a method's name to the function that handles it.", &imports, &body)
}

/// What the module of types has to import.
#[derive(Debug, Default)]
struct Uses {
    json: bool,
    patch: bool,
    unknown: bool,
}

impl Uses {
    fn of(model: &Model) -> Self {
        let mut uses = Self::default();
        for ty in &model.types {
            match &ty.kind {
                TypeModelKind::Record(record) => uses.fields(&record.fields),
                TypeModelKind::Union(union) => uses.union(union),
                TypeModelKind::Composite(composite) => {
                    uses.fields(&composite.record.fields);
                    uses.union(&composite.union);
                }
                TypeModelKind::Enum(_) | TypeModelKind::Newtype(_) => uses.json = true,
                TypeModelKind::Alias { target } => uses.ty(target),
            }
        }
        uses
    }

    fn ty(&mut self, ty: &str) {
        self.json |= ty.contains("json::");
    }

    fn fields(&mut self, fields: &[crate::backend::rust::model::FieldModel]) {
        for field in fields {
            if matches!(field.slot, Slot::Constant(_)) {
                continue;
            }
            self.patch |= field.slot == Slot::Patch;
            self.ty(&field.value);
            if let Slot::Defaulted(default) = &field.slot {
                self.ty(&default.code);
            }
            if let Some((_, code)) = &field.maker {
                self.ty(code);
            }
        }
    }

    fn union(&mut self, union: &UnionModel) {
        self.unknown |= union.open.is_some();
        self.json |= union.open.is_some();
        for payload in union.variants.iter().filter_map(|variant| variant.payload.as_ref()) {
            self.ty(&payload.ty);
        }
    }
}
