//! The package's README.

use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{Model, SideModel};
use crate::backend::rust::{docs, literal};

/// What the package is and how it is used.
pub(super) fn readme(title: &str, package: &str, model: &Model, header: &[String; 2]) -> String {
    let title = docs::markdown(&literal::printable(title)).join(" ");
    let template = include_str!("../../../../templates/rust/README.md.txt");
    let mut text = template.to_owned();
    if let Some(side) = model.sides.first() {
        text.push_str(&handlers(model, side));
    }
    text.replace("HEADER", &header.join("\n"))
        .replace("TITLE", &title)
        .replace("PACKAGE", package)
        .replace("CRATE", &package.replace('-', "_"))
}

fn handlers(model: &Model, side: &SideModel) -> String {
    let template = include_str!("../../../../templates/rust/README.handlers.md.txt");
    let sides: Vec<String> = model.sides.iter().map(|side| format!("`{}`", side.ident)).collect();
    let mut page = Page::new();
    page.block("", |page| {
        for method in side.methods.iter().filter(|method| !method.optional) {
            page.gap();
            let result = method.result.as_deref().unwrap_or("()");
            let parameters = [String::from("&self"), format!("params: {}", method.params)];
            let head = format!("async fn {}", method.ident);
            page.function(&head, &parameters, &format!("Result<{result}>"), |page| {
                page.line(if method.result.is_some() {
                    "Err(RequestError::internal_error())"
                } else {
                    "Ok(())"
                });
            });
        }
    });
    let block = page.finish();
    let methods = block.strip_prefix(" {\n").and_then(|block| block.strip_suffix("}\n"));
    template
        .replace("SIDES", &sides.join(" and "))
        .replace("SIDE", &side.ident)
        .replace("SNAKE", &side.snake)
        .replace("METHODS", methods.unwrap_or_default())
}
