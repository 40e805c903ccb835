//! Text to [`Node`].

use std::ops::Range;

use indexmap::IndexMap;
use indexmap::map::Entry;
use jsonc_parser::ast::Value as Ast;
use jsonc_parser::common::Range as Spanned;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::value::RawValue;

use super::{Json, Location, Member, Node, Sources, Span, push_segment};

/// The largest text accepted, in bytes: 64 MiB. The largest published schema is under 0.5 MiB.
pub const MAX_BYTES: usize = 64 << 20;

/// The deepest nesting accepted: that of generated decoders. Published schemas stay below 20.
pub const MAX_DEPTH: usize = 128;

/// Why a text is not the JSON it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The kind of error.
    pub kind: ParseErrorKind,
    /// Its location.
    pub location: Location,
}

/// The kinds of [`ParseError`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// It is no JSON, for this reason.
    Syntax(String),
    /// It is nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// An object has a key twice.
    DuplicateKey {
        /// The key.
        key: String,
        /// The location of the first.
        first: Location,
    },
}

/// Parses strict JSON (RFC 8259), with the texts' numbers for spans.
///
/// Gives every error (each duplicate key is one), and the value if there is one all the same.
pub fn parse(sources: &Sources, source: u32) -> (Option<Node>, Vec<ParseError>) {
    let end = sources.get(source).map_or(0, |text| text.text.len());
    parse_part(sources, source, 0..end)
}

/// Parses a part of a text, such as a line, as one JSON text. A range that is none of the text's
/// is as an empty one.
pub fn parse_part(
    sources: &Sources,
    source: u32,
    part: Range<usize>,
) -> (Option<Node>, Vec<ParseError>) {
    let Some(text) = sources.get(source) else { return (None, Vec::new()) };
    let (text, offset) = (text.text.get(part.clone()).unwrap_or_default(), part.start);
    let mut reader = Reader { sources, text, offset, source, errors: Vec::new() };
    let value = reader.read();
    (value, reader.errors)
}

fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

struct Reader<'a> {
    sources: &'a Sources,
    text: &'a str,
    /// Where the text begins in its source.
    offset: usize,
    source: u32,
    errors: Vec<ParseError>,
}

