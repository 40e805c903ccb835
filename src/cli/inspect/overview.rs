//! All methods and types, as a table.

use acp_bindgen::diagnostic::printable;
use acp_bindgen::ir::{Docs, Extensions, Method, MethodKind, Protocol, RemoteScope, Stability};

use super::expression::{expression, handler_words, kind};
use crate::cli::style::{Role, paint, width};
use crate::cli::summary::{count, title};

/// The table.
pub(super) fn table(protocol: &Protocol) -> String {
    let mut text = title(protocol);
    for handler in protocol.handlers() {
        let methods: Vec<&Method> = protocol.methods_of(&handler).collect();
        if methods.is_empty() {
            continue;
        }
        let handler = handler_words(&handler);
        let heading = format!("{} handled by {handler}", count(methods.len(), "method"));
        text.push_str(&format_section(
            &heading,
            methods.iter().map(|method| method_row(method, protocol)),
        ));
    }
    if let Some(extensions) = &protocol.extensions {
        text.push_str(&format_section(
            "methods that the schema does not name, on each side",
            extension_rows(extensions),
        ));
    }
    let types = protocol.types.values().map(|def| {
        let name = printable(&def.name.wire).into_owned();
        [name, kind(def), status(&def.docs).unwrap_or_default().to_owned()]
    });
    text + &format_section(&count(protocol.types.len(), "type"), types)
}

fn extension_rows(extensions: &Extensions) -> impl Iterator<Item = [String; 3]> {
    let any = || "any other".to_owned();
    let requests = extensions.requests().map(|(params, result)| {
        [any(), format!("{} → {}", expression(params), expression(result)), String::new()]
    });
    let notifications = extensions.notification.as_ref();
    let notifications =
        notifications.map(|params| [any(), expression(params), "notification".to_owned()]);
    requests.into_iter().chain(notifications)
}

fn method_row(method: &Method, protocol: &Protocol) -> [String; 3] {
    let payload = match &method.kind {
        MethodKind::Request { params, result } => {
            format!("{} → {}", expression(params), expression(result))
        }
        MethodKind::Notification { params } => expression(params),
    };
    [printable(&method.name.wire).into_owned(), payload, remarks(method, protocol)]
}

/// Lists what a caller or an implementer has to know beside the types.
pub(super) fn remarks(method: &Method, protocol: &Protocol) -> String {
    let mut remarks = Vec::new();
    if !method.is_request() {
        remarks.push("notification".to_owned());
    }
    if method.optional {
        remarks.push("optional".to_owned());
    }
    if let Some(capability) = &method.capability {
        remarks.push(format!("if {}", printable(&capability.join("."))));
    }
    if method.lifecycle {
        remarks.push("never in a batch".to_owned());
    }
    if method.stream.is_some() {
        remarks.push("in pieces".to_owned());
    }
    match protocol.remote_scope(method) {
        Some(RemoteScope::Session) => remarks.push("in a session".to_owned()),
        Some(RemoteScope::OpensSession) => remarks.push("opens a session".to_owned()),
        Some(RemoteScope::Connection) | None => {}
    }
    remarks.extend(status(&method.docs).map(String::from));
    remarks.join(", ")
}

fn status(docs: &Docs) -> Option<&'static str> {
    match (docs.deprecated, docs.stability) {
        (true, _) => Some("deprecated"),
        (false, Stability::Unstable) => Some("unstable"),
        (false, Stability::Stable) => None,
    }
}

/// A heading and rows of three columns.
fn format_section(heading: &str, rows: impl Iterator<Item = [String; 3]>) -> String {
    let rows: Vec<[String; 3]> = rows.collect();
    let [first, second] = [0, 1].map(|column| width(rows.iter().map(|row| &row[column])));
    let mut text = format!("\n{}\n", paint(Role::Heading, heading));
    for [name, what, remark] in &rows {
        let name = paint(Role::Name, format!("{name:first$}"));
        let line = if remark.is_empty() {
            format!("  {name}  {what}")
        } else {
            format!("  {name}  {what:second$}  {}", paint(Role::Faint, remark))
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}
