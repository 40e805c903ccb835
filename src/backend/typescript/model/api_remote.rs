//! The public declarations of connections over a network.

use super::api::{alias, declaration, function, parameter};
use super::remote::{RemoteModel, ServerModel};
use crate::backend::api::{Declaration, DeclarationKind, Member, Origin, Parameter, Role};

impl RemoteModel {
    /// Declares the client and the servers, for a protocol that has sides.
    pub(super) fn declare(&self) -> impl Iterator<Item = Declaration> {
        let (client, options, server, choices) = if self.http {
            ("HttpClient", "HttpOptions", "HttpServer", "HttpServerOptions")
        } else {
            ("RemoteClient", "RemoteOptions", "RemoteServer", "ServerOptions")
        };
        let of = || Origin::Protocol;
        let aliases = [
            alias(of(), "RemoteOptions", &format!("client.{options}")),
            alias(of(), "ServerOptions", &format!("server.{choices}")),
        ];
        let url = parameter("", "url", String::from("string | URL"), true);
        let constructor = constructor("Remote", vec![url], "RemoteOptions");
        let remote = class(of(), "Remote", &format!("client.{client}"), constructor);
        let servers = self.servers.iter().map(move |it| it.declare(&format!("server.{server}")));
        aliases.into_iter().chain([remote]).chain(servers)
    }
}

impl ServerModel {
    fn declare(&self, base: &str) -> Declaration {
        let Self { name, handler, connection, .. } = self;
        let connection = format!("connection: connections.{connection}");
        let make = format!("({connection}, opening: Opening) => sides.{handler}");
        let make = parameter("", &format!("to{handler}"), make, true);
        let constructor = constructor(name, vec![make], "ServerOptions");
        class(Origin::Side(self.of.clone()), name, base, constructor)
    }
}

/// The constructor of a class, which may be given options.
fn constructor(class: &str, mut parameters: Vec<Parameter>, options: &str) -> Member {
    parameters.push(parameter("", "options", options.to_owned(), false));
    function("", "constructor", Role::Function, parameters, class.to_owned())
}

fn class(of: Origin, name: &str, base: &str, constructor: Member) -> Declaration {
    Declaration {
        members: vec![constructor],
        bases: vec![base.to_owned()],
        tail: String::from("}"),
        ..declaration(of, name, DeclarationKind::Caller, "class", &format!(" extends {base} {{"))
    }
}
