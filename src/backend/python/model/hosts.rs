//! The contents of `hosts.py`: the classes that run programs for the other end.

use serde::Serialize;

use super::super::docs::{docstring, inline, lines};
use super::super::imports::{ModuleImports, Used};
use super::super::{literals, names};
use super::scope::Scope;
use super::variants::record;
use super::{BODY, Exports, FUNCTION};
use crate::ir::{Findings, Handle, Method, Name, Namespace, ProcessHost, Things, Type};

/// The member that a host has by itself.
const CLOSE: &str = "aclose";

/// `hosts.py`
#[derive(Debug, Serialize)]
pub(crate) struct HostsModule {
    pub(crate) hosts: Vec<HostClass>,
    host_imports: ModuleImports,
}

/// The class that runs the programs of a request.
#[derive(Debug, Serialize)]
pub(crate) struct HostClass {
    pub(crate) name: String,
    /// The wire name of the request.
    #[serde(skip)]
    pub(crate) of: String,
    doc: String,
    /// The words for an id and a command in errors, as literals.
    id_literal: String,
    command_literal: String,
    /// The attributes of the params with the scope of a program, and with its id.
    scope: Vec<String>,
    id: String,
    /// The attributes of the params that say what is started.
    command: String,
    args: Option<String>,
    cwd: Option<String>,
    limit: Option<String>,
    env: Option<EnvAttributes>,
    /// The attributes of the output, and of how a program ended.
    text: String,
    truncated: String,
    exit: String,
    code: String,
    signal: String,
    /// The class of how a program ended.
    exit_class: String,
    start: HostMethod,
    output: HostMethod,
    wait: HostMethod,
    kill: HostMethod,
    release: HostMethod,
}

/// The attributes that hold the variables of an environment.
#[derive(Debug, Serialize)]
struct EnvAttributes {
    items: String,
    name: String,
    value: String,
}

/// A method that handles a request.
#[derive(Debug, Serialize)]
struct HostMethod {
    name: String,
    doc: String,
    /// The class of the params.
    request: String,
    /// The class of the result, if it is not just `null`.
    response: Option<String>,
}

/// Decides the contents of the module.
pub(super) fn hosts_module(
    scope: &Scope<'_>,
    exports: &mut Exports,
    diagnostics: &mut Findings,
) -> HostsModule {
    let mut used = Used::default();
    used.runtime.own("errors", "RequestError");
    used.runtime.own("runtime/rpc/programs", "ProgramHost");
    used.runtime.own("runtime/rpc/programs", "said");
    used.runtime.msgspec("UNSET");
    used.runtime.msgspec("UnsetType");
    used.runtime.typing("ClassVar");
    let mut hosts = Vec::new();
    for (method, process) in scope.protocol.process_hosts() {
        let Some(handle) = &method.handle else { continue };
        let Some(host) = host(scope, method, handle, process, &mut used) else { continue };
        exports.claim(&host.name, &method.name.wire, &method.location, diagnostics);
        exports.hosts.push(host.name.clone());
        let mut namespace =
            Namespace::new(Things::Functions, format!("methods of `{}` in Python", host.name));
        for it in [&host.start, &host.output, &host.wait, &host.kill, &host.release] {
            namespace.claim(&it.name, &method.name.wire, &method.location, diagnostics);
        }
        namespace.claim(CLOSE, CLOSE, &method.location, diagnostics);
        hosts.push(host);
    }
    HostsModule { hosts, host_imports: used.finish(scope.modules, "hosts") }
}

fn host(
    scope: &Scope<'_>,
    method: &Method,
    handle: &Handle,
    process: &ProcessHost,
    used: &mut Used,
) -> Option<HostClass> {
    let mut handles = |wire: &str| handler(scope, method, wire, used);
    let start = handles(&method.name.wire)?;
    let output = handles(&process.output.method)?;
    let wait = handles(&process.wait)?;
    let kill = handles(&process.kill)?;
    let release = handles(handle.release.as_ref()?)?;
    let outputs = scope.protocol.method_of(&method.handler, &process.output.method)?.result()?;
    let exit = &scope.protocol.field(outputs, &process.output.exit.wire)?.ty;
    let exit_class = class(scope, exit, used)?;
    // What may still change is not in every package.
    let params = method.params();
    let here = |name: &Name| {
        scope.protocol.field(params, &name.wire).map(|field| names::attribute(&field.name))
    };
    let env = process.env.as_ref().and_then(|env| {
        let items = here(&env.items)?;
        let [name, value] = [&env.name, &env.value].map(names::attribute);
        Some(EnvAttributes { items, name, value })
    });
    let optional = |name: &Option<Name>| name.as_ref().and_then(here);
    let (args, cwd, limit) =
        (optional(&process.args), optional(&process.cwd), optional(&process.limit));
    if args.is_some() || cwd.is_some() || limit.is_some() || env.is_some() {
        used.runtime.own("runtime/support", "given");
    }
    let wire = inline(&method.name.wire);
    let text = format!(
        "Runs the programs that the other end starts by `{wire}`.\n\nIts methods handle that request, and those that use what was started. It asks nobody whether a program may run."
    );
    Some(HostClass {
        name: names::class(&process.name),
        of: method.name.wire.clone(),
        doc: docstring(&lines(&text, BODY), BODY),
        id_literal: literals::string(&handle.id.wire),
        command_literal: literals::string(&process.command.wire),
        scope: handle.with.iter().map(names::attribute).collect(),
        id: names::attribute(&handle.id),
        command: names::attribute(&process.command),
        args,
        cwd,
        limit,
        env,
        text: names::attribute(&process.output.text),
        truncated: names::attribute(&process.output.truncated),
        exit: names::attribute(&process.output.exit),
        code: names::attribute(&process.exit.code),
        signal: names::attribute(&process.exit.signal),
        exit_class,
        start,
        output,
        wait,
        kill,
        release,
    })
}

/// The method that handles a request of the same side.
fn handler(scope: &Scope<'_>, opener: &Method, wire: &str, used: &mut Used) -> Option<HostMethod> {
    let method = scope.protocol.method_of(&opener.handler, wire)?;
    let text = format!("Handle `{}`.", inline(wire));
    Some(HostMethod {
        name: names::function(method.function()),
        doc: docstring(&lines(&text, FUNCTION), FUNCTION),
        request: class(scope, method.params(), used)?,
        response: class(scope, method.result()?, used),
    })
}

/// The class of a record, which is imported.
fn class(scope: &Scope<'_>, ty: &Type, used: &mut Used) -> Option<String> {
    let (name, _) = record(scope.protocol, ty)?;
    let class = scope.class(name);
    used.runtime.own("types", class);
    Some(class.to_owned())
}
