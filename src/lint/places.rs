//! Every schema of a document, with a name for people.

use crate::schema::{Additional, Document, SchemaObject};

/// A schema within a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// A definition.
    Definition,
    /// A property.
    Property,
    /// An alternative of a union.
    Alternative,
    /// The property that holds only a constant.
    Tag,
    /// Anything else: the items of an array, a member of `allOf`.
    Other,
}

/// A schema, and what it is called in messages.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    /// `Type`, or `Type.property[]`, with `<TAG>` or `<INDEX>` for an alternative.
    pub(super) label: String,
    pub(super) site: Site,
    pub(super) schema: &'a SchemaObject,
}

/// All schemas of a document but those of the definitions that are `left_out`, in its order.
pub(super) fn places<'a>(document: &'a Document, left_out: &[String]) -> Vec<Place<'a>> {
    let mut found = Vec::new();
    let definitions = document.definitions.iter();
    for (name, schema) in definitions.filter(|(name, _)| !left_out.contains(name)) {
        visit(name, Site::Definition, schema, &mut found);
    }
    found
}

fn visit<'a>(label: &str, site: Site, schema: &'a SchemaObject, found: &mut Vec<Place<'a>>) {
    found.push(Place { label: label.to_owned(), site, schema });
    for (name, property) in &schema.properties {
        let site = if property.single_value().is_some() { Site::Tag } else { Site::Property };
        visit(&format!("{label}.{name}"), site, property, found);
    }
    for (index, item) in schema.prefix.iter().enumerate() {
        visit(&format!("{label}[{index}]"), Site::Other, item, found);
    }
    if let Some(items) = &schema.items {
        visit(&format!("{label}[]"), Site::Other, items, found);
    }
    if let Additional::Schema(values) = &schema.additional {
        visit(&format!("{label}{{}}"), Site::Other, values, found);
    }
    for (index, branch) in schema.any_of.iter().chain(&schema.one_of).enumerate() {
        let name = name_of(branch).unwrap_or_else(|| index.to_string());
        visit(&format!("{label}<{name}>"), Site::Alternative, branch, found);
    }
    for member in &schema.all_of {
        visit(label, Site::Other, member, found);
    }
}

/// The constant, the tag, the title or the reference that an alternative is known by.
fn name_of(branch: &SchemaObject) -> Option<String> {
    let tags = branch.properties.values().filter_map(SchemaObject::single_value);
    let constant = branch.single_value().or(tags.clone().next());
    let constant = constant.map(|value| value.as_str().map_or(value.to_string(), str::to_owned));
    let title = branch.title.clone();
    let target = branch.alias_target().map(|reference| reference.name.clone());
    constant.or(title).or(target)
}
