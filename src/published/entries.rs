//! Names as annotations of an overlay.

use serde_json::{Map, Value};

use crate::source::segments;

/// A name as an annotation.
pub(super) struct Entry {
    /// The pointer of what is annotated.
    pub(super) pointer: String,
    pub(super) of: Named,
    /// The name.
    pub(super) name: String,
}

/// The thing that an annotation gives a name to.
#[derive(PartialEq)]
pub(super) enum Named {
    /// The schema that the annotation stands on.
    Itself,
    /// A value of an enum, as it is on the wire.
    Value(String),
    /// The class of a union's variant, by its tag.
    Class(String),
    /// The function of the method whose params it stands on.
    Function,
}

/// Puts a name where it belongs in an overlay.
pub(super) fn put(overlay: &mut Map<String, Value>, entry: Entry) {
    let Entry { pointer, of, name } = entry;
    let (inner, key) = match of {
        Named::Itself => (None, String::from("x-name")),
        Named::Value(value) => (Some("x-names"), value),
        Named::Class(tag) => (Some("x-class-names"), tag),
        Named::Function => (None, String::from("x-function-name")),
    };
    let mut target = overlay;
    let way = segments(&pointer).unwrap_or_default();
    for segment in way.into_iter().chain(inner.map(str::to_owned)) {
        let inner = target.entry(segment).or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(inner) = inner else { return };
        target = inner;
    }
    target.insert(key, Value::String(name));
}
