//! How unions become JSON and come from it.

use super::codec::{self, WRITE};
use crate::backend::rust::layout::Page;
use crate::backend::rust::literal;
use crate::backend::rust::model::{
    Kinds, OpenModel, Payload, Read, Shape, UnionModel, VariantModel,
};

/// Prints the codec of a union.
pub(super) fn print(page: &mut Page, union: &UnionModel) {
    page.gap();
    match union.shape {
        Shape::Object => {
            page.block(&format!("impl json::Record for {}", union.ident), |page| {
                codec::reading(page, "read", "reader", |page| read(page, union));
                page.gap();
                write(page, union);
            });
            page.gap();
            page.line(&format!("json::record!({});", union.ident));
        }
        Shape::Value => {
            page.block(&format!("impl json::Decode for {}", union.ident), |page| {
                codec::reading(page, "decode", "reader", |page| read(page, union));
            });
            page.gap();
            page.block(&format!("impl serde::Serialize for {}", union.ident), |page| {
                serialize(page, union);
            });
            page.gap();
            page.line(&format!("json::value!({});", union.ident));
        }
    }
}

fn read(page: &mut Page, union: &UnionModel) {
    codec::helpers(page, &union.helpers);
    match &union.tag {
        Some(property) => by_tag(page, union, &literal::string(property)),
        None if union.shape == Shape::Value => by_kind(page, union),
        None => {
            let untagged: Vec<_> = union.variants.iter().collect();
            by_shape(page, union, &untagged);
        }
    }
}

/// Reads a variant by its tag, and where no tag matches, the others in order.
fn by_tag(page: &mut Page, union: &UnionModel, property: &str) {
    let untagged: Vec<(usize, &VariantModel)> =
        union.variants.iter().enumerate().filter(|(_, it)| it.tag.is_none()).collect();
    let more = !untagged.is_empty() || union.open.is_some();
    let object = union.shape == Shape::Object;
    let tags: Vec<String> =
        union.variants.iter().filter_map(|it| it.tag.as_deref()).map(literal::string).collect();
    if !more && object {
        page.array("const TAGS: &[&str] = &", &tags, ";");
    }
    if more || !object || union.variants.iter().any(restarts) {
        page.line("let start = reader.mark();");
    }
    if object {
        page.line(&format!("let tag = reader.tag({property})?;"));
        tagged(page, union, property, more);
        if !more {
            return;
        }
    } else {
        page.line("let mut tag = None;");
        page.block("if reader.peek()? == json::Kind::Object", |page| {
            page.line("reader.open_object()?;");
            page.line(&format!("tag = reader.tag({property})?;"));
            tagged(page, union, property, true);
        });
    }
    let Some(open) = &union.open else {
        by_shape(page, union, &untagged.iter().map(|(_, it)| *it).collect::<Vec<_>>());
        return;
    };
    for (_, variant) in untagged.iter().filter(|(at, _)| *at < open.position) {
        attempt(page, union, variant);
    }
    read_open(page, union, open, property);
    for (_, variant) in untagged.iter().filter(|(at, _)| *at >= open.position) {
        attempt(page, union, variant);
    }
    if untagged.is_empty() && object {
        page.line(&format!("Err(reader.bad_tag({property}, None, &[]))"));
    } else {
        fail(page, union);
    }
}

/// Whether a variant looks for a tag of its own, from the start of the object.
fn restarts(variant: &VariantModel) -> bool {
    variant.tag.is_some()
        && variant.payload.as_ref().is_some_and(|payload| payload.is_union || !payload.is_object)
}

/// The match on the tag. If other variants may follow, its arms return.
fn tagged(page: &mut Page, union: &UnionModel, property: &str, more: bool) {
    page.block("match tag.as_deref()", |page| {
        for variant in &union.variants {
            let Some(tag) = &variant.tag else { continue };
            let pattern = format!("Some({})", literal::string(tag));
            let whole = whole(union, variant);
            if restarts(variant) {
                page.block(&format!("{pattern} =>"), |page| {
                    page.line("reader.restore(start);");
                    page.line(&if more { format!("return {whole};") } else { whole });
                });
            } else if more {
                page.arm(&pattern, &format!("return {whole}"), true);
            } else {
                page.arm(&pattern, &whole, false);
            }
        }
        if more {
            page.line("_ => reader.restore(start),");
        } else {
            let body = format!("Err(reader.bad_tag({property}, tag, TAGS))");
            page.arm("tag", &body, false);
        }
    });
}

