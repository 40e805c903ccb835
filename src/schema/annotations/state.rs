//! `x-key`, `x-status`, `x-value`, `x-appends` and `x-removes`.

use indexmap::IndexMap;

use super::members::{object, string};
use crate::schema::reader::Reader;
use crate::source::{Json, Location, Node};

/// The value of `x-key`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyAnnotation {
    /// The path with dots of the string that tells values apart.
    Property(String),
    /// `true`: there is one value at most.
    Single,
}

/// The value of `x-status`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusAnnotation {
    /// The property that holds the status.
    pub property: String,
    /// Its values for what still goes on.
    pub open: Vec<String>,
    /// Its value for what a cancelled turn has ended.
    pub cancelled: String,
    /// Its value for what begins, if that is told.
    pub started: Option<String>,
    /// Its value for what has come to its end.
    pub completed: Option<String>,
    /// Its value for what has failed.
    pub failed: Option<String>,
    /// Its location.
    pub location: Location,
}

/// The value of `x-value`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueAnnotation {
    /// The property that a state can be asked for by itself.
    pub property: String,
    /// Its name in the state, if it has another one there.
    pub name: Option<String>,
    /// Its location.
    pub location: Location,
}

/// A member of `x-appends`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppendAnnotation {
    /// The type of the item that is added to.
    pub item: String,
    /// The path with dots of what the value is added to, in the item.
    pub to: String,
    /// The variant's property that holds the value.
    pub from: String,
    /// The path with dots of what names the item in the variant, if it is not that of the item.
    pub key: Option<String>,
    /// Its location.
    pub location: Location,
}

/// A member of `x-removes`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoveAnnotation {
    /// The type of the item that is removed.
    pub item: String,
    /// The path with dots of what names the item in the variant, if it is not that of the item.
    pub key: Option<String>,
    /// Its location.
    pub location: Location,
}

impl KeyAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        match &value.json {
            Json::String(property) => Some(Self::Property(property.clone())),
            Json::Bool(true) => Some(Self::Single),
            _ => {
                reader.wrong(&format!("`{keyword}`"), "the name of a property, or true", value);
                None
            }
        }
    }
}

impl StatusAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let members = ["property", "open", "cancelled", "started", "completed", "failed"];
        object(keyword, value, &members, &members[..3], reader)?;
        let open = value.get("open")?;
        let values = open.as_array().into_iter().flatten();
        let values: Vec<_> = values.map(|it| Some(it.as_str()?.to_owned())).collect();
        let Some(open) = values.into_iter().collect::<Option<Vec<_>>>().filter(|it| !it.is_empty())
        else {
            reader.wrong(&format!("`{keyword}/open`"), "a list of strings", open);
            return None;
        };
        Some(Self {
            property: string(keyword, value, "property", reader)?,
            open,
            cancelled: string(keyword, value, "cancelled", reader)?,
            started: string(keyword, value, "started", reader),
            completed: string(keyword, value, "completed", reader),
            failed: string(keyword, value, "failed", reader),
            location: reader.location(value.span),
        })
    }
}

impl ValueAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        object(keyword, value, &["property", "name"], &["property"], reader)?;
        Some(Self {
            property: string(keyword, value, "property", reader)?,
            name: string(keyword, value, "name", reader),
            location: reader.location(value.span),
        })
    }
}

impl AppendAnnotation {
    pub(super) fn read(
        keyword: &str,
        value: &Node,
        reader: &mut Reader<'_>,
    ) -> IndexMap<String, Self> {
        by_tag(keyword, value, reader, |keyword, value, reader| {
            object(keyword, value, &["item", "to", "from", "key"], &["item", "to"], reader)?;
            let to = string(keyword, value, "to", reader)?;
            Some(Self {
                item: string(keyword, value, "item", reader)?,
                from: string(keyword, value, "from", reader).unwrap_or_else(|| last(&to)),
                to,
                key: string(keyword, value, "key", reader),
                location: reader.location(value.span),
            })
        })
    }
}

impl RemoveAnnotation {
    pub(super) fn read(
        keyword: &str,
        value: &Node,
        reader: &mut Reader<'_>,
    ) -> IndexMap<String, Self> {
        by_tag(keyword, value, reader, |keyword, value, reader| {
            object(keyword, value, &["item", "key"], &["item"], reader)?;
            Some(Self {
                item: string(keyword, value, "item", reader)?,
                key: string(keyword, value, "key", reader),
                location: reader.location(value.span),
            })
        })
    }
}

/// The last property of a path with dots.
fn last(path: &str) -> String {
    path.rsplit('.').next().unwrap_or(path).to_owned()
}

/// The members of an object, each for the variant of its tag.
fn by_tag<T>(
    keyword: &str,
    value: &Node,
    reader: &mut Reader<'_>,
    read: fn(&str, &Node, &mut Reader<'_>) -> Option<T>,
) -> IndexMap<String, T> {
    let Some(members) = value.as_object() else {
        reader.wrong(&format!("`{keyword}`"), "an object of objects, by tag", value);
        return IndexMap::new();
    };
    let read = members.iter().filter_map(|(tag, member)| {
        let keyword = format!("{keyword}/{tag}");
        Some((tag.clone(), read(&keyword, &member.value, reader)?))
    });
    read.collect()
}
