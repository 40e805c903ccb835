//! Docstrings from descriptions: any text comes out harmless, and as the formatter wants it.

use std::borrow::Cow;

use super::literals;
use crate::backend::sentences::sentence_end;
use crate::source::plain_text;

/// The widest line of running text, indentation included.
const WIDTH: usize = 88;

/// The lines of a description: harmless, running text wrapped. Not yet escaped.
pub(super) fn lines(description: &str, indent: usize) -> Vec<String> {
    wrapped(&cleaned(description), indent)
}

/// A description without control or bidirectional characters, and without empty lines at either
/// end.
pub(super) fn cleaned(description: &str) -> String {
    let clean = plain_text(description).replace('\t', " ");
    let text = clean.trim();
    let lead = clean.len() - clean.trim_start().len();
    let line = clean.get(..lead).and_then(|blank| blank.rfind('\n')).map_or(0, |end| end + 1);
    clean.get(line..lead + text.len()).unwrap_or_default().to_owned()
}

/// The lines of a text that is clean, without spaces at their ends, running text wrapped.
pub(super) fn wrapped(clean: &str, indent: usize) -> Vec<String> {
    let mut wrapped = Vec::new();
    let mut paragraph = Paragraph::default();
    let width = WIDTH.saturating_sub(indent);
    let mut fenced = false;
    for line in clean.lines().map(str::trim_end) {
        let text = line.trim_start();
        let is_fence = text.starts_with("```") || text.starts_with("~~~");
        fenced ^= is_fence;
        if fenced || is_fence || text.is_empty() || text.starts_with(['|', '#', '>']) {
            paragraph.finish(width, &mut wrapped);
            wrapped.push(line.to_owned());
        } else {
            if marker(text) > 0 {
                paragraph.finish(width, &mut wrapped);
            }
            paragraph.lines.push(line);
        }
    }
    paragraph.finish(width, &mut wrapped);
    wrapped
}

/// A name as a code span; as a literal where it would not survive that.
pub(super) fn code(text: &str) -> String {
    let harmless = inline(text);
    if harmless == text && !text.is_empty() { format!("`{text}`") } else { literals::string(text) }
}

/// A name within running text: on one line, and no end of a code span.
pub(super) fn inline(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'`') {
        return text.to_owned();
    }
    lines(text, 0).join(" ").replace('`', "'")
}

/// Lines of running text: to Markdown, one.
#[derive(Default)]
struct Paragraph<'a> {
    lines: Vec<&'a str>,
}

impl Paragraph<'_> {
    /// Writes the lines as they are if all fit, else anew. The rest of a list item is indented
    /// like its text.
    fn finish(&mut self, width: usize, wrapped: &mut Vec<String>) {
        let lines = std::mem::take(&mut self.lines);
        if lines.iter().all(|line| line.chars().count() <= width) {
            wrapped.extend(lines.into_iter().map(str::to_owned));
            return;
        }
        let first = lines.first().copied().unwrap_or_default();
        let lead = first.len() - first.trim_start().len();
        let hang = " ".repeat((lead + marker(first.trim_start())).min(width / 2));
        let lead = " ".repeat(lead.min(width / 2));
        wrapped.extend(filled(&words(&lines), width, lead, &hang));
    }
}

/// Words as lines: the first begins with `lead`, the others with `hang`.
fn filled(words: &[String], width: usize, lead: String, hang: &str) -> Vec<String> {
    let mut filled = Vec::new();
    let mut length = lead.len();
    let mut current = lead;
    let mut empty = true;
    for word in words {
        let word_length = word.chars().count();
        if !empty && length + 1 + word_length > width {
            filled.push(std::mem::replace(&mut current, hang.to_owned()));
            length = hang.len();
            empty = true;
        }
        if !empty {
            current.push(' ');
            length += 1;
        }
        current.push_str(word);
        length += word_length;
        empty = false;
    }
    filled.push(current);
    filled
}

