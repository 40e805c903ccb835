//! Breaks lines that are too wide, as prettier does.
//!
//! A template spells each statement on one line. What is generated is never formatted afterwards,
//! so a line that does not fit is read and laid out by the document printer. Lines that fit stay
//! as they are, and so does whatever is not understood here.

mod statements;
mod text;
mod types;

use std::fmt::Write as _;

use self::text::Text;
use super::PRETTIER;

/// The text with its wide lines broken. Lines that begin with `|` belong to the type above.
pub(super) fn lay_out(text: &str) -> String {
    broken(&break_heads(text))
}

/// The same of a whole file, which may be large.
pub(super) fn lay_out_file(text: String) -> String {
    let heads_broken = break_heads(&text);
    drop(text);
    broken(&heads_broken)
}

fn broken(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut lines: Vec<&str> = Vec::new();
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        lines.push(line);
        if rest.peek().is_some_and(|next| goes_on(&lines, next)) {
            continue;
        }
        match laid_out(&lines) {
            Some(broken) => out.push_str(&broken),
            None => out.push_str(&lines.join("\n")),
        }
        out.push('\n');
        lines.clear();
    }
    out
}

/// Moves the braces of types and constants whose first line is too wide to a line of their own.
fn break_heads(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_moved = false;
    for line in text.lines() {
        let starts = ["export type ", "export const ", "const "];
        let is_head = starts.iter().any(|start| line.starts_with(start)) && !PRETTIER.fits(line);
        let opens = ["{", "["].into_iter().find(|open| is_head && line.ends_with(open));
        let head =
            opens.and_then(|open| Some((line.strip_suffix(open)?.strip_suffix(" = ")?, open)));
        if let Some((left, open)) = head {
            is_moved = true;
            let _ = write!(out, "{left} =\n  {open}\n");
            continue;
        }
        if is_moved && !line.is_empty() {
            out.push_str("  ");
        }
        is_moved &= !line.starts_with(['}', ']']);
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Tells whether a line belongs to the union that the lines above begin.
fn goes_on(lines: &[&str], next: &str) -> bool {
    let next = next.trim_start();
    next.starts_with("| ") || lines.len() > 1 && matches!(next, ";" | ");")
}

/// The statement of these lines, unless it stays as it is.
fn laid_out(lines: &[&str]) -> Option<String> {
    let mut joined = String::new();
    for line in lines {
        let line = line.trim_start();
        let is_end = joined.is_empty() || matches!(line, ";" | ");");
        joined.push_str(if is_end { "" } else { " " });
        joined.push_str(line);
    }
    let first = lines.first()?;
    if lines.len() == 1 && (first.len() <= PRETTIER.width || PRETTIER.fits(first)) {
        return None;
    }
    let indentation = first.len() - first.trim_start().len();
    let doc = statements::statement(&joined)?;
    Some(" ".repeat(indentation) + &PRETTIER.print(&doc, indentation, indentation))
}
