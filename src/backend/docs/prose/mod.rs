//! Descriptions, taken apart: what may be shown of Markdown that nobody has vetted.
//!
//! A description is parsed into this small tree and printed anew for each format. What the tree
//! cannot hold cannot be injected: HTML becomes text, images become links, links lead to the web
//! or to a type of this protocol.

pub(super) mod html;
pub(super) mod markdown;
mod parse;

pub(super) use parse::parse;

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
    /// A link.
    Link { target: Target, label: Vec<Inline> },
    /// A line break of the source, which means a space.
    SoftBreak,
    /// A line break that is to be seen.
    Break,
}

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// To the web or a mailbox: only characters that a URL may have, and no scheme but `http`,
    /// `https` and `mailto`.
    Web(String),
    /// To a definition of this protocol.
    Type(String),
}

/// Text without characters that hide, turn other text around or are no text, and with plain line
/// ends and tabs.
pub(super) fn clean(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .filter_map(|character| match character {
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
            '\t' => Some('\t'),
            hidden if hidden.is_control() || is_invisible(hidden) => None,
            other => Some(other),
        })
        .collect()
}

/// Writes the text on one line.
pub(super) fn one_line(text: &str) -> String {
    clean(text).replace(['\n', '\t'], " ")
}

/// Tells whether a character only directs or hides others.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}
