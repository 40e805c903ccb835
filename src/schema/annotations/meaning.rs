//! `x-cancels`, `x-handle` and `x-sides`.

use indexmap::IndexMap;
use serde_json::Value;

use super::members::{object, string};
use crate::schema::reader::Reader;
use crate::source::{Location, Node};

/// An item of `x-cancels`, as written.
#[derive(Clone, Debug, PartialEq)]
pub struct CancelsAnnotation {
    /// The request that is cancelled.
    pub request: String,
    /// The property that both have.
    pub key: String,
    /// The result of what is cancelled.
    pub result: Option<Value>,
    /// Its location.
    pub location: Location,
}

/// The members of `x-handle`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandleAnnotation {
    /// The name of the class.
    pub name: String,
    /// The property of the result that holds the id.
    pub id: String,
    /// The properties of the params that others take too.
    pub with: Vec<String>,
    /// Names of the class's methods, by the protocol's methods that they call.
    pub methods: IndexMap<String, String>,
    /// The request that gives the thing back.
    pub release: Option<String>,
    /// Its location.
    pub location: Location,
}

/// A member of `x-sides`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideAnnotation {
    /// The description of the side.
    pub description: Option<String>,
    /// The side at the other end of its connections.
    pub counterpart: Option<String>,
    /// Its location.
    pub location: Location,
}

impl CancelsAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Vec<Self> {
        let Some(items) = value.as_array() else {
            reader.wrong(&format!("`{keyword}`"), "an array of objects", value);
            return Vec::new();
        };
        items.iter().filter_map(|item| Self::read_one(keyword, item, reader)).collect()
    }

    fn read_one(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        object(keyword, value, &["request", "key", "result"], &["request", "key"], reader)?;
        Some(Self {
            request: string(keyword, value, "request", reader)?,
            key: string(keyword, value, "key", reader)?,
            result: value.get("result").map(Node::to_value),
            location: reader.location(value.span),
        })
    }
}

impl HandleAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: [&str; 5] = ["name", "id", "with", "methods", "release"];
        object(keyword, value, &MEMBERS, &["name", "id", "methods"], reader)?;
        let with = value.get("with").map(|with| reader.names(&format!("{keyword}/with"), with));
        let methods = value.get("methods");
        Some(Self {
            name: string(keyword, value, "name", reader)?,
            id: string(keyword, value, "id", reader)?,
            with: with.unwrap_or_default(),
            methods: methods
                .map(|methods| reader.strings(&format!("{keyword}/methods"), methods))
                .unwrap_or_default(),
            release: string(keyword, value, "release", reader),
            location: reader.location(value.span),
        })
    }
}

impl SideAnnotation {
    pub(super) fn read(
        keyword: &str,
        value: &Node,
        reader: &mut Reader<'_>,
    ) -> IndexMap<String, Self> {
        let Some(members) = value.as_object() else {
            reader.wrong(&format!("`{keyword}`"), "an object of objects, by side", value);
            return IndexMap::new();
        };
        let sides = members.iter().filter_map(|(name, member)| {
            let keyword = format!("{keyword}/{name}");
            let value = &member.value;
            object(&keyword, value, &["description", "counterpart"], &[], reader)?;
            let side = Self {
                description: string(&keyword, value, "description", reader),
                counterpart: string(&keyword, value, "counterpart", reader),
                location: reader.location(value.span),
            };
            Some((name.clone(), side))
        });
        sides.collect()
    }
}
