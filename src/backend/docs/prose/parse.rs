//! Markdown to [`Block`]s.

use std::collections::HashMap;
use std::fmt::Write as _;

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, Options, Parser, Tag};

use super::{Block, Inline, one_line};
use crate::source::plain_text;

/// The deepest nesting of lists, quotations and emphasis. Deeper ones are no longer marked as such.
const DEEPEST: usize = 12;

/// Names of types, and the ids of their sections.
type Sections<'a> = HashMap<&'a str, String>;

/// Takes a description apart. `types` are what links may lead to: [`Name`], [`Name::member`] and
/// [text](Name), with or without backticks, as in doc comments of Rust. `links`: what other links
/// begin with, and what they shall begin with instead.
pub(in crate::backend::docs) fn parse(
    description: &str,
    types: &Sections<'_>,
    links: &[(String, String)],
) -> Vec<Block> {
    let text = plain_text(description);
    let mut broken = |link: BrokenLink<'_>| {
        let (name, _) = type_named(&link.reference, types)?;
        Some((CowStr::from(name.to_owned()), CowStr::from("")))
    };
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let events = Parser::new_with_broken_link_callback(&text, options, Some(&mut broken));
    let mut builder =
        Builder { types, links, open: vec![Open::Blocks(Container::Root, Vec::new())], depth: 0 };
    for event in events {
        builder.event(event);
    }
    builder.finish()
}

/// The type that the text of an intra-doc link names, and the id of its section.
fn type_named<'t>(reference: &str, types: &'t Sections<'_>) -> Option<(&'t str, &'t str)> {
    let path = reference.trim().trim_matches('`').trim_end_matches("()");
    let mut named = [path].into_iter().chain(path.rsplit("::").take(2));
    let (name, id) = named.find_map(|name| types.get_key_value(name))?;
    Some((name, id))
}

/// A part of the tree that is not complete.
enum Open {
    Blocks(Container, Vec<Block>),
    Items(Option<u64>, Vec<Vec<Block>>),
    Inlines(Span, Vec<Inline>),
    Code(String, String),
    Rows(Vec<Vec<Vec<Inline>>>),
    Cells(Vec<Vec<Inline>>),
    /// Its contents belong to what is around it.
    Transparent,
}

enum Container {
    Root,
    Quote,
    Item,
}

enum Span {
    Paragraph,
    /// A paragraph that the parser does not announce: of a tight list.
    Implied,
    Heading,
    Strong,
    Emphasis,
    Struck,
    Link {
        href: String,
        /// The label where there is none: the address, or the type's name.
        name: String,
    },
    Cell,
}

