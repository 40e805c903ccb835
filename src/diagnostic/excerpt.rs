//! The line around a location, cut to what a person can read.

use std::ops::Range;

use super::printable::is_unprintable;
use crate::source::{Location, SourceText};

/// The widest line that is shown whole, in characters. Longer ones are cut around the mark: a
/// schema can be one line of many hundred kilobytes.
const WIDEST: usize = 140;

/// The part of a cut line that stands before the mark, in characters.
const BEFORE: usize = 40;

/// A line, or the readable part of it, with marks in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt<'a> {
    /// The line's number, from 1.
    pub(super) line: u32,
    /// The column of the first mark, from 1, in characters of the whole line.
    pub(super) column: u32,
    /// The text, harmless to a terminal.
    pub(super) text: String,
    /// The marked bytes of `text`, and the words beside them.
    pub(super) marks: Vec<Mark<'a>>,
}

/// A marked part of an excerpt.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mark<'a> {
    /// The marked bytes of the excerpt's text.
    pub(super) range: Range<usize>,
    /// The words beside it.
    pub(super) label: Option<&'a str>,
    /// True if this is the finding itself, not a related location.
    pub(super) primary: bool,
}

impl Excerpt<'_> {
    /// The column of the first mark in the text that is shown, from 1: less than
    /// [`column`](Self::column) where the line was cut before it.
    pub(super) fn drawn_column(&self) -> usize {
        let start = self.marks.first().map_or(0, |mark| mark.range.start);
        self.text.get(..start).map_or(0, |before| before.chars().count()) + 1
    }
}

/// Cuts out the line on which a location begins. A location of many lines is marked on its first
/// only.
pub(super) fn excerpt<'a>(
    source: &SourceText,
    location: &Location,
    label: Option<&'a str>,
    primary: bool,
) -> Excerpt<'a> {
    let line = source.line_at(location.span.start);
    let (start, end) = marked(&source.text, &line, location);
    let shown = window(&source.text, &line, start);
    let mut text = String::new();
    if shown.start > line.start {
        text.push('…');
    }
    let mark_start = text.len() + push_visible(&mut text, &source.text, shown.start..start);
    let mark_end = mark_start + push_visible(&mut text, &source.text, start..end.min(shown.end));
    push_visible(&mut text, &source.text, end.min(shown.end)..shown.end);
    if shown.end < line.end {
        text.push('…');
    }
    let mark = Mark { range: mark_start..mark_end, label, primary };
    Excerpt { line: location.line, column: location.column, text, marks: vec![mark] }
}

/// The marked bytes, within the line and on character boundaries.
fn marked(text: &str, line: &Range<usize>, location: &Location) -> (usize, usize) {
    let boundary = |at: usize| {
        (line.start..=at.clamp(line.start, line.end))
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(line.start)
    };
    let start = boundary(location.span.start as usize);
    (start, boundary(location.span.end as usize).max(start))
}

/// The part of the line to show.
fn window(text: &str, line: &Range<usize>, start: usize) -> Range<usize> {
    let fits = text.get(line.clone()).is_some_and(|line| line.chars().nth(WIDEST).is_none());
    if fits {
        return line.clone();
    }
    let back = |from: usize, count: usize| {
        let before = text.get(line.start..from).unwrap_or_default();
        before.char_indices().rev().take(count).last().map_or(from, |(at, _)| line.start + at)
    };
    let forward = |from: usize, count: usize| {
        let after = text.get(from..line.end).unwrap_or_default();
        after.char_indices().nth(count).map_or(line.end, |(at, _)| from + at)
    };
    let shown_start = back(start, BEFORE);
    let shown_end = forward(shown_start, WIDEST);
    // A mark that reaches the end of the line leaves room that the text before it can use.
    let shown_start = if shown_end == line.end { back(shown_end, WIDEST) } else { shown_start };
    shown_start.min(start)..shown_end.max(start)
}

/// Appends a part of the source with its control characters made visible, and says how many
/// bytes that took.
fn push_visible(into: &mut String, text: &str, range: Range<usize>) -> usize {
    let before = into.len();
    for character in text.get(range).unwrap_or_default().chars() {
        match character {
            '\t' => into.push('\t'),
            control @ '\0'..='\u{1f}' => {
                into.push(char::from_u32(0x2400 + u32::from(control)).unwrap_or('\u{fffd}'));
            }
            other if is_unprintable(other) => into.push('\u{fffd}'),
            other => into.push(other),
        }
    }
    into.len() - before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Sources, Span};

    fn cut(text: &str, start: usize, end: usize) -> (String, String) {
        let mut sources = Sources::default();
        let source = sources.add(SourceText::new("t", text));
        let span =
            Span { source, start: u32::try_from(start).unwrap(), end: u32::try_from(end).unwrap() };
        let location = sources.location("", span);
        let excerpt = excerpt(sources.get(source).unwrap(), &location, None, true);
        let marked = excerpt.text[excerpt.marks[0].range.clone()].to_owned();
        (excerpt.text, marked)
    }

    #[test]
    fn short_lines_are_whole() {
        assert_eq!(cut("{\n  \"é\": 1\r\n}", 4, 8), ("  \"é\": 1".into(), "\"é\"".into()));
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let text = format!("{}MARK{}", "a".repeat(100_000), "é".repeat(100_000));
        let (shown, marked) = cut(&text, 100_000, 100_004);
        assert_eq!(marked, "MARK");
        assert_eq!(shown, format!("…{}MARK{}…", "a".repeat(40), "é".repeat(96)));
        let (shown, marked) = cut(&text, 2, 250_000);
        assert_eq!(marked, "a".repeat(138));
        assert_eq!(shown, format!("{}…", "a".repeat(140)));
        let end = text.len();
        let (shown, marked) = cut(&text, end, end);
        assert_eq!((shown.chars().count(), marked.as_str()), (141, ""));
    }

    #[test]
    fn a_mark_past_the_end_is_at_the_end() {
        assert_eq!(cut("{\n", 99, 100), (String::new(), String::new()));
        assert_eq!(cut("", 0, 1), (String::new(), String::new()));
        assert_eq!(cut("{", 1, 2), ("{".into(), String::new()));
    }

    #[test]
    fn nothing_reaches_the_terminal_raw() {
        let (shown, marked) = cut("\t\u{1b}[2J\u{9b}x\u{202e}", 1, 2);
        assert_eq!((shown.as_str(), marked.as_str()), ("\t␛[2J\u{fffd}x\u{fffd}", "␛"));
    }
}
