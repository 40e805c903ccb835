//! Doc comments from descriptions that nobody has vetted.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::backend::{DocsMode, Options};
use crate::ir::Docs;
use crate::source::plain_text;

/// A doc comment, line by line, and whether what it is about is deprecated.
#[derive(Clone, Debug, Default)]
pub(super) struct DocComment {
    lines: Vec<String>,
    is_deprecated: bool,
}

impl DocComment {
    /// The description, if descriptions are wanted.
    pub(super) fn new(docs: &Docs, options: &Options) -> Self {
        Self::in_mode(docs, options.docs)
    }

    /// The description in a mode.
    pub(super) fn in_mode(docs: &Docs, mode: DocsMode) -> Self {
        let description = docs.description.as_deref().filter(|_| mode == DocsMode::Full);
        let mut lines = markdown(description.unwrap_or_default());
        // Its description says so, where it is shown.
        if lines.is_empty() && docs.is_unstable() {
            lines.push(String::from("Unstable: it may change in any version."));
        }
        Self { lines, is_deprecated: docs.deprecated }
    }

    /// Markdown that was written for this place, shown as it is but for characters that hide or
    /// turn text around.
    pub(super) fn trusted(markdown: &str) -> Self {
        let text = plain_text(markdown).replace('\t', " ");
        let lines = text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
        Self { lines, is_deprecated: false }
    }

    /// The comment, or another if there is nothing in it.
    #[must_use]
    pub(super) fn or(self, other: Self) -> Self {
        if self.lines.is_empty() { other } else { self }
    }

    /// The comment with another after it, an empty line between them.
    #[must_use]
    pub(super) fn before(mut self, last: Self) -> Self {
        if !self.lines.is_empty() && !last.lines.is_empty() {
            self.lines.push(String::new());
        }
        self.lines.extend(last.lines);
        self
    }

