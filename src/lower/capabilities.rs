//! Capabilities: where a side tells what it can do, and what gates each method.

use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{CapabilityLocation, Field, Handler, Method, Name, Protocol, TypeRole};
use crate::source::Location;

/// A property annotated with `x-capabilities`.
#[derive(Clone, Debug)]
pub(super) struct CapabilityMark {
    pub(super) side: String,
    /// The type that has the property.
    pub(super) owner: String,
    pub(super) property: Name,
    pub(super) location: Location,
}

/// Ties marks to sides, and checks that every gate leads to a capability that exists.
pub(super) fn locate(
    protocol: &mut Protocol,
    marks: &[CapabilityMark],
    diagnostics: &mut Diagnostics,
) {
    for mark in marks {
        let role = protocol.types.get(&mark.owner).and_then(|def| def.roles.first());
        let location = role.map(|role| CapabilityLocation {
            method: role.method.clone(),
            position: role.position,
            property: mark.property.clone(),
        });
        let side = protocol.sides.iter_mut().find(|side| side.name.wire == mark.side);
        match (side, location) {
            (Some(side), Some(location)) => side.capabilities = Some(location),
            (None, _) => diagnostics.push(
                Diagnostic::error("unknown-side", format!("`{}` is not a side of this protocol", mark.side))
                    .at(mark.location.clone())
                    .help("`x-capabilities` names the side whose capabilities the property holds"),
            ),
            (_, None) => diagnostics.push(
                Diagnostic::error(
                    "unreachable-capabilities",
                    format!("`{}` is not a property of a method's params or result", mark.property.wire),
                )
                .at(mark.location.clone())
                .help("capabilities are exchanged in the payload of a method; annotate the property there"),
            ),
        }
    }
    for method in &protocol.methods {
        if let (Some(path), Handler::Side { name }) = (&method.capability, &method.handler) {
            check_gate(protocol, method, name, path, diagnostics);
        }
    }
}

fn check_gate(
    protocol: &Protocol,
    method: &Method,
    side: &str,
    path: &[String],
    diagnostics: &mut Diagnostics,
) {
    let dotted = path.join(".");
    let wire = &method.name.wire;
    let Some(location) = protocol.side(side).and_then(|side| side.capabilities.as_ref()) else {
        diagnostics.push(
            Diagnostic::error(
                "unlocated-capability",
                format!("`{wire}` needs the capability `{dotted}`, but where `{side}` tells its capabilities is not said"),
            )
            .at(method.location.clone())
            .help(format!("annotate the property that holds them with `x-capabilities: {side}`")),
        );
        return;
    };
    let is_its =
        |role: &TypeRole| role.method == location.method && role.position == location.position;
    let payload = protocol.types.values().find(|def| def.roles.iter().any(is_its));
    let mut current = payload.and_then(|def| field(def.kind.fields(), &location.property.wire));
    for segment in path {
        let fields = current.map_or(&[][..], |current| protocol.fields(&current.ty));
        current = field(fields, segment);
        if current.is_none() {
            let near = nearest(segment, fields.iter().map(|field| field.name.wire.as_str()));
            diagnostics.push(
                Diagnostic::error(
                    "unknown-capability",
                    format!("`{wire}` needs the capability `{dotted}`, but `{side}` has no `{segment}` there"),
                )
                .at(method.location.clone())
                .near(near, "write the path of properties below the capabilities, with dots"),
            );
            return;
        }
    }
}

fn field<'a>(fields: &'a [Field], wire: &str) -> Option<&'a Field> {
    fields.iter().find(|field| field.name.wire == wire)
}
