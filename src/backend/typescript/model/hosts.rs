//! Classes that run programs for the other end.

use serde::Serialize;

use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::imports::TypeImports;
use crate::backend::typescript::literals::{access, literal, object_key};
use crate::backend::typescript::names;
use crate::backend::typescript::types::{Expr, Scope};
use crate::ir::{Findings, Handle, Kind, Method, Name, Namespace, ProcessHost, Things};

/// The member that a host has by itself.
const CLOSE: &str = "close";

/// All hosts.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct HostsModel {
    pub(super) hosts: Vec<HostModel>,
    imports: TypeImports,
}

/// The class that runs the programs of a request.
#[derive(Debug, Serialize)]
pub(super) struct HostModel {
    /// The wire name of the request.
    #[serde(skip)]
    pub(super) of: String,
    pub(super) name: String,
    doc: Vec<String>,
    /// The properties of the params with the scope of a program, with its id, and with what is
    /// started: how they are read.
    scope: Vec<String>,
    id: PropertyModel,
    command: PropertyModel,
    args: Option<String>,
    env: Option<EnvModel>,
    cwd: Option<String>,
    limit: Option<String>,
    /// The properties of the output, and of how a program ended, as keys.
    text: String,
    truncated: String,
    exit: String,
    code: String,
    signal: String,
    /// The function that says how a program ended.
    ended: String,
    start: HostMethodModel,
    output: HostMethodModel,
    wait: HostMethodModel,
    kill: HostMethodModel,
    release: HostMethodModel,
}

/// A property of params, and of a result.
#[derive(Debug, Serialize)]
struct PropertyModel {
    key: String,
    literal: String,
    access: String,
}

/// The variables of an environment.
#[derive(Debug, Serialize)]
struct EnvModel {
    items: String,
    is_required: bool,
    name: String,
    value: String,
}

/// A method that handles a request.
#[derive(Debug, Serialize)]
struct HostMethodModel {
    name: String,
    doc: Vec<String>,
    params: Expr,
    /// The type of the result, if it is not just `null`.
    result: Option<Expr>,
}

impl HostsModel {
    /// The hosts of the protocol, if it has any.
    pub(super) fn new(scope: Scope<'_>, diagnostics: &mut Findings) -> Option<Self> {
        let mut imports = TypeImports::default();
        let mut hosts = Vec::new();
        for (method, process) in scope.protocol.process_hosts() {
            let Some(handle) = &method.handle else { continue };
            let mut builder = Builder { scope, imports: &mut imports, opener: method };
            hosts.extend(builder.host(handle, process, diagnostics));
        }
        (!hosts.is_empty()).then_some(Self { hosts, imports })
    }
}

/// Makes the model of a host.
struct Builder<'a, 'b> {
    scope: Scope<'a>,
    imports: &'b mut TypeImports,
    opener: &'a Method,
}

impl Builder<'_, '_> {
    fn host(
        &mut self,
        handle: &Handle,
        process: &ProcessHost,
        diagnostics: &mut Findings,
    ) -> Option<HostModel> {
        let (scope, opener) = (self.scope, self.opener);
        let wire = &opener.name.wire;
        let start = self.method(wire)?;
        let output = self.method(&process.output.method)?;
        let wait = self.method(&process.wait)?;
        let kill = self.method(&process.kill)?;
        let release = self.method(handle.release.as_ref()?)?;
        let name = names::type_name(&process.name);
        let mut members =
            Namespace::new(Things::Functions, format!("methods of `{name}` in TypeScript"));
        for it in [&start, &output, &wait, &kill, &release] {
            members.claim(&it.name, wire, &opener.location, diagnostics);
        }
        members.claim(CLOSE, CLOSE, &opener.location, diagnostics);
        // What may still change is not in every package.
        let here = |name: &Name| scope.protocol.field(opener.params(), &name.wire);
        let optional =
            |name: &Option<Name>| name.as_ref().and_then(here).map(|field| access(&field.name));
        let env = process.env.as_ref().and_then(|env| {
            let items = here(&env.items)?;
            Some(EnvModel {
                items: access(&items.name),
                is_required: items.presence.is_required() && !items.presence.is_nullable(),
                name: access(&env.name),
                value: access(&env.value),
            })
        });
        let comment =
            Comment::about(format!("Runs the programs that the other end starts by `{wire}`."))
                .paragraph(
                    "A handler forwards requests to it, or has all its methods by `...host`.",
                )
                .paragraph("It asks nobody whether a program may run.");
        Some(HostModel {
            of: wire.clone(),
            doc: comment.block(0),
            scope: handle.with.iter().map(access).collect(),
            id: PropertyModel::new(&handle.id),
            command: PropertyModel::new(&process.command),
            args: optional(&process.args),
            env,
            cwd: optional(&process.cwd),
            limit: optional(&process.limit),
            text: object_key(&process.output.text.wire),
            truncated: object_key(&process.output.truncated.wire),
            exit: object_key(&process.output.exit.wire),
            code: object_key(&process.exit.code.wire),
            signal: object_key(&process.exit.signal.wire),
            ended: names::variable(&format!("{}Exit", process.name.camel())),
            name,
            start,
            output,
            wait,
            kill,
            release,
        })
    }

    /// The method that handles a request of the same side.
    fn method(&mut self, wire: &str) -> Option<HostMethodModel> {
        let scope = self.scope;
        let method = scope.protocol.method_of(&self.opener.handler, wire)?;
        let result = method.result()?;
        let is_null = matches!(scope.protocol.resolved(result).kind, Kind::Null);
        Some(HostMethodModel {
            name: names::method(method),
            doc: Comment::about(format!("Handles the request `{wire}`.")).block(2),
            params: self.imports.expression(scope, method.params()),
            result: (!is_null).then(|| self.imports.expression(scope, result)),
        })
    }
}

impl PropertyModel {
    fn new(name: &Name) -> Self {
        Self { key: object_key(&name.wire), literal: literal(&name.wire), access: access(name) }
    }
}
