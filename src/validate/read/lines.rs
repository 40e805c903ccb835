//! Texts to JSON values: one a line, or one over several lines.

use std::ops::Range;

use serde::de::IgnoredAny;

use crate::source::{Json, Node, ParseError, SourceText, Sources, parse_part};

/// The JSON texts of a file.
#[derive(Debug)]
pub(in crate::validate) struct Trace {
    /// The texts, in order. The items of an array over several lines are texts of their own.
    pub(in crate::validate) items: Vec<Item>,
    /// The departures from one message a line.
    pub(in crate::validate) layout: Vec<(Layout, Range<usize>)>,
}

/// A JSON text, or what should be one.
#[derive(Debug)]
pub(in crate::validate) struct Item {
    /// The value, if it is JSON.
    pub(in crate::validate) node: Option<Node>,
    /// The errors in the text.
    pub(in crate::validate) errors: Vec<ParseError>,
    /// Its JSON pointer in the text that it was cut out of.
    pub(in crate::validate) pointer: String,
}

/// A departure from one message a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::validate) enum Layout {
    /// A message goes on in the next line.
    SeveralLines,
    /// A message stands on the line of another.
    SharedLine,
    /// A line has nothing in it.
    BlankLine,
    /// A line ends with a carriage return.
    CarriageReturn,
    /// There is white space before or after a message.
    WhiteSpace,
    /// The last line does not end.
    NoLineEnd,
}

/// Reads the messages of a text.
pub(in crate::validate) fn read(sources: &Sources, source: u32) -> Trace {
    let mut trace = Trace { items: Vec::new(), layout: Vec::new() };
    let Some(text) = sources.get(source) else { return trace };
    let pieces = pieces(&text.text);
    trace.layout = layout(text, &pieces);
    let is_alone = pieces.len() == 1;
    for piece in pieces {
        let (node, errors) = parse_part(sources, source, piece.clone());
        let spans_lines = text.text.get(piece).is_some_and(|text| text.contains('\n'));
        match node {
            Some(Node { json: Json::Array(list), .. })
                if is_alone && spans_lines && !list.is_empty() =>
            {
                let items = list.into_iter().enumerate().map(|(index, node)| Item {
                    node: Some(node),
                    errors: Vec::new(),
                    pointer: format!("/{index}"),
                });
                trace.items.extend(items);
                if let Some(first) = trace.items.first_mut() {
                    first.errors = errors;
                }
            }
            node => trace.items.push(Item { node, errors, pointer: String::new() }),
        }
    }
    trace
}

/// Cuts a text into JSON texts. A line is one if it is valid as such. Where a line begins with an
/// object or an array, the text goes to the end of it, and others may stand on the line of its end.
/// A line that is no JSON is a piece as well.
pub(super) fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let line = at..line_end(text, at);
        let filled = trimmed(text, line.clone());
        if filled.is_empty() {
            at = line.end + 1;
            continue;
        }
        match values(text, &filled) {
            Ok(found) => {
                at = line_end(text, found.last().map_or(filled.end, |last| last.end)) + 1;
                pieces.extend(found);
            }
            Err(end) => {
                pieces.push(trimmed(text, filled.start..end));
                at = end + 1;
            }
        }
    }
    pieces
}

/// Finds the values that begin on a line. `Err`: the end of a text that is no JSON.
fn values(text: &str, line: &Range<usize>) -> Result<Vec<Range<usize>>, usize> {
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    let mut found = Vec::new();
    let mut at = line.start;
    loop {
        let rest = part(at..text.len());
        if !rest.starts_with(['{', '[']) {
            let is_value = serde_json::from_str::<IgnoredAny>(part(line.clone())).is_ok();
            return if found.is_empty() && is_value {
                Ok(vec![line.clone()])
            } else {
                Err(line.end)
            };
        }
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {}
            Some(Err(error)) if error.line() > 1 => return Err(next_beginning(text, at)),
            _ => return Err(line.end),
        }
        let end = at + values.byte_offset();
        found.push(at..end);
        let after = trimmed(text, end..line_end(text, end));
        if after.is_empty() {
            return Ok(found);
        }
        at = after.start;
    }
}

