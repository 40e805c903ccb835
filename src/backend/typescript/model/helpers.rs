//! Functions beside a call: they make it, and do what comes next.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::imports::TypeImports;
use crate::backend::typescript::literals::{access, literal};
use crate::backend::typescript::names;
use crate::backend::typescript::types::{Expr, Scope};
use crate::ir::{FileAccess, Findings, Method, Name, Namespace, Side, Things, Type, TypeKind};

/// The functions that offer options, and give back what was chosen.
#[derive(Debug, Serialize)]
pub(super) struct ChoiceModel {
    pub(super) name: String,
    doc: Vec<String>,
    /// The literal of the property that tells options apart.
    id: String,
    /// How properties are read: the options, what was chosen and its tag, and the id that it names.
    options: String,
    outcome: String,
    tag: String,
    chosen: String,
    /// The literal of the tag of what names an option.
    literal: String,
    /// The type of an option.
    pub(super) option: Expr,
    pub(super) yes: Option<YesModel>,
}

/// The function that tells whether an option was chosen that means yes.
#[derive(Debug, Serialize)]
pub(super) struct YesModel {
    pub(super) name: String,
    doc: Vec<String>,
    property: String,
    values: Vec<String>,
}

/// The functions that read and write files.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct FilesModel {
    pub(super) functions: Vec<FileModel>,
    imports: TypeImports,
    /// The classes by which the other end is asked.
    peers: BTreeSet<String>,
    /// True if some of them read.
    reads: bool,
}

/// A function that reads or writes a file.
#[derive(Debug, Serialize)]
pub(super) struct FileModel {
    /// The wire name of the request.
    #[serde(skip)]
    pub(super) of: String,
    pub(super) name: String,
    doc: Vec<String>,
    pub(super) peer: String,
    /// The method that asks the other end.
    call: String,
    pub(super) params: Expr,
    /// The type of the text, if it reads.
    pub(super) result: Option<Expr>,
    /// How properties are read.
    path: String,
    text: String,
    line: Option<String>,
    limit: Option<String>,
}

impl ChoiceModel {
    /// The functions for a request that is answered with a choice.
    pub(super) fn new(
        scope: Scope<'_>,
        method: &Method,
        imports: &mut TypeImports,
    ) -> Option<Self> {
        let it = method.choice.as_ref()?;
        let TypeKind::Union(union) = &scope.protocol.type_def(&it.union)?.kind else { return None };
        let wire = &method.name.wire;
        let doc = |what: &str| {
            Comment::about(format!("Calls `{wire}`, and {what}")).status(&method.docs).block(2)
        };
        let option = Type::Named { name: it.option.clone() };
        Some(Self {
            name: names::member(&it.name),
            doc: doc("gives the option that was chosen, if one was."),
            options: access(&it.options),
            id: literal(&it.id.wire),
            outcome: access(&it.outcome),
            tag: access(union.tag()?),
            chosen: access(&it.chosen),
            literal: literal(&it.tag),
            option: imports.expression(scope, &option),
            yes: it.yes.as_ref().map(|yes| YesModel {
                name: names::member(&yes.name),
                doc: doc("tells whether what was chosen means yes."),
                property: access(&yes.property),
                values: yes.values.iter().map(|value| literal(value)).collect(),
            }),
        })
    }

    /// The names of its functions.
    pub(super) fn functions(&self) -> impl Iterator<Item = &String> {
        [&self.name].into_iter().chain(self.yes.iter().map(|yes| &yes.name))
    }
}

impl FilesModel {
    /// The functions of the protocol, if it has any.
    pub(super) fn new(scope: Scope<'_>, diagnostics: &mut Findings) -> Option<Self> {
        let mut exports = Namespace::new(Things::Functions, "functions for files in TypeScript");
        let mut imports = TypeImports::default();
        let mut functions = Vec::new();
        for side in &scope.protocol.sides {
            for method in scope.protocol.handled_by(&side.name.wire) {
                let Some(it) = &method.file else { continue };
                let Some(file) = FileModel::new(scope, side, method, it, &mut imports) else {
                    continue;
                };
                exports.claim(&file.name, &method.name.wire, &method.location, diagnostics);
                functions.push(file);
            }
        }
        (!functions.is_empty()).then(|| Self {
            peers: functions.iter().map(|it| it.peer.clone()).collect(),
            reads: functions.iter().any(|it| it.result.is_some()),
            imports,
            functions,
        })
    }
}

/// The name of a function of the module, which has others beside.
fn own_function(name: &Name) -> String {
    let name = names::parameter(name);
    if ["disk", "isMissing", "readLines", "rpc"].contains(&name.as_str()) {
        return name + "_";
    }
    name
}

impl FileModel {
    fn new(
        scope: Scope<'_>,
        side: &Side,
        method: &Method,
        it: &FileAccess,
        imports: &mut TypeImports,
    ) -> Option<Self> {
        let text = match method.result() {
            Some(result) if !it.writes => {
                let field = scope.protocol.field(result, &it.text.wire)?;
                Some(imports.expression(scope, &field.ty))
            }
            _ => None,
        };
        let verb = if it.writes { "writes" } else { "reads" };
        let doc = Comment::about(format!(
            "Calls `{}`, or {verb} the file on the disk if the other end has no such method.",
            method.name.wire
        ));
        Some(Self {
            of: method.name.wire.clone(),
            name: own_function(&it.name),
            doc: doc.status(&method.docs).block(0),
            peer: names::side(side).peer,
            call: names::peer_method(method),
            params: imports.expression(scope, method.params()),
            result: text,
            path: access(&it.path),
            text: access(&it.text),
            line: it.line.as_ref().map(access),
            limit: it.limit.as_ref().map(access),
        })
    }
}
