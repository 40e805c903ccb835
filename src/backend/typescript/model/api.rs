//! The public declarations of the package.

use super::alternatives::{Alternative, Tag};
use super::constructors::ConstructorModel;
use super::enums::EnumModel;
use super::handles::HandleModel;
use super::methods::MethodsModel;
use super::negotiation::NegotiationModel;
use super::records::FieldModel;
use super::sides::{ExtensionModel, MethodModel, MethodTypes, SideModel, SidesModel};
use super::states::StateModel;
use super::unions::UnionModel;
use super::{Declaration as TypeModel, Model};
use crate::backend::api::{
    Api, Declaration, DeclarationKind, Member, Origin, Parameter, Position, Role,
};
use crate::backend::sides::SideNames;
use crate::backend::typescript::names::{
    EXT_METHOD, EXT_NOTIFICATION, PROTOCOL_VERSION, UNKNOWN_METHOD, UNKNOWN_NOTIFICATION,
    UNKNOWN_TAG,
};
use crate::backend::typescript::types::Expr;
use crate::ir::Protocol;

impl Model {
    /// The declarations, each with what it stands for in the protocol of the model.
    pub(in crate::backend::typescript) fn api(&self, protocol: &Protocol) -> Api {
        let keys = protocol.types.keys();
        let types = keys.zip(&self.types.declarations).map(|(key, ty)| ty.declare(key));
        let origins = || protocol.sides.iter().map(|side| Origin::Side(side.name.wire.clone()));
        let sides = || origins().zip(&self.sides.sides);
        let interfaces = sides().map(|(of, side)| self.sides.interface(of, side));
        let connections = sides().flat_map(|(of, side)| self.sides.connection(&of, side));
        let constants = self.methods.declare(origins());
        let handles = self.handles.iter().flat_map(|them| &them.handles);
        let handles = handles.map(HandleModel::declare);
        let declarations = types.chain(interfaces).chain(constants).chain(connections);
        let states = self.states.iter().flat_map(|them| &them.states).map(StateModel::declare);
        let remote = (!self.sides.is_empty()).then(|| self.remote.declare());
        let remote = remote.into_iter().flatten();
        let declarations = declarations.chain(handles).chain(states);
        Api { declarations: declarations.chain(remote).collect() }
    }
}

impl TypeModel {
    fn declare(&self, key: &str) -> Declaration {
        let of = Origin::Type(key.to_owned());
        match self {
            Self::Record(record) if record.fields.is_empty() => {
                alias(of, &record.name, "{ [key: string]: unknown }")
            }
            Self::Record(record) => Declaration {
                members: record.fields.iter().map(FieldModel::member).collect(),
                tail: String::from("};"),
                ..declaration(of, &record.name, DeclarationKind::Record, "type", " = {")
            },
            Self::Union(union) => union.declare(of),
            Self::Enum(of_values) => of_values.declare(of),
            Self::Alias { name, ty, .. } => alias(of, name, &ty.to_string()),
        }
    }
}

impl FieldModel {
    pub(super) fn member(&self) -> Member {
        let (mark, role, absent) = if self.is_required {
            ("", Role::Required, "")
        } else {
            ("?", Role::Optional, " | undefined")
        };
        let text = format!("  {}{mark}: {};", self.key, self.ty);
        Member::new(&self.wire, &self.key, role, format!("{}{absent}", self.ty), text)
    }
}

impl UnionModel {
    fn declare(&self, of: Origin) -> Declaration {
        let tag = self.tag.as_deref().unwrap_or_default();
        let alternatives: Vec<String> =
            self.alternatives.iter().map(|it| it.text(tag, self.alternatives.len() > 1)).collect();
        let shared: Vec<Member> = self.shared.iter().map(FieldModel::member).collect();
        let mut declared = match alternatives.as_slice() {
            [only] if shared.is_empty() => alias(of, &self.name, only),
            _ => {
                let exhaustive = DeclarationKind::Choice { exhaustive: true };
                let members = self.alternatives.iter().zip(&alternatives).map(|(it, text)| {
                    Member::new(
                        &it.of,
                        text,
                        Role::Alternative,
                        text.clone(),
                        format!("  | {text}"),
                    )
                });
                let (end, between, tail) = if shared.is_empty() {
                    (" =", None, "")
                } else {
                    (" = {", Some("} & ("), ");")
                };
                Declaration {
                    members: shared.into_iter().chain(between.map(line)).chain(members).collect(),
                    tail: tail.to_owned(),
                    ..declaration(of, &self.name, exhaustive, "type", end)
                }
            }
        };
        if !self.constructors.is_empty() {
            let functions = self.constructors.iter().map(|function| function.member(self, tag));
            constants(&mut declared, &self.name, functions.collect());
        }
        declared
    }
}

