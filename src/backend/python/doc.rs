//! Docstrings from descriptions: any text comes out harmless, and as the formatter wants it.

use super::literal;

/// The widest line of running text, indentation included.
const WIDTH: usize = 88;

/// The lines of a description: no control or bidirectional characters, no trailing spaces, no
/// empty lines at either end, running text wrapped. Not yet escaped.
pub(super) fn lines(description: &str, indent: usize) -> Vec<String> {
    let clean: String = description
        .replace("\r\n", "\n")
        .chars()
        .filter_map(|character| match character {
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
            '\t' => Some(' '),
            hidden if hidden.is_control() || is_invisible(hidden) => None,
            other => Some(other),
        })
        .collect();
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
    let blank = |line: &String| line.is_empty();
    let from = wrapped.iter().position(|line| !blank(line)).unwrap_or(wrapped.len());
    let to = wrapped.iter().rposition(|line| !blank(line)).map_or(from, |last| last + 1);
    wrapped.drain(from..to).collect()
}

/// Whether a character only directs or hides others.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// A name as a code span; as a literal where it would not survive that.
pub(super) fn code(text: &str) -> String {
    let harmless = inline(text);
    if harmless == text && !text.is_empty() { format!("`{text}`") } else { literal::string(text) }
}

/// A name within running text: on one line, and no end of a code span.
pub(super) fn inline(text: &str) -> String {
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
        let mut current = " ".repeat(lead.min(width / 2));
        let mut length = current.len();
        let mut empty = true;
        for word in words(&lines) {
            let word_length = word.chars().count();
            if !empty && length + 1 + word_length > width {
                wrapped.push(std::mem::replace(&mut current, hang.clone()));
                length = hang.len();
                empty = true;
            }
            if !empty {
                current.push(' ');
                length += 1;
            }
            current.push_str(&word);
            length += word_length;
            empty = false;
        }
        wrapped.push(current);
    }
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
    docstring(&lines(description, 0), 0).unwrap_or_default()
}

/// A docstring of these lines at an indentation, quotes and all. `None` where there is no text.
pub(super) fn docstring(text: &[String], indent: usize) -> Option<Vec<String>> {
    let mut text = dedented(text);
    let first = text.first_mut()?;
    *first = first.trim_start().to_owned();
    let text: Vec<String> = text.iter().map(|line| escaped(line)).collect();
    let pad = " ".repeat(indent);
    let mut lines: Vec<String> = Vec::with_capacity(text.len() + 1);
    let single = text.len() == 1;
    for (index, line) in text.into_iter().enumerate() {
        let quotes = if index == 0 { "\"\"\"" } else { "" };
        let filled = !line.is_empty() || !quotes.is_empty();
        lines.push(if filled { format!("{pad}{quotes}{line}") } else { String::new() });
    }
    match lines.last_mut() {
        Some(only) if single => only.push_str("\"\"\""),
        _ => lines.push(format!("{pad}\"\"\"")),
    }
    Some(lines)
}

/// The formatter takes away what all lines but the first are indented by.
fn dedented(text: &[String]) -> Vec<String> {
    let lead = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let rest = text.iter().skip(1).filter(|line| !line.is_empty());
    let common = rest.map(lead).min().unwrap_or(0);
    text.iter()
        .enumerate()
        .map(
            |(index, line)| {
                if index == 0 { line.as_str() } else { line.get(common..).unwrap_or("") }
            },
        )
        .map(str::to_owned)
        .collect()
}

/// No backslash means anything, and no quote is near enough to another, or to the docstring's
/// own, to make an end of it.
fn escaped(line: &str) -> String {
    let characters: Vec<char> = line.trim_end().chars().collect();
    let is_quote =
        |at: Option<usize>| at.is_none_or(|at| matches!(characters.get(at), None | Some('"')));
    let mut text = String::with_capacity(line.len());
    for (at, character) in characters.iter().enumerate() {
        if *character == '\\'
            || *character == '"' && (is_quote(at.checked_sub(1)) || is_quote(Some(at + 1)))
        {
            text.push('\\');
        }
        text.push(*character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        docstring(&lines(text, 0), 0).unwrap_or_default().join("\n")
    }

    #[test]
    fn text_cannot_leave_its_docstring() {
        assert_eq!(quoted(r#"a """ b"#), r#""""a \"\"\" b""""#);
        assert_eq!(quoted(r"ends with \"), r#""""ends with \\""""#);
        assert_eq!(quoted(r#"ends with ""#), r#""""ends with \"""""#);
        assert_eq!(quoted(r#"with \""#), r#""""with \\\"""""#);
        assert_eq!(quoted(r#""starts""#), r#""""\"starts\"""""#);
        assert_eq!(quoted(r#"""""#), r#""""\"\"\"""""#);
        assert_eq!(quoted("a\u{0}b\u{202e}c\u{7}"), r#""""abc""""#);
        assert_eq!(quoted("a\rb\u{2028}c"), "\"\"\"a\nb\nc\n\"\"\"");
        assert_eq!(quoted(" \n\t\n"), "");
    }

    #[test]
    fn running_text_is_wrapped_and_code_is_not() {
        let long = format!("- {}", "word ".repeat(30));
        let text = lines(&format!("{long}\n```\n{long}\n```"), 4);
        assert_eq!(text.len(), 5);
        assert!(text[1].starts_with("  word"), "{text:?}");
        assert_eq!(text[3], long.trim_end());
        assert!(text[..2].iter().all(|line| line.len() <= 84));
    }

    #[test]
    fn paragraphs_are_filled_and_links_kept_whole() {
        let text = lines(&format!("{}\nb [two words](x)\n1. item", "a ".repeat(60)), 0);
        assert_eq!(text.len(), 3);
        assert!(text[1].ends_with("a b [two words](x)"), "{text:?}");
        assert_eq!(text[2], "1. item");
        assert_eq!(lines("short\nlines", 0), ["short", "lines"]);
    }

    #[test]
    fn common_indentation_goes() {
        assert_eq!(quoted("a\n    b\n      c"), "\"\"\"a\nb\n  c\n\"\"\"");
    }
}