/// Reads one of several variants, the first that fits. A single one says itself what is wrong.
fn by_shape(page: &mut Page, union: &UnionModel, variants: &[&VariantModel]) {
    if let [variant] = variants {
        page.line(&whole(union, variant));
        return;
    }
    for variant in variants {
        attempt(page, union, variant);
        if variant.payload.is_none() && !variant.is_null {
            return;
        }
    }
    fail(page, union);
}

/// Reads one of several variants, told apart by the kind of JSON where that is possible.
fn by_kind(page: &mut Page, union: &UnionModel) {
    let mut arms: Vec<(Vec<&VariantModel>, Vec<&str>)> = Vec::new();
    for (kind, name) in Kinds::EACH {
        let fits = |variant: &&VariantModel| variant.kinds.meets(kind);
        let variants: Vec<&VariantModel> = union.variants.iter().filter(fits).collect();
        let same = |(others, _): &&mut (Vec<&VariantModel>, Vec<&str>)| {
            others.iter().map(|it| &it.ident).eq(variants.iter().map(|it| &it.ident))
        };
        match arms.iter_mut().find(same) {
            Some((_, names)) => names.push(name),
            None => arms.push((variants, vec![name])),
        }
    }
    if let [(variants, _)] = arms.as_slice() {
        by_shape(page, union, variants);
        return;
    }
    let exhaustive = arms.iter().all(|(variants, _)| !variants.is_empty());
    let most = arms.iter().map(|(_, names)| names.len()).max().filter(|_| exhaustive);
    // The arm of the most kinds goes last, as the one for all the rest.
    arms.sort_by_key(|(_, names)| Some(names.len()) == most);
    let last = arms.len() - 1;
    page.block("match reader.peek()?", |page| {
        for (index, (variants, names)) in arms.iter().enumerate() {
            if variants.is_empty() {
                continue;
            }
            let names: Vec<String> =
                names.iter().map(|name| format!("json::Kind::{name}")).collect();
            let is_rest = exhaustive && index == last && names.len() > 1;
            let pattern = if is_rest { String::from("_") } else { names.join(" | ") };
            if let [variant] = variants.as_slice() {
                page.arm(&pattern, &whole(union, variant), false);
            } else {
                page.block(&format!("{pattern} =>"), |page| by_shape(page, union, variants));
            }
        }
        if !exhaustive {
            page.arm_call("_", refusal(union), &[literal::string(&union.expected)], "");
        }
    });
}

/// Reads a variant for good.
fn whole(union: &UnionModel, variant: &VariantModel) -> String {
    let ident = &variant.ident;
    match &variant.payload {
        Some(payload) => {
            format!("{}(reader).map(Self::{ident})", function(union, variant, payload))
        }
        None if variant.is_null => {
            format!("json::Decode::decode(reader).map(|()| Self::{ident})")
        }
        None if union.shape == Shape::Object || variant.tag.is_some() => {
            format!("reader.skip_rest().map(|()| Self::{ident})")
        }
        None => format!("reader.skip().map(|()| Self::{ident})"),
    }
}

/// The function that reads a payload.
fn function(union: &UnionModel, variant: &VariantModel, payload: &Payload) -> String {
    let within = union.shape == Shape::Object || variant.tag.is_some();
    match &payload.read {
        Read::Plainly if payload.is_object && within => String::from("json::Record::read"),
        read => read.function(),
    }
}

/// Tries a variant.
fn attempt(page: &mut Page, union: &UnionModel, variant: &VariantModel) {
    let ident = &variant.ident;
    if variant.is_null {
        page.block("if reader.null()?", |page| page.line(&format!("return Ok(Self::{ident});")));
        return;
    }
    let Some(payload) = &variant.payload else {
        page.line(&whole(union, variant));
        return;
    };
    let function = function(union, variant, payload);
    page.block(&format!("if let Some(payload) = reader.attempt({function})"), |page| {
        page.line(&format!("return Ok(Self::{ident}(payload));"));
    });
}

