//! A side: what it handles, and who is at its other end.

use std::fmt::Write as _;

use acp_bindgen::diagnostic::printable;
use acp_bindgen::ir::{Extensions, Position, Protocol, Side, Type};

use super::description::docs;
use super::expression::expression;
use crate::cli::style::{Role, paint};

/// Describes a side.
pub(super) fn describe(side: &Side, protocol: &Protocol) -> String {
    let name = printable(&side.name.wire);
    let others: Vec<_> =
        protocol.other_ends(side).map(|other| printable(&other.name.wire)).collect();
    let name = paint(Role::Heading, name);
    let mut text = format!("{name}   side, connected to {}\n", others.join(" or "));
    text.push_str(&docs(&side.docs));
    let handled = protocol.handled_by(&side.name.wire);
    let handled: Vec<_> = handled.map(|method| printable(&method.name.wire)).collect();
    // Writing to a string cannot fail.
    if !handled.is_empty() {
        let _ = writeln!(text, "  handles  {}", handled.join(", "));
    }
    for (what, payload, about) in extensions(side, protocol) {
        let _ = writeln!(text, "  other {what}  {}", paint(Role::Name, payload));
        text.push_str(&about);
    }
    if let Some(location) = &side.capabilities {
        let position = match location.position {
            Position::Params => "params",
            Position::Result => "result",
        };
        let (property, method) = (&location.property.wire, &location.method);
        let line = format!("says what it can do in {property} of the {position} of {method}");
        let _ = writeln!(text, "  {}", paint(Role::Faint, printable(&line)));
    }
    text
}

/// The messages that it handles and whose methods the schema does not name: what they are, what
/// they carry, and what the schema says of them.
fn extensions(side: &Side, protocol: &Protocol) -> Vec<(&'static str, String, String)> {
    let extensions = protocol.extensions.iter();
    let requests = extensions.clone().filter_map(Extensions::requests).map(|(params, result)| {
        let payload = format!("{} → {}", expression(params), expression(result));
        ("requests", payload, docs(&side.extensions.request))
    });
    let notifications = extensions.filter_map(|it| it.notification.as_ref());
    let notifications = notifications.map(|params: &Type| {
        ("notifications", expression(params), docs(&side.extensions.notification))
    });
    requests.chain(notifications).collect()
}
