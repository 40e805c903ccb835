//! `x-remote`.

use super::members::{object, string};
use crate::schema::reader::Reader;
use crate::source::{Location, Node};

/// The members of `x-remote`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteAnnotation {
    /// The path of the endpoint.
    pub path: String,
    /// The request that opens a connection.
    pub opens: String,
    /// The header that holds the id of the connection.
    pub connection: String,
    /// The header that holds the version of the protocol.
    pub version: Option<String>,
    /// The members of `session`, which tell sessions apart.
    pub session: Option<RemoteSessionAnnotation>,
    /// Its location.
    pub location: Location,
}

/// The members of `session` in `x-remote`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteSessionAnnotation {
    /// The property of params and results that holds the id of a session.
    pub property: String,
    /// The header that holds it.
    pub header: String,
    /// The requests that open a session again.
    pub reopens: Vec<String>,
    /// The requests after which there is no session any more.
    pub closes: Vec<String>,
}

impl RemoteAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: [&str; 5] = ["path", "opens", "connection", "version", "session"];
        object(keyword, value, &MEMBERS, &["path", "opens", "connection"], reader)?;
        let session = value.get("session");
        Some(Self {
            path: string(keyword, value, "path", reader)?,
            opens: string(keyword, value, "opens", reader)?,
            connection: string(keyword, value, "connection", reader)?,
            version: string(keyword, value, "version", reader),
            session: session.and_then(|session| RemoteSessionAnnotation::read(session, reader)),
            location: reader.location(value.span),
        })
    }
}

impl RemoteSessionAnnotation {
    fn read(value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const KEYWORD: &str = "x-remote/session";
        const MEMBERS: [&str; 4] = ["property", "header", "reopens", "closes"];
        object(KEYWORD, value, &MEMBERS, &["property", "header"], reader)?;
        let mut names = |member: &str| {
            let found = value.get(member);
            found.map(|found| reader.names(&format!("{KEYWORD}/{member}"), found))
        };
        let [reopens, closes] = ["reopens", "closes"].map(|it| names(it).unwrap_or_default());
        Some(Self {
            property: string(KEYWORD, value, "property", reader)?,
            header: string(KEYWORD, value, "header", reader)?,
            reopens,
            closes,
        })
    }
}