fn read_open(page: &mut Page, union: &UnionModel, open: &OpenModel, property: &str) {
    page.block("if let Some(tag) = &tag", |page| {
        if union.shape == Shape::Value {
            page.line("reader.open_object()?;");
        }
        if let Some(payload) = &open.payload {
            page.line(&format!("reader.check::<{payload}>()?;"));
        }
        let shared: Vec<String> = union.shared.iter().map(|name| literal::string(name)).collect();
        page.array("let shared = &", &shared, ";");
        let arguments = ["reader", property, "tag", "shared"].map(String::from);
        page.call("let payload = ", "UnknownVariant::read", &arguments, "?;");
        page.line(&format!("return Ok(Self::{}(payload));", open.ident));
    });
}

/// Says that nothing fits.
fn fail(page: &mut Page, union: &UnionModel) {
    page.call("", refusal(union), &[literal::string(&union.expected)], "");
}

/// The function that says so.
fn refusal(union: &UnionModel) -> &'static str {
    match union.shape {
        Shape::Value => "reader.refuse",
        Shape::Object => "json::refuse_object",
    }
}

/// Prints the function that writes members.
fn write(page: &mut Page, union: &UnionModel) {
    let empty = union.variants.is_empty() && union.open.is_none();
    let object = if empty { "_object: &mut M" } else { "object: &mut M" };
    let parameters = [String::from("&self"), String::from(object)];
    page.function(WRITE, &parameters, "Result<(), M::Error>", |page| {
        arms(page, union, |variant, tag| match (&variant.payload, tag) {
            (Some(_), Some([property, tag])) => {
                call("json::put_tagged", &["object", property, tag, "payload"])
            }
            (Some(_), None) => call("json::Record::write", &["payload", "object"]),
            (None, Some([property, tag])) => call("json::put", &["object", property, tag]),
            (None, None) => call("Ok", &["()"]),
        });
    });
}

/// Prints the function that writes a value.
fn serialize(page: &mut Page, union: &UnionModel) {
    let parameters = [String::from("&self"), String::from("serializer: S")];
    let head = "fn serialize<S: serde::Serializer>";
    page.function(head, &parameters, "Result<S::Ok, S::Error>", |page| {
        arms(page, union, |variant, tag| match (&variant.payload, tag) {
            (Some(payload), Some([property, tag])) if payload.is_object => {
                call("json::serialize_tagged", &["serializer", property, tag, "payload"])
            }
            (None, Some([property, tag])) => {
                call("json::serialize_tagged", &["serializer", property, tag, "&json::NoMembers"])
            }
            (Some(_), _) => call("serde::Serialize::serialize", &["payload", "serializer"]),
            (None, None) => call("serde::Serialize::serialize", &["&()", "serializer"]),
        });
    });
}

/// A function and its arguments.
type Call = (String, Vec<String>);

fn call(function: &str, arguments: &[&str]) -> Call {
    (function.to_owned(), arguments.iter().map(|argument| String::from(*argument)).collect())
}

/// Matches on the variant. What is done for one is a call, given its tag's property and value.
fn arms(
    page: &mut Page,
    union: &UnionModel,
    body: impl Fn(&VariantModel, Option<[&str; 2]>) -> Call,
) {
    if union.variants.is_empty() && union.open.is_none() {
        page.line("match *self {}");
        return;
    }
    page.block("match self", |page| {
        for variant in &union.variants {
            let tag = variant.tag.as_deref().zip(union.tag.as_deref());
            let tag = tag.map(|(tag, name)| [literal::string(name), literal::string(tag)]);
            let tag = tag.as_ref().map(|[name, tag]| [name.as_str(), tag.as_str()]);
            let payload = if variant.payload.is_some() { "(payload)" } else { "" };
            let (function, arguments) = body(variant, tag);
            page.arm_call(&format!("Self::{}{payload}", variant.ident), &function, &arguments, "");
        }
        if let Some(open) = &union.open {
            let (function, arguments) = match union.shape {
                Shape::Object => call("payload.write", &["object"]),
                Shape::Value => call("serde::Serialize::serialize", &["payload", "serializer"]),
            };
            page.arm_call(&format!("Self::{}(payload)", open.ident), &function, &arguments, "");
        }
    });
}
