//! A method, a type or a side, in full.

use std::fmt::Write as _;

use acp_bindgen::diagnostic::printable;
use acp_bindgen::ir::{
    Field, Handler, Method, MethodKind, Position, Protocol, Selector, Tuple, Type, TypeDef,
    TypeKind, Union,
};
use acp_bindgen::source::{Location, Sources};

use super::description::{docs, first_line};
use super::expression::{expression, field_name, field_type, kind};
use super::meaning;
use super::overview::remarks;
use super::select::Item;
use super::side;
use crate::cli::style::{Role, paint, width};

/// Describes methods, types and sides.
pub(super) fn describe(items: &[Item<'_>], protocol: &Protocol, sources: &Sources) -> String {
    let texts: Vec<String> = items
        .iter()
        .map(|item| match item {
            Item::Method(method) => describe_method(method, protocol, sources),
            Item::Type(def) => describe_type(def, protocol, sources),
            Item::Side(side) => side::describe(side, protocol),
        })
        .collect();
    texts.join("\n")
}

// In this file, writing to a string cannot fail.

fn describe_method(method: &Method, protocol: &Protocol, sources: &Sources) -> String {
    let way = way(method, protocol);
    let what = if method.is_request() { "request" } else { "notification" };
    let mut text = head(&method.name.wire, &format!("{way}   {what}"), &method.location, sources);
    text.push_str(&docs(&method.docs));
    let payloads: Vec<(&str, &Type)> = match &method.kind {
        MethodKind::Request { params, result } => vec![("params", params), ("result", result)],
        MethodKind::Notification { params } => vec![("params", params)],
    };
    let names: Vec<String> = payloads.iter().map(|(_, ty)| expression(ty)).collect();
    let width = width(&names);
    for ((position, ty), name) in payloads.iter().zip(&names) {
        let name = paint(Role::Name, format!("{name:width$}"));
        let line = format!("  {position}  {name}  {}", contents(ty, protocol));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let remarks = remarks(method, protocol);
    let remarks = Some(remarks).filter(|remarks| !remarks.is_empty());
    for line in remarks.into_iter().chain(meaning::of_method(method, protocol)) {
        let _ = writeln!(text, "  {}", paint(Role::Faint, line));
    }
    text
}

/// `client → agent`
fn way(method: &Method, protocol: &Protocol) -> String {
    match &method.handler {
        Handler::Side { name } => {
            let callers = protocol.callers(name);
            let callers: Vec<_> = callers.map(|side| printable(&side.name.wire)).collect();
            let callers = if callers.is_empty() { "its peer".into() } else { callers.join(", ") };
            format!("{callers} → {}", printable(name))
        }
        Handler::Either => "either side → the other".into(),
        Handler::Protocol => "either side → the other's connection".into(),
    }
}

/// Writes the fields of a payload on one line.
fn contents(ty: &Type, protocol: &Protocol) -> String {
    let Type::Named { name } = protocol.resolve(ty) else { return String::new() };
    let Some(def) = protocol.type_def(name) else { return String::new() };
    match &def.kind {
        TypeKind::Record(record) => fields_in_line(&record.fields, protocol),
        TypeKind::Union(union) => {
            let shared = fields_in_line(&union.shared, protocol);
            let separator = if shared.is_empty() { "" } else { " + " };
            format!("{shared}{separator}{}", kind(def))
        }
        TypeKind::Enum(_) | TypeKind::Tuple(_) | TypeKind::Alias { .. } => kind(def),
    }
}

fn fields_in_line(fields: &[Field], protocol: &Protocol) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|field| format!("{}: {}", field_name(field), field_type(field, protocol)))
        .collect();
    fields.join(", ")
}