/// The end of the line before the next one that begins like a message.
fn next_beginning(text: &str, after: usize) -> usize {
    let rest = text.get(after..).unwrap_or_default();
    let next = ["\n{", "\n["].into_iter().filter_map(|start| rest.find(start)).min();
    next.map_or(text.len(), |at| after + at)
}

fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.find('\n').map_or(text.len(), |end| at + end)
}

/// A range without white space of JSON at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];
    let part = text.get(range.clone()).unwrap_or_default();
    let start = range.start + part.len() - part.trim_start_matches(SPACE).len();
    start..start + part.trim_matches(SPACE).len()
}

/// Finds the departures from one message a line.
fn layout(text: &SourceText, pieces: &[Range<usize>]) -> Vec<(Layout, Range<usize>)> {
    let text = text.text.as_str();
    let mut found = Vec::new();
    let mut last = 0;
    for piece in pieces {
        let between = text.get(last..piece.start).unwrap_or_default();
        if last > 0 && !between.contains('\n') {
            found.push((Layout::SharedLine, piece.clone()));
        }
        if text.get(piece.clone()).is_some_and(|piece| piece.contains('\n')) {
            found.push((Layout::SeveralLines, piece.clone()));
        }
        last = piece.end;
    }
    let mut at = 0;
    while at < text.len() {
        let line = at..line_end(text, at);
        let filled = trimmed(text, line.clone());
        let content = text.get(line.clone()).unwrap_or_default();
        let before = pieces.partition_point(|piece| piece.start < line.start);
        let is_inside = before.checked_sub(1).and_then(|last| pieces.get(last));
        let is_inside = is_inside.is_some_and(|piece| line.start < piece.end);
        if content.ends_with('\r') {
            found.push((Layout::CarriageReturn, line.end - 1..line.end));
        }
        let plain = content.strip_suffix('\r').unwrap_or(content);
        if !is_inside && filled.is_empty() {
            found.push((Layout::BlankLine, line.clone()));
        } else if !is_inside && plain.len() > filled.len() {
            found.push((Layout::WhiteSpace, line.clone()));
        }
        if line.end == text.len() {
            found.push((Layout::NoLineEnd, line.end..line.end));
        }
        at = line.end + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).into_iter().map(|piece| &text[piece]).collect()
    }

    #[test]
    fn a_line_is_a_message() {
        assert_eq!(cut("{\"a\":1}\n\n [2]\r\nnull\n"), ["{\"a\":1}", "[2]", "null"]);
        assert_eq!(cut(" \n\t\r\n"), [""; 0]);
        assert_eq!(cut("{}"), ["{}"]);
    }

    #[test]
    fn a_message_may_go_on_or_share_its_line() {
        assert_eq!(cut("{\n \"a\": 1\n}\n{}"), ["{\n \"a\": 1\n}", "{}"]);
        assert_eq!(cut("{} {}[\n]{}\n1"), ["{}", "{}", "[\n]", "{}", "1"]);
    }

    #[test]
    fn what_is_no_json_ends_where_the_next_message_begins() {
        assert_eq!(cut("Loading ...\n{}\n"), ["Loading ...", "{}"]);
        assert_eq!(cut("{\"a\": \n{\"b\": 1}\n"), ["{\"a\":", "{\"b\": 1}"]);
        assert_eq!(cut("{\n  \"a\": x\n}\n{}"), ["{\n  \"a\": x\n}", "{}"]);
        assert_eq!(cut("{\"a\": x}\n{}"), ["{\"a\": x}", "{}"]);
        assert_eq!(cut("{} trailing\n{}"), ["{} trailing", "{}"]);
    }

    #[test]
    fn every_departure_is_told_once() {
        let kinds = |text: &str| {
            let found = layout(&SourceText::new("t", text), &pieces(text));
            found.into_iter().map(|(kind, _)| kind).collect::<Vec<_>>()
        };
        assert_eq!(kinds("{}\n{}\n"), []);
        assert_eq!(kinds("{}{}\n"), [Layout::SharedLine]);
        assert_eq!(kinds("{\n\n}\n"), [Layout::SeveralLines]);
        assert_eq!(
            kinds("{}\r\n\n {}"),
            [Layout::CarriageReturn, Layout::BlankLine, Layout::WhiteSpace, Layout::NoLineEnd,]
        );
    }
}
