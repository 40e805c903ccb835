//! Enums with payloads: their variants, constructors, accessors and conversions.

use crate::backend::rust::layout::Page;
use crate::backend::rust::model::{OpenModel, Parameter, Payload, UnionModel, VariantModel};

/// Prints a union, after its doc comment.
pub(super) fn print(page: &mut Page, union: &UnionModel) {
    let ident = &union.ident;
    page.line("#[derive(Clone, Debug, PartialEq)]");
    page.line("#[non_exhaustive]");
    page.block(&format!("pub enum {ident}"), |page| {
        for variant in &union.variants {
            page.lines(&variant.docs);
            match &variant.payload {
                Some(payload) => page.line(&format!("{}({}),", variant.ident, held(payload))),
                None => page.line(&format!("{},", variant.ident)),
            }
        }
        if let Some(open) = &union.open {
            page.lines(&open.docs);
            page.line(&format!("{}(UnknownVariant),", open.ident));
        }
    });
    if union.variants.is_empty() && union.open.is_none() {
        return;
    }
    page.gap();
    page.block(&format!("impl {ident}"), |page| {
        let single = union.variants.len() + usize::from(union.open.is_some()) == 1;
        for variant in &union.variants {
            page.gap();
            constructor(page, variant);
        }
        if let (Some(open), Some(tag)) = (&union.open, &union.tag) {
            page.gap();
            open_constructor(page, open, tag);
        }
        for variant in &union.variants {
            if let Some(payload) = &variant.payload {
                page.gap();
                accessor(page, &variant.accessor, &variant.ident, &payload.ty, single);
            }
        }
        if let Some(open) = &union.open {
            page.gap();
            accessor(page, &open.accessor, &open.ident, "UnknownVariant", single);
        }
    });
    for variant in union.variants.iter().filter(|variant| variant.is_unique) {
        if let Some(payload) = &variant.payload {
            conversions(page, ident, variant, payload);
        }
    }
}

/// The payload's type, in its box.
fn held(payload: &Payload) -> String {
    if payload.boxed { format!("Box<{}>", payload.ty) } else { payload.ty.clone() }
}

fn constructor(page: &mut Page, variant: &VariantModel) {
    let head = format!("pub fn {}", variant.constructor);
    let parameters: Vec<String> = variant.parameters.iter().map(Parameter::declaration).collect();
    page.function(&head, &parameters, "Self", |page| {
        let Some(payload) = &variant.payload else {
            page.line(&format!("Self::{}", variant.ident));
            return;
        };
        let (open, close) = if payload.boxed { ("(Box::new(", "))") } else { ("(", ")") };
        let before = format!("Self::{}{open}", variant.ident);
        if variant.has_constructor {
            let arguments: Vec<String> =
                variant.parameters.iter().map(|parameter| parameter.ident.clone()).collect();
            let callee = format!("{}::new", payload.ty);
            if page.nests(&before, &callee, &arguments, close) {
                page.call(&before, &callee, &arguments, close);
            } else {
                page.call("let payload = ", &callee, &arguments, ";");
                page.line(&format!("{before}payload{close}"));
            }
        } else {
            let value = variant.parameters.iter().map(Parameter::converted);
            page.line(&format!("{before}{}{close}", value.collect::<String>()));
        }
    });
}

fn open_constructor(page: &mut Page, open: &OpenModel, tag: &str) {
    let tag = crate::backend::rust::literal::string(tag);
    let head = format!("pub fn {}", open.constructor);
    let parameters =
        [String::from("tag: impl Into<String>"), String::from("members: json::Object")];
    page.function(&head, &parameters, "Self", |page| {
        let arguments = [tag, String::from("tag"), String::from("members")];
        let before = format!("Self::{}(", open.ident);
        page.call(&before, "UnknownVariant::new", &arguments, ")");
    });
}

fn accessor(page: &mut Page, name: &str, variant: &str, ty: &str, single: bool) {
    let head = format!("pub fn {name}");
    let (ty, star) = lent(ty);
    page.function(&head, &[String::from("&self")], &format!("Option<{ty}>"), |page| {
        let some = format!("Some({star}payload)");
        if single {
            page.line(&format!("let Self::{variant}(payload) = self;"));
            page.line(&some);
            return;
        }
        page.block_with(&format!("if let Self::{variant}(payload) = self"), "} else {", |page| {
            page.line(&some);
        });
        page.rest("None");
    });
}

/// How a payload is lent: its type, and the star that copies it where it is only a number.
fn lent(ty: &str) -> (String, &'static str) {
    match ty {
        _ if Parameter::is_copied(ty) => (ty.to_owned(), "*"),
        "String" => (String::from("&str"), ""),
        _ => match ty.strip_prefix("Vec<").and_then(|rest| rest.strip_suffix('>')) {
            Some(item) => (format!("&[{item}]"), ""),
            None => (format!("&{ty}"), ""),
        },
    }
}

fn conversions(page: &mut Page, ident: &str, variant: &VariantModel, payload: &Payload) {
    let ty = &payload.ty;
    let value = if payload.boxed { "Box::new(payload)" } else { "payload" };
    page.gap();
    page.block(&format!("impl From<{ty}> for {ident}"), |page| {
        page.function("fn from", &[format!("payload: {ty}")], "Self", |page| {
            page.line(&format!("Self::{}({value})", variant.ident));
        });
    });
    if ty == "String" {
        page.gap();
        page.block(&format!("impl From<&str> for {ident}"), |page| {
            page.function("fn from", &[String::from("payload: &str")], "Self", |page| {
                page.line(&format!("Self::{}(payload.to_owned())", variant.ident));
            });
        });
    }
}
