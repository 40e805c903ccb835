//! Texts, and locations in them.

use std::ops::Range;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A range of bytes in one of the [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Span {
    /// Which text: an index into [`Sources`].
    pub source: u32,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// A range of bytes in the text of this number.
    pub fn from_range(source: u32, bytes: &Range<usize>) -> Self {
        Self { source, start: saturated(bytes.start), end: saturated(bytes.end) }
    }
}

/// A node of a schema, for people: its JSON pointer, and where it stands in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Location {
    /// The JSON pointer (RFC 6901) of the node in its text; empty for the whole document.
    pub pointer: String,
    /// The bytes of the node.
    pub span: Span,
    /// The line the node begins on, from 1.
    pub line: u32,
    /// The column it begins at, from 1, in Unicode code points.
    pub column: u32,
}

/// A text: a schema, or an overlay.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// Its name in messages: a path as the user gave it, `<stdin>`, `bundled:acp@v1`.
    pub label: String,
    /// The whole text.
    pub text: String,
    line_starts: Vec<u32>,
    /// The number of code points that begin before each block of `BLOCK` bytes, so that a column in
    /// a very long line is found without counting from the line's beginning.
    code_points: Vec<u32>,
}

/// Bytes between two entries of the code point index.
const BLOCK: usize = 1024;

impl SourceText {
    /// Takes a text and finds its lines.
    pub fn new(label: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(
                text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1),
            )
            .map(saturated)
            .collect();
        let mut code_points = Vec::with_capacity(text.len() / BLOCK + 2);
        let mut count = 0;
        for block in text.as_bytes().chunks(BLOCK) {
            code_points.push(saturated(count));
            count += code_points_beginning_in(block);
        }
        code_points.push(saturated(count));
        Self { label: label.into(), text, line_starts, code_points }
    }

    /// Its path, with `/` between folders, if it is a file.
    pub fn path(&self) -> Option<String> {
        is_path(&self.label).then(|| self.label.replace('\\', "/"))
    }

    /// Line and column, both from 1, of a byte offset. An offset past the end is the end.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0) as usize;
        let end = (offset as usize).clamp(start, self.text.len());
        let column = self.code_points_before(end).saturating_sub(self.code_points_before(start));
        (saturated(line), saturated(column + 1))
    }

    /// The bytes of the line that holds this byte offset, without its line end. An offset past
    /// the end is on the last line.
    pub fn line_at(&self, offset: u32) -> Range<usize> {
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0) as usize;
        let end = self.line_starts.get(line).map_or(self.text.len(), |next| *next as usize);
        let line = self.text.get(start..end).unwrap_or_default();
        start..start + line.trim_end_matches(['\r', '\n']).len()
    }

    fn code_points_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        let indexed = self.code_points.get(block).copied().unwrap_or(0) as usize;
        indexed
            + self.text.as_bytes().get(block * BLOCK..offset).map_or(0, code_points_beginning_in)
    }
}

/// Tells whether the name of a text is a path in the file system: not standard input, a bundled
/// schema, or a revision of git.
pub fn is_path(name: &str) -> bool {
    !["-", "<stdin>"].contains(&name) && !name.starts_with("bundled:") && !name.starts_with("git:")
}

/// Counts the code points that begin in these bytes of a UTF-8 text: all but continuation bytes.
fn code_points_beginning_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count()
}

/// The texts of one run, so that a location can say which of them it is in.
///
/// ```
/// use acp_bindgen::source::{SourceText, Sources, parse};
///
/// let mut sources = Sources::default();
/// let source = sources.add(SourceText::new("hello.json", "{\n  \"title\": \"Hello\"\n}"));
/// let (node, errors) = parse(&sources, source);
/// assert_eq!(errors, []);
///
/// let node = node.ok_or("it is JSON")?;
/// let title = node.get("title").ok_or("it has a title")?;
/// assert_eq!(title.as_str(), Some("Hello"));
/// let location = sources.location("/title", title.span);
/// assert_eq!((location.line, location.column), (2, 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<SourceText>,
}

impl Sources {
    /// Adds a text and gives its number for [`Span::source`].
    pub fn add(&mut self, text: SourceText) -> u32 {
        self.texts.push(text);
        saturated(self.texts.len() - 1)
    }

    /// The text of this number.
    pub fn get(&self, source: u32) -> Option<&SourceText> {
        self.texts.get(source as usize)
    }

    /// All texts, in order.
    pub fn iter(&self) -> impl Iterator<Item = &SourceText> {
        self.texts.iter()
    }

    /// The location of a node.
    pub fn location(&self, pointer: impl Into<String>, span: Span) -> Location {
        let (line, column) =
            self.get(span.source).map_or((1, 1), |text| text.line_column(span.start));
        Location { pointer: pointer.into(), span, line, column }
    }
}

fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, SourceText};

    #[test]
    fn lines_and_columns_count_from_one_in_code_points() {
        let text = SourceText::new("t", "{\n  \"é\": 1\n}");
        assert_eq!(text.line_column(0), (1, 1));
        assert_eq!(text.line_column(2), (2, 1));
        assert_eq!(text.line_column(10), (2, 8));
        assert_eq!(text.line_column(999), (3, 2));
        let long = SourceText::new("t", "é".repeat(5000));
        assert_eq!(long.line_column(9998), (1, 5000));
        let exact = SourceText::new("t", "a".repeat(BLOCK));
        assert_eq!(exact.line_column(1024), (1, 1025));
    }

    #[test]
    fn lines_come_without_their_ends() {
        let text = SourceText::new("t", "{\r\n  1\n}");
        assert_eq!(text.line_at(0), 0..1);
        assert_eq!(text.line_at(2), 0..1);
        assert_eq!(text.line_at(4), 3..6);
        assert_eq!(text.line_at(999), 7..8);
    }
}