    /// The comment of the module that it stands in.
    pub(super) fn inner(&self) -> TokenStream {
        let lines = self.lines.iter().map(|line| spaced(line));
        quote!(#(#![doc = #lines])*)
    }

    /// The attribute of what is deprecated, for functions that have no comment of their own.
    pub(super) fn deprecation(&self) -> Option<TokenStream> {
        self.is_deprecated.then(|| quote!(#[deprecated]))
    }
}

impl ToTokens for DocComment {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let lines = self.lines.iter().map(|line| spaced(line));
        let deprecation = self.deprecation();
        tokens.extend(quote!(#(#[doc = #lines])* #deprecation));
    }
}

/// A line as it stands after the mark of a comment.
fn spaced(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!(" {line}") }
}

/// The lines of a doc comment from a description, each with its `///`.
#[cfg(feature = "cli")]
pub(super) fn lines(description: &str) -> Vec<String> {
    markdown(description).iter().map(|line| format!("///{}", spaced(line))).collect()
}

/// A description as lines of Markdown in which `rustdoc` finds no link to resolve, no HTML, no
/// code to test, and nobody finds characters that hide or turn text around.
pub(super) fn markdown(description: &str) -> Vec<String> {
    let text = plain_text(description).replace('\t', " ");
    let mut lines: Vec<String> = Vec::new();
    let mut fence: Option<Fence> = None;
    for line in text.lines() {
        let line = line.trim_end();
        if let Some(open) = &fence {
            if open.is_closed_by(line) {
                lines.push(open.mark());
                fence = None;
            } else {
                lines.push(line.to_owned());
            }
        } else if let Some(open) = Fence::opened_by(line) {
            lines.push(format!("{}text", open.mark()));
            fence = Some(open);
        } else if line.is_empty() {
            if lines.last().is_some_and(|last| !last.is_empty()) {
                lines.push(String::new());
            }
        } else {
            lines.push(prose(line));
        }
    }
    if let Some(open) = fence {
        lines.push(open.mark());
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The line that begins a block of code.
struct Fence {
    character: char,
    length: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let line = line.trim_start();
        let character = line.chars().next().filter(|first| matches!(first, '`' | '~'))?;
        let length = line.chars().take_while(|next| *next == character).count();
        let info = line.get(length..)?;
        (length >= 3 && !info.contains('`')).then_some(Self { character, length })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.chars().count() >= self.length && line.chars().all(|next| next == self.character)
    }

    fn mark(&self) -> String {
        self.character.to_string().repeat(self.length)
    }
}

/// A line outside of code blocks. Indentation that would make it one is taken back.
fn prose(line: &str) -> String {
    let text = line.trim_start();
    let indent = (line.len() - text.len()).min(3);
    let mut prose = " ".repeat(indent);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (piece, length) = if first == '`' {
            code_span(rest)
        } else if rest.starts_with("http://") || rest.starts_with("https://") {
            bare_url(rest)
        } else if first == '\\' {
            escaped(rest)
        } else if first == '[' {
            link(rest).unwrap_or_else(|| (String::from("\\["), 1))
        } else {
            match first {
                ']' | '<' | '>' | '&' => (format!("\\{first}"), 1),
                _ => (first.to_string(), first.len_utf8()),
            }
        };
        prose.push_str(&piece);
        rest = rest.get(length..).unwrap_or_default();
    }
    prose
}

/// A backslash: one that already escapes something does so here, too.
fn escaped(text: &str) -> (String, usize) {
    match text.chars().nth(1) {
        Some(next) if next.is_ascii_punctuation() => (format!("\\{next}"), 2),
        _ => (String::from("\\\\"), 1),
    }
}

/// A code span that ends on the same line, as it is, else the backticks escaped.
fn code_span(text: &str) -> (String, usize) {
    let length = text.chars().take_while(|next| *next == '`').count();
    let marks = "`".repeat(length);
    let mut from = length;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(&marks)) {
        let end = from + at + length;
        let run = text.get(end..).map_or(0, |rest| rest.chars().take_while(|c| *c == '`').count());
        if run == 0 {
            return (text.get(..end).unwrap_or_default().to_owned(), end);
        }
        from = end + run;
    }
    ("\\`".repeat(length), length)
}

/// A URL, made a link.
fn bare_url(text: &str) -> (String, usize) {
    let end = text
        .find(|next: char| next.is_whitespace() || "<>[]()`\"'\\|".contains(next))
        .unwrap_or(text.len());
    let url = text
        .get(..end)
        .unwrap_or_default()
        .trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
    (format!("<{url}>"), url.len())
}

/// An inline link to a web page: `[text](https://…)`.
fn link(text: &str) -> Option<(String, usize)> {
    let middle = text.find("](")?;
    let label = text.get(1..middle)?;
    let target = text.get(middle + 2..)?;
    let target = target.get(..target.find(')')?)?;
    let is_url = (target.starts_with("https://") || target.starts_with("http://"))
        && !target.contains(|next: char| next.is_whitespace() || "<>()[]`\"\\".contains(next));
    if !is_url || label.contains(['[', ']', '`', '<', '\\', '&']) || label.contains("://") {
        return None;
    }
    Some((format!("[{label}]({target})"), middle + 3 + target.len()))
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn prose_stays_prose() {
        assert_eq!(
            markdown("One line.\r\n\r\n\r\n- `a<b>`\n- two  "),
            ["One line.", "", "- `a<b>`", "- two"]
        );
        assert_eq!(
            markdown("See [docs](https://example.com/a)."),
            ["See [docs](https://example.com/a)."]
        );
    }

    #[test]
    fn nothing_is_left_to_resolve() {
        assert_eq!(markdown("[Foo] and [x](Foo::bar)"), ["\\[Foo\\] and \\[x\\](Foo::bar)"]);
        assert_eq!(
            markdown("<script> at https://example.com."),
            ["\\<script\\> at <https://example.com>."]
        );
        assert_eq!(markdown("a ` b"), ["a \\` b"]);
        assert_eq!(markdown(r"\[1\] C:\dir \"), [r"\[1\] C:\\dir \\"]);
    }

    #[test]
    fn code_is_never_a_test() {
        assert_eq!(markdown("```\nfn main() {}"), ["```text", "fn main() {}", "```"]);
        assert_eq!(markdown("~~~rust,no_run\nx\n~~~~"), ["~~~text", "x", "~~~"]);
        assert_eq!(markdown("a\n\n        let x;"), ["a", "", "   let x;"]);
    }

    #[test]
    fn nothing_is_hidden() {
        assert_eq!(markdown("a\u{202e}b\0c\u{2028}d"), ["abc", "d"]);
        assert!(markdown(" \n\t").is_empty());
    }
}
