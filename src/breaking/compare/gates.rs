//! The capabilities without which something is not sent.

use crate::ir::{Handler, Method, NeededCapability, Protocol};

/// The capability that a method needs, from the payload that carries it.
pub(super) fn method_gate(protocol: &Protocol, method: &Method) -> Option<String> {
    let path = method.capability.as_ref()?;
    let Handler::Side { name } = &method.handler else { return Some(path.join(".")) };
    Some(capability(protocol, name, path))
}

/// The capability without which nobody sends a part of a payload, from the payload that tells it.
pub(super) fn gate(protocol: &Protocol, needed: &[NeededCapability]) -> Option<String> {
    let paths = needed.iter().map(|it| capability(protocol, &it.side, &it.path));
    (!needed.is_empty()).then(|| paths.collect::<Vec<_>>().join(", "))
}

/// A capability of a side, from the payload that tells it.
fn capability(protocol: &Protocol, side: &str, path: &[String]) -> String {
    let path = path.join(".");
    let at = protocol.side(side).and_then(|side| side.capabilities.as_ref());
    at.map_or_else(|| path.clone(), |at| format!("{}.{path}", at.property.wire))
}