impl Reader<'_> {
    fn read(&mut self) -> Option<Node> {
        let checked = self.check_depth().and_then(|()| self.check_syntax());
        checked.map_err(|error| self.errors.push(error)).ok()?;
        match parse_to_ast(self.text, &CollectOptions::default(), &strict()) {
            Ok(result) => result.value.map(|value| self.node(value, &mut String::new())),
            Err(error) => {
                let range = error.range();
                let error = self.syntax_error(error.kind().to_string(), range.start, range.end);
                self.errors.push(error);
                None
            }
        }
    }

    /// Rejects what would cost too much to parse, in one pass over the bytes and no memory.
    fn check_depth(&self) -> Result<(), ParseError> {
        let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
        for (at, byte) in self.text.bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b'[' | b'{' => {
                    depth += 1;
                    if depth > MAX_DEPTH {
                        let location = self.sources.location("", self.span(at, at + 1));
                        return Err(ParseError { kind: ParseErrorKind::TooDeep, location });
                    }
                }
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        Ok(())
    }

    /// Lets `serde_json` judge the syntax: it is the stricter of the two parsers.
    fn check_syntax(&self) -> Result<(), ParseError> {
        serde_json::from_str::<&RawValue>(self.text).map(drop).map_err(|error| {
            let line_start = self
                .text
                .split_inclusive('\n')
                .take(error.line().saturating_sub(1))
                .map(str::len)
                .sum::<usize>();
            let at = (line_start + error.column().saturating_sub(1)).min(self.text.len());
            let message = error.to_string();
            let message =
                message.rsplit_once(" at line ").map_or(message.as_str(), |(head, _)| head);
            let message = if self.text.trim().is_empty() {
                "the text is empty".to_owned()
            } else {
                message.replace("EOF while parsing", "the text ends within")
            };
            self.syntax_error(message, at, at + 1)
        })
    }

    fn syntax_error(&self, message: String, start: usize, end: usize) -> ParseError {
        let text = self.text;
        let start =
            (0..=start.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let end = (end.min(text.len())..=text.len())
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(start);
        let mut message = message;
        if let Some(first) = message.get_mut(0..1) {
            first.make_ascii_lowercase();
        }
        let location = self.sources.location("", self.span(start, end));
        ParseError { kind: ParseErrorKind::Syntax(message), location }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        // Texts are at most 64 MiB, so that offsets fit.
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span {
            source: self.source,
            start: offset(self.offset + start),
            end: offset(self.offset + end),
        }
    }

    fn spanned(&self, range: Spanned) -> Span {
        self.span(range.start, range.end)
    }

    fn node(&mut self, ast: Ast<'_>, pointer: &mut String) -> Node {
        match ast {
            Ast::NullKeyword(null) => Node { span: self.spanned(null.range), json: Json::Null },
            Ast::BooleanLit(lit) => {
                Node { span: self.spanned(lit.range), json: Json::Bool(lit.value) }
            }
            Ast::StringLit(lit) => {
                Node { span: self.spanned(lit.range), json: Json::String(lit.value.into_owned()) }
            }
            Ast::NumberLit(lit) => {
                let span = self.spanned(lit.range);
                let json = if let Ok(number) = serde_json::from_str(lit.value) {
                    Json::Number(number)
                } else {
                    let message = "number out of range".to_owned();
                    let mut error = self.syntax_error(message, lit.range.start, lit.range.end);
                    error.location.pointer = pointer.as_str().into();
                    self.errors.push(error);
                    Json::Null
                };
                Node { span, json }
            }
            Ast::Array(array) => {
                let span = self.spanned(array.range);
                let base = pointer.len();
                let mut items = Vec::with_capacity(array.elements.len());
                for (index, element) in array.elements.into_iter().enumerate() {
                    push_segment(pointer, &index.to_string());
                    items.push(self.node(element, pointer));
                    pointer.truncate(base);
                }
                Node { span, json: Json::Array(items) }
            }
            Ast::Object(object) => {
                let span = self.spanned(object.range);
                let base = pointer.len();
                let mut members = IndexMap::with_capacity(object.properties.len());
                for property in object.properties {
                    let key_range = match &property.name {
                        jsonc_parser::ast::ObjectPropName::String(lit) => lit.range,
                        jsonc_parser::ast::ObjectPropName::Word(lit) => lit.range,
                    };
                    let key_span = self.spanned(key_range);
                    let key = property.name.into_string();
                    push_segment(pointer, &key);
                    let value = self.node(property.value, pointer);
                    match members.entry(key) {
                        Entry::Vacant(entry) => {
                            entry.insert(Member { key: key_span, value });
                        }
                        Entry::Occupied(mut entry) => {
                            let location = |span| self.sources.location(pointer.as_str(), span);
                            let first: &Member = entry.get();
                            let (key, first) = (entry.key().clone(), location(first.key));
                            let kind = ParseErrorKind::DuplicateKey { key, first };
                            self.errors.push(ParseError { kind, location: location(key_span) });
                            // The last one counts, as it does for generated decoders.
                            entry.insert(Member { key: key_span, value });
                        }
                    }
                    pointer.truncate(base);
                }
                Node { span, json: Json::Object(members) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceText;

    fn read(text: &str) -> (Option<Node>, Vec<(&'static str, u32, u32)>) {
        let mut sources = Sources::default();
        let source = sources.add(SourceText::new("t.json", text));
        let (node, errors) = parse(&sources, source);
        let kind = |error: &ParseError| match error.kind {
            ParseErrorKind::Syntax(_) => "syntax",
            ParseErrorKind::TooDeep => "depth",
            ParseErrorKind::DuplicateKey { .. } => "key",
        };
        let found =
            errors.iter().map(|it| (kind(it), it.location.line, it.location.column)).collect();
        (node, found)
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_stops_being_json() {
        for (text, line, column) in [
            ("", 1, 1),
            ("{\"a\": 1,}", 1, 9),
            ("{\n  \"a\": 01\n}", 2, 9),
            ("// no\n{}", 1, 1),
            ("{'a': 1}", 1, 2),
            ("[1 2]", 1, 4),
            ("[1] x", 1, 5),
        ] {
            let (node, found) = read(text);
            assert!(node.is_none(), "{text}");
            assert_eq!(found, [("syntax", line, column)], "{text}");
        }
    }

    #[test]
    fn a_part_has_its_places_in_the_whole() {
        let mut sources = Sources::default();
        let source = sources.add(SourceText::new("t.jsonl", "{}\n {\"é\": 01}\n{\"a\": 1}"));
        let part = |range| parse_part(&sources, source, range);
        let (node, errors) = part(3..14);
        assert!(node.is_none());
        assert_eq!((errors[0].location.line, errors[0].location.column), (2, 9));
        let (node, errors) = part(15..23);
        let span = node.unwrap().get("a").unwrap().span;
        assert!(errors.is_empty());
        assert_eq!(sources.location("", span).line, 3);
        assert_eq!(part(90..99).1.len(), 1);
    }

    #[test]
    fn a_number_that_no_type_holds_is_refused() {
        assert_eq!(read("[1,\n 1e999]").1, [("syntax", 2, 2)]);
    }

    #[test]
    fn depth_is_bounded_before_parsing() {
        let deep = "[".repeat(100_000);
        assert_eq!(read(&deep).1, [("depth", 1, 129)]);
        let just_right = "[".repeat(MAX_DEPTH) + &"]".repeat(MAX_DEPTH);
        assert!(read(&just_right).0.is_some());
        assert!(read(&format!("\"{deep}\"")).0.is_some());
    }

    #[test]
    fn a_text_that_ends_too_early_is_told_so() {
        let expected =
            [("{\"a\": [1", "the text ends within a list"), (" \r\n", "the text is empty")];
        for (text, expected) in expected {
            let mut sources = Sources::default();
            let source = sources.add(SourceText::new("t.json", text));
            let (_, errors) = parse(&sources, source);
            let [ParseError { kind: ParseErrorKind::Syntax(message), .. }] = errors.as_slice()
            else {
                panic!("{errors:?}");
            };
            assert_eq!(message, expected);
        }
    }
}
