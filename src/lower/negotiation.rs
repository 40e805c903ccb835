//! The version that two ends agree on: `x-protocol-version`, `x-version` and `x-versions`.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Name, Negotiation, Position, Protocol};
use crate::schema::Document;
use crate::source::Location;

/// A property annotated with `x-protocol-version`.
#[derive(Clone, Debug)]
pub(super) struct VersionMark {
    /// The type that has the property.
    pub(super) owner: String,
    pub(super) property: Name,
    pub(super) location: Location,
}

const HELP: &str = "annotate one property of a request's params and one of its result, and say \
                    with `x-version` on the root which version this is";

/// Finds the request whose params and result hold the version.
pub(super) fn resolve(
    protocol: &mut Protocol,
    document: &Document,
    marks: &[VersionMark],
    diagnostics: &mut Diagnostics,
) {
    let Some(first) = marks.first() else { return };
    let roles = |mark: &VersionMark, position: Position| {
        let def = protocol.types.get(&mark.owner);
        let mut roles = def.into_iter().flat_map(|def| &def.roles);
        roles.find(|role| role.position == position).map(|role| role.method.clone())
    };
    let find = |position: Position| {
        marks.iter().find_map(|mark| Some((roles(mark, position)?, mark.property.clone())))
    };
    let pair = find(Position::Params).zip(find(Position::Result));
    let error = |message: &str| {
        Diagnostic::error("misplaced-version", message).at(first.location.clone()).help(HELP)
    };
    let Some(((method, params), (answered, result))) = pair else {
        diagnostics
            .push(error("`x-protocol-version` is not on the params and the result of one request"));
        return;
    };
    if method != answered || marks.len() != 2 {
        diagnostics.push(error("`x-protocol-version` is on properties of more than one request"));
        return;
    }
    let Some(version) = protocol.version.clone() else {
        diagnostics.push(error("`x-protocol-version` needs an `x-version` on the root"));
        return;
    };
    let mut versions = document.root.annotations.versions.clone();
    versions.retain(|other| *other != version);
    versions.push(version);
    protocol.negotiation = Some(Negotiation { method, params, result, versions });
}