impl Alternative {
    fn text(&self, tag: &str, is_operand: bool) -> String {
        let marker = self.tag.as_ref().map(|of| match of {
            Tag::Known { value } => format!("{{ {tag}: {value} }}"),
            Tag::Absent => format!("{{ {tag}?: never }}"),
            Tag::Unknown => format!("{{ {tag}: {UNKNOWN_TAG}; [key: string]: unknown }}"),
        });
        match (&self.payload, marker) {
            (Some(payload), Some(marker)) if is_operand => format!("({payload} & {marker})"),
            (Some(payload), Some(marker)) => format!("{payload} & {marker}"),
            (payload, marker) => marker.or_else(|| payload.clone()).unwrap_or_default(),
        }
    }
}

impl ConstructorModel {
    fn member(&self, union: &UnionModel, tag: &str) -> Member {
        let mut result = self.result.text(tag, false);
        if !union.shared.is_empty() {
            result = format!("Extract<{}, {result}>", union.name);
        }
        let mut parameters: Vec<Parameter> = self
            .parameters
            .iter()
            .map(|given| parameter(&given.of, &given.name, given.ty.to_string(), true))
            .collect();
        if let Some(rest) = &self.rest {
            let whole = rest.of.as_ref().map_or_else(|| result.clone(), ToString::to_string);
            let ty = match rest.without.join(" | ") {
                without if without.is_empty() => whole,
                without => format!("Omit<{whole}, {without}>"),
            };
            parameters.push(parameter("", "rest", ty, false));
        }
        function(&self.of, &self.name, Role::Constructor, parameters, result)
    }
}

impl EnumModel {
    fn declare(&self, of: Origin) -> Declaration {
        let mut all: Vec<(&str, &str)> =
            self.values.iter().map(|value| (value.of.as_str(), value.value.as_str())).collect();
        let other = format!("({} & {{}})", self.base);
        match (self.is_open, all.is_empty()) {
            (true, true) => all.push(("", self.base)),
            (true, false) => all.push(("", &other)),
            (false, _) => {}
        }
        let mut declared = match all.as_slice() {
            [] => alias(of, &self.name, "never"),
            [(_, only)] => alias(of, &self.name, only),
            _ => {
                let kind = DeclarationKind::Choice { exhaustive: !self.is_open };
                let members = all.iter().map(|(of, value)| {
                    Member::new(
                        of,
                        value,
                        Role::Alternative,
                        value.to_string(),
                        format!("  | {value}"),
                    )
                });
                Declaration {
                    members: members.collect(),
                    ..declaration(of, &self.name, kind, "type", " =")
                }
            }
        };
        if !self.values.is_empty() {
            let values = self.values.iter().map(|value| {
                let text = format!("  {}: {},", value.name, value.value);
                Member::new(&value.of, &value.name, Role::Constant, value.value.clone(), text)
            });
            constants(&mut declared, &self.name, values.collect());
        }
        declared
    }
}

impl SidesModel {
    fn extensions(&self) -> impl Iterator<Item = (&'static str, &ExtensionModel)> {
        let requests = self.ext_method.iter().map(|extension| (EXT_METHOD, extension));
        requests.chain(self.ext_notification.iter().map(|extension| (EXT_NOTIFICATION, extension)))
    }

    fn interface(&self, of: Origin, side: &SideModel) -> Declaration {
        let context = || parameter("", "context", side.names.context.clone(), true);
        let methods = side.methods.iter().map(|method| {
            let void = if method.allows_void { " | void" } else { "" };
            let is_optional = method.method.is_optional;
            let role = if is_optional { Role::OptionalFunction } else { Role::Function };
            let parameters = vec![method.types.params(), context()];
            let ty = format!("MaybePromise<{}{void}>", shown(method.types.result.as_ref()));
            function(&method.method.of, &method.name, role, parameters, ty)
        });
        let extensions = self.extensions().map(|(name, extension)| {
            let mut parameters = extension_parameters(&extension.types);
            parameters.push(context());
            let ty = format!("MaybePromise<{}>", shown(extension.answer.as_ref()));
            function("", name, Role::OptionalFunction, parameters, ty)
        });
        let unknown = [(UNKNOWN_METHOD, "unknown"), (UNKNOWN_NOTIFICATION, "void")];
        let unknown = unknown.into_iter().map(|(name, answer)| {
            let parameters = vec![
                parameter("", "method", String::from("string"), true),
                parameter("", "params", String::from("unknown"), true),
                context(),
            ];
            let ty = format!("MaybePromise<{answer}>");
            function("", name, Role::OptionalFunction, parameters, ty)
        });
        Declaration {
            members: methods.chain(extensions).chain(unknown).collect(),
            tail: String::from("}"),
            ..declaration(of, &side.names.name, DeclarationKind::Handler, "interface", " {")
        }
    }

