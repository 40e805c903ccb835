//! What a side's peers see of it, and its connection.

use crate::backend::Runtime;
use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{MethodModel, SideModel, StreamModel};

/// Prints the connection of a side, and what calls the side from the other end.
pub(super) fn print(page: &mut Page, side: &SideModel, runtime: Runtime) {
    let SideModel { ident, peers, .. } = side;
    let target = match peers.as_slice() {
        [(_, peer)] => peer.as_str(),
        _ => "connection::Peer",
    };
    page.block("connection::side!", |page| {
        page.line(&format!(
            "{ident}: {ident}Service, {ident}Context, {ident}Peer, {ident}SideCore"
        ));
    });
    let mut accessible = vec!["Context", "SideCore"];
    if runtime == Runtime::Tokio {
        accessible.push("SideConnection");
        page.gap();
        page.block("connection::connection!", |page| {
            page.line(&format!("{ident}: {ident}Service, {ident}SideConnection, {target}"));
        });
    }
    for of in accessible {
        page.gap();
        page.block(&format!("impl {ident}{of}"), |page| {
            for (accessor, peer) in peers {
                page.gap();
                page.line(&format!("/// The other end, as [`{peer}`]."));
                page.block(&format!("pub fn {accessor}(&self) -> {peer}"), |page| {
                    page.line(&format!("{peer}::from(self.inner.peer().clone())"));
                });
            }
        });
    }
    page.gap();
    page.block(&format!("impl {ident}Peer"), |page| {
        for method in &side.methods {
            page.gap();
            call(page, method);
            if let (Some(stream), Some(result)) = (&method.stream, &method.result) {
                page.gap();
                streamed(page, method, stream, result);
            }
        }
        if let Some((request, result, notification)) = &side.extensions {
            page.gap();
            extension(
                page,
                "call",
                "ext_method",
                request,
                &format!("connection::Call<{request}, {result}>"),
            );
            page.gap();
            let returns = format!("connection::Notice<{notification}>");
            extension(page, "notify", "ext_notification", notification, &returns);
        }
    });
}

fn call(page: &mut Page, method: &MethodModel) {
    let MethodModel { ident, constant, params, .. } = method;
    let (verb, function, returns) = match &method.result {
        Some(result) => ("Calls", "call", format!("connection::Call<{params}, {result}>")),
        None => ("Sends", "notify", format!("connection::Notice<{params}>")),
    };
    page.line(&format!("/// {verb} [`methods::{constant}`]."));
    if !method.docs.is_empty() {
        page.line("///");
        page.lines(&method.docs);
    }
    let parameters = [String::from("&self"), format!("params: {params}")];
    page.function(&format!("pub fn {ident}"), &parameters, &returns, |page| {
        // Not as a chain of methods, which rustfmt would break where names are long.
        let constant = format!("methods::{constant}");
        let arguments = [String::from("&self.inner"), constant, String::from("params")];
        let callee = format!("connection::Peer::{function}");
        let limits = usize::from(method.lifecycle) + usize::from(!method.capability.is_empty());
        if limits == 0 {
            page.call("", &callee, &arguments, "");
            return;
        }
        page.call("let call = ", &callee, &arguments, ";");
        if method.lifecycle {
            let last = limits == 1;
            page.line(if last { "call.lifecycle()" } else { "let call = call.lifecycle();" });
        }
        if !method.capability.is_empty() {
            page.array("call.needs(&", &method.capability, ")");
        }
    });
}

fn streamed(page: &mut Page, method: &MethodModel, stream: &StreamModel, result: &str) {
    let MethodModel { constant, params, .. } = method;
    page.line(&format!("/// Calls [`methods::{constant}`], and gives its result in pieces."));
    page.line("///");
    page.line("/// The token that marks them is put into the params.");
    let parameters = [String::from("&self"), format!("params: {params}")];
    let returns = format!("streams::StreamedCall<{params}, {result}>");
    page.function(&format!("pub fn {}", stream.ident), &parameters, &returns, |page| {
        page.array("let token = &", &stream.token, ";");
        let arguments = ["&self.inner", "token", &stream.result].map(String::from);
        page.call("let stream = ", "streams::Stream::new", &arguments, ";");
        page.line("let params = stream.mark(params);");
        let constant = format!("methods::{constant}");
        let arguments = [String::from("&self.inner"), constant, String::from("params")];
        page.call("let call = ", "connection::Peer::call", &arguments, ";");
        if method.lifecycle {
            page.line("let call = call.lifecycle();");
        }
        if !method.capability.is_empty() {
            page.array("let call = call.needs(&", &method.capability, ");");
        }
        page.line("stream.of(call)");
    });
}

fn extension(page: &mut Page, function: &str, name: &str, params: &str, returns: &str) {
    page.line("/// Uses a method that the protocol does not name. Its name begins with `_`.");
    let parameters =
        ["&self", "method: impl Into<String>", &format!("params: {params}")].map(String::from);
    page.function(&format!("pub fn {name}"), &parameters, returns, |page| {
        page.line(&format!("self.inner.{function}(method.into(), params)"));
    });
}
