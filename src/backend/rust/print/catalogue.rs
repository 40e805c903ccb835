//! What is called by name.

use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{CatalogueModel, EntryModel};

/// Prints what calls by name, and how it calls.
pub(super) fn print(page: &mut Page, model: &CatalogueModel) {
    let CatalogueModel { peer, entries, .. } = model;
    page.line("/// Calls by name, each with types of its own.");
    page.line("#[derive(Clone, Debug)]");
    page.block("pub struct Catalogue", |page| page.line(&format!("peer: {peer},")));
    page.gap();
    page.block("impl Catalogue", |page| {
        page.line("/// Calls what is at the other end of a connection.");
        page.function("pub fn new", &[format!("peer: {peer}")], "Self", |page| {
            page.line("Self { peer }");
        });
        for entry in entries {
            page.gap();
            method(page, entry);
        }
    });
    page.gap();
    call(page, model);
}

fn method(page: &mut Page, entry: &EntryModel) {
    let EntryModel { ident, name, docs, input, output } = entry;
    page.lines(docs);
    if !docs.is_empty() {
        page.line("///");
    }
    page.line("/// # Errors");
    page.line("///");
    page.line("/// The call fails, or what comes out is not of its type.");
    let parameters = [String::from("&self"), format!("input: &types::{input}")];
    let returns = format!("Result<types::{output}, CallError>");
    page.function(&format!("pub async fn {ident}"), &parameters, &returns, |page| {
        page.line(&format!("let name = {name};"));
        page.line("call(&self.peer, name, input).await");
    });
}

fn call(page: &mut Page, model: &CatalogueModel) {
    let CatalogueModel { peer, method, params, input_first, output, .. } = model;
    let parameters =
        [format!("peer: &{peer}"), String::from("name: &str"), String::from("input: &I")];
    let returns = "Result<O, CallError>";
    let head = "async fn call<I: serde::Serialize, O: json::Decode>";
    page.function(head, &parameters, returns, |page| {
        page.line("let input = serde_json::to_value(input);");
        page.line("let input = input.map_err(|error| CallError::Params(error.to_string()))?;");
        let mut arguments = ["name", "input"].map(String::from);
        if *input_first {
            arguments.reverse();
        }
        page.call("let params = ", &format!("types::{params}::new"), &arguments, ";");
        page.call("let call = ", &format!("peer.{method}"), &[String::from("params")], ";");
        page.line("let answer = call.await?;");
        page.line(&format!("let output = answer.{output}.to_string();"));
        page.line("json::decode(&output).map_err(|error| CallError::Malformed(error.to_string()))");
    });
}
