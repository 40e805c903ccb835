//! The capabilities without which something is not sent.

use crate::ir::{Handler, Method, NeededCapability, Position, Protocol, Type};

/// A capability without which something is not sent.
#[derive(Clone, Debug)]
pub(in crate::breaking) struct Gate {
    /// Its path, from the payload that tells it.
    pub(in crate::breaking) path: String,
    /// True if a peer of the other schema can tell it, too.
    pub(super) is_told: bool,
}

impl Gate {
    /// The gate of a part of a payload.
    pub(super) fn new(
        protocol: &Protocol,
        other: &Protocol,
        needed: &[NeededCapability],
    ) -> Option<Self> {
        let has = |it: &NeededCapability| has_capability(other, &it.side, &it.path);
        Some(Self { path: gate(protocol, needed)?, is_told: needed.iter().all(has) })
    }

    /// The gate of a method.
    pub(super) fn of_method(
        protocol: &Protocol,
        other: &Protocol,
        method: &Method,
    ) -> Option<Self> {
        let is_told = match (&method.handler, &method.capability) {
            (Handler::Side { name }, Some(path)) => has_capability(other, name, path),
            _ => false,
        };
        Some(Self { path: method_gate(protocol, method)?, is_told })
    }
}

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

/// Tells whether a schema has a place for a capability of a side.
fn has_capability(protocol: &Protocol, side: &str, path: &[String]) -> bool {
    let found = || {
        let at = protocol.side(side)?.capabilities.as_ref()?;
        let method = protocol.request(&at.method)?;
        let mut ty: &Type = match at.position {
            Position::Params => method.params(),
            Position::Result => method.result()?,
        };
        for name in std::iter::once(&at.property.wire).chain(path) {
            let ty_of = |ty| protocol.fields(ty).iter().find(|field| field.name.wire == *name);
            ty = &ty_of(ty)?.ty;
        }
        Some(())
    };
    found().is_some()
}

/// A capability of a side, from the payload that tells it.
fn capability(protocol: &Protocol, side: &str, path: &[String]) -> String {
    let path = path.join(".");
    let at = protocol.side(side).and_then(|side| side.capabilities.as_ref());
    at.map_or_else(|| path.clone(), |at| format!("{}.{path}", at.property.wire))
}
