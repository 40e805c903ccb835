//! The files of the package.

use super::{catalogue, codecs, errors, handler, methods, peer, readme, service, table, types};
use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{CatalogueModel, Model, Slot, TypeModelKind, UnionModel};
use crate::backend::rust::{docs, literal};
use crate::backend::{Options, Runtime, header_lines};
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

/// What a connection is without input and output.
const CORE: &[(&str, &str)] = &[
    ("connection/batch.rs", include_str!("../../../../templates/rust/connection/batch.rs")),
    ("connection/call.rs", include_str!("../../../../templates/rust/connection/call.rs")),
    ("connection/calls.rs", include_str!("../../../../templates/rust/connection/calls.rs")),
    ("connection/context.rs", include_str!("../../../../templates/rust/connection/context.rs")),
    ("connection/core.rs", include_str!("../../../../templates/rust/connection/core.rs")),
    ("connection/error.rs", include_str!("../../../../templates/rust/connection/error.rs")),
    ("connection/framing.rs", include_str!("../../../../templates/rust/connection/framing.rs")),
    ("connection/inbox.rs", include_str!("../../../../templates/rust/connection/inbox.rs")),
    ("connection/link.rs", include_str!("../../../../templates/rust/connection/link.rs")),
    ("connection/macros.rs", include_str!("../../../../templates/rust/connection/macros.rs")),
    ("connection/message.rs", include_str!("../../../../templates/rust/connection/message.rs")),
    ("connection/options.rs", include_str!("../../../../templates/rust/connection/options.rs")),
    ("connection/outbox.rs", include_str!("../../../../templates/rust/connection/outbox.rs")),
    ("connection/running.rs", include_str!("../../../../templates/rust/connection/running.rs")),
    ("connection/service.rs", include_str!("../../../../templates/rust/connection/service.rs")),
];

/// What drives it.
const TOKIO: &[(&str, &str)] = &[
    ("connection/driver.rs", include_str!("../../../../templates/rust/connection/driver.rs")),
    ("connection/handle.rs", include_str!("../../../../templates/rust/connection/handle.rs")),
    ("connection/stdio.rs", include_str!("../../../../templates/rust/connection/stdio.rs")),
];

/// Calls whose results come in pieces.
const STREAMS: &[(&str, &str)] = &[
    ("streams/join.rs", include_str!("../../../../templates/rust/streams/join.rs")),
    ("streams/mod.rs", include_str!("../../../../templates/rust/streams/mod.rs")),
];

/// The module of connections.
const CONNECTIONS: &str = include_str!("../../../../templates/rust/connection/mod.rs");

/// What stands in it for what drives them.
const DRIVER: &str = include_str!("../../../../templates/rust/connection/mod.tokio.txt");

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
    let toml = toml.replace("PACKAGE", &package(options));
    let sides = !model.sides.is_empty();
    let drives = options.runtime == Runtime::Tokio && sides;
    let toml = if drives { toml + TOKIO_DEPENDENCY } else { toml };
    files.insert(
        "Cargo.toml",
        format!("# {}\n# {}\n\n{toml}{MANIFEST_LINTS}", header[0], header[1]),
    );
    files.insert("README.md", readme::readme(protocol, options, model, &header));
    files.insert("src/lib.rs", rust(&library(protocol, options, model)));
    files.insert("src/types.rs", rust(&type_module(model)));
    files.insert("src/table.rs", rust(&table::table(model)));
    files.insert("src/codecs.rs", rust(&codec_module(model)));
    files.insert("src/methods.rs", rust(&method_module(model)));
    if let Some(errors) = errors::errors(model) {
        files.insert("src/errors.rs", rust(&errors));
    }
    if sides {
        files.insert("src/handlers.rs", rust(&handler_module(model)));
        files.insert("src/dispatch.rs", rust(&service_module(model)));
        files.insert("src/connections.rs", rust(&connection_module(model, options.runtime)));
        let module = if drives { [CONNECTIONS, DRIVER].concat() } else { CONNECTIONS.into() };
        files.insert("src/connection/mod.rs", rust(&module));
    }
    if let Some(catalogue) = &model.catalogue {
        files.insert("src/catalogue.rs", rust(&catalogue_module(catalogue)));
    }
    let core = if sides { CORE } else { &[] };
    let io = if drives { TOKIO } else { &[] };
    let streams = if model.has_streams() { STREAMS } else { &[] };
    for (path, text) in RUNTIME.iter().chain(core).chain(io).chain(streams) {
        files.insert(format!("src/{path}"), rust(text));
    }
    files
}

