//! `x-error-data`.

use indexmap::IndexMap;

use crate::schema::reader::Reader;
use crate::source::{Location, Node};

/// The members of the data of an error, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorData {
    /// Their names.
    pub members: Vec<String>,
    /// The location of the list.
    pub location: Location,
}

impl ErrorData {
    /// Reads lists of members by the codes of errors.
    pub(super) fn read_all(
        keyword: &str,
        value: &Node,
        reader: &mut Reader<'_>,
    ) -> IndexMap<String, Self> {
        let Some(lists) = value.as_object() else {
            reader.wrong(&format!("`{keyword}`"), "an object of arrays of strings", value);
            return IndexMap::new();
        };
        let mut data = IndexMap::new();
        for (code, list) in lists {
            let members = reader.names(&format!("{keyword}/{code}"), &list.value);
            let location = reader.inside(code, |reader| reader.location(list.value.span));
            data.insert(code.clone(), Self { members, location });
        }
        data
    }
}
