//! A protocol without what its schema says for people.

use super::{Field, Protocol, TypeKind};

impl Protocol {
    /// Removes all descriptions and guides. Stability and the like stay.
    #[must_use]
    pub fn without_prose(mut self) -> Self {
        self.docs.description = None;
        self.guides.clear();
        for method in &mut self.methods {
            method.docs.description = None;
        }
        for def in self.types.values_mut() {
            def.docs.description = None;
            match &mut def.kind {
                TypeKind::Record(record) => clear(&mut record.fields),
                TypeKind::Union(union) => {
                    clear(&mut union.shared);
                    for variant in &mut union.variants {
                        variant.docs.description = None;
                    }
                    if let Some(open) = &mut union.open {
                        open.docs.description = None;
                    }
                }
                TypeKind::Enum(values) => {
                    for value in &mut values.values {
                        value.docs.description = None;
                    }
                    if let Some(open) = &mut values.open {
                        open.docs.description = None;
                    }
                }
                TypeKind::Tuple(tuple) => {
                    for item in &mut tuple.items {
                        item.docs.description = None;
                    }
                }
                TypeKind::Alias { .. } => {}
            }
        }
        self
    }
}

fn clear(fields: &mut [Field]) {
    for field in fields {
        field.docs.description = None;
    }
}
