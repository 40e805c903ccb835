//! The contents of `catalogue.py`: a call of its own for each thing that is called by name.

use std::collections::BTreeSet;

use super::codecs;
use super::declarations::{BODY, FUNCTION};
use super::doc::{docstring, lines};
use super::layout::{Expression, assignment, listed, statement};
use super::literal;
use super::model::{CatalogueModule, Function};
use super::names;
use super::scope::Scope;
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{CatalogueEntry, TypeKind};

/// Writes the model of `catalogue.py`, if something is called by name.
pub(super) fn catalogue_module(
    scope: &Scope<'_>,
    mode: DocsMode,
    diagnostics: &mut Diagnostics,
) -> Option<CatalogueModule> {
    let protocol = scope.protocol;
    let catalogue = protocol.catalogue.as_ref()?;
    let (method, side) = protocol.catalogue_method(catalogue)?;
    let attribute = |of, wire| Some(names::attribute(&protocol.field(of, wire)?.name));
    let name_in = attribute(method.params(), &catalogue.name_in)?;
    let input_in = attribute(method.params(), &catalogue.input_in)?;
    let mut functions = Namespace::new("calls by name in Python");
    let mut modules = BTreeSet::new();
    let mut entries = Vec::new();
    for entry in &catalogue.entries {
        let name = names::function(&entry.name);
        functions.claim(&name, &entry.name.wire, &entry.place, diagnostics);
        entries.push(function(scope, mode, entry, &name, &mut modules));
    }
    let call = Expression::call(
        format!("await self._peer.{}", names::peer_method(method)),
        [(name_in, Expression::atom("name")), (input_in, Expression::atom("value"))],
    );
    Some(CatalogueModule {
        modules: modules.into_iter().collect(),
        peer: names::peer(side),
        entries,
        call: assignment(FUNCTION, "answer", None, Some(&call)),
        output: attribute(method.result()?, &catalogue.output_in)?,
    })
}

fn function(
    scope: &Scope<'_>,
    mode: DocsMode,
    entry: &CatalogueEntry,
    name: &str,
    modules: &mut BTreeSet<&'static str>,
) -> Function {
    let mut class = |key: &str| {
        let is_enum = matches!(scope.def(key).map(|def| &def.kind), Some(TypeKind::Enum(_)));
        let module = if is_enum { "enums" } else { "types" };
        modules.insert(module);
        format!("_{module}.{}", scope.class(key))
    };
    let (input, output) = (class(&entry.input), class(&entry.output));
    let parameters = [String::from("self"), format!("value: {input}")];
    let described = entry.docs.description.as_deref().filter(|_| mode == DocsMode::Full);
    let mut text = vec![String::from("Call by this name.")];
    if let Some(description) = described {
        text.push(String::new());
        text.extend(lines(description, FUNCTION));
    }
    let arguments =
        [Expression::atom(literal::string(&entry.name.wire)), Expression::atom("value")];
    let call = Expression::Call(
        String::from("await self._call"),
        arguments.into_iter().map(|argument| (None, argument)).collect(),
    );
    let mut body = assignment(FUNCTION, "output", None, Some(&call));
    let codec = codecs::constant(scope.class(&entry.output));
    let decoded = Expression::Call(
        format!("return _codecs.{codec}.convert"),
        vec![(None, Expression::atom("output"))],
    );
    body.extend(statement(FUNCTION, &decoded));
    let end = format!(" -> {output}:");
    Function {
        header: listed(BODY, &format!("async def {name}"), &parameters, &end),
        doc: docstring(&text, FUNCTION).unwrap_or_default(),
        body,
    }
}
