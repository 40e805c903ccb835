//! Text on its way into Markdown.

use crate::breaking::report::prose::pieces;
use crate::policy::prose::plain;

/// A sentence, its names as code, everything else as words that mean nothing to Markdown, HTML
/// or GitHub. It stands within a line.
pub(crate) fn prose(sentence: &str) -> String {
    let mut text = String::with_capacity(sentence.len() + 16);
    for piece in pieces(sentence) {
        if piece.is_name {
            text.push_str(&code(&piece.text));
        } else {
            push_words(&mut text, &piece.text);
        }
    }
    text
}

fn push_words(text: &mut String, words: &str) {
    for character in words.chars() {
        match character {
            // GitHub looks for people and issues in what Markdown has made of the text. A comment
            // keeps the sign apart from the name.
            '@' | '#' => {
                text.push(character);
                text.push_str("<!-- -->");
            }
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            // An address is a link by itself, unless its colon or first dot is escaped.
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' | '!' => {
                text.push('\\');
                text.push(character);
            }
            other => text.push(other),
        }
    }
    for (address, broken) in [("://", "\\://"), ("www.", "www\\.")] {
        if text.contains(address) {
            *text = text.replace(address, broken);
        }
    }
}

/// A name as code within a line, whatever it holds.
pub(super) fn code(name: &str) -> String {
    let name = plain(name);
    if name.is_empty() {
        return String::from("(empty)");
    }
    let fence = "`".repeat(longest_run(&name) + 1);
    // A space keeps a backtick at the edge apart from the fence. Of two it takes one away.
    let space = if name.starts_with(['`', ' ']) || name.ends_with(['`', ' ']) { " " } else { "" };
    // In a table the cell would end there, even in code.
    let name = name.replace('|', "\\|");
    format!("{fence}{space}{name}{space}{fence}")
}

/// Lines as a block of code, whatever they hold, every line after the indentation.
pub(super) fn fenced(language: &str, lines: &str, indentation: &str) -> String {
    let fence = "`".repeat(longest_run(lines).max(2) + 1);
    let mut text = format!("{indentation}{fence}{language}\n");
    for line in lines.split('\n') {
        let line = plain(&line.replace('\t', "    "));
        text.push_str(indentation);
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(indentation);
    text.push_str(&fence);
    text.push('\n');
    text
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{code, fenced, prose};

    #[test]
    fn code_in_a_line_and_in_a_block_ends_where_it_should() {
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code(""), "(empty)");
        assert_eq!(fenced("x", "```\n a", ""), "````x\n```\n a\n````\n");
        assert_eq!(prose("see http://x.y and www.z.w"), "see http\\://x.y and www\\.z.w");
        assert_eq!(prose("`a` is *gone*"), "`a` is \\*gone\\*");
    }
}
