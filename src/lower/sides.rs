//! Sides: what `x-sides` says of them, and who is at the other end of each.

use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Protocol, Stability};
use crate::schema::Document;

/// Gives each side its text and its counterpart.
pub(super) fn describe(
    protocol: &mut Protocol,
    document: &Document,
    diagnostics: &mut Diagnostics,
) {
    let names: Vec<String> = protocol.sides.iter().map(|side| side.name.wire.clone()).collect();
    // A side that comes later does not change what the first two are to each other.
    let own = |index: usize| match (index, names.as_slice()) {
        (0, [only]) => Some(only.clone()),
        (0, [_, second, ..]) => Some(second.clone()),
        (1, [first, ..]) => Some(first.clone()),
        _ => None,
    };
    for (index, side) in protocol.sides.iter_mut().enumerate() {
        side.counterpart = own(index);
        let mut handled = protocol.methods.iter().filter(|it| it.is_handled_by(&side.name.wire));
        if handled.clone().next().is_some() && handled.all(|it| it.docs.is_unstable()) {
            side.docs.stability = Stability::Unstable;
        }
    }
    for (name, annotation) in &document.root.annotations.sides {
        for wire in std::iter::once(name).chain(&annotation.counterpart) {
            if !names.contains(wire) {
                let message = format!("`{wire}` is not a side of this protocol");
                let near = nearest(wire, names.iter().map(String::as_str));
                diagnostics.push(
                    Diagnostic::error("unknown-side", message)
                        .at(annotation.location.clone())
                        .near(near, format!("the sides are {}", names.join(", "))),
                );
            }
        }
        let Some(side) = protocol.sides.iter_mut().find(|side| side.name.wire == *name) else {
            continue;
        };
        side.docs.description.clone_from(&annotation.description);
        if annotation.counterpart.is_some() {
            side.counterpart.clone_from(&annotation.counterpart);
        }
    }
}
