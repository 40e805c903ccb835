//! Enums of constants.

use crate::backend::rust::layout::Page;
use crate::backend::rust::model::EnumModel;

/// Prints an enum, after its doc comment.
pub(super) fn print(page: &mut Page, ident: &str, values: &EnumModel) {
    let is_open = values.open.is_some();
    let copy = if is_open && values.integer.is_none() { "Clone" } else { "Clone, Copy" };
    page.line(&format!("#[derive({copy}, Debug, PartialEq, Eq, Hash)]"));
    page.line("#[non_exhaustive]");
    page.block(&format!("pub enum {ident}"), |page| {
        for value in &values.values {
            page.lines(&value.docs);
            page.line(&format!("{},", value.ident));
        }
        if let Some((open, docs)) = &values.open {
            page.lines(docs);
            page.line(&format!("{open}({}),", values.integer.unwrap_or("String")));
        }
    });
    page.gap();
    page.block(&format!("impl {ident}"), |page| {
        let all: Vec<String> =
            values.values.iter().map(|value| format!("Self::{}", value.ident)).collect();
        page.line("/// All known values.");
        page.array("pub const ALL: &'static [Self] = &", &all, ";");
        page.gap();
        page.line("/// The value in messages.");
        let (head, parameter, returns) = match values.integer {
            Some(integer) => ("pub fn value", "self", integer),
            None => ("pub fn as_str", "&self", "&str"),
        };
        page.function(head, &[String::from(parameter)], returns, |page| {
            page.block("match self", |page| {
                for value in &values.values {
                    page.arm(&format!("Self::{}", value.ident), &value.literal, false);
                }
                if let Some((open, _)) = &values.open {
                    page.arm(&format!("Self::{open}(value)"), "value", false);
                }
            });
        });
    });
    page.gap();
    let open = values.open.as_ref().map(|(open, _)| format!(", {open}"));
    let open = open.unwrap_or_default();
    let name = if is_open { "open" } else { "closed" };
    match values.integer {
        Some(integer) => {
            page.line(&format!("json::{name}_number_enum!({ident}, {integer}{open});"));
        }
        None => page.line(&format!("json::{name}_enum!({ident}{open});")),
    }
}
