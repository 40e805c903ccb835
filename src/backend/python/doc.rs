//! Docstrings from descriptions: any text comes out harmless, and as the formatter wants it.

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
    let mut fenced = false;
    for line in clean.lines().map(str::trim_end) {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        if fenced || is_fence || line.trim_start().starts_with('|') {
            wrapped.push(line.to_owned());
        } else {
            wrap(line, WIDTH.saturating_sub(indent), &mut wrapped);
        }
    }
    let blank = |line: &String| line.is_empty();
    let from = wrapped.iter().position(|line| !blank(line)).unwrap_or(wrapped.len());
    let to = wrapped.iter().rposition(|line| !blank(line)).map_or(from, |last| last + 1);
    wrapped.drain(from..to).collect()
}

/// Whether a character only directs or hides others.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    )
}

/// A name within running text: on one line, and no end of a code span.
pub(super) fn inline(text: &str) -> String {
    lines(text, 0).join(" ").replace('`', "'")
}

/// Breaks a line at spaces; the rest of a list item is indented like its text.
fn wrap(line: &str, width: usize, wrapped: &mut Vec<String>) {
    if line.chars().count() <= width {
        wrapped.push(line.to_owned());
        return;
    }
    let text = line.trim_start();
    let lead = line.len() - text.len();
    let marker = if text.starts_with("- ") || text.starts_with("* ") { 2 } else { 0 };
    let hang = " ".repeat((lead + marker).min(width / 2));
    let mut current = " ".repeat(lead.min(width / 2));
    let mut length = current.len();
    let mut empty = true;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
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
        current.push_str(word);
        length += word_length;
        empty = false;
    }
    wrapped.push(current);
}

/// A docstring of these lines at an indentation, quotes and all. `None` where there is no text.
pub(super) fn docstring(text: &[String], indent: usize) -> Option<Vec<String>> {
    let mut text: Vec<String> = dedented(text).iter().map(|line| escaped(line)).collect();
    let first = text.first_mut()?;
    *first = first.trim_start().to_owned();
    if let Some(rest) = first.strip_prefix('"') {
        *first = format!("\\\"{rest}");
    }
    let pad = " ".repeat(indent);
    let mut lines: Vec<String> = Vec::with_capacity(text.len() + 1);
    let single = text.len() == 1;
    for (index, line) in text.into_iter().enumerate() {
        let quotes = if index == 0 { "\"\"\"" } else { "" };
        let filled = !line.is_empty() || !quotes.is_empty();
        lines.push(if filled { format!("{pad}{quotes}{line}") } else { String::new() });
    }
    match lines.last_mut() {
        // The formatter keeps a last quote apart from the closing ones.
        Some(only) if single && only.ends_with('"') => only.push_str(" \"\"\""),
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

/// No backslash means anything, and no run of quotes ends the docstring.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\\\").replace("\"\"", "\\\"\\\"");
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        docstring(&lines(text, 0), 0).unwrap_or_default().join("\n")
    }

    #[test]
    fn text_cannot_leave_its_docstring() {
        assert_eq!(quoted(r#"a """ b"#), r#""""a \"\"" b""""#);
        assert_eq!(quoted(r"ends with \"), r#""""ends with \\""""#);
        assert_eq!(quoted(r#"ends with ""#), r#""""ends with " """"#);
        assert_eq!(quoted(r#""starts""#), r#""""\"starts" """"#);
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
    fn common_indentation_goes() {
        assert_eq!(quoted("a\n    b\n      c"), "\"\"\"a\nb\n  c\n\"\"\"");
    }
}
