//! The traits of the sides.

use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{MethodModel, SideModel};

/// Prints the trait of a side.
pub(super) fn print(page: &mut Page, side: &SideModel) {
    let context = format!("context: {}Context", side.ident);
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
            handler(page, method, &context);
        }
        if let Some((request, result, notification)) = &side.extensions {
            page.gap();
            extension(page, "ext_method", request, result, &context);
            page.gap();
            extension(page, "ext_notification", notification, "()", &context);
        }
    });
}

fn handler(page: &mut Page, method: &MethodModel, context: &str) {
    page.line(&format!("/// Handles `{}`.", wire_in_docs(&method.wire)));
    if !method.docs.is_empty() {
        page.line("///");
        page.lines(&method.docs);
    }
    let head = format!("fn {}", method.ident);
    let parameters =
        [String::from("&self"), format!("params: {}", method.params), String::from(context)];
    let returns = future(method.result.as_deref().unwrap_or("()"));
    if !method.optional {
        page.signature(&head, &parameters, &returns, ";");
        return;
    }
    page.function(&head, &parameters, &returns, |page| match method.result {
        Some(_) => {
            let arguments =
                [format!("methods::{}", method.constant), String::from("(params, context)")];
            page.call("", "rpc::unsupported", &arguments, "");
        }
        None => page.line("rpc::ignored((params, context))"),
    });
}

fn extension(page: &mut Page, name: &str, params: &str, result: &str, context: &str) {
    let (what, is_request) =
        if name == "ext_method" { ("request", true) } else { ("notification", false) };
    page.line(&format!("/// Handles a {what} whose method the protocol does not name."));
    let params = format!("params: {params}");
    let parameters = ["&self", "method: String", &params, context].map(String::from);
    page.function(&format!("fn {name}"), &parameters, &future(result), |page| {
        page.line(if is_request {
            "rpc::unsupported(&method, (params, context))"
        } else {
            "rpc::ignored((method, params, context))"
        });
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
