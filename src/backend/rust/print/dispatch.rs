//! From a method's name to the function that handles it.

use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{MethodModel, SideModel};

/// Prints the functions that dispatch to a side.
pub(super) fn print(page: &mut Page, side: &SideModel) {
    let requests = side.methods.iter().filter(|method| method.result.is_some());
    page.line("/// Hands a request to its handler, and gives the result as JSON.");
    page.line("///");
    page.line("/// # Errors");
    page.line("///");
    page.line(
        "/// -32601 for a method that is not handled, -32602 for malformed params, and whatever",
    );
    page.line("/// the handler gives.");
    function(page, side, "request", "String", requests.collect());
    let notifications = side.methods.iter().filter(|method| method.result.is_none());
    page.gap();
    page.line("/// Hands a notification to its handler.");
    page.line("///");
    page.line("/// # Errors");
    page.line("///");
    page.line(
        "/// -32601 for a method that is not handled, -32602 for malformed params, and whatever",
    );
    page.line("/// the handler gives. There is nobody to answer to.");
    function(page, side, "notification", "()", notifications.collect());
}

fn function(
    page: &mut Page,
    side: &SideModel,
    what: &str,
    result: &str,
    methods: Vec<&MethodModel>,
) {
    let extensible = side.extensions.is_some();
    let head = format!("pub async fn {}_{what}<H: {}>", side.snake, side.ident);
    let unused = methods.is_empty() && !extensible;
    let underscore = if unused { "_" } else { "" };
    let parameters = [
        format!("{underscore}handler: &H"),
        String::from("method: &str"),
        format!("{underscore}params: Option<&str>"),
    ];
    page.function(&head, &parameters, &format!("Result<{result}>"), |page| {
        if unused {
            page.line("rpc::unsupported(method, ()).await");
            return;
        }
        page.block("match method", |page| {
            for method in methods {
                page.block(&format!("methods::{} =>", method.constant), |page| {
                    page.line("let params = rpc::params(params)?;");
                    let call = [String::from("params")];
                    let handler = format!("handler.{}", method.ident);
                    if what == "request" {
                        page.call("rpc::respond(", &handler, &call, ").await");
                    } else {
                        page.call("rpc::notify(", &handler, &call, ").await");
                    }
                });
            }
            if extensible {
                page.block("_ if method.starts_with('_') =>", |page| {
                    page.line("let (method, params) = (method.to_owned(), rpc::params(params)?);");
                    page.line(if what == "request" {
                        "rpc::respond(handler.ext_method(method, params)).await"
                    } else {
                        "rpc::notify(handler.ext_notification(method, params)).await"
                    });
                });
            }
            page.line("_ => Err(RequestError::method_not_found(method)),");
        });
    });
}
