//! `x-stream` and `x-catalogue`.

use super::members::strings;
use crate::schema::reader::Reader;
use crate::source::{Location, Node};

/// The members of `x-stream`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamAnnotation {
    /// The notification that brings the pieces.
    pub notification: String,
    /// The path with dots of the token in the params.
    pub token: String,
    /// The property of the notification that holds the token.
    pub token_in: String,
    /// The property of the notification that holds the piece.
    pub delta: String,
    /// The property of the result that the pieces make up.
    pub result: String,
    /// Its location.
    pub location: Location,
}

/// The members of `x-catalogue`, as written, but for those that say how a catalogue is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueAnnotation {
    /// The request that lists the entries.
    pub list: String,
    /// The property of the params that says what is called.
    pub name_in: String,
    /// The property of the params that holds what goes in.
    pub input_in: String,
    /// The property of the result that holds what comes out.
    pub output_in: String,
    /// Its location.
    pub location: Location,
}

impl CatalogueAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: [&str; 9] = [
            "list",
            "items",
            "name",
            "description",
            "input",
            "output",
            "nameIn",
            "inputIn",
            "outputIn",
        ];
        let mut members = strings(keyword, value, &MEMBERS, reader)?;
        let mut take = |name: &str| members.swap_remove(name).unwrap_or_default();
        Some(Self {
            list: take("list"),
            name_in: take("nameIn"),
            input_in: take("inputIn"),
            output_in: take("outputIn"),
            location: reader.location(value.span),
        })
    }
}

impl StreamAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: [&str; 5] = ["notification", "token", "tokenIn", "delta", "result"];
        let mut members = strings(keyword, value, &MEMBERS, reader)?;
        let mut take = |name: &str| members.swap_remove(name).unwrap_or_default();
        Some(Self {
            notification: take("notification"),
            token: take("token"),
            token_in: take("tokenIn"),
            delta: take("delta"),
            result: take("result"),
            location: reader.location(value.span),
        })
    }
}