/// The words of a paragraph. A Markdown link is one.
fn words(lines: &[&str]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_link = false;
    for word in lines.iter().flat_map(|line| line.split_whitespace()) {
        match words.last_mut() {
            Some(last) if in_link => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
        in_link = match word.rfind('[') {
            Some(start) => !word.get(start..).unwrap_or_default().contains(']'),
            None => in_link && !word.contains(']'),
        };
    }
    words
}

/// The length of the mark that begins a list item, if one does.
fn marker(text: &str) -> usize {
    if text.starts_with(['-', '*', '+']) && text.get(1..2) == Some(" ") {
        return 2;
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_item = (1..4).contains(&digits) && text.get(digits..digits + 2) == Some(". ");
    if is_item { digits + 2 } else { 0 }
}

/// A docstring of a description alone, for a thing at the beginning of a line.
pub(super) fn plain(description: &str) -> Vec<String> {
    docstring(&lines(description, 0), 0).lines().map(String::from).collect()
}

/// A docstring of these lines, quotes and all; all lines but the first at an indentation. Empty
/// where there is no text.
///
/// Its first line is a summary wherever the text begins with a sentence that fits on it: editors
/// and `help()` show that line alone.
pub(super) fn docstring(text: &[String], indent: usize) -> String {
    let mut text = dedented(&summarized(text, indent));
    let Some(first) = text.first_mut() else { return String::new() };
    *first = first.trim_start().to_owned();
    let is_raw = is_raw(&text);
    let pad = format!("\n{:indent$}", "");
    let mut docstring = String::from(if is_raw { "r\"\"\"" } else { "\"\"\"" });
    for (index, line) in text.iter().enumerate() {
        let edges = Edges { begins: index == 0, ends: text.len() == 1 };
        let line = if is_raw { Cow::Borrowed(line.as_str()) } else { escaped(line, edges) };
        match (index, line.is_empty()) {
            (0, _) => {}
            (_, true) => docstring.push('\n'),
            (_, false) => docstring.push_str(&pad),
        }
        docstring.push_str(&line);
    }
    if text.len() > 1 {
        docstring.push_str(&pad);
    }
    docstring + "\"\"\""
}

/// Adds facts to a text, as its last paragraph.
pub(super) fn with_facts(mut text: Vec<String>, facts: &[String], indent: usize) -> Vec<String> {
    if !facts.is_empty() {
        text.push(String::new());
        text.extend(lines(&facts.join(" "), indent));
    }
    text
}

/// A sentence or two of this program's as a docstring.
pub(super) fn sentence(text: &str, indent: usize) -> String {
    docstring(&lines(text, indent), indent)
}

/// The lines with the first sentence on a line of its own, or else with a first line that leaves
/// room for the quotes.
fn summarized(text: &[String], indent: usize) -> Vec<String> {
    let is_running = |line: &&String| {
        let text = line.trim_start();
        !text.is_empty() && marker(text) == 0 && !text.starts_with(['|', '#', '>', '`', '~'])
    };
    let first = text.iter().take_while(is_running).count();
    let (paragraph, rest) = text.split_at(first);
    let width = WIDTH.saturating_sub(indent);
    let joined = paragraph.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    let prefix = usize::from(text.iter().any(|line| line.contains('\\')));
    let quotes = prefix + if rest.is_empty() { 2 * QUOTES } else { QUOTES };
    if first == 0 || first == 1 && joined.chars().count() + quotes <= width {
        return text.to_vec();
    }
    let mut summarized = Vec::with_capacity(text.len() + 2);
    match sentence_end(&joined) {
        Some(end)
            if joined.get(..end).unwrap_or_default().chars().count() + prefix + QUOTES <= width =>
        {
            let (sentence, others) = joined.split_at(end);
            summarized.extend([sentence.to_owned(), String::new()]);
            summarized.extend(lines(others.trim_start(), indent));
        }
        _ if text.first().is_some_and(|line| line.chars().count() + quotes > width) => {
            let room = " ".repeat(quotes);
            let filled = filled(&words(&[&joined]), width, room, "");
            summarized.extend(filled.iter().map(|line| line.trim_start().to_owned()));
        }
        _ => return text.to_vec(),
    }
    summarized.extend_from_slice(rest);
    summarized
}

/// The length of the quotes at either end of a docstring.
const QUOTES: usize = 3;

/// The formatter takes away what all lines but the first are indented by.
fn dedented(text: &[String]) -> Vec<String> {
    let lead = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let rest = text.iter().skip(1).filter(|line| !line.is_empty());
    let common = rest.map(lead).min().unwrap_or(0);
    let cut = |(index, line): (usize, &String)| {
        line.get(if index == 0 { 0 } else { common }..).unwrap_or_default().to_owned()
    };
    text.iter().enumerate().map(cut).collect()
}

/// Tells whether a text with backslashes can stand as it is: no quote needs one, and none is before
/// the quotes at the end.
fn is_raw(text: &[String]) -> bool {
    let has = |found: fn(&str) -> bool| text.iter().any(|line| found(line));
    let begins_badly = text.first().is_some_and(|line| line.starts_with('"'));
    let ends_badly = matches!(text, [only] if only.ends_with(['"', '\\']));
    let has_quotes = has(|line| line.contains("\"\"\""));
    has(|line| line.contains('\\')) && !has_quotes && !begins_badly && !ends_badly
}

/// Which ends of a line are beside the docstring's quotes.
#[derive(Clone, Copy)]
struct Edges {
    begins: bool,
    ends: bool,
}

/// No backslash means anything, and no quote is near enough to others, or to the docstring's
/// own, to make an end of it.
fn escaped(line: &str, edges: Edges) -> Cow<'_, str> {
    let mut rest = line.trim_end();
    if !rest.contains(['"', '\\']) {
        return Cow::Borrowed(rest);
    }
    let mut text = String::with_capacity(line.len());
    while let Some(first) = rest.chars().next() {
        let quotes = rest.len() - rest.trim_start_matches('"').len();
        let (part, others) = rest.split_at(quotes.max(first.len_utf8()));
        let is_at_edge = edges.begins && text.is_empty() || edges.ends && others.is_empty();
        if quotes >= QUOTES || quotes > 0 && is_at_edge {
            text.push_str(&part.replace('"', "\\\""));
        } else if first == '\\' {
            text.push_str("\\\\");
        } else {
            text.push_str(part);
        }
        rest = others;
    }
    Cow::Owned(text)
}
