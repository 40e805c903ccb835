//! The model of reference docs. Every text is ready: escaped for the format, links and all.
//!
//! *Markup* is text of the format; *plain* is text for an attribute or a list of links, escaped
//! for that, in MDX with its quotes or braces; an *anchor* is the id of a place in the page.

use serde::Serialize;

/// A whole reference.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    /// The lines of a comment that say which tool wrote the file, and from which schema.
    pub(super) header: [String; 2],
    /// Markup.
    pub(super) title: String,
    /// Plain, for front matter or the head of the page.
    pub(super) title_plain: String,
    /// Plain.
    pub(super) summary_plain: String,
    /// Prose of the protocol itself, if any.
    pub(super) prose: String,
    /// Markup: version, schema, counts.
    pub(super) facts: Vec<Fact>,
    /// The methods, by who handles them.
    pub(super) groups: Vec<Group>,
    /// All types that are no payload of a method, by name.
    pub(super) types: Vec<TypeSection>,
    /// The heading of those.
    pub(super) types_anchor: String,
}

/// Something short with a name: `Default: 3`.
#[derive(Debug, Serialize)]
pub(super) struct Fact {
    /// Markup.
    pub(super) label: &'static str,
    /// Markup.
    pub(super) value: String,
}

/// The methods of one handler.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    /// Markup.
    pub(super) title: String,
    pub(super) title_plain: String,
    pub(super) anchor: String,
    /// Markup, each a paragraph.
    pub(super) notes: Vec<String>,
    pub(super) methods: Vec<MethodSection>,
}

/// A method.
#[derive(Debug, Serialize)]
pub(super) struct MethodSection {
    /// Markup: the wire name.
    pub(super) name: String,
    pub(super) name_plain: String,
    pub(super) anchor: String,
    /// `request` or `notification`.
    pub(super) kind: &'static str,
    /// Markup: who sends it to whom.
    pub(super) direction: String,
    pub(super) badges: Vec<&'static str>,
    /// Markup, blocks; empty where there is none.
    pub(super) prose: String,
    /// Markup, each a paragraph.
    pub(super) notes: Vec<String>,
    pub(super) payloads: Vec<Payload>,
}

/// The params or the result of a method.
#[derive(Debug, Serialize)]
pub(super) struct Payload {
    /// `Request`, `Response` or `Notification`.
    pub(super) title: &'static str,
    pub(super) anchor: String,
    /// Markup: its type.
    pub(super) ty: String,
    /// The type, if this is where it is described.
    pub(super) section: Option<TypeSection>,
    /// A whole message, as a block of code.
    pub(super) example: Option<String>,
}

/// A type.
#[derive(Debug, Serialize)]
pub(super) struct TypeSection {
    /// Markup.
    pub(super) name: String,
    pub(super) name_plain: String,
    pub(super) anchor: String,
    /// Markup: `object`, `union by type`, …
    pub(super) kind: String,
    pub(super) badges: Vec<&'static str>,
    /// Markup, blocks; empty where there is none.
    pub(super) prose: String,
    /// Constraints.
    pub(super) facts: Vec<Fact>,
    /// Markup, each a paragraph.
    pub(super) notes: Vec<String>,
    /// The fields; of a union, those that all variants share.
    pub(super) fields: Vec<FieldRow>,
    /// The heading of those.
    pub(super) fields_title: &'static str,
    pub(super) values: Vec<ValueRow>,
    pub(super) variants: Vec<VariantSection>,
    /// An instance, as a block of code.
    pub(super) example: Option<String>,
    /// Markup: links to what uses it.
    pub(super) users: Vec<String>,
}

/// A field.
#[derive(Debug, Serialize)]
pub(super) struct FieldRow {
    /// Markup.
    pub(super) name: String,
    pub(super) name_plain: String,
    pub(super) anchor: String,
    /// Markup; in MDX, the value of an attribute.
    pub(super) ty: String,
    pub(super) required: bool,
    pub(super) nullable: bool,
    /// True if this is the tag of a variant.
    pub(super) tag: bool,
    /// As JSON: markup; in MDX, the value of an attribute.
    pub(super) default: Option<String>,
    pub(super) badges: Vec<&'static str>,
    pub(super) prose: String,
    pub(super) facts: Vec<Fact>,
    pub(super) notes: Vec<String>,
}

/// A value of an enum, or its open end.
#[derive(Debug, Serialize)]
pub(super) struct ValueRow {
    /// Markup.
    pub(super) value: String,
    pub(super) value_plain: String,
    /// Markup: its name, where neither the value nor the prose says it.
    pub(super) name: Option<String>,
    pub(super) anchor: String,
    pub(super) badges: Vec<&'static str>,
    pub(super) prose: String,
}

/// A variant of a union, or its open end.
#[derive(Debug, Serialize)]
pub(super) struct VariantSection {
    /// Markup.
    pub(super) name: String,
    pub(super) name_plain: String,
    pub(super) anchor: String,
    /// Markup: the type that it holds.
    pub(super) ty: Option<String>,
    pub(super) badges: Vec<&'static str>,
    pub(super) prose: String,
    pub(super) notes: Vec<String>,
    /// The tag, and what the payload has.
    pub(super) fields: Vec<FieldRow>,
    pub(super) example: Option<String>,
}
