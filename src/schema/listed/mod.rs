//! Places that list their values with `const` or `enum`: what else is said there is asked of each.

mod asked;

use indexmap::IndexMap;
use serde_json::Value;

use self::asked::{Asked, Unclear};
use super::described::constrain;
use super::merged::merged;
use super::vocabulary::unenforced;
use super::{Document, SchemaObject};
use crate::diagnostic::Diagnostics;
use crate::source::Location;

/// Leaves listed values out that another keyword at their place keeps out, and then that keyword.
/// What cannot be asked of a value is said not to be enforced.
pub(super) fn ask_listed(document: &mut Document, diagnostics: &mut Diagnostics) {
    for index in 0..document.definitions.len() {
        let Some((_, schema)) = document.definitions.get_index(index) else { continue };
        if !lists_values(schema) {
            continue;
        }
        let mut schema = schema.clone();
        ask(&mut schema, &document.definitions, diagnostics);
        if let Some((_, place)) = document.definitions.get_index_mut(index) {
            *place = schema;
        }
    }
}

/// Asks the values that are listed in one schema.
pub(super) fn ask(
    schema: &mut SchemaObject,
    definitions: &IndexMap<String, SchemaObject>,
    diagnostics: &mut Diagnostics,
) {
    Room { definitions, diagnostics }.visit(schema);
}

struct Room<'a, 'd> {
    definitions: &'a IndexMap<String, SchemaObject>,
    diagnostics: &'d mut Diagnostics,
}

/// The values that a place lists, each with its location.
enum List {
    Constant(Value),
    Enumeration(Vec<(Value, Location)>),
}

impl Room<'_, '_> {
    fn visit(&mut self, schema: &mut SchemaObject) {
        schema.parts_mut().for_each(|part| self.visit(part));
        let Some(list) = self.list_to_ask(schema) else { return };
        let (mut unclear, asked) = (Vec::new(), Asked::new(self.definitions));
        let mut takes = |value: &Value| match asked.takes(schema, value) {
            Ok(takes) => takes,
            Err(keyword) => {
                if !unclear.contains(&keyword) {
                    unclear.push(keyword);
                }
                true
            }
        };
        let mut only = SchemaObject { types: schema.types.clone(), ..SchemaObject::default() };
        let is_whole = match list {
            List::Constant(value) => {
                let is_taken = takes(&value);
                only.constant = Some(value).filter(|_| is_taken);
                is_taken
            }
            List::Enumeration(mut values) => {
                let count = values.len();
                values.retain(|(value, _)| takes(value));
                let is_whole = values.len() == count;
                only.enumeration = Some(values).filter(|it| !it.is_empty());
                is_whole
            }
        };
        if only.constant.is_none() && only.enumeration.is_none() {
            only = SchemaObject { boolean: Some(false), ..SchemaObject::default() };
        } else if let Some(reference) = &schema.reference
            && is_whole
            && self.definitions.get(&reference.name).is_some_and(is_listed)
        {
            // The name stays: nothing beside it leaves a value out.
            let reference = Some(reference.clone());
            only = SchemaObject { reference, ..SchemaObject::default() };
        }
        for Unclear { keyword, location } in unclear {
            self.diagnostics.push(unenforced(&keyword, &location));
        }
        let described = schema.all_of.iter().find_map(|it| it.docs.description.clone());
        constrain(schema, only);
        schema.docs.description = schema.docs.description.take().or(described);
    }

    /// The values listed at a place where something is said that nobody else asks of them.
    fn list_to_ask(&self, schema: &SchemaObject) -> Option<List> {
        let all = merged(&[schema], self.definitions);
        let constant = all.iter().find_map(|it| it.constant.clone()).map(List::Constant);
        let values = || all.iter().find_map(|it| it.enumeration.clone()).map(List::Enumeration);
        let list = constant.or_else(values)?;
        let is_of_parts = |value: &Value| value.is_array() || value.is_object();
        let has_parts = match &list {
            List::Constant(value) => is_of_parts(value),
            List::Enumeration(values) => values.iter().any(|(value, _)| is_of_parts(value)),
        };
        let is_asked = |it: &&SchemaObject| it.not.is_some() || has_parts && says_more(it);
        all.iter().any(is_asked).then_some(list)
    }
}

/// Tells whether values are listed in a schema, or may be where it refers to.
fn lists_values(schema: &SchemaObject) -> bool {
    let lists = is_listed(schema) || schema.reference.is_some() || !schema.all_of.is_empty();
    // A single reference in `allOf` is a name with a description.
    let is_alone = schema.not.is_none() && !says_more(schema) && schema.all_of.len() < 2;
    let is_plain = schema.all_of.is_empty() || schema.alias_target().is_some();
    lists && !(is_alone && is_plain) || schema.parts().any(lists_values)
}

fn is_listed(schema: &SchemaObject) -> bool {
    schema.constant.is_some() || schema.enumeration.is_some()
}

/// Tells whether a schema says of arrays or objects more than which values there are, beside
/// references and members.
fn says_more(schema: &SchemaObject) -> bool {
    use crate::ir::JsonType::{Array, Object};
    [Array, Object].into_iter().any(|kind| schema.speaks_of(kind))
        || !schema.branches().is_empty()
        || !schema.unmodelled.is_empty()
        || is_listed(schema) && !schema.all_of.is_empty()
}
