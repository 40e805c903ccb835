//! The modules of the package, and what each imports.

use super::{codecs, dispatch, errors, handler, methods, runtime, table, types};
use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{FieldModel, Model, Slot, TypeModelKind, UnionModel};

/// A module.
#[derive(Debug)]
pub(super) struct Module {
    pub name: &'static str,
    /// What stands before its name where it is declared: attributes, a line each, and `pub `.
    pub before: &'static str,
    pub text: String,
    /// The modules within it, which it declares itself.
    pub parts: &'static [(&'static str, &'static str)],
    /// What the package gives of it under its own name.
    pub exports: Option<&'static str>,
}

impl Module {
    fn new(
        name: &'static str,
        before: &'static str,
        text: impl Into<String>,
        exports: Option<&'static str>,
    ) -> Self {
        Self { name, before, text: text.into(), parts: &[], exports }
    }
}

const UNUSED: &str = "#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = \"what of it is needed depends on the schema\"
)]
pub ";
const UNCALLED: &str =
    "#[allow(dead_code, reason = \"what of it is needed depends on the schema\")]\npub ";

/// All modules but the table of types, in alphabetical order.
pub(super) fn modules(model: &Model) -> Vec<Module> {
    let sides = !model.sides.is_empty();
    let json = Some("{DecodeError, Patch, UnknownVariant}");
    let mut modules = vec![Module::new("codecs", "", codec_module(model), None)];
    if sides {
        modules.push(Module::new("dispatch", "pub ", dispatch_module(model), None));
    }
    if let Some(errors) = errors::errors(model) {
        modules.push(Module::new("errors", "", errors, None));
    }
    if sides {
        modules.push(Module::new("handlers", "", handler_module(model), Some("*")));
    }
    modules.push(Module {
        parts: &runtime::JSON_PARTS,
        ..Module::new("json", UNUSED, runtime::JSON, json)
    });
    modules.push(Module::new("methods", "pub ", method_module(model), None));
    modules.push(Module::new("rpc", UNCALLED, runtime::RPC, Some("{RequestError, Result}")));
    let exports = Some("*").filter(|_| !model.types.is_empty());
    modules.push(Module::new("types", "", type_module(model), exports));
    modules
}

/// The module of the table of types.
pub(super) fn table_module(model: &Model) -> Module {
    Module::new("table", "", table::table(model), None)
}

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

    fn fields(&mut self, fields: &[FieldModel]) {
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
