//! `x-names`, `x-class-names` and `x-function-name`.

use indexmap::IndexMap;

use crate::schema::reader::Reader;
use crate::source::{Location, Node};

/// A name for generated code, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenName {
    /// The name.
    pub name: String,
    /// Its location.
    pub location: Location,
}

impl ChosenName {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let location = reader.location(value.span);
        Some(Self { name: reader.string(keyword, value)?, location })
    }

    /// Reads names by what they are for.
    pub(super) fn read_all(
        keyword: &str,
        value: &Node,
        reader: &mut Reader<'_>,
    ) -> IndexMap<String, Self> {
        let names = reader.strings(keyword, value);
        let located = names.into_iter().filter_map(|(key, name)| {
            let span = value.get(&key)?.span;
            let location = reader.inside(&key, |reader| reader.location(span));
            Some((key, Self { name, location }))
        });
        located.collect()
    }
}
