//! The public declarations of sides: what handles, what is called, and the names of methods.

use super::api::{declaration, function, parameter, promise, shown, with_options};
use super::methods::MethodsModel;
use super::negotiation::NegotiationModel;
use super::progress::ProgressModel;
use super::sides::{ExtensionModel, MethodModel, MethodTypes, SideModel, SidesModel};
use crate::backend::api::{Declaration, DeclarationKind, Member, Origin, Parameter, Role};
use crate::backend::sides::SideNames;
use crate::backend::typescript::names::{
    EXT_METHOD, EXT_NOTIFICATION, PROTOCOL_VERSION, UNKNOWN_METHOD, UNKNOWN_NOTIFICATION,
};

impl SidesModel {
    fn extensions(&self) -> impl Iterator<Item = (&'static str, &ExtensionModel)> {
        let requests = self.ext_method.iter().map(|extension| (EXT_METHOD, extension));
        requests.chain(self.ext_notification.iter().map(|extension| (EXT_NOTIFICATION, extension)))
    }

    pub(super) fn interface(&self, of: Origin, side: &SideModel) -> Declaration {
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

    pub(super) fn connection(&self, of: &Origin, side: &SideModel) -> [Declaration; 3] {
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
            parameter("", "stream", String::from("rpc.Stream | rpc.MessageStream"), true),
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
        let progress = self.progress.iter().map(ProgressModel::called);
        let parameters = called(vec![self.types.params()], &self.types);
        let choice = self.choice.iter();
        let choice = choice.flat_map(move |it| it.called(&self.method.of, &parameters));
        [call(&self.call, given)].into_iter().chain(streamed).chain(choice).chain(progress)
    }
}

impl MethodTypes {
    fn params(&self) -> Parameter {
        parameter("", "params", self.params.to_string(), true)
    }
}

impl MethodsModel {
    pub(super) fn declare(
        &self,
        sides: impl Iterator<Item = Origin>,
    ) -> impl Iterator<Item = Declaration> {
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
