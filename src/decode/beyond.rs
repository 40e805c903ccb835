//! Records that keep what a later version or a draft of the protocol puts into them.
//!
//! By default, members that no field names are dropped where keeping them would cost something. In
//! two places that changes what a message says, so that they are kept in any case:
//!
//! * in what a side tells of its capabilities: an end that passes on what its peer can do would
//!   tell less, and nobody could ask for what this version has no name for;
//! * in the variant without a tag of a union that has tags, and none for those it does not know:
//!   an object with a new tag is decoded as that variant, and without its tag and what belongs to
//!   it nobody could tell it from one that is meant to be it.

use std::collections::HashSet;

use crate::ir::{Field, Protocol, Type, TypeKind, Union};

/// The definitions whose records keep members that no field names, where the schema says nothing
/// of such members.
pub(super) fn keep_members(protocol: &Protocol) -> HashSet<&str> {
    let told = protocol.sides.iter().filter_map(|side| {
        let told = side.capabilities.as_ref()?;
        let is_its = |field: &&Field| field.name.wire == told.property.wire;
        let mut payloads = protocol.types.values().filter(|def| {
            def.roles.iter().any(|it| it.method == told.method && it.position == told.position)
        });
        payloads.find_map(|def| def.kind.fields().iter().find(is_its))?.ty.named()
    });
    let mut kept: HashSet<&str> = protocol.reachable(told).into_iter().collect();
    for def in protocol.types.values() {
        if let TypeKind::Union(union) = &def.kind
            && union.tag().is_some()
            && union.open.is_none()
        {
            same_object(protocol, union, &mut kept);
        }
    }
    kept
}

/// Adds the payloads that a union's value can be without a tag of it, those of unions among them.
fn same_object<'a>(protocol: &'a Protocol, union: &'a Union, kept: &mut HashSet<&'a str>) {
    let mut unions = vec![union];
    while let Some(union) = unions.pop() {
        for payload in union.untagged().filter_map(|variant| variant.payload.as_ref()) {
            let Type::Named { name } = protocol.resolve(payload) else { continue };
            match protocol.types.get(name).map(|def| &def.kind) {
                Some(TypeKind::Union(inner)) if kept.insert(name) => unions.push(inner),
                _ => _ = kept.insert(name),
            }
        }
    }
}