struct Builder<'a> {
    links: &'a [(String, String)],
    types: &'a Sections<'a>,
    open: Vec<Open>,
    depth: usize,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => self.inline(Inline::Code(one_line(&code))),
            Event::SoftBreak => self.inline(Inline::SoftBreak),
            Event::HardBreak => self.inline(Inline::Break),
            Event::Rule => self.block(Block::Rule),
            // Not enabled.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.text(&text);
            }
            Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let is_inline = matches!(
            tag,
            Tag::Strong | Tag::Emphasis | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
        );
        if !is_inline {
            self.end_implied();
        }
        self.depth += 1;
        let inlines = |span| Open::Inlines(span, Vec::new());
        let blocks = |container| Open::Blocks(container, Vec::new());
        let open = match tag {
            Tag::Paragraph | Tag::HtmlBlock => inlines(Span::Paragraph),
            Tag::Heading { .. } => inlines(Span::Heading),
            Tag::CodeBlock(kind) => Open::Code(language(&kind), String::new()),
            Tag::Table(_) => Open::Rows(Vec::new()),
            Tag::TableHead | Tag::TableRow => Open::Cells(Vec::new()),
            Tag::TableCell => inlines(Span::Cell),
            _ if self.depth > DEEPEST => Open::Transparent,
            Tag::BlockQuote(_) => blocks(Container::Quote),
            Tag::List(start) => Open::Items(start, Vec::new()),
            Tag::Item => blocks(Container::Item),
            Tag::Strong => inlines(Span::Strong),
            Tag::Emphasis => inlines(Span::Emphasis),
            Tag::Strikethrough => inlines(Span::Struck),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.link(&dest_url).map_or(Open::Transparent, inlines)
            }
            _ => Open::Transparent,
        };
        if is_inline {
            self.imply();
        }
        self.open.push(open);
    }

    fn link(&self, destination: &str) -> Option<Span> {
        if let Some((name, id)) = type_named(destination, self.types) {
            return Some(Span::Link { href: format!("#{id}"), name: name.to_owned() });
        }
        let (begin, rest) = rewritten(destination, self.links);
        let address = match begin {
            // A place beside the page, as the project says.
            Some(begin) if begin.starts_with(['/', '.', '#']) => encoded(&format!("{begin}{rest}")),
            begin => web(&format!("{}{rest}", begin.unwrap_or_default()))?,
        };
        Some(Span::Link { href: address.clone(), name: address })
    }

    fn end(&mut self) {
        self.end_implied();
        self.depth = self.depth.saturating_sub(1);
        self.close();
    }

    /// Closes the innermost part and puts it where it belongs.
    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Blocks(Container::Quote, blocks)) if !blocks.is_empty() => {
                self.block(Block::Quote(blocks));
            }
            Some(Open::Blocks(Container::Item, blocks)) => match self.open.last_mut() {
                Some(Open::Items(_, items)) => items.push(blocks),
                _ => blocks.into_iter().for_each(|block| self.block(block)),
            },
            Some(Open::Items(start, items)) => self.block(Block::List { start, items }),
            Some(Open::Code(language, text)) => {
                let text = text.trim_end().to_owned();
                self.block(Block::Code { language, text });
            }
            Some(Open::Rows(rows)) => self.block(Block::Table(rows)),
            Some(Open::Cells(cells)) => {
                if let Some(Open::Rows(rows)) = self.open.last_mut() {
                    rows.push(cells);
                }
            }
            Some(Open::Inlines(span, inlines)) => self.close_inlines(span, inlines),
            Some(Open::Blocks(..) | Open::Transparent) | None => {}
        }
    }

    fn close_inlines(&mut self, span: Span, inlines: Vec<Inline>) {
        let inlines = trimmed(inlines, &span);
        if inlines.is_empty() && !matches!(span, Span::Cell | Span::Link { .. }) {
            return;
        }
        match span {
            Span::Paragraph | Span::Implied => self.block(Block::Paragraph(inlines)),
            Span::Heading => self.block(Block::Heading(inlines)),
            Span::Strong => self.inline(Inline::Strong(inlines)),
            Span::Emphasis => self.inline(Inline::Emphasis(inlines)),
            Span::Struck => self.inline(Inline::Struck(inlines)),
            Span::Link { href, name } => {
                let label = if inlines.is_empty() { vec![Inline::Text(name)] } else { inlines };
                self.inline(Inline::Link { href, label });
            }
            Span::Cell => {
                if let Some(Open::Cells(cells)) = self.open.last_mut() {
                    cells.push(inlines);
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(Open::Code(_, code)) = self.open.last_mut() {
            code.push_str(text);
            return;
        }
        // Raw HTML comes with its line breaks.
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.inline(Inline::SoftBreak);
            }
            let in_link =
                self.open.iter().any(|open| matches!(open, Open::Inlines(Span::Link { .. }, _)));
            if in_link {
                self.inline(Inline::Text(one_line(line)));
            } else {
                for inline in linked(&one_line(line)) {
                    self.inline(inline);
                }
            }
        }
    }

    fn inline(&mut self, inline: Inline) {
        if matches!(&inline, Inline::Text(text) if text.is_empty()) {
            return;
        }
        self.imply();
        let parts = self.open.iter_mut().rev();
        let inlines = parts.filter_map(|open| match open {
            Open::Inlines(_, inlines) => Some(inlines),
            _ => None,
        });
        let Some(inlines) = inlines.into_iter().next() else { return };
        match (inlines.last_mut(), inline) {
            (Some(Inline::Text(last)), Inline::Text(more)) => push_words(last, &more),
            (_, Inline::Text(text)) => {
                let mut words = String::with_capacity(text.len());
                push_words(&mut words, &text);
                inlines.push(Inline::Text(words));
            }
            (_, inline) => inlines.push(inline),
        }
    }

    /// Opens the paragraph that running text needs where none is open.
    fn imply(&mut self) {
        let nearest = self.open.iter().rev().find(|open| !matches!(open, Open::Transparent));
        if matches!(nearest, Some(Open::Blocks(..) | Open::Items(..))) {
            self.open.push(Open::Inlines(Span::Implied, Vec::new()));
        }
    }

    fn end_implied(&mut self) {
        if matches!(self.open.last(), Some(Open::Inlines(Span::Implied, _))) {
            self.close();
        }
    }

    fn block(&mut self, block: Block) {
        self.end_implied();
        for open in self.open.iter_mut().rev() {
            match open {
                Open::Blocks(_, blocks) => return blocks.push(block),
                Open::Items(_, items) => return items.push(vec![block]),
                _ => {}
            }
        }
    }

    fn finish(mut self) -> Vec<Block> {
        while self.open.len() > 1 {
            self.close();
        }
        match self.open.pop() {
            Some(Open::Blocks(_, blocks)) => blocks,
            _ => Vec::new(),
        }
    }
}