fn describe_type(def: &TypeDef, protocol: &Protocol, sources: &Sources) -> String {
    let mut text = head(&def.name.wire, &kind(def), &def.location, sources);
    text.push_str(&docs(&def.docs));
    match &def.kind {
        TypeKind::Record(record) => text.push_str(&rows(field_rows(&record.fields, protocol))),
        TypeKind::Union(union) => {
            text.push_str(&rows(field_rows(&union.shared, protocol)));
            text.push_str(&rows(variant_rows(union)));
        }
        TypeKind::Enum(values) => {
            let known = values.values.iter().map(|value| {
                (printable(&value.value.to_string()).into_owned(), first_line(&value.docs))
            });
            let open = values.open.iter().map(|open| ("…".to_owned(), first_line(&open.docs)));
            text.push_str(&rows(known.chain(open)));
        }
        TypeKind::Tuple(tuple) => text.push_str(&rows(item_rows(tuple))),
        TypeKind::Alias { .. } => {}
    }
    for line in meaning::of_type(def) {
        let _ = writeln!(text, "  {}", paint(Role::Faint, line));
    }
    for role in &def.roles {
        let position = match role.position {
            Position::Params => "params",
            Position::Result => "result",
        };
        let line = format!("{position} of {}", printable(&role.method));
        let _ = writeln!(text, "  {}", paint(Role::Faint, line));
    }
    let users = protocol.types.values().flat_map(|user| {
        let mentions = user.kind.mentions().into_iter().filter(|(_, name)| *name == def.name.wire);
        mentions.map(|(member, _)| match member {
            None => printable(&user.name.wire).into_owned(),
            Some(member) => format!("{}.{}", printable(&user.name.wire), printable(member)),
        })
    });
    for user in users {
        let _ = writeln!(text, "  {}", paint(Role::Faint, format!("in {user}")));
    }
    text
}

fn field_rows<'a>(
    fields: &'a [Field],
    protocol: &'a Protocol,
) -> impl Iterator<Item = (String, String)> + 'a {
    fields.iter().map(|field| {
        let ty = field_type(field, protocol);
        let needed = with_remark(ty, &meaning::needed(&field.capabilities));
        (field_name(field), with_remark(needed, &meaning::forgiven(field)))
    })
}

fn item_rows(tuple: &Tuple) -> impl Iterator<Item = (String, String)> + '_ {
    let items = tuple.items.iter().enumerate().map(|(at, item)| {
        let mark = if at < tuple.required { "" } else { "?" };
        (format!("[{at}]{mark}"), expression(&item.ty))
    });
    let rest = tuple.rest.iter().map(|rest| ("[…]".to_owned(), expression(&rest.items)));
    items.chain(rest)
}

fn variant_rows(union: &Union) -> impl Iterator<Item = (String, String)> + '_ {
    let known = union.variants.iter().map(|variant| {
        let name = match &variant.selector {
            Selector::Tag { value } => serde_json::Value::from(value.as_str()).to_string(),
            Selector::Untagged => variant.name.wire.clone(),
        };
        let payload = variant.payload.as_ref().map(expression).unwrap_or_default();
        let remark = meaning::needed(&variant.capabilities);
        (printable(&name).into_owned(), with_remark(payload, &remark))
    });
    let open = union.open.iter().map(|open| {
        ("…".to_owned(), open.payload.as_ref().map_or_else(|| "kept raw".into(), expression))
    });
    known.chain(open)
}

fn with_remark(what: String, remark: &str) -> String {
    if remark.is_empty() { what } else { format!("{what}   {}", paint(Role::Faint, remark)) }
}

fn rows(rows: impl Iterator<Item = (String, String)>) -> String {
    let rows: Vec<(String, String)> = rows.collect();
    let width = width(rows.iter().map(|(name, _)| name));
    let mut text = String::new();
    for (name, what) in rows {
        let line = format!("  {name:width$}  {what}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// The first line: a name, what it is, and where the schema has it.
fn head(name: &str, what: &str, location: &Location, sources: &Sources) -> String {
    let source = sources.get(location.span.source).map_or("", |source| &source.label);
    let location = paint(Role::Faint, format!("{}:{}", printable(source), location.line));
    format!("{}   {what}   {location}\n", paint(Role::Heading, printable(name)))
}
