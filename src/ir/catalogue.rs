//! Catalogues: the request of a protocol that calls entries by their names, and the entries.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{Docs, Field, Handler, Kind, Method, Name, Protocol, Side, Type};
use crate::source::Location;

/// A request that calls entries by their names, and the entries that a catalogue has. The request's
/// params require only the name, a string, and the input; the input, and the output in its result,
/// are any JSON.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Catalogue {
    /// The wire name of the request. One side handles it.
    pub method: String,
    /// The property of its params that holds the name.
    pub name_in: String,
    /// The property of its params that holds the input.
    pub input_in: String,
    /// The property of its result that holds the output.
    pub output_in: String,
    /// The entries, in the order of the catalogue.
    pub entries: Vec<CatalogueEntry>,
}

/// A catalogue entry: something that can be called by its name.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct CatalogueEntry {
    /// Its name, as the request spells it.
    pub name: Name,
    /// The key of the type of what goes in.
    pub input: String,
    /// The key of the type of what comes out.
    pub output: String,
    /// Its documentation.
    pub docs: Docs,
    /// Its location in the catalogue.
    pub location: Location,
}

impl CatalogueEntry {
    /// The type of what goes in.
    pub fn input_type(&self) -> Type {
        Type::Named { name: self.input.clone() }
    }

    /// The type of what comes out.
    pub fn output_type(&self) -> Type {
        Type::Named { name: self.output.clone() }
    }
}

impl Protocol {
    /// The request by which the entries of a catalogue are called, and the side that handles it.
    pub fn catalogue_method(&self, catalogue: &Catalogue) -> Option<(&Method, &Side)> {
        let method = self.request(&catalogue.method)?;
        let Handler::Side { name } = &method.handler else { return None };
        Some((method, self.side(name)?))
    }

    /// The field of a record.
    pub fn field<'a>(&'a self, ty: &'a Type, wire: &str) -> Option<&'a Field> {
        match self.resolved(ty).kind {
            Kind::Record(record) => record.fields.iter().find(|field| field.name.wire == wire),
            _ => None,
        }
    }
}
