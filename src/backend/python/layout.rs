//! The filter `layout` of the templates: breaks long lines as `ruff format` does it with its
//! defaults, 88 columns and four spaces.
//!
//! A template writes each statement on one line. What fits stays on it. What does not is taken
//! apart at its outermost brackets, one item a line with a trailing comma, which the formatter
//! then leaves as it is. A statement whose names are too long for that stays on one line that is
//! marked `# fmt: skip`; an import does not, since that mark is in the way of whoever sorts it.

use std::ops::Range;

use crate::backend::doc::{Doc, Layout, bracketed, concat, group, if_break, indent, join, text};

const RUFF: Layout = Layout { width: 88, step: 4 };

/// Marks a line that the formatter leaves alone.
const SKIP: &str = "  # fmt: skip";

/// Operators that a long value holds outside of brackets.
const OPERATORS: [&str; 9] =
    [" | ", " if ", " for ", " or ", " and ", " + ", " in ", "lambda ", ", "];

/// Breaks the long statements of a module, or of a part of it that begins at a statement.
pub(super) fn layout(module: &str) -> String {
    let mut out = String::with_capacity(module.len() + module.len() / 8);
    let mut reader = Reader::default();
    for line in module.split_inclusive('\n') {
        let is_first = reader.is_between_statements();
        let line = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let code = reader.read(line.0);
        let is_whole = is_first && reader.is_between_statements();
        match line.0.split_at_checked(code) {
            Some((code, comment)) if is_whole && !RUFF.fits(code.trim_end()) => {
                out.push_str(&statement(code.trim_end(), comment));
            }
            Some((code, "")) if is_first && !RUFF.fits(code) => {
                out.push_str(&table_head(code).unwrap_or_else(|| code.to_owned()));
            }
            _ => out.push_str(line.0),
        }
        out.push_str(line.1);
    }
    out
}

/// The brackets and strings that the lines read so far leave open.
#[derive(Default)]
pub(super) struct Reader {
    /// The number of brackets.
    depth: usize,
    /// The quotes of a string of several lines.
    quotes: Option<&'static str>,
}

impl Reader {
    /// Tells whether nothing is open.
    pub(super) fn is_between_statements(&self) -> bool {
        self.depth == 0 && self.quotes.is_none()
    }

    /// Reads a line, and says where its code ends and a comment begins.
    pub(super) fn read(&mut self, line: &str) -> usize {
        let bytes = line.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let rest = bytes.get(at..).unwrap_or_default();
            match (self.quotes, byte) {
                (Some(quotes), _) if rest.starts_with(quotes.as_bytes()) => {
                    self.quotes = None;
                    at += quotes.len();
                }
                (Some(_), b'\\') => at += 2,
                (None, b'#') => return at,
                (None, b'"' | b'\'') => {
                    let mut triple = ["\"\"\"", "'''"].into_iter();
                    self.quotes = triple.find(|quotes| rest.starts_with(quotes.as_bytes()));
                    at = self.quotes.map_or_else(|| string_end(line, at), |it| at + it.len());
                }
                (None, b'(' | b'[' | b'{') => (self.depth, at) = (self.depth + 1, at + 1),
                (None, b')' | b']' | b'}') => {
                    (self.depth, at) = (self.depth.saturating_sub(1), at + 1);
                }
                // Most bytes are letters.
                _ => at += 1 + rest.iter().skip(1).take_while(|byte| is_letter(**byte)).count(),
            }
        }
        line.len()
    }
}

/// Tells whether a byte is none of those that `Reader` looks at.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'_' | b',' | b'.' | b':' | b'=')
}

/// The end of the string that begins here.
fn string_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The first line of a table that goes on, `NAME: TYPE[ITEMS] = {`, where it is too long: the items
/// of the type have a line of their own.
fn table_head(code: &str) -> Option<String> {
    let (name, annotation) = code.strip_suffix("] = {")?.split_once(": ")?;
    let (ty, items) = annotation.split_once('[')?;
    let is_name = name.bytes().all(is_letter) && !name.contains(' ');
    is_name.then(|| format!("{name}: {ty}[\n    {items}\n] = {{"))
}

/// A statement that is too long for its line, as the formatter would have it.
fn statement(line: &str, comment: &str) -> String {
    let code = line.trim_start();
    let indentation = line.len() - code.len();
    let Some(forms) = forms(code) else { return format!("{line}{comment}") };
    let lines = forms.iter().map(|form| RUFF.print(form, indentation, indentation));
    let lines = lines.map(|lines| format!("{:indentation$}{lines}", ""));
    let comment = if comment.is_empty() { String::new() } else { format!("  {comment}") };
    let is_import = code.starts_with("from ");
    let Some(lines) = lines.into_iter().find(|lines| is_import || RUFF.fits(lines)) else {
        return format!("{line}{comment}{SKIP}");
    };
    match lines.split_once('\n') {
        Some((first, rest)) => format!("{first}{comment}\n{rest}"),
        None => lines + &comment,
    }
}

