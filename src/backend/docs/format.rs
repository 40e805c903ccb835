//! The formats of reference docs, and how each writes a text.

use std::collections::HashMap;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::expression::Piece;
use super::json::{Token, compact, pretty, string};
use super::prose::markdown::Flavour;
use super::prose::{html, lead, markdown, one_line, parse};
use crate::source::plain_text;

/// A format of reference docs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// A single page that needs nothing else: `index.html`.
    #[default]
    Html,
    /// For a forge: `README.md`.
    Markdown,
    /// For a Mintlify site: `reference.mdx`.
    Mdx,
}

/// Turns names, types and descriptions into texts of one format.
#[derive(Debug)]
pub(super) struct Markup<'a> {
    pub(super) format: Format,
    /// The ids of the sections of types, of those that have one.
    pub(super) sections: HashMap<&'a str, String>,
    /// Old and new beginnings of links in descriptions.
    pub(super) links: &'a [(String, String)],
}

impl Markup<'_> {
    /// Words.
    pub(super) fn text(&self, text: &str) -> String {
        let text = one_line(text);
        self.escaped(if self.format == Format::Html { &text } else { text.trim() })
    }

    /// A name or value, as code. One that cannot be seen as it is, is shown as a JSON string.
    pub(super) fn code(&self, text: &str) -> String {
        self.code_of(&shown(text))
    }

    /// A value, as code.
    pub(super) fn value(&self, value: &Value) -> String {
        self.code_of(&compact(value))
    }

    fn code_of(&self, text: &str) -> String {
        match self.flavour() {
            Some(_) => markdown::code(text),
            None => format!("<code>{}</code>", html::escape(text)),
        }
    }

    /// A name for an attribute or a list of links.
    pub(super) fn plain(&self, text: &str) -> String {
        let shown = shown(text);
        match self.format {
            Format::Html => html::escape(&shown),
            // An expression of JavaScript and a scalar of YAML alike.
            Format::Mdx => string(&shown),
            Format::Markdown => markdown::escape(&shown, Flavour::Plain),
        }
    }

    /// A name for an attribute of its own.
    pub(super) fn label(&self, text: &str) -> String {
        if self.format == Format::Mdx { jsx(string(&shown(text))) } else { self.plain(text) }
    }

    /// A value as a template's attribute wants it.
    pub(super) fn attribute(&self, value: &Value) -> String {
        if self.format == Format::Mdx { jsx(string(&compact(value))) } else { self.value(value) }
    }

    /// A link within the page.
    pub(super) fn link(&self, label: &str, anchor: &str) -> String {
        match self.flavour() {
            Some(_) => format!("[{label}](#{anchor})"),
            None => format!("<a href=\"#{anchor}\">{label}</a>"),
        }
    }

    /// A link to a file beside the page.
    pub(super) fn link_to(&self, label: &str, file: &str) -> String {
        match self.flavour() {
            Some(_) => format!("[{label}]({file})"),
            None => format!("<a href=\"{file}\" download>{label}</a>"),
        }
    }

    /// The name of a type, with a link to its section.
    pub(super) fn type_name(&self, name: &str) -> String {
        match self.sections.get(name) {
            Some(anchor) => self.link(&self.code(name), anchor),
            None => self.code(name),
        }
    }

    /// A type expression.
    pub(super) fn pieces(&self, pieces: &[Piece<'_>]) -> String {
        let texts = pieces.iter().map(|piece| match piece {
            Piece::Words(words) => self.escaped(words),
            Piece::Literal(value) => self.value(value),
            Piece::Type(name) => self.type_name(name),
        });
        texts.collect()
    }

    /// A type expression as a template's attribute wants it: JSX in MDX.
    pub(super) fn type_attribute(&self, pieces: &[Piece<'_>]) -> String {
        if self.format != Format::Mdx {
            return self.pieces(pieces);
        }
        let texts = pieces.iter().map(|piece| match piece {
            Piece::Words(words) => format!("{{{}}}", string(words)),
            Piece::Literal(value) => format!("<code>{{{}}}</code>", string(&compact(value))),
            Piece::Type(name) => {
                let label = string(&shown(name));
                match self.sections.get(name) {
                    Some(anchor) => format!("<a href=\"#{anchor}\">{{{label}}}</a>"),
                    None => format!("{{{label}}}"),
                }
            }
        });
        match pieces {
            [Piece::Words(words)] => jsx(string(words)),
            [Piece::Type(_)] => format!("{{{}}}", texts.collect::<String>()),
            _ => format!("{{<>{}</>}}", texts.collect::<String>()),
        }
    }

    fn escaped(&self, words: &str) -> String {
        match self.flavour() {
            Some(flavour) => markdown::escape(words, flavour),
            None => html::escape(words),
        }
    }

    /// A description.
    pub(super) fn prose(&self, description: &str) -> String {
        let blocks = parse(description, &self.sections, self.links);
        match self.flavour() {
            Some(flavour) => markdown::print(&blocks, flavour),
            None => html::print(&blocks),
        }
    }

    /// The first sentence of a description, as words.
    pub(super) fn lead(&self, description: &str) -> String {
        let lead = lead(&parse(description, &self.sections, self.links));
        lead.map(|lead| self.text(&lead)).unwrap_or_default()
    }

    /// A value, as a block of code; without one, a sentence that says so.
    pub(super) fn example(&self, value: Option<&Value>) -> String {
        let Some(value) = value else {
            let words = self.escaped("No value is small enough to be shown.");
            return if self.flavour().is_some() { words } else { format!("<p>{words}</p>") };
        };
        let pieces = pretty(value);
        if self.flavour().is_some() {
            let text: String = pieces.into_iter().map(|(_, text)| text).collect();
            return markdown::fenced("json", &text);
        }
        let pieces = pieces.into_iter().map(|(token, text)| {
            let text = html::escape(&text);
            match token {
                Token::Key => format!("<b>{text}</b>"),
                Token::String => format!("<i>{text}</i>"),
                Token::Constant => format!("<u>{text}</u>"),
                Token::Layout => text,
            }
        });
        format!("<pre tabindex=\"0\"><code>{}</code></pre>", pieces.collect::<String>())
    }

    fn flavour(&self) -> Option<Flavour> {
        match self.format {
            Format::Html => None,
            Format::Markdown => Some(Flavour::Plain),
            Format::Mdx => Some(Flavour::Mdx),
        }
    }
}

/// The value of an attribute in JSX: a string of JavaScript, bare where it means the same there.
fn jsx(string: String) -> String {
    let text = string.trim_matches('"');
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "_-./$ []".contains(c);
    if text.chars().all(is_bare) && text.len() + 2 == string.len() {
        string
    } else {
        format!("{{{string}}}")
    }
}

/// A name as it is where all of it can be seen, else as a JSON string.
fn shown(text: &str) -> String {
    let is_plain = plain_text(text) == text && text.trim() == text && !text.contains(['\n', '\t']);
    if is_plain && !text.is_empty() { text.to_owned() } else { string(text) }
}
