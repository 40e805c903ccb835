//! The traits of the sides.

use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{MethodModel, SideModel};

/// Prints the trait of a side.
pub(super) fn print(page: &mut Page, side: &SideModel) {
    page.line("/// What this side does for its peer.");
    page.line("///");
    page.line(
        "/// A method is written as an `async fn`. One that has a body here may be left out: a",
    );
    page.line(
        "/// request for it is then answered with *method not found*, a notification ignored.",
    );
    page.block(&format!("pub trait {}: Send + Sync", side.ident), |page| {
        for method in &side.methods {
            page.gap();
            handler(page, method);
        }
        if let Some((request, result, notification)) = &side.extensions {
            page.gap();
            extension(page, "request", "ext_method", request, result);
            page.gap();
            extension(page, "notification", "ext_notification", notification, "()");
        }
    });
}

fn handler(page: &mut Page, method: &MethodModel) {
    page.line(&format!("/// Handles `{}`.", wire_in_docs(&method.wire)));
    if !method.docs.is_empty() {
        page.line("///");
        page.lines(&method.docs);
    }
    let head = format!("fn {}", method.ident);
    let parameters = [String::from("&self"), format!("params: {}", method.params)];
    let returns = future(method.result.as_deref().unwrap_or("()"));
    if !method.optional {
        page.signature(&head, &parameters, &returns, ";");
        return;
    }
    page.function(&head, &parameters, &returns, |page| match method.result {
        Some(_) => {
            let arguments = [format!("methods::{}", method.constant), String::from("params")];
            page.call("", "rpc::unsupported", &arguments, "");
        }
        None => page.line("rpc::ignored(params)"),
    });
}

fn extension(page: &mut Page, what: &str, name: &str, params: &str, result: &str) {
    page.line(&format!("/// Handles a {what} whose method the protocol does not name."));
    let parameters = ["&self", "method: String", &format!("params: {params}")].map(String::from);
    page.function(&format!("fn {name}"), &parameters, &future(result), |page| {
        if what == "request" {
            page.line("rpc::unsupported(&method, params)");
        } else {
            page.line("rpc::ignored((method, params))");
        }
    });
}

fn future(result: &str) -> String {
    format!("impl Future<Output = Result<{result}>> + Send")
}

/// A wire name inside of backticks in a doc comment.
fn wire_in_docs(wire: &str) -> String {
    wire.chars()
        .map(|next| if next.is_ascii_graphic() && next != '`' { next } else { '\u{fffd}' })
        .collect()
}