/// The ways to break a statement, the best first. `None` for one that is left as it is.
fn forms(code: &str) -> Option<Vec<Doc<'_>>> {
    if code.starts_with(['"', '\'']) || code.starts_with("r\"") {
        return None;
    }
    if code.ends_with(':') || code.ends_with(": ...") {
        let is_definition =
            ["def ", "async def ", "class "].iter().any(|keyword| code.starts_with(keyword));
        return is_definition.then(|| definition(code).into_iter().collect());
    }
    if let Some((module, names)) =
        code.strip_prefix("from ").and_then(|it| it.split_once(" import "))
    {
        let names = split(names).map(text);
        return Some(vec![concat([
            text(format!("from {module} import ")),
            bracketed("(", names, ")"),
        ])]);
    }
    let (target, annotation) = match outside(code, ": ") {
        Some(at) => (code.get(..at)?, code.get(at + 2..)),
        None => (code, None),
    };
    let (head, value) = match outside(code, " = ") {
        Some(at) => (code.get(..at)?, code.get(at + 3..)),
        None => (code, None),
    };
    let annotation = annotation.and(head.get(target.len() + 2..));
    let of_annotation = annotation.filter(|it| outside(it, " | ").is_some()).map(|annotation| {
        let rest = value.map(|value| format!(" = {value}")).unwrap_or_default();
        concat([text(format!("{target}: ")), parenthesized(annotation), text(rest)])
    });
    Some(match value {
        Some(value) if brackets(value).is_some() => {
            vec![concat([text(format!("{head} = ")), item(value)])]
        }
        // Which of the two gives way is the formatter's to know.
        Some(_) if annotation.is_some_and(|annotation| brackets(annotation).is_some()) => {
            Vec::new()
        }
        Some(value) => {
            let of_value = concat([text(format!("{head} = ")), parenthesized(value)]);
            [of_value].into_iter().chain(of_annotation).collect()
        }
        None if annotation.is_some() => of_annotation.into_iter().collect(),
        None => brackets(code).map(|_| item(code)).into_iter().collect(),
    })
}

/// The header of a class or function: its parameters give way, each as it is.
fn definition(code: &str) -> Option<Doc<'_>> {
    let open = outside(code, "(")?;
    let (close, _) = positions(code).find(|(at, _)| *at > open)?;
    let mut items = split(code.get(open + 1..close)?).map(text).peekable();
    items.peek()?;
    let head = bracketed(code.get(..=open)?, items, ")");
    Some(concat([head, text(code.get(close + 1..)?)]))
}

/// An expression that is taken apart if it ends with brackets.
fn item(code: &str) -> Doc<'_> {
    let Some(within) = brackets(code) else { return text(code) };
    let parts = (code.get(..within.start), code.get(within.clone()), code.get(within.end..));
    let (Some(open), Some(items), Some(close)) = parts else { return text(code) };
    let count = split(items).count();
    if count == 1 && open.ends_with('[') && open.len() > 1 && is_name_end(open) {
        // With a comma it would be the index of a tuple.
        let inner = concat([Doc::SoftLine, item(items)]);
        return group(concat([text(open), indent(inner), Doc::SoftLine, text(close)]));
    }
    bracketed(open, split(items).map(item), close)
}

/// The content of the brackets at the end of an expression, if they can be broken and nothing
/// beside them can.
fn brackets(code: &str) -> Option<Range<usize>> {
    let end = code.strip_suffix([')', ']', '}'])?.len();
    let mut start = None;
    for (at, byte) in positions(code) {
        if matches!(byte, b'(' | b'[' | b'{') {
            start = Some(at + 1);
        }
        let rest = code.as_bytes().get(at..)?;
        if OPERATORS.iter().any(|operator| rest.starts_with(operator.as_bytes())) {
            return None;
        }
    }
    let start = start.filter(|start| *start < end)?;
    let (head, inner) = (code.get(..start)?, code.get(start..end)?);
    let is_comprehension = outside(inner, " for ").is_some();
    let is_tuple_of_one = inner.ends_with(',');
    let is_group = head.ends_with('(') && !is_name_end(head) && outside(inner, ",").is_none();
    (!is_comprehension && !is_group && !is_tuple_of_one).then_some(start..end)
}

/// Tells whether brackets belong to the name or call before them.
fn is_name_end(open: &str) -> bool {
    let before = open.get(..open.len() - 1).unwrap_or_default();
    before.ends_with(|last: char| last.is_ascii_alphanumeric() || "_)]".contains(last))
}

/// An expression in parentheses that are there only if it does not fit on the line.
fn parenthesized(code: &str) -> Doc<'_> {
    let mut members = Vec::new();
    let mut rest = code;
    while let Some(at) = outside(rest, " | ") {
        members.push(text(rest.get(..at).unwrap_or_default()));
        rest = rest.get(at + 3..).unwrap_or_default();
    }
    members.push(text(rest));
    let members = group(join(&concat([Doc::Line, text("| ")]), members));
    let inner = indent(concat([Doc::SoftLine, members]));
    group(concat([if_break("(", ""), inner, Doc::SoftLine, if_break(")", "")]))
}

/// The items of a list, each without the comma after it.
fn split(items: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(items).filter(|items| !items.is_empty());
    std::iter::from_fn(move || {
        let text = rest?;
        let at = outside(text, ", ");
        rest = at.and_then(|at| text.get(at + 2..));
        text.get(..at.unwrap_or(text.len()))
    })
}

/// Finds a pattern in a text, outside of brackets and strings.
fn outside(code: &str, pattern: &str) -> Option<usize> {
    positions(code).map(|(at, _)| at).find(|at| {
        code.as_bytes().get(*at..).is_some_and(|rest| rest.starts_with(pattern.as_bytes()))
    })
}

/// The bytes of a text that are in no brackets and in no string, with their positions. Brackets
/// and quotes themselves are among them.
fn positions(code: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = code.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(at) {
            let start = at;
            let before = depth;
            at += 1;
            match byte {
                b'"' | b'\'' => at = string_end(code, start),
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if before.min(depth) == 0 {
                return Some((start, *byte));
            }
        }
        None
    })
}
