//! [`Block`]s as HTML.

use std::fmt::Write as _;

use super::{Block, Inline};

/// Prints blocks.
pub(in crate::backend::docs) fn print(blocks: &[Block]) -> String {
    let mut printer = Printer { text: String::new() };
    printer.blocks(blocks);
    printer.text
}

/// Text that is nothing but text, in content and in quoted attributes.
pub(in crate::backend::docs) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

// In this file, writing to a string cannot fail.

struct Printer {
    text: String,
}

impl Printer {
    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::Paragraph(inlines) => self.around("p", inlines),
                Block::Heading(inlines) => {
                    self.text.push_str("<p class=\"lead\">");
                    self.inlines(inlines);
                    self.text.push_str("</p>");
                }
                Block::Code { text, .. } => {
                    self.text.push_str("<pre tabindex=\"0\"><code>");
                    self.text.push_str(&escape(text));
                    self.text.push_str("</code></pre>");
                }
                Block::List { start, items } => self.list(*start, items),
                Block::Quote(blocks) => {
                    self.text.push_str("<blockquote>");
                    self.blocks(blocks);
                    self.text.push_str("</blockquote>");
                }
                Block::Table(rows) => self.table(rows),
                Block::Rule => self.text.push_str("<hr>"),
            }
        }
    }

    fn around(&mut self, tag: &str, inlines: &[Inline]) {
        let _ = write!(self.text, "<{tag}>");
        self.inlines(inlines);
        let _ = write!(self.text, "</{tag}>");
    }

    fn list(&mut self, start: Option<u64>, items: &[Vec<Block>]) {
        let (open, close) = match start {
            None => ("<ul>".to_owned(), "</ul>"),
            Some(1) => ("<ol>".to_owned(), "</ol>"),
            Some(start) => (format!("<ol start=\"{start}\">"), "</ol>"),
        };
        self.text.push_str(&open);
        for item in items {
            self.text.push_str("<li>");
            match item.as_slice() {
                [Block::Paragraph(inlines), rest @ ..] => {
                    self.inlines(inlines);
                    self.blocks(rest);
                }
                blocks => self.blocks(blocks),
            }
            self.text.push_str("</li>");
        }
        self.text.push_str(close);
    }

    fn table(&mut self, rows: &[Vec<Vec<Inline>>]) {
        self.text.push_str("<table>");
        for (index, row) in rows.iter().enumerate() {
            let cell = if index == 0 { "th" } else { "td" };
            self.text.push_str("<tr>");
            for inlines in row {
                self.around(cell, inlines);
            }
            self.text.push_str("</tr>");
        }
        self.text.push_str("</table>");
    }

    fn inlines(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            match inline {
                Inline::Text(text) => self.text.push_str(&escape(text)),
                Inline::Code(code) => {
                    let _ = write!(self.text, "<code>{}</code>", escape(code));
                }
                Inline::Strong(inlines) => self.around("strong", inlines),
                Inline::Emphasis(inlines) => self.around("em", inlines),
                Inline::Struck(inlines) => self.around("s", inlines),
                Inline::SoftBreak => self.text.push(' '),
                Inline::Break => self.text.push_str("<br>"),
                Inline::Link { href, label } => {
                    let _ = write!(self.text, "<a href=\"{}\">", escape(href));
                    self.inlines(label);
                    self.text.push_str("</a>");
                }
            }
        }
    }
}
