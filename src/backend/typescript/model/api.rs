//! The public declarations of the package.

use super::Model;
use super::handles::HandleModel;
use super::helpers::FileModel;
use super::hosts::HostModel;
use super::progress::ProgressModel;
use super::sides::MethodTypes;
use super::states::StateModel;
use crate::backend::api::{
    Api, Declaration, DeclarationKind, Member, Origin, Parameter, Position, Role,
};
use crate::backend::typescript::types::Expr;
use crate::ir::{Protocol, Side};

impl Model {
    /// The declarations, each with what it stands for in the protocol of the model, which is of all
    /// these sides.
    pub(in crate::backend::typescript) fn api(&self, protocol: &Protocol, all: &[Side]) -> Api {
        let keys = protocol.types.keys();
        let types = keys.zip(self.types.declarations.iter()).map(|(key, ty)| ty.declare(key));
        let origins = || all.iter().map(|side| Origin::Side(side.name.wire.clone()));
        let sides = || origins().zip(&self.sides.sides);
        let interfaces = sides().map(|(of, side)| self.sides.interface(of, side));
        let connections = sides().flat_map(|(of, side)| self.sides.connection(&of, side));
        let apps = self.app.iter().flat_map(|app| app.declare(sides()));
        let constants = self.methods.declare(origins());
        let handles = self.handles.iter().flat_map(|them| &them.handles);
        let handles = handles.map(HandleModel::declare);
        let hosts = self.hosts.iter().flat_map(|them| &them.hosts).map(HostModel::declare);
        let files = self.files.iter().flat_map(|them| &them.functions).map(FileModel::declare);
        let handles = handles.chain(hosts).chain(files);
        let progress = self.progress.iter().flat_map(|them| &them.classes);
        let handles = handles.chain(progress.map(ProgressModel::declare));
        let declarations = types.chain(interfaces).chain(constants).chain(connections);
        let states = self.states.iter().flat_map(|them| &them.states).flat_map(StateModel::declare);
        let remote = (!self.sides.is_empty()).then(|| self.remote.declare());
        let remote = remote.into_iter().flatten();
        let declarations = declarations.chain(handles).chain(states);
        Api { declarations: declarations.chain(remote).chain(apps).collect() }
    }
}

/// The parameters of a call, with options if it is a request.
pub(super) fn with_options(mut parameters: Vec<Parameter>, is_request: bool) -> Vec<Parameter> {
    if is_request {
        parameters.push(parameter("", "options", String::from("rpc.CallOptions"), false));
    }
    parameters
}

/// The promise of a result.
pub(super) fn promise(types: &MethodTypes) -> String {
    format!("Promise<{}>", shown(types.result.as_ref()))
}

/// The type of a result, if there is one.
pub(super) fn shown(result: Option<&Expr>) -> String {
    result.map_or_else(|| String::from("void"), ToString::to_string)
}

/// `export type NAME …`
pub(super) fn declaration(
    of: Origin,
    name: &str,
    kind: DeclarationKind,
    keyword: &str,
    end: &str,
) -> Declaration {
    let head = vec![format!("export {keyword} {name}{end}")];
    Declaration { head, ..Declaration::new(of, name, kind) }
}

pub(super) fn alias(of: Origin, name: &str, ty: &str) -> Declaration {
    let ty = ty.to_owned();
    let end = format!(" = {ty};");
    Declaration { ty, ..declaration(of, name, DeclarationKind::Alias, "type", &end) }
}

pub(super) fn function(
    of: &str,
    name: &str,
    role: Role,
    parameters: Vec<Parameter>,
    ty: String,
) -> Member {
    let mark = if role == Role::OptionalFunction { "?" } else { "" };
    let list = parameters.iter().map(|given| {
        let mark = if given.required { "" } else { "?" };
        format!("{}{mark}: {}", given.name, given.ty)
    });
    let list = list.collect::<Vec<_>>().join(", ");
    let text = format!("  {name}{mark}({list}): {ty};");
    Member { parameters, ..Member::new(of, name, role, ty, text) }
}

pub(super) fn parameter(of: &str, name: &str, ty: String, required: bool) -> Parameter {
    let (of, name) = (of.to_owned(), name.to_owned());
    Parameter { of, name, ty, position: Position::Positional, required }
}
