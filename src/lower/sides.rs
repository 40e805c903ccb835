//! Sides: what `x-sides` says of them, and who is at the other end of each.

use super::envelope::Role;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Docs, ExtensionDocs, Name, Protocol, Side, Stability};
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

/// Gives each side what the message unions of its other ends say of messages that they do not name.
pub(super) fn describe_extensions(protocol: &mut Protocol, said: &[(Name, Role, Docs)]) {
    let text_for = |side: &Side, role: Role| {
        let ends: Vec<&Side> = protocol.other_ends(side).collect();
        let is_sent_by = |sender: &Name| ends.iter().any(|end| end.name.words == sender.words);
        let mut found = said.iter().filter(|(sender, of, _)| *of == role && is_sent_by(sender));
        found.next().map(|(_, _, docs)| docs.clone()).unwrap_or_default()
    };
    let texts: Vec<ExtensionDocs> = protocol
        .sides
        .iter()
        .map(|side| ExtensionDocs {
            request: text_for(side, Role::Request),
            notification: text_for(side, Role::Notification),
        })
        .collect();
    for (side, extensions) in protocol.sides.iter_mut().zip(texts) {
        side.extensions = extensions;
    }
}
