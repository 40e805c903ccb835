//! The locations of a finding in both schemas, side by side.

use serde_json::{Value, json};
use similar::{Algorithm, DiffOp, TextDiff};

use super::json::tokens;
use crate::breaking::change::Change;
use crate::breaking::report::view::{At, View};
use crate::source::{SourceText, Span};

/// A line of a location, with its tokens.
type Line = Value;

/// Lines of the same on each side of a difference.
const CONTEXT: usize = 3;

/// The most lines that are shown of a location.
const LONGEST: usize = 80;

/// The longest line that is shown as it stands, in bytes: a schema can be one line of many
/// hundred kilobytes.
const WIDEST: usize = 300;

/// Both locations, the old one first, with their lines side by side.
pub(super) fn panes(change: &Change, view: &View<'_>) -> Vec<Value> {
    let [old, new] = view.locations(change);
    if old.is_none() && new.is_none() {
        return Vec::new();
    }
    let (old_lines, new_lines) = (numbered(old), numbered(new));
    let (left, right) = match (&old, &new) {
        (Some(_), Some(_)) => aligned(&old_lines, &new_lines),
        _ => (shown(&old_lines), shown(&new_lines)),
    };
    let pane = |title: &str, location: Option<At<'_, '_>>, lines: Vec<Line>| {
        let location = location.map(|(text, at)| {
            (format!("{}:{}:{}", text.label, at.line, at.column), at.pointer.as_str())
        });
        let (location, pointer) = location.unwrap_or_default();
        json!({ "title": title, "location": location, "pointer": pointer, "lines": lines })
    };
    vec![pane("old", old, left), pane("new", new, right)]
}

/// A line of a schema, with its number where it has one.
#[derive(Debug)]
struct Numbered {
    number: Option<u32>,
    text: String,
}

/// The lines of a location without the indentation that they share.
fn numbered(location: Option<At<'_, '_>>) -> Vec<Numbered> {
    let Some((text, at)) = location else { return Vec::new() };
    let span = at.location.span;
    let start = text.line_at(span.start).start;
    let end = text.line_at(span.end.saturating_sub(1).max(span.start)).end;
    let whole = text.text.get(start..end).unwrap_or_default();
    if whole.lines().any(|line| line.len() > WIDEST) {
        return pretty(text, span);
    }
    let is_blank = |line: &&str| line.trim().is_empty();
    let margin = whole.lines().filter(|line| !is_blank(line)).map(indentation).min().unwrap_or(0);
    whole
        .lines()
        .zip(at.line..)
        .map(|(line, number)| Numbered {
            number: Some(number),
            text: line.get(margin..).unwrap_or_default().to_owned(),
        })
        .collect()
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// A location in a text without lines, laid out anew.
fn pretty(text: &SourceText, span: Span) -> Vec<Numbered> {
    let node = text.text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let laid_out = serde_json::from_str::<serde_json::Value>(node)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| node.to_owned());
    let cut = |line: &str| line.chars().take(WIDEST).collect();
    laid_out.lines().map(|line| Numbered { number: None, text: cut(line) }).collect()
}

fn line(numbered: &Numbered, state: &str) -> Line {
    let number = numbered.number.map(|number| number.to_string()).unwrap_or_default();
    json!({ "number": number, "state": state, "tokens": tokens(&numbered.text) })
}

fn gap() -> Line {
    json!({ "number": "", "state": "gap", "tokens": [{ "class": "", "text": "…" }] })
}

fn filler() -> Line {
    json!({ "number": "", "state": "filler", "tokens": [] })
}

/// A location that the other schema does not have.
fn shown(lines: &[Numbered]) -> Vec<Line> {
    let mut shown: Vec<Line> = lines.iter().take(LONGEST).map(|each| line(each, "")).collect();
    if lines.len() > LONGEST {
        shown.push(gap());
    }
    shown
}

/// Both locations, with what is the same in the same row and what is far from any difference left
/// out.
fn aligned(old: &[Numbered], new: &[Numbered]) -> (Vec<Line>, Vec<Line>) {
    let texts = |lines: &[Numbered]| -> Vec<String> {
        // A comma at the end of a line says only that something follows.
        lines.iter().map(|line| line.text.trim_end_matches(',').to_owned()).collect()
    };
    let (old_texts, new_texts) = (texts(old), texts(new));
    let old_texts: Vec<&str> = old_texts.iter().map(String::as_str).collect();
    let new_texts: Vec<&str> = new_texts.iter().map(String::as_str).collect();
    if old_texts == new_texts {
        return (shown(old), shown(new));
    }
    let diff =
        TextDiff::configure().algorithm(Algorithm::Patience).diff_slices(&old_texts, &new_texts);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let mut end = 0;
    for group in diff.grouped_ops(CONTEXT) {
        let start = group.first().map_or(0, |op| op.old_range().start);
        if start > end || (end == 0 && group.first().is_some_and(|op| op.new_range().start > 0)) {
            left.push(gap());
            right.push(gap());
        }
        for op in &group {
            let state = match op {
                DiffOp::Equal { .. } => ("", ""),
                _ => ("removed", "added"),
            };
            let of = |lines: &[Numbered], range: std::ops::Range<usize>, state| -> Vec<Line> {
                lines.get(range).unwrap_or_default().iter().map(|each| line(each, state)).collect()
            };
            left.extend(of(old, op.old_range(), state.0));
            right.extend(of(new, op.new_range(), state.1));
            let rows = left.len().max(right.len());
            left.resize(rows, filler());
            right.resize(rows, filler());
            end = op.old_range().end;
        }
    }
    if left.len() > LONGEST || end < old.len() {
        left.truncate(LONGEST);
        right.truncate(LONGEST);
        left.push(gap());
        right.push(gap());
    }
    (left, right)
}
