//! Structs: their fields, constructor and setters.

use super::union;
use crate::backend::rust::layout::{Field, Page};
use crate::backend::rust::model::{CompositeModel, FieldModel, Parameter, RecordModel, Slot};

/// Prints a record, after its doc comment.
pub(super) fn print(page: &mut Page, ident: &str, record: &RecordModel) {
    let derives_default = record.derives_default();
    head(page, derives_default);
    structure(page, ident, record, None);
    page.gap();
    page.block(&format!("impl {ident}"), |page| {
        constructor(page, record, None);
        setters(page, record);
    });
    if record.is_defaultable() && !derives_default {
        page.gap();
        page.block(&format!("impl Default for {ident}"), |page| {
            page.function("fn default", &[], "Self", |page| made(page, record, None));
        });
    }
}

/// Prints a record of which one field holds a union that shares its JSON object, and that union.
pub(super) fn composite(page: &mut Page, ident: &str, composite: &CompositeModel) {
    let kind = Some((composite.field.as_str(), composite.union.ident.as_str()));
    head(page, false);
    structure(page, ident, &composite.record, kind);
    page.gap();
    page.block(&format!("impl {ident}"), |page| {
        constructor(page, &composite.record, kind);
        setters(page, &composite.record);
    });
    page.gap();
    page.line(&format!("/// What a [`{ident}`] has beside its own fields."));
    union::print(page, &composite.union);
}

fn head(page: &mut Page, default: bool) {
    let default = if default { ", Default" } else { "" };
    page.line(&format!("#[derive(Clone, Debug{default}, PartialEq)]"));
    page.line("#[non_exhaustive]");
}

/// A field that holds a union, and the union.
type Kind<'a> = Option<(&'a str, &'a str)>;

fn structure(page: &mut Page, ident: &str, record: &RecordModel, kind: Kind<'_>) {
    page.block(&format!("pub struct {ident}"), |page| {
        for field in stored(record) {
            page.lines(&field.docs);
            page.line(&format!("pub {}: {},", field.ident, field.ty()));
        }
        if let Some((field, ty)) = kind {
            page.line(&format!("pub {field}: {ty},"));
        }
    });
}

/// The fields that the struct has: those that are not constant.
fn stored(record: &RecordModel) -> impl Iterator<Item = &FieldModel> {
    record.fields.iter().filter(|field| !matches!(field.slot, Slot::Constant(_)))
}

fn constructor(page: &mut Page, record: &RecordModel, kind: Kind<'_>) {
    let mut parameters: Vec<String> =
        record.required().map(|field| field.parameter.declaration()).collect();
    if let Some((field, ty)) = kind {
        parameters.push(Parameter::new(field, ty).declaration());
    }
    if parameters.is_empty() {
        page.line("/// One with nothing set.");
    } else {
        page.line("/// One with what is required.");
    }
    page.function("pub fn new", &parameters, "Self", |page| {
        // A setter may be called `default`.
        if parameters.is_empty() && record.fields.iter().all(|field| field.setter != "default") {
            page.line("Self::default()");
        } else {
            made(page, record, kind);
        }
    });
}

/// The literal of a struct whose required fields are parameters.
fn made(page: &mut Page, record: &RecordModel, kind: Kind<'_>) {
    let mut fields: Vec<Field> = stored(record)
        .map(|field| {
            let value = match &field.slot {
                Slot::Required => boxed(field, &field.parameter.converted()),
                Slot::Defaulted(default) => default.code.clone(),
                Slot::Optional | Slot::Constant(_) => String::from("None"),
                Slot::Patch => String::from("Patch::Absent"),
            };
            member(&field.ident, &value)
        })
        .collect();
    if let Some((field, ty)) = kind {
        fields.push(member(field, &Parameter::new(field, ty).converted()));
    }
    page.literal("", "Self", &fields, "");
}

/// `name: value`, or `name` where they are the same.
fn member(ident: &str, value: &str) -> Field {
    if ident == value {
        Field::Plain(ident.to_owned())
    } else {
        Field::Plain(format!("{ident}: {value}"))
    }
}

fn boxed(field: &FieldModel, value: &str) -> String {
    if field.boxed { format!("Box::new({value})") } else { value.to_owned() }
}

fn setters(page: &mut Page, record: &RecordModel) {
    for field in stored(record) {
        let Some((name, code)) = &field.maker else { continue };
        let signature = format!("pub(super) fn {name}");
        page.gap();
        let made = field.held();
        let returns = made.strip_prefix("Option<").and_then(|ty| ty.strip_suffix('>'));
        page.function(&signature, &[], returns.unwrap_or(&made), |page| {
            match code.split_once('(') {
                Some((callee, argument)) if !callee.contains('!') => {
                    let argument = argument.strip_suffix(')').unwrap_or(argument);
                    page.call("", callee, &[argument.to_owned()], "");
                }
                _ => page.line(code),
            }
        });
    }
    for field in stored(record).filter(|field| field.slot != Slot::Required) {
        let value = boxed(field, &field.parameter.converted());
        let signature = format!("pub fn {}", field.setter);
        let parameters = [String::from("mut self"), field.parameter.declaration()];
        page.gap();
        page.line("#[must_use]");
        page.function(&signature, &parameters, "Self", |page| {
            let target = format!("self.{} = ", field.ident);
            match &field.slot {
                Slot::Optional => page.call(&target, "Some", &[value], ";"),
                Slot::Patch => page.call(&target, "Patch::Value", &[value], ";"),
                _ => page.line(&format!("{target}{value};")),
            }
            page.line("self");
        });
    }
}