    fn connection(&self, of: &Origin, side: &SideModel) -> [Declaration; 3] {
        let class = |name: &str, base: &str, members| {
            let end = format!(" extends {base} {{");
            Declaration {
                members,
                bases: vec![base.to_owned()],
                tail: String::from("}"),
                ..declaration(of.clone(), name, DeclarationKind::Caller, "class", &end)
            }
        };
        let SideNames { name, peer, context, connection, .. } = &side.names;
        let extensions = self.extensions().map(|(name, ExtensionModel { types, .. })| {
            let parameters = extension_parameters(types);
            function("", name, Role::Function, called(parameters, types), promise(types))
        });
        let calls = side.methods.iter().flat_map(MethodModel::calls).chain(extensions);
        let peer_member = |SideNames { accessor, peer, .. }: &SideNames| {
            let text = format!("  get {accessor}(): {peer};");
            Member::new("", accessor, Role::Constant, peer.clone(), text)
        };
        let peers = || side.peers.iter().map(peer_member);
        let parameters = vec![
            parameter(
                "",
                &format!("to{name}"),
                format!("(connection: {connection}) => {name}"),
                true,
            ),
            parameter("", "stream", String::from("rpc.Stream"), true),
            parameter("", "options", String::from("rpc.ConnectionOptions"), false),
        ];
        let constructor =
            function("", "constructor", Role::Function, parameters, connection.clone());
        let version = || {
            self.negotiation.iter().map(|NegotiationModel { ty, .. }| {
                let text = format!("  get {PROTOCOL_VERSION}(): {ty};");
                Member::new("", PROTOCOL_VERSION, Role::Constant, String::from(*ty), text)
            })
        };
        // The rest it inherits.
        let is_own = |other: &&SideNames| Some(&other.peer) != side.base.as_ref();
        let accessors = side.peers.iter().filter(is_own).map(peer_member);
        let accessors = accessors.chain(version().filter(|_| side.base.is_none()));
        let base = side.base.as_deref().unwrap_or("rpc.Peer");
        [
            class(peer, "rpc.Peer", version().chain(calls).collect()),
            class(context, "rpc.Context", peers().chain(version()).collect()),
            class(connection, base, [constructor].into_iter().chain(accessors).collect()),
        ]
    }
}

impl MethodModel {
    fn calls(&self) -> impl Iterator<Item = Member> {
        let call = |name: &str, ty| {
            let parameters = called(vec![self.types.params()], &self.types);
            function(&self.method.of, name, Role::Function, parameters, ty)
        };
        let streamed = self.pieces.as_ref().map(|pieces| {
            let result = shown(self.types.result.as_ref());
            let ty = format!("streams.StreamedCall<{result}, {}>", pieces.ty);
            call(&format!("{}Streamed", self.call), ty)
        });
        let handle = self.handle.as_ref().map(|handle| format!("Promise<{handle}>"));
        let given = handle.unwrap_or_else(|| promise(&self.types));
        [call(&self.call, given)].into_iter().chain(streamed)
    }
}

impl MethodTypes {
    fn params(&self) -> Parameter {
        parameter("", "params", self.params.to_string(), true)
    }
}

impl MethodsModel {
    fn declare(&self, sides: impl Iterator<Item = Origin>) -> impl Iterator<Item = Declaration> {
        let version = self.version.iter().map(|version| {
            let end = format!(" = {version};");
            declaration(
                Origin::Protocol,
                "PROTOCOL_VERSION",
                DeclarationKind::Constants,
                "const",
                &end,
            )
        });
        let owners = sides.chain([Origin::Protocol]);
        let objects = self.objects.iter().zip(owners).map(|(object, of)| Declaration {
            members: object
                .methods
                .iter()
                .map(|method| {
                    let text = format!("  {}: {},", method.key, method.wire);
                    Member::new(&method.of, &method.key, Role::Constant, method.wire.clone(), text)
                })
                .collect(),
            tail: String::from("};"),
            ..declaration(of, &object.name, DeclarationKind::Constants, "const", " = {")
        });
        version.chain(objects)
    }
}

fn extension_parameters(types: &MethodTypes) -> Vec<Parameter> {
    let method = parameter("", "method", String::from("string"), true);
    vec![method, types.params()]
}

/// The parameters of a call: those of a request have options.
fn called(parameters: Vec<Parameter>, types: &MethodTypes) -> Vec<Parameter> {
    with_options(parameters, types.result.is_some())
}

pub(super) fn with_options(mut parameters: Vec<Parameter>, is_request: bool) -> Vec<Parameter> {
    if is_request {
        parameters.push(parameter("", "options", String::from("rpc.CallOptions"), false));
    }
    parameters
}

fn promise(types: &MethodTypes) -> String {
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

/// Adds the constant of a type's name to the type.
fn constants(declared: &mut Declaration, name: &str, members: Vec<Member>) {
    declared.members.extend((!declared.tail.is_empty()).then(|| line(&declared.tail)));
    declared.members.push(line(&format!("export const {name} = {{")));
    declared.members.extend(members);
    declared.tail = String::from("};");
}

/// A line that is only shown.
fn line(text: &str) -> Member {
    Member::new("", "", Role::Constant, String::new(), text.to_owned())
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
