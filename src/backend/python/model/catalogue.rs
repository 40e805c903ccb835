//! The contents of `catalogue.py`: a call of its own for each entry of the catalogue.

use serde::Serialize;

use super::super::docs::{docstring, lines};
use super::super::imports::{Import, Imports};
use super::super::{literals, names};
use super::FUNCTION;
use super::scope::Scope;
use crate::backend::DocsMode;
use crate::ir::{CatalogueEntry, Findings, Namespace, Things, TypeKind};

/// `catalogue.py`
#[derive(Debug, Serialize)]
pub(crate) struct CatalogueModule {
    imports: Vec<Import>,
    /// The imports of type checkers alone.
    checked: Vec<Import>,
    /// The class by which the request is called.
    pub(crate) peer: String,
    pub(crate) entries: Vec<EntryCall>,
    /// The method that sends the request, and its parameters for the entry's name and input.
    pub(crate) method: String,
    pub(crate) name_in: String,
    pub(crate) input_in: String,
    /// The attribute of the result that holds the output.
    pub(crate) output_in: String,
}

/// The call of a catalogue entry.
#[derive(Debug, Serialize)]
pub(crate) struct EntryCall {
    pub(crate) name: String,
    /// The name in the catalogue as a literal.
    pub(crate) wire: String,
    pub(crate) input: String,
    pub(crate) output: String,
    /// The constant that decodes the output.
    pub(crate) codec: String,
    pub(crate) doc: String,
}

/// Decides the contents of `catalogue.py`, if the protocol has a catalogue.
pub(super) fn catalogue_module(
    scope: &Scope<'_>,
    mode: DocsMode,
    diagnostics: &mut Findings,
) -> Option<CatalogueModule> {
    let protocol = scope.protocol;
    let catalogue = protocol.catalogue.as_ref()?;
    let (method, side) = protocol.catalogue_method(catalogue)?;
    let attribute = |of, wire| Some(names::attribute(&protocol.field(of, wire)?.name));
    let mut functions = Namespace::new(Things::Entries, "catalogue calls in Python");
    let (mut imports, mut checked) = (Imports::default(), Imports::default());
    imports.typing("TYPE_CHECKING");
    imports.module("codecs", "_codecs");
    let mut entries = Vec::new();
    for entry in &catalogue.entries {
        let call = call(scope, mode, entry, &mut checked);
        functions.claim(&call.name, &entry.name.wire, &entry.location, diagnostics);
        entries.push(call);
    }
    let peer = names::side(side).peer;
    checked.own("connections", &peer);
    Some(CatalogueModule {
        imports: imports.statements(scope.modules, "catalogue"),
        checked: checked.statements(scope.modules, "catalogue"),
        peer,
        entries,
        method: names::peer_method(method),
        name_in: attribute(method.params(), &catalogue.name_in)?,
        input_in: attribute(method.params(), &catalogue.input_in)?,
        output_in: attribute(method.result()?, &catalogue.output_in)?,
    })
}

fn call(
    scope: &Scope<'_>,
    mode: DocsMode,
    entry: &CatalogueEntry,
    checked: &mut Imports,
) -> EntryCall {
    let mut class = |key: &str| {
        let is_enum = matches!(scope.kind(key), Some(TypeKind::Enum(_)));
        let (module, here) = if is_enum { ("enums", "_enums") } else { ("types", "_types") };
        checked.module(module, here);
        format!("{here}.{}", scope.class(key))
    };
    let described = entry.docs.description.as_deref().filter(|_| mode == DocsMode::Full);
    let mut text = vec![String::from("Call by this name.")];
    if let Some(description) = described {
        text.push(String::new());
        text.extend(lines(description, FUNCTION));
    }
    EntryCall {
        name: names::function(&entry.name),
        wire: literals::string(&entry.name.wire),
        input: class(&entry.input),
        output: class(&entry.output),
        codec: names::codec(scope.class(&entry.output)),
        doc: docstring(&text, FUNCTION),
    }
}
