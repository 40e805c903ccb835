//! What stands beside a union says of its tag.

use indexmap::IndexSet;
use serde_json::Value;

use super::{Lowerer, Path};
use crate::schema::{SchemaObject, fits};

/// The most references and alternatives that are followed into each other.
const MAX_DEPTH: usize = 8;

impl<'a> Lowerer<'a> {
    /// Tells whether a schema takes a value, as far as it says which values there are.
    pub(super) fn takes(&self, schema: &'a SchemaObject, value: &Value) -> bool {
        self.takes_within(schema, value, MAX_DEPTH)
    }

    fn takes_within(&self, schema: &'a SchemaObject, value: &Value, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        let takes = |it: &'a SchemaObject| self.takes_within(it, value, depth);
        let target = schema.reference.as_ref();
        let target = target.and_then(|it| self.document.definitions.get(&it.name));
        fits(value, schema)
            && target.into_iter().chain(&schema.all_of).all(takes)
            && (schema.any_of.is_empty() || schema.any_of.iter().any(takes))
            && (schema.one_of.is_empty() || schema.one_of.iter().any(takes))
    }

    /// The values that a schema lists, if it lists all that it takes.
    fn listed(&self, schema: &'a SchemaObject, depth: usize) -> Option<Vec<&'a Value>> {
        let depth = depth.checked_sub(1)?;
        if let Some(value) = &schema.constant {
            return Some(vec![value]);
        }
        if let Some(values) = &schema.enumeration {
            return Some(values.iter().map(|(value, _)| value).collect());
        }
        let target = schema.reference.as_ref();
        let target = target.and_then(|it| self.document.definitions.get(&it.name));
        let mut parts = target.into_iter().chain(&schema.all_of);
        parts.find_map(|part| self.listed(part, depth)).or_else(|| {
            let branches = Some(schema.branches()).filter(|it| !it.is_empty())?;
            let lists = branches.iter().map(|it| self.listed(it, depth));
            Some(lists.collect::<Option<Vec<_>>>()?.concat())
        })
    }

    /// Tells whether there are values of a tag that no alternative names, for one that takes any:
    /// `property` describes the tag beside the union. What it says of them is lost.
    pub(super) fn has_other_tags(
        &mut self,
        property: &'a SchemaObject,
        known: &IndexSet<&str>,
        path: &Path,
    ) -> bool {
        if let Some(listed) = self.listed(property, MAX_DEPTH) {
            let is_other = |value: &&Value| value.as_str().is_none_or(|it| !known.contains(it));
            let has_others = listed.iter().any(is_other);
            if has_others {
                self.lose("enum", &property.location, path);
            }
            return has_others;
        }
        self.lose_lengths(property, path);
        true
    }

    /// Says that decoders do not look at the length of a tag.
    pub(super) fn lose_lengths(&mut self, property: &SchemaObject, path: &Path) {
        for (keyword, bound) in
            [("minLength", property.min_length), ("maxLength", property.max_length)]
        {
            if bound.is_some() {
                self.lose(keyword, &property.location, path);
            }
        }
    }
}
