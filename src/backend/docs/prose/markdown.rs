//! [`Block`]s as Markdown: what its readers and formatters make of it is the same tree again.

use super::{Block, Inline};

/// The flavour of Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::backend::docs) enum Flavour {
    /// Markdown as forges read it.
    Plain,
    /// Markdown with JSX, where braces are code and lines can be JavaScript.
    Mdx,
}

/// Prints blocks, a blank line between two.
pub(in crate::backend::docs) fn print(blocks: &[Block], flavour: Flavour) -> String {
    flavour.blocks(blocks)
}

/// Words as running text: nothing in them is markup, but at the
/// beginning of a line it may be that of a block.
pub(in crate::backend::docs) fn escape(text: &str, flavour: Flavour) -> String {
    let characters: Vec<char> = text.chars().collect();
    let is_word = |at: Option<usize>| {
        at.and_then(|at| characters.get(at)).is_some_and(|character| character.is_alphanumeric())
    };
    let mut escaped = String::with_capacity(text.len());
    for (at, character) in characters.iter().enumerate() {
        let is_markup = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '~' | '|' | '$' => true,
            '{' | '}' => flavour == Flavour::Mdx,
            '_' => !(is_word(at.checked_sub(1)) && is_word(Some(at + 1))),
            '&' => is_word(Some(at + 1)) || characters.get(at + 1) == Some(&'#'),
            // Before a link it would make an image of it.
            '!' => at + 1 == characters.len(),
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(*character);
    }
    escaped
}

/// A code span.
pub(in crate::backend::docs) fn code(text: &str) -> String {
    if text.is_empty() {
        return "` `".to_owned();
    }
    let marks = "`".repeat(longest_run(text, '`') + 1);
    let edge = |edge: Option<char>| matches!(edge, Some('`' | ' '));
    let blank = text.chars().all(|character| character == ' ');
    let pad =
        if !blank && (edge(text.chars().next()) || edge(text.chars().last())) { " " } else { "" };
    format!("{marks}{pad}{text}{pad}{marks}")
}

/// A block of code.
pub(in crate::backend::docs) fn fenced(language: &str, text: &str) -> String {
    let marks = "`".repeat(longest_run(text, '`').max(2) + 1);
    format!("{marks}{language}\n{text}\n{marks}")
}

