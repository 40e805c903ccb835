//! Descriptions, taken apart: what may be shown of Markdown that nobody has vetted.
//!
//! A description is parsed into this small tree and printed anew for each format. What the tree
//! cannot hold cannot be injected: HTML becomes text, images become links, links lead to the web
//! or to a type of this protocol.

pub(super) mod html;
pub(super) mod markdown;
mod parse;

pub(super) use parse::parse;

use crate::backend::sentences::sentence_end;
use crate::source::plain_text;

/// A block of prose, which stands on lines of its own.
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

/// The first sentence of a description, as plain text: of its first paragraph that is not about
/// stability, which has a badge of its own.
pub(super) fn lead(blocks: &[Block]) -> Option<String> {
    let paragraphs = blocks.iter().filter_map(|block| match block {
        Block::Paragraph(inlines) => Some(words(inlines)),
        _ => None,
    });
    let mut told = paragraphs.filter(|text| !text.starts_with("UNSTABLE"));
    let text = told.next()?;
    let end = sentence_end(&text).unwrap_or(text.len());
    text.get(..end).map(str::to_owned)
}

/// The words of running text.
fn words(inlines: &[Inline]) -> String {
    let words = inlines.iter().map(|inline| match inline {
        Inline::Text(text) | Inline::Code(text) => text.clone(),
        Inline::Strong(inner) | Inline::Emphasis(inner) | Inline::Struck(inner) => words(inner),
        Inline::Link { label, .. } => words(label),
        Inline::SoftBreak | Inline::Break => " ".to_owned(),
    });
    words.collect()
}

/// Writes foreign text plainly on one line.
pub(super) fn one_line(text: &str) -> String {
    plain_text(text).replace(['\n', '\t'], " ")
}
