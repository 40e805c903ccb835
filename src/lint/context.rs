//! The context of a run of rules: what they look at, and the list that they report to.

use std::collections::HashMap;

use super::finding::Finding;
use super::places::{Place, places};
use super::rule::Rule;
use crate::ir::{Field, Protocol, TypeDef};
use crate::schema::{Document, SchemaObject};
use crate::source::Location;

/// A protocol, the schema that it was read from, and what was found.
pub(super) struct Context<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) document: &'a Document,
    /// Every schema of the document that is not about the envelope, in its order.
    pub(super) places: Vec<Place<'a>>,
    schemas: HashMap<&'a Location, &'a SchemaObject>,
    pub(super) findings: Vec<Finding>,
}

impl<'a> Context<'a> {
    pub(super) fn new(protocol: &'a Protocol, document: &'a Document) -> Self {
        let places = places(document, &protocol.envelope);
        let schemas = places.iter().map(|place| (&place.schema.location, place.schema)).collect();
        Self { protocol, document, places, schemas, findings: Vec::new() }
    }

    /// The schema at a location.
    pub(super) fn schema(&self, location: &Location) -> Option<&'a SchemaObject> {
        self.schemas.get(location).copied()
    }

    /// Reports something about `at`, which is a type, or a type and a path in it.
    pub(super) fn report(
        &mut self,
        rule: &'static Rule,
        at: &str,
        location: &Location,
        message: impl Into<String>,
    ) {
        self.findings.push(Finding::new(rule, at, location, message));
    }

    /// The fields of all records, and those that the variants of unions share, each with its type
    /// and its label.
    pub(super) fn fields(&self) -> Vec<(&'a TypeDef, &'a Field, String)> {
        let types = self.protocol.types.values();
        let fields = types.flat_map(|def| def.kind.fields().iter().map(move |field| (def, field)));
        fields
            .map(|(def, field)| (def, field, format!("{}.{}", def.name.wire, field.name.wire)))
            .collect()
    }
}