fn longest_run(text: &str, wanted: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for character in text.chars() {
        run = if character == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// A line that begins nothing but running text.
fn guarded(line: &str, flavour: Flavour) -> String {
    let first = line.chars().next();
    let ends = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
    let is_ruler = line.chars().all(|character| "-=:| \\".contains(character));
    let after_marks = line.trim_start_matches('#');
    let after_digits = line.trim_start_matches(|character: char| character.is_ascii_digit());
    let digits = line.len() - after_digits.len();
    match first {
        Some('-' | '=' | ':') if is_ruler => format!("\\{line}"),
        Some('#') if ends(after_marks) => format!("\\{line}"),
        Some('+' | '-') if ends(line.get(1..).unwrap_or_default()) => format!("\\{line}"),
        Some('0'..='9') if after_digits.starts_with(['.', ')']) && digits < 10 => {
            let (number, rest) = line.split_at(digits);
            if ends(rest.get(1..).unwrap_or_default()) {
                format!("{number}\\{rest}")
            } else {
                line.to_owned()
            }
        }
        Some('i' | 'e') if flavour == Flavour::Mdx => {
            let is_statement = ["import", "export"].iter().any(|word| line.starts_with(word));
            let letter = if first == Some('i') { "&#105;" } else { "&#101;" };
            let rest = line.get(1..).unwrap_or_default();
            if is_statement { format!("{letter}{rest}") } else { line.to_owned() }
        }
        _ => line.to_owned(),
    }
}

impl Flavour {
    fn blocks(self, blocks: &[Block]) -> String {
        let mut texts: Vec<String> = Vec::new();
        let mut lists = 0;
        let mut last = None;
        // A line across the page says nothing that the blank line does not.
        for block in blocks.iter().filter(|block| **block != Block::Rule) {
            // Two lists of one kind in a row are two lists only if their marks differ.
            let kind = match block {
                Block::List { start, .. } => Some(start.is_some()),
                _ => None,
            };
            lists = if kind.is_some() && kind == last { lists + 1 } else { 1 };
            last = kind;
            texts.push(self.block(block, lists % 2 == 0));
        }
        texts.join("\n\n")
    }

    fn block(self, block: &Block, other_mark: bool) -> String {
        match block {
            Block::Paragraph(inlines) => self.paragraph(inlines),
            Block::Heading(inlines) => {
                let text = self.inlines(inlines).replace(['\n'], " ");
                if text.contains("**") {
                    guarded(&text, self)
                } else {
                    format!("**{}**", text.trim())
                }
            }
            Block::Code { language, text } => fenced(language, text),
            Block::List { start, items } => self.list(*start, items, other_mark),
            Block::Quote(blocks) => {
                let lines = self.blocks(blocks);
                let lines = lines.lines().map(|line| format!("> {line}").trim_end().to_owned());
                lines.collect::<Vec<_>>().join("\n")
            }
            Block::Table(rows) => self.table(rows),
            Block::Rule => String::new(),
        }
    }

    fn paragraph(self, inlines: &[Inline]) -> String {
        let text = self.inlines(inlines);
        let lines = text.lines().map(|line| guarded(line.trim(), self));
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    fn list(self, start: Option<u64>, items: &[Vec<Block>], other_mark: bool) -> String {
        let is_tight = items.iter().all(|item| {
            matches!(
                item.as_slice(),
                [] | [Block::Paragraph(_)] | [Block::Paragraph(_), Block::List { .. }]
            )
        });
        let mut texts = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let mark = match (start, other_mark) {
                (Some(start), _) => format!("{}.", start.saturating_add(index as u64)),
                (None, false) => "-".to_owned(),
                (None, true) => "*".to_owned(),
            };
            let mut body = self.blocks(item);
            if is_tight {
                body = body.replacen("\n\n", "\n", 1);
            }
            let indented = indent(&body, mark.len() + 1);
            texts.push(format!("{mark} {indented}").trim_end().to_owned());
        }
        texts.join(if is_tight { "\n" } else { "\n\n" })
    }

    fn table(self, rows: &[Vec<Vec<Inline>>]) -> String {
        let cells: Vec<Vec<String>> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| self.inlines(cell).replace("\\\n", " ").replace('\n', " "))
                    .map(|cell| bar_safe(cell.trim()))
                    .collect()
            })
            .collect();
        rows_of(&cells)
    }

    fn inlines(self, inlines: &[Inline]) -> String {
        let mut text = String::new();
        for (index, inline) in inlines.iter().enumerate() {
            // Underscores within a word mark nothing.
            let in_word = text.chars().last().is_some_and(char::is_alphanumeric)
                || matches!(inlines.get(index + 1), Some(Inline::Text(next)) if next.starts_with(char::is_alphanumeric));
            text.push_str(&self.inline(inline, if in_word { "*" } else { "_" }));
        }
        text
    }

    fn inline(self, inline: &Inline, stress: &str) -> String {
        let around = |marks: &str, inlines: &[Inline]| {
            let text = self.inlines(inlines);
            let inner = text.trim();
            // Marks only mark where text is right beside them.
            if inner.is_empty() || text.len() != inner.len() {
                text
            } else {
                format!("{marks}{inner}{marks}")
            }
        };
        match inline {
            Inline::Text(text) => escape(text, self),
            Inline::Code(text) => code(text),
            Inline::Strong(inlines) => around("**", inlines),
            Inline::Emphasis(inlines) => around(stress, inlines),
            Inline::Struck(inlines) => around("~~", inlines),
            Inline::SoftBreak => "\n".to_owned(),
            Inline::Break => "\\\n".to_owned(),
            Inline::Link { href, label } => {
                let text = self.inlines(label).replace("\\\n", " ").replace('\n', " ");
                format!("[{text}]({href})")
            }
        }
    }
}

/// Lines after the first, moved to the right.
fn indent(text: &str, by: usize) -> String {
    let pad = " ".repeat(by);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |mut all, line| {
        all.push('\n');
        if !line.is_empty() {
            all.push_str(&pad);
            all.push_str(line);
        }
        all
    })
}

/// A cell in which no bar ends it: outside of code they are escaped already.
pub(in crate::backend::docs) fn bar_safe(cell: &str) -> String {
    let mut safe = String::with_capacity(cell.len());
    let mut before = ' ';
    for character in cell.chars() {
        if character == '|' && before != '\\' {
            safe.push('\\');
        }
        safe.push(character);
        before = character;
    }
    safe
}
/// A table of cells that are Markdown on one line, its head first, its columns aligned.
pub(in crate::backend::docs) fn rows_of(cells: &[Vec<String>]) -> String {
    let columns = cells.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let in_column = cells.iter().filter_map(|row| row.get(column));
        in_column.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut lines = Vec::new();
    for (index, row) in cells.iter().enumerate() {
        let padded = row.iter().zip(&widths).map(|(cell, width)| format!(" {cell:width$} |"));
        lines.push(format!("|{}", padded.collect::<String>()));
        if index == 0 {
            let ruler = widths.iter().map(|width| format!(" {} |", "-".repeat(*width)));
            lines.push(format!("|{}", ruler.collect::<String>()));
        }
    }
    lines.join("\n")
}
