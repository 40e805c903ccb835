//! What parts of an object ask that generated code does not: it is said.

use indexmap::IndexSet;

use super::objects::Parts;
use super::{Lowerer, Path};
use crate::ir::{Docs, Tagging, Union};
use crate::schema::{Additional, SchemaObject};
use crate::source::Location;

impl<'a> Lowerer<'a> {
    /// Says which parts ask more of properties than the object that they are merged into.
    pub(super) fn tell_of_closed(
        &mut self,
        parts: &Parts<'a>,
        whole: &SchemaObject,
        tag: Option<&str>,
        path: &Path,
    ) {
        for part in &parts.closed {
            let is_whole = part.unevaluated && part.location == whole.location;
            let is_kept = match &part.additional {
                Additional::Schema(values) => parts.values == Some(values.as_ref()),
                _ => false,
            };
            let is_known = |name: &&str| {
                if is_whole {
                    parts.properties.contains_key(name)
                } else {
                    part.properties.contains_key(*name)
                }
            };
            let names = parts.properties.keys().chain(&parts.required).copied();
            let knows_all = names.chain(tag.filter(|_| !is_whole)).all(|name| is_known(&name));
            if !parts.unknown.is_denied() && !is_kept || !knows_all {
                self.lose("additionalProperties", &part.location, path);
            }
        }
    }

    /// Says which alternatives ask more of the properties that stand beside them.
    pub(super) fn tell_of_closed_branches(
        &mut self,
        parts: &Parts<'a>,
        union: &'a SchemaObject,
        path: &Path,
    ) {
        for branch in union.branches() {
            let target =
                branch.alias_target().and_then(|it| self.document.definitions.get(&it.name));
            let mut merged = vec![target.unwrap_or(branch)];
            while let Some(part) = merged.pop() {
                merged.extend(part.all_of.iter().chain(&part.any_of).chain(&part.one_of));
                let restricts =
                    matches!(part.additional, Additional::Denied | Additional::Schema(_));
                let is_other = |name: &&str| !part.properties.contains_key(*name);
                if restricts && parts.properties.keys().any(is_other) {
                    self.lose("additionalProperties", &branch.location, path);
                }
            }
        }
    }

    /// Says what is asked of the tag beside a union and that alternatives without a tag do not ask.
    pub(super) fn tell_of_tag(
        &mut self,
        parts: &Parts<'a>,
        schema: &'a SchemaObject,
        union: &Union,
        path: &Path,
    ) {
        let Tagging::Internal { property } = &union.tagging else { return };
        let tag = property.wire.as_str();
        let Some((beside, _)) = parts.properties.get(tag).cloned() else { return };
        for branch in schema.branches().iter().filter(|branch| branch.may_be_object()) {
            if self.tag_value(branch, tag).is_some() {
                continue;
            }
            let listed = self.visible_properties(branch).into_iter().find(|it| it.name == tag);
            let is_required = listed.as_ref().is_some_and(|it| it.required);
            let asks_less = listed.is_none_or(|it| !is_within(it.schema, beside));
            if asks_less && (!beside.is_unrestricted() || beside.has_bounds()) {
                self.lose("properties", &beside.location, path);
            }
            if parts.required.contains(tag) && !is_required && !branch.required.contains(tag) {
                self.lose("required", &branch.location, path);
            }
        }
    }
}

/// Tells whether each value of one schema fits another, as far as types or the same words say so.
fn is_within(one: &SchemaObject, other: &SchemaObject) -> bool {
    let untyped = SchemaObject { types: IndexSet::new(), ..other.clone() };
    let has_types_alone = untyped.is_unrestricted() && !untyped.has_bounds();
    let is_typed = !one.types.is_empty() && one.types.iter().all(|ty| other.types.contains(ty));
    has_types_alone && is_typed || is_same(one, other)
}

/// Tells whether two schemas say the same, wherever they stand.
fn is_same(one: &SchemaObject, other: &SchemaObject) -> bool {
    let bare = |schema: &SchemaObject| SchemaObject {
        location: Location::default(),
        docs: Docs::default(),
        ..schema.clone()
    };
    bare(one) == bare(other)
}
