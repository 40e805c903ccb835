//! Descriptions, taken apart: what may be shown of Markdown that nobody has vetted.
//!
//! A description is parsed into this small tree and printed anew for each format. What the tree
//! cannot hold cannot be injected: HTML becomes text, images become links, links lead to the web
//! or to a type of this protocol.

pub(super) mod html;
pub(super) mod markdown;
mod parse;

pub(super) use parse::parse;

use crate::source::plain_text;

/// Something that stands on its own lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A heading, of whatever level: the page has its own structure.
    Heading(Vec<Inline>),
    /// Code, with the language it says it is in: letters, digits, `+`, `-` and `_`.
    Code { language: String, text: String },
    /// A list; a numbered one has the number it begins with.
    List { start: Option<u64>, items: Vec<Vec<Block>> },
    /// A quotation.
    Quote(Vec<Block>),
    /// Rows of cells, the head first. All have as many cells.
    Table(Vec<Vec<Vec<Inline>>>),
    /// A line across the page.
    Rule,
}

/// A piece of running text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Inline {
    /// Words, without line breaks.
    Text(String),
    /// Code, without line breaks.
    Code(String),
    /// Strong emphasis.
    Strong(Vec<Inline>),
    /// Emphasis.
    Emphasis(Vec<Inline>),
    /// Text that is struck out.
    Struck(Vec<Inline>),
    /// A link: to the web or a mailbox, of only characters that a URL may have, and no scheme but
    /// `http`, `https` and `mailto`; or to the section of a definition, `#` and its id.
    Link { href: String, label: Vec<Inline> },
    /// A line break of the source, which means a space.
    SoftBreak,
    /// A line break that is to be seen.
    Break,
}

/// Writes foreign text plainly on one line.
pub(super) fn one_line(text: &str) -> String {
    plain_text(text).replace(['\n', '\t'], " ")
}
