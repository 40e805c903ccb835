//! Constructors for the errors of the protocol.

use crate::backend::rust::layout::Page;
use crate::backend::rust::literal;
use crate::backend::rust::model::{EnumModel, Model, TypeModelKind};

/// The codes that JSON-RPC defines or that the runtime has constructors for.
const OWN_CODES: [&str; 6] = ["-32_700", "-32_600", "-32_601", "-32_602", "-32_603", "-32_800"];

/// The functions that the runtime's error has.
const OWN_FUNCTIONS: [&str; 8] = [
    "new",
    "data",
    "parse_error",
    "invalid_request",
    "method_not_found",
    "invalid_params",
    "internal_error",
    "request_cancelled",
];

/// The enum of error codes, if the protocol has one: an enum of integers among which are those of
/// JSON-RPC.
pub(super) fn codes(model: &Model) -> Option<(&str, &EnumModel)> {
    model.types.iter().find_map(|ty| match &ty.kind {
        TypeModelKind::Enum(values) if values.integer == Some("i32") => {
            let has = |code: &str| values.values.iter().any(|value| value.literal == code);
            (has("-32_601") && has("-32_602")).then_some((ty.ident.as_str(), values))
        }
        _ => None,
    })
}

/// A function for each code that JSON-RPC does not have itself.
pub(super) fn errors(model: &Model) -> Option<String> {
    let (ident, values) = codes(model)?;
    let mut page = Page::new();
    page.line("//! The errors of the protocol.");
    page.gap();
    page.line("use super::rpc::RequestError;");
    page.line(&format!("use super::types::{ident};"));
    page.gap();
    page.block("impl RequestError", |page| {
        for value in &values.values {
            let is_own = OWN_CODES.contains(&value.literal.as_str())
                || OWN_FUNCTIONS.contains(&value.snake.as_str());
            if is_own {
                continue;
            }
            page.gap();
            let code = value.literal.replace('_', "");
            page.line(&format!("/// An error with [`{ident}::{}`]: {code}.", value.ident));
            page.function(&format!("pub fn {}", value.snake), &[], "Self", |page| {
                let message = value.snake.trim_start_matches("r#").replace('_', " ");
                let (first, rest) = message.split_at(1);
                let message = literal::string(&(first.to_ascii_uppercase() + rest));
                let arguments = [format!("{ident}::{}", value.ident), message];
                page.call("", "Self::new", &arguments, "");
            });
        }
    });
    Some(page.finish())
}
