//! Capabilities: where a side tells what it can do, and what gates each method.

use super::Lowerer;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{
    CapabilityLocation, Field, Handler, Name, NeededCapability, Protocol, TypeKind, TypeRole,
};
use crate::schema::{CapabilityAnnotation, SchemaObject};
use crate::source::Location;

impl Lowerer<'_> {
    /// The capabilities that the receiver of a value needs: what the schema says where the value
    /// stands, else what the definition says that it refers to.
    pub(super) fn needed_capabilities(&self, schema: &SchemaObject) -> Vec<NeededCapability> {
        let only = match (&schema.reference, schema.all_of.as_slice()) {
            (Some(reference), []) => Some(&**reference),
            (None, [only]) => only.alias_target(),
            _ => None,
        };
        let target = only.and_then(|it| self.document.definitions.get(&it.name));
        let told = [Some(schema), target].into_iter().flatten();
        let mut told = told.filter_map(|schema| match &schema.annotations.capability {
            Some(CapabilityAnnotation::Value(paths)) => Some(paths),
            _ => None,
        });
        let paths = told.next().into_iter().flatten();
        paths
            .map(|(side, path)| NeededCapability { side: side.clone(), path: dotted(path) })
            .collect()
    }
}

/// A path that is written with dots.
pub(super) fn dotted(path: &str) -> Vec<String> {
    path.split('.').map(str::to_owned).collect()
}

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
            let gate = Gated { what: &method.name.wire, side: name, path };
            if let Some(problem) = gate.check(protocol, &method.location) {
                diagnostics.push(problem);
            }
        }
    }
    for def in protocol.types.values() {
        let fields = def.kind.fields().iter();
        let fields = fields.map(|it| (&it.name, &it.capabilities, &it.location));
        let variants = match &def.kind {
            TypeKind::Union(union) => union.variants.as_slice(),
            _ => &[],
        };
        let variants = variants.iter().map(|it| (&it.name, &it.capabilities, &it.location));
        for (name, needed, location) in fields.chain(variants) {
            for NeededCapability { side, path } in needed {
                let gate = Gated { what: &name.wire, side, path };
                if let Some(problem) = gate.check(protocol, location) {
                    diagnostics.push(problem);
                }
            }
        }
    }
}

/// A method or a part of a payload that needs a capability of a side.
struct Gated<'a> {
    what: &'a str,
    side: &'a str,
    path: &'a [String],
}

impl Gated<'_> {
    /// The finding about a path that leads nowhere.
    fn check(&self, protocol: &Protocol, location: &Location) -> Option<Diagnostic> {
        let Self { what, side, path } = self;
        let dotted = path.join(".");
        let Some(told) = protocol.side(side).and_then(|side| side.capabilities.as_ref()) else {
            return Some(
                Diagnostic::error(
                    "unlocated-capability",
                    format!("`{what}` needs the capability `{dotted}`, but where `{side}` tells its capabilities is not said"),
                )
                .at(location.clone())
                .help(format!("annotate the property that holds them with `x-capabilities: {side}`")),
            );
        };
        let is_its = |role: &TypeRole| role.method == told.method && role.position == told.position;
        // A notification can share its name with the request that tells them.
        let mut payloads = protocol.types.values().filter(|def| def.roles.iter().any(is_its));
        let mut current = payloads.find_map(|def| field(def.kind.fields(), &told.property.wire));
        for segment in *path {
            let fields = current.map_or(&[][..], |current| protocol.fields(&current.ty));
            current = field(fields, segment);
            if current.is_none() {
                let near = nearest(segment, fields.iter().map(|field| field.name.wire.as_str()));
                return Some(
                    Diagnostic::error(
                        "unknown-capability",
                        format!("`{what}` needs the capability `{dotted}`, but `{side}` has no `{segment}` there"),
                    )
                    .at(location.clone())
                    .near(near, "write the path of properties below the capabilities, with dots"),
                );
            }
        }
        None
    }
}

fn field<'a>(fields: &'a [Field], wire: &str) -> Option<&'a Field> {
    fields.iter().find(|field| field.name.wire == wire)
}
