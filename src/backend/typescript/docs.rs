//! Comments that editors show.

use serde_json::Value;

use super::PRETTIER;
use crate::backend::DocsMode;
use crate::ir::{Docs, Stability};
use crate::source::plain_text;

/// A comment under construction: paragraphs, then tags.
#[derive(Debug)]
pub(super) struct Comment {
    mode: DocsMode,
    lines: Vec<String>,
    tags: Vec<String>,
}

impl Comment {
    /// Takes the docs of a thing: its description, unless docs are off, and its status.
    pub(super) fn new(docs: &Docs, mode: DocsMode) -> Self {
        let mut comment = Self { mode, lines: Vec::new(), tags: status(docs) };
        if mode == DocsMode::Full
            && let Some(description) = &docs.description
        {
            comment.lines = comment_lines(description);
        }
        comment
    }

    /// A line of the tool's own, without text from a schema but for identifiers.
    pub(super) fn about(line: String) -> Self {
        Self { mode: DocsMode::Full, lines: vec![line], tags: Vec::new() }
    }

    /// Adds the status of a thing.
    #[must_use]
    pub(super) fn status(mut self, docs: &Docs) -> Self {
        self.tags.extend(status(docs));
        self
    }

    /// Adds a paragraph of the tool's own, which may quote the schema.
    #[must_use]
    pub(super) fn paragraph(mut self, text: &str) -> Self {
        if !self.lines.is_empty() {
            self.lines.push(String::new());
        }
        self.lines.extend(comment_lines(text));
        self
    }

    /// Adds list items, each a label and what the schema says of it; those of which it says
    /// nothing are left out.
    #[must_use]
    pub(super) fn items<'a>(mut self, items: impl Iterator<Item = (String, &'a Docs)>) -> Self {
        if self.mode == DocsMode::Off {
            return self;
        }
        let mut begun = false;
        for (label, docs) in items {
            let Some(description) = &docs.description else { continue };
            let lines = comment_lines(description);
            if lines.is_empty() {
                continue;
            }
            if !begun && !self.lines.is_empty() {
                self.lines.push(String::new());
            }
            begun = true;
            let label = comment_lines(&label).concat();
            for (index, line) in lines.iter().enumerate() {
                let mark = if index == 0 { format!("- {label}: ") } else { String::from("  ") };
                self.lines.push(format!("{mark}{line}").trim_end().to_owned());
            }
        }
        self
    }

    /// Adds the value that an absent field takes.
    #[must_use]
    pub(super) fn default_value(mut self, value: Option<&Value>) -> Self {
        if let Some(value) = value {
            self.tags.push(format!("@default {}", comment_lines(&value.to_string()).concat()));
        }
        self
    }

    /// The lines of the comment, marks included, for a thing that begins at a column; none if
    /// there is nothing to say.
    pub(super) fn block(self, column: usize) -> Vec<String> {
        let mut lines = self.lines;
        if !lines.is_empty() && !self.tags.is_empty() {
            lines.push(String::new());
        }
        lines.extend(self.tags);
        match lines.as_slice() {
            [] => Vec::new(),
            [line] if column + line.chars().count() + "/**  */".len() <= PRETTIER.width => {
                vec![format!("/** {line} */")]
            }
            _ => {
                let body = lines.iter().map(|line| format!(" * {line}").trim_end().to_owned());
                let open = std::iter::once(String::from("/**"));
                open.chain(body).chain([String::from(" */")]).collect()
            }
        }
    }
}

/// The tags that warn of a thing which is on its way out, or not settled yet.
pub(super) fn status(docs: &Docs) -> Vec<String> {
    let deprecated = docs.deprecated.then_some("@deprecated");
    let unstable = (docs.stability == Stability::Unstable).then_some("@experimental");
    deprecated.into_iter().chain(unstable).map(String::from).collect()
}

/// A comment of a description alone, for a thing at the beginning of a line.
pub(super) fn lines(description: &str) -> Vec<String> {
    let lines = comment_lines(description);
    Comment { mode: DocsMode::Full, lines, tags: Vec::new() }.block(0)
}

/// The lines of a description, harmless within `/** … */`.
///
/// A comment's end, and an `@` that would begin a tag, are escaped; control and direction
/// characters are dropped. Blank lines at either end are left out.
pub(in crate::backend) fn comment_lines(description: &str) -> Vec<String> {
    let lines: Vec<String> = plain_text(description).split('\n').map(comment_line).collect();
    let Some(first) = lines.iter().position(|line| !line.is_empty()) else { return Vec::new() };
    let last = lines.iter().rposition(|line| !line.is_empty()).unwrap_or(first);
    lines.into_iter().take(last + 1).skip(first).collect()
}

fn comment_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\t' => out.push(' '),
            '/' if out.ends_with('*') => out.push_str("\\/"),
            '@' if begins_tag(&out, characters.peek().copied()) => out.push_str("\\@"),
            _ => out.push(character),
        }
    }
    let kept = out.trim_end().len();
    out.truncate(kept);
    out
}

/// Tells whether an `@` after this text and before this character is the beginning of a tag.
fn begins_tag(before: &str, next: Option<char>) -> bool {
    let starts = before.chars().next_back().is_none_or(|last| last.is_whitespace() || last == '{');
    starts && next.is_some_and(|next| !next.is_whitespace())
}
