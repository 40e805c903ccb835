//! `x-choice` and `x-file-access`.

use super::members::{object, string};
use crate::schema::reader::Reader;
use crate::source::{Location, Node};

/// The members of `x-choice`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceAnnotation {
    /// The name of the function that gives the option which was chosen.
    pub name: String,
    /// The property of the params that holds the options.
    pub options: String,
    /// The property that tells options apart.
    pub id: String,
    /// The path, in the result, of the id that was chosen.
    pub chosen: String,
    /// Which options mean yes.
    pub yes: Option<YesAnnotation>,
    /// Its location.
    pub location: Location,
}

/// The member `yes` of `x-choice`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YesAnnotation {
    /// The name of the function that tells whether such an option was chosen.
    pub name: String,
    /// The property of an option.
    pub property: String,
    /// Its values that mean yes.
    pub values: Vec<String>,
}

/// The members of `x-file-access`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileAnnotation {
    /// The name of the function.
    pub name: String,
    /// The property of the params that holds the path.
    pub path: String,
    /// The property that holds the text: of the result to read a file, of the params to write one.
    pub text: String,
    /// The property of the params that holds the first line to read.
    pub line: Option<String>,
    /// The property of the params that holds how many lines to read.
    pub limit: Option<String>,
    /// Its location.
    pub location: Location,
}

impl ChoiceAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: [&str; 5] = ["name", "options", "id", "chosen", "yes"];
        object(keyword, value, &MEMBERS, &["name", "options", "id", "chosen"], reader)?;
        let yes = value.get("yes");
        Some(Self {
            name: string(keyword, value, "name", reader)?,
            options: string(keyword, value, "options", reader)?,
            id: string(keyword, value, "id", reader)?,
            chosen: string(keyword, value, "chosen", reader)?,
            yes: match yes {
                Some(yes) => Some(YesAnnotation::read(&format!("{keyword}/yes"), yes, reader)?),
                None => None,
            },
            location: reader.location(value.span),
        })
    }
}

impl YesAnnotation {
    fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: [&str; 3] = ["name", "property", "values"];
        object(keyword, value, &MEMBERS, &MEMBERS, reader)?;
        let values = value.get("values");
        let values = values.map(|values| reader.names(&format!("{keyword}/values"), values));
        Some(Self {
            name: string(keyword, value, "name", reader)?,
            property: string(keyword, value, "property", reader)?,
            values: values?,
        })
    }
}

impl FileAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: [&str; 5] = ["name", "path", "text", "line", "limit"];
        object(keyword, value, &MEMBERS, &["name", "path", "text"], reader)?;
        Some(Self {
            name: string(keyword, value, "name", reader)?,
            path: string(keyword, value, "path", reader)?,
            text: string(keyword, value, "text", reader)?,
            line: string(keyword, value, "line", reader),
            limit: string(keyword, value, "limit", reader),
            location: reader.location(value.span),
        })
    }
}
