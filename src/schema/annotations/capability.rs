//! `x-capability`.

use indexmap::IndexMap;

use crate::schema::reader::Reader;
use crate::source::{Json, Node};

/// The value of `x-capability`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CapabilityAnnotation {
    /// Of a method: the path with dots below the handling side's capabilities.
    Method(String),
    /// Of a value: the path below the capabilities of each side that receives it.
    Value(IndexMap<String, String>),
}

impl CapabilityAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        match &value.json {
            Json::String(path) => Some(Self::Method(path.clone())),
            Json::Object(_) => Some(Self::Value(reader.strings(keyword, value))),
            _ => {
                reader.wrong(&format!("`{keyword}`"), "a string, or an object by side", value);
                None
            }
        }
    }
}