/// A crate's name: what is allowed in it of the name wanted.
pub(super) fn package(options: &Options) -> String {
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
    let guide = readme::guide(protocol, options, model);
    if !guide.is_empty() {
        page.line("//!");
        page.lines(&docs::inner(&guide));
    }
    page.gap();
    page.lines(&LINTS.lines().map(String::from).collect::<Vec<_>>());
    page.gap();
    let sides = !model.sides.is_empty();
    let modules = [
        (CATALOGUE, model.catalogue.is_some()),
        ("mod codecs;", true),
        (CONNECTION, sides),
        ("mod connections;", sides),
        ("mod dispatch;", sides),
        ("mod errors;", errors::codes(model).is_some()),
        ("mod handlers;", sides),
        (JSON, true),
        ("pub mod methods;", true),
        (RPC, true),
        ("pub mod streams;", model.has_streams()),
        ("mod table;", true),
        ("mod types;", true),
    ];
    for (module, _) in modules.iter().filter(|(_, wanted)| *wanted) {
        page.lines(&module.lines().map(String::from).collect::<Vec<_>>());
    }
    page.gap();
    let exports = [
        ("connection::CallError", sides),
        ("connections::*", sides),
        ("handlers::*", sides),
        ("json::{DecodeError, Patch, UnknownVariant}", true),
        ("rpc::{RequestError, Result}", true),
        ("types::*", !model.types.is_empty()),
    ];
    for (export, _) in exports.iter().filter(|(_, wanted)| *wanted) {
        page.line(&format!("pub use {export};"));
    }
    if let Some(version) = &protocol.version {
        let (ty, value) = match version.as_str() {
            Some(text) => ("&str", literal::string(text)),
            None if version.as_u64().is_some_and(|number| u16::try_from(number).is_ok()) => {
                ("u16", version.to_string())
            }
            None => ("u64", version.to_string()),
        };
        page.gap();
        page.line("/// The version of the protocol that this package speaks.");
        page.line(&format!("pub const PROTOCOL_VERSION: {ty} = {value};"));
    }
    page.finish()
}

/// What `clippy` is not to say of generated code, and why.
const LINTS: &str = include_str!("../../../../templates/rust/lints.rs");

/// What a package whose connections are driven depends on beside its codecs' dependencies.
const TOKIO_DEPENDENCY: &str = include_str!("../../../../templates/rust/Cargo.tokio.txt");

/// How strictly the package is checked.
const MANIFEST_LINTS: &str = include_str!("../../../../templates/rust/Cargo.lints.txt");

/// Stands before the module of calls by name.
const CATALOGUE: &str = "#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = \"what goes in is only read, whatever it is\"
)]
pub mod catalogue;";

/// Stands before the runtime's modules.
const JSON: &str = "#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = \"what of it is needed depends on the schema\"
)]
pub mod json;";
const CONNECTION: &str = "#[allow(
    dead_code,
    unused_imports,
    reason = \"what of it is needed depends on the schema\"
)]
pub mod connection;";
const RPC: &str = "#[allow(dead_code, reason = \"what of it is needed depends on the schema\")]
pub mod rpc;";

fn module(about: &str, imports: &[&str], body: &str) -> String {
    let mut text = format!("//! {about}\n");
    if !imports.is_empty() {
        text.push('\n');
    }
    let (std, own): (Vec<&str>, _) = imports.iter().partition(|import| import.starts_with("std"));
    text.extend(std.iter().flat_map(|import| ["use ", import, ";\n"]));
    if !std.is_empty() && !own.is_empty() {
        text.push('\n');
    }
    text.extend(own.iter().flat_map(|import: &&str| ["use ", import, ";\n"]));
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

fn catalogue_module(model: &CatalogueModel) -> String {
    let mut page = Page::new();
    catalogue::print(&mut page, model);
    let peer = format!("super::connections::{}", model.peer);
    let imports = ["super::connection::CallError", &peer, "super::json", "super::types"];
    module("What is called by name: each with types of its own.", &imports, &page.finish())
}

fn handler_module(model: &Model) -> String {
    let mut page = Page::new();
    for side in &model.sides {
        page.gap();
        handler::print(&mut page, side);
    }
    let body = page.finish();
    let mut imports = Vec::new();
    // It is in the prelude of edition 2024 only, and the crate around this one may be older.
    if body.contains("impl Future<") {
        imports.push("std::future::Future");
    }
    if body.contains("context: ") {
        imports.push("super::connections::*");
    }
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

fn service_module(model: &Model) -> String {
    let mut page = Page::new();
    for side in &model.sides {
        page.gap();
        service::print(&mut page, side);
    }
    let body = page.finish();
    let mut imports = vec!["super::connection", "super::handlers::*"];
    if body.contains("methods::") {
        imports.push("super::methods");
    }
    imports.push("super::rpc::{RequestError, Result}");
    if body.contains("streams::") {
        imports.push("super::streams");
    }
    module("From a message to the function that handles it.", &imports, &body)
}

fn connection_module(model: &Model, runtime: Runtime) -> String {
    let mut page = Page::new();
    for side in &model.sides {
        page.gap();
        peer::print(&mut page, side, runtime);
    }
    let body = page.finish();
    let mut imports = vec!["super::connection", "super::dispatch::*", "super::handlers::*"];
    if body.contains("json::") {
        imports.push("super::json");
    }
    if body.contains("methods::") {
        imports.push("super::methods");
    }
    if body.contains("streams::") {
        imports.push("super::streams");
    }
    imports.push("super::types::*");
    module("The connections of the sides, and what they call at the other end.", &imports, &body)
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
