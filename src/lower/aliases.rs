//! References that only refer to references.

use indexmap::IndexSet;

use super::Lowerer;
use crate::diagnostic::Diagnostic;
use crate::schema::SchemaObject;

impl Lowerer<'_> {
    /// Reports definitions that are, through plain references, only themselves.
    pub(super) fn reject_cyclic_aliases(&mut self) {
        let mut settled: IndexSet<&str> = IndexSet::new();
        for (name, schema) in &self.document.definitions {
            let mut chain: IndexSet<&str> = IndexSet::new();
            let (mut name, mut schema) = (name.as_str(), schema);
            while !settled.contains(name) {
                if !chain.insert(name) {
                    let start = chain.get_index_of(name).unwrap_or(0);
                    let mut cycle: Vec<&str> = chain.iter().skip(start).copied().collect();
                    cycle.push(name);
                    self.diagnostics.push(
                        Diagnostic::error(
                            "cyclic-ref",
                            format!("`{name}` only refers to itself: {}", cycle.join(" → ")),
                        )
                        .at(schema.location.clone())
                        .help("give one of these definitions a type of its own"),
                    );
                    break;
                }
                let Some(reference) = schema.alias_target() else { break };
                let Some(next) = self.document.definitions.get(&reference.name) else { break };
                name = &reference.name;
                schema = next;
            }
            settled.extend(chain);
        }
    }

    /// Reports every reference in the document to something that is not there.
    pub(super) fn report_dangling_references(&mut self) {
        let document = self.document;
        for (name, schema) in &document.definitions {
            self.visit_references(schema, name);
        }
        self.visit_references(&document.root, "the root schema");
    }

    fn visit_references(&mut self, schema: &SchemaObject, user: &str) {
        if let Some(reference) = &schema.reference {
            self.definition(reference, user);
        }
        for inner in schema.unnamed_parts() {
            self.visit_references(inner, user);
        }
        for (property, inner) in &schema.properties {
            self.visit_references(inner, &format!("{user}.{property}"));
        }
    }
}
