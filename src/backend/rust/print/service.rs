//! From a message to the function that handles it, on a connection.

use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{MethodModel, SideModel};

/// Prints what hands messages to a side.
pub(super) fn print(page: &mut Page, side: &SideModel) {
    let SideModel { ident, .. } = side;
    // All names are paths: what is imported would hide the side's own names.
    page.line("/// Hands messages to a handler.");
    page.line(&format!("pub(crate) struct {ident}Service<H>(pub(crate) std::sync::Arc<H>);"));
    page.gap();
    let head = format!("impl<H: {ident} + 'static> connection::Service for {ident}Service<H>");
    page.block(&head, |page| {
        page.block("fn rules(&self) -> connection::Rules", |page| rules(page, side));
        for (what, ty) in
            [("request", "&mut connection::Request"), ("notification", "&connection::Notification")]
        {
            page.gap();
            let parameters = [String::from("&self"), format!("{what}: {ty}<'_>")];
            page.function(&format!("fn {what}"), &parameters, "Result<connection::Task>", |page| {
                arms(page, side, what);
            });
        }
    });
}

fn rules(page: &mut Page, side: &SideModel) {
    if side.cancel.is_none() && side.handshake.is_none() {
        page.line("connection::Rules::default()");
        return;
    }
    page.line("let mut rules = connection::Rules::default();");
    if let Some((method, property)) = &side.cancel {
        let arguments = [format!("methods::{method}"), property.clone()];
        page.call("", "rules.cancels_by", &arguments, ";");
    }
    if let Some((is_result, method, property)) = &side.handshake {
        let place = if *is_result { "result" } else { "params" };
        let arguments = [format!("methods::{method}"), property.clone()];
        page.call("", &format!("rules.learns_from_{place}"), &arguments, ";");
    }
    page.line("rules");
}

fn arms(page: &mut Page, side: &SideModel, what: &str) {
    let is_request = what == "request";
    let methods: Vec<&MethodModel> =
        side.methods.iter().filter(|method| method.result.is_some() == is_request).collect();
    if methods.is_empty() && side.extensions.is_none() {
        page.line(&format!("Err(RequestError::method_not_found({what}.method()))"));
        return;
    }
    page.line("let handler = std::sync::Arc::clone(&self.0);");
    page.block(&format!("match {what}.method()"), |page| {
        for method in methods {
            page.block(&format!("methods::{} =>", method.constant), |page| {
                for (token_in, delta) in &method.pieces {
                    let arguments = [what.to_owned(), token_in.clone(), delta.clone()];
                    page.call("let is_piece = ", "streams::brings", &arguments, "?;");
                    page.block("if is_piece", |page| {
                        page.line("return Ok(connection::handle(async { Ok(()) }));");
                    });
                }
                handle(page, what, &method.ident, &["params", "context"]);
            });
        }
        if side.extensions.is_some() {
            page.block("method if method.starts_with('_') =>", |page| {
                page.line("let method = method.to_owned();");
                let function = if is_request { "ext_method" } else { "ext_notification" };
                handle(page, what, function, &["method", "params", "context"]);
            });
        }
        page.line("method => Err(RequestError::method_not_found(method)),");
    });
}

fn handle(page: &mut Page, what: &str, function: &str, arguments: &[&str]) {
    page.line(&format!("let (params, context) = {what}.open()?;"));
    let callee = format!("handler.{function}");
    let arguments: Vec<String> = arguments.iter().copied().map(String::from).collect();
    page.async_call("let result =", &callee, &arguments);
    page.line(if what == "request" {
        "Ok(request.answer(result))"
    } else {
        "Ok(connection::handle(result))"
    });
}
