//! States that the values of a union make up.

use std::collections::BTreeSet;

use super::Comparer;
use super::annotations::or_nothing;
use super::finding::ComparedLocation;
use crate::breaking::rules;
use crate::ir::{Protocol, State, StateChange, StateVariant, TypeKind, Union};

impl<'a> Comparer<'a> {
    /// Compares the state that a union's values make up, and the union's shorthand.
    pub(super) fn union_annotations(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &Union,
        new: &Union,
    ) {
        if old.shorthand != new.shorthand {
            let variant = |union: &Union| {
                let name = union.shorthand.iter().map(|it| format!("`{}`", it.variant));
                or_nothing(&name.collect::<Vec<_>>())
            };
            let summary =
                format!("the bare value stood for {}, now for {}", variant(old), variant(new));
            self.found(&rules::SHORTHAND_CHANGED, at, summary);
        }
        let (was, is) = (state(self.old, old.state.as_ref()), state(self.new, new.state.as_ref()));
        if was != is {
            let less = |all: &[String], others: &[String]| -> Vec<String> {
                all.iter().filter(|it| !others.contains(it)).cloned().collect()
            };
            let (was, is) = (less(&was, &is), less(&is, &was));
            let summary = match (was.as_slice(), is.as_slice()) {
                ([], is) => format!("updates now also make up {}", is.join("; ")),
                (was, []) => format!("updates no longer make up {}", was.join("; ")),
                (was, is) => {
                    format!("updates made up {} and now make up {}", was.join("; "), is.join("; "))
                }
            };
            self.found(&rules::STATE_CHANGED, at, summary);
        }
    }
}

/// Describes a state, a line for each collection, in the order of the alphabet.
fn state(protocol: &Protocol, state: Option<&State>) -> Vec<String> {
    let collections = state.iter().flat_map(|state| &state.collections);
    let shown = collections.map(|it| {
        let key =
            it.key.as_ref().map_or_else(String::new, |key| format!(" by `{}`", key.join(".")));
        let mut patches: Vec<&str> = it
            .variants
            .iter()
            .filter(|variant| variant.change == StateChange::Patch)
            .map(|variant| variant.tag.as_str())
            .collect();
        patches.sort_unstable();
        let merged = patched_members(protocol, state, &patches);
        let patches = match patches.as_slice() {
            [] => String::new(),
            tags => format!(", changed by {}", tags.join(", ")),
        };
        let merged = match merged.as_slice() {
            [] => String::new(),
            names => format!(", with {} merged", names.join(", ")),
        };
        let mut others: Vec<String> = it.variants.iter().filter_map(other_change).collect();
        others.sort_unstable();
        let status = it.status.as_ref().map_or_else(String::new, |it| {
            let (property, open) = (&it.property, it.open.join(", "));
            format!(", open while its `{property}` is {open}, then {}", it.cancelled)
        });
        let value = it.value.as_ref().map_or_else(String::new, |it| {
            format!(", with its `{}` as `{}`", it.property.wire, it.name.wire)
        });
        format!("`{}`{key}{patches}{merged}{}{status}{value}", it.item, others.concat())
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort_unstable();
    shown
}

/// Describes the change of a variant that neither makes an item nor patches one.
fn other_change(variant: &StateVariant) -> Option<String> {
    let tag = &variant.tag;
    let key = variant.key.iter().map(|path| format!(" by `{}`", path.join(".")));
    let key: String = key.collect();
    match &variant.change {
        StateChange::Append { from, to, .. } => {
            let to = to.join(".");
            Some(format!(", `{from}` of {tag} added to `{to}`{key}"))
        }
        StateChange::Remove => Some(format!(", removed by {tag}{key}")),
        StateChange::Replace | StateChange::Patch => None,
    }
}

/// The properties of patches that are merged into those of the item.
fn patched_members(protocol: &Protocol, state: Option<&State>, tags: &[&str]) -> Vec<String> {
    let unions = protocol.types.values().filter_map(|def| match &def.kind {
        TypeKind::Union(union) if union.state.as_ref() == state => Some(union),
        _ => None,
    });
    let variants = unions.flat_map(Union::tagged).filter(|(tag, _)| tags.contains(tag));
    let payloads = variants.filter_map(|(_, variant)| variant.payload.as_ref());
    let fields = payloads.flat_map(|payload| protocol.fields(payload));
    let merged = fields.filter(|field| field.merge);
    let names: BTreeSet<String> = merged.map(|field| format!("`{}`", field.name.wire)).collect();
    names.into_iter().collect()
}