/// Adds text, with one space wherever there are several.
fn push_words(text: &mut String, more: &str) {
    for character in more.chars() {
        if character != ' ' || !text.ends_with(' ') {
            text.push(character);
        }
    }
}

/// Trims breaks and spaces at the ends, which mean nothing at the ends of a block.
fn trimmed(mut inlines: Vec<Inline>, span: &Span) -> Vec<Inline> {
    if !matches!(span, Span::Paragraph | Span::Implied | Span::Heading | Span::Cell) {
        return inlines;
    }
    let is_break = |inline: &Inline| matches!(inline, Inline::SoftBreak | Inline::Break);
    while inlines.last().is_some_and(is_break) {
        inlines.pop();
    }
    let start = inlines.iter().position(|inline| !is_break(inline)).unwrap_or(inlines.len());
    inlines.drain(..start);
    if let Some(Inline::Text(text)) = inlines.last_mut() {
        text.truncate(text.trim_end().len());
    }
    inlines.retain(|inline| !matches!(inline, Inline::Text(text) if text.is_empty()));
    inlines
}

fn language(kind: &CodeBlockKind<'_>) -> String {
    let CodeBlockKind::Fenced(info) = kind else { return String::new() };
    let word = info.split([' ', ',', '{']).next().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+-_".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { String::new() }
}

/// Splits a destination into the chosen new beginning, if there is one, and the rest. The longest
/// beginning counts.
fn rewritten<'a>(
    destination: &'a str,
    links: &'a [(String, String)],
) -> (Option<&'a str>, &'a str) {
    let fitting = links.iter().filter_map(|(from, to)| {
        Some((from.len(), to.as_str(), destination.trim().strip_prefix(from.as_str())?))
    });
    match fitting.max_by_key(|(length, ..)| *length) {
        Some((_, to, rest)) => (Some(to), rest),
        None => (None, destination),
    }
}

/// A destination on the web, spelled with characters that a URL may have.
fn web(destination: &str) -> Option<String> {
    let lower = destination.trim().to_ascii_lowercase();
    if !["http://", "https://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme)) {
        return None;
    }
    Some(encoded(destination))
}

/// An address in characters that a URL may have.
fn encoded(destination: &str) -> String {
    let mut address = String::with_capacity(destination.len());
    for byte in destination.trim().bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&+,;=%".contains(&byte) {
            address.push(byte.into());
        } else {
            // Writing to a string cannot fail.
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address
}

/// Text whose bare web addresses are links.
fn linked(text: &str) -> Vec<Inline> {
    let mut inlines = Vec::new();
    let mut rest = text;
    while let Some(start) = ["http://", "https://"].iter().filter_map(|it| rest.find(it)).min() {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| c.is_whitespace() || "<>[]()`\"'\\|*{}".contains(c));
        let shown = from.get(..end.unwrap_or(from.len())).unwrap_or_default();
        let shown = shown.trim_end_matches(['.', ',', ';', ':', '!', '?', '_']);
        inlines.push(Inline::Text(before.to_owned()));
        match web(shown).filter(|_| shown.len() > "https://".len()) {
            Some(href) => {
                let label = vec![Inline::Text(shown.to_owned())];
                inlines.push(Inline::Link { href, label });
            }
            None => inlines.push(Inline::Text(shown.to_owned())),
        }
        rest = from.get(shown.len()..).unwrap_or_default();
        if shown.is_empty() {
            break;
        }
    }
    inlines.push(Inline::Text(rest.to_owned()));
    inlines
}
