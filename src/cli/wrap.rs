//! Text that fits a terminal: lines too long for it are broken between words.

/// The fewest columns that text is fitted to.
const FEWEST: usize = 20;

/// Breaks the lines of a text that are longer than so many columns, and keeps all that they say.
///
/// What follows of a line stands below its last column that is in the left half, or else further
/// in than the line itself. A word longer than a line is broken, after a sign if possible. Escapes
/// that colour a terminal take no room.
pub(super) fn wrapped(text: &str, columns: usize) -> String {
    let columns = columns.max(FEWEST);
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => out.push_str(&(wrapped_line(line, columns) + "\n")),
            None => out.push_str(&wrapped_line(line, columns)),
        }
    }
    out
}

/// A character, or an escape, and the columns that it takes.
type Cell<'a> = (&'a str, usize);

fn wrapped_line(line: &str, columns: usize) -> String {
    let cells = cells(line);
    if cells.iter().map(|(_, width)| width).sum::<usize>() <= columns {
        return line.to_owned();
    }
    let indent = indent(&cells, columns);
    let mut out = String::new();
    let mut column = 0;
    let mut rest = cells.as_slice();
    while !rest.is_empty() {
        let spaces = rest.iter().take_while(|(text, _)| *text == " ").count();
        let (gap, after) = rest.split_at(spaces);
        let length = after.iter().take_while(|(text, _)| *text != " ").count();
        let (mut word, others) = after.split_at(length);
        rest = others;
        let width = |cells: &[Cell<'_>]| cells.iter().map(|(_, width)| width).sum::<usize>();
        let start = |out: &mut String, column: &mut usize| {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&" ".repeat(indent));
            *column = indent;
        };
        let before = column + gap.len();
        let is_whole_below = width(word) <= columns - indent;
        let is_begun = !is_whole_below && before + FEWEST / 2 <= columns;
        if word.is_empty() {
            break;
        } else if before + width(word) <= columns || is_begun {
            out.push_str(&" ".repeat(gap.len()));
            column = before;
        } else {
            start(&mut out, &mut column);
        }
        // A word that fits no line is broken.
        while width(word) > columns - column {
            let (head, tail) = word.split_at(cut(word, columns - column));
            out.extend(head.iter().map(|(text, _)| *text));
            start(&mut out, &mut column);
            word = tail;
        }
        out.extend(word.iter().map(|(text, _)| *text));
        column += width(word);
    }
    out
}

/// The number of cells of a word that go on a line with so much room: at least one.
fn cut(word: &[Cell<'_>], room: usize) -> usize {
    let mut taken = 0;
    let fitting = word.iter().take_while(|(_, width)| {
        taken += width;
        taken <= room
    });
    let most = fitting.count().max(1);
    let signs = ",;:/|&?}])";
    let head = word.get(..most).unwrap_or(word);
    let sign = head.iter().rposition(|(text, _)| signs.contains(text)).map(|at| at + 1);
    sign.filter(|at| *at * 2 > most).unwrap_or(most)
}

/// The column below which a line goes on.
fn indent(cells: &[Cell<'_>], columns: usize) -> usize {
    // What draws the frame of an excerpt stands before the text as spaces do.
    let is_margin = |(text, width): &&Cell<'_>| *width == 0 || " │╭╰╴▸├".contains(text);
    let margin: usize = cells.iter().take_while(is_margin).map(|(_, width)| width).sum();
    let (mut column, mut spaces, mut found) = (0, 0, None);
    for (text, width) in cells {
        match (*text, *width) {
            (" ", _) => spaces += 1,
            (_, 0) => {}
            _ => {
                if spaces >= 2 && column > margin && column <= columns / 2 {
                    found = Some(column);
                }
                spaces = 0;
            }
        }
        column += width;
    }
    // What is far in is a paragraph.
    found.unwrap_or(if margin < 8 { margin + 2 } else { margin }).min(columns / 2)
}

/// Takes a line apart.
fn cells(line: &str) -> Vec<Cell<'_>> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = if first == '\u{1b}' { escape(rest) } else { first.len_utf8() };
        let (cell, after) = rest.split_at(length);
        found.push((cell, if first == '\u{1b}' { 0 } else { columns_of(first) }));
        rest = after;
    }
    found
}

/// The bytes of the escape that a text begins with: `ESC [`, parameters, and a letter.
fn escape(text: &str) -> usize {
    text.find(|character: char| character.is_ascii_alphabetic()).map_or(text.len(), |at| at + 1)
}

/// The columns that a character takes: two for those of East Asia and for pictures.
fn columns_of(character: char) -> usize {
    match u32::from(character) {
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without white space and colours: all that it says.
    fn said(text: &str) -> String {
        let lines = text.lines().flat_map(cells).filter(|(_, width)| *width > 0);
        lines.map(|(text, _)| text).filter(|text| *text != " ").collect()
    }

    fn assert_fits(text: &str, columns: usize) {
        let shown = wrapped(text, columns);
        for line in shown.lines() {
            let width: usize = cells(line).iter().map(|(_, width)| width).sum();
            assert!(width <= columns, "{columns}: {line}");
            assert!(!line.ends_with(' '), "{line:?}");
        }
        assert_eq!(said(&shown), said(text), "nothing is lost");
    }

    #[test]
    fn a_line_that_fits_is_left_alone() {
        let text = "one\n  two  three \n\nfour";
        assert_eq!(wrapped(text, 20), text);
    }

    #[test]
    fn words_go_to_the_next_line_further_in() {
        assert_eq!(
            wrapped("  why: a receiver rejects it\n", 20),
            "  why: a receiver\n    rejects it\n"
        );
    }

    #[test]
    fn a_last_column_goes_on_below_itself() {
        assert_eq!(
            wrapped("  name  what it is, in words  remark", 20),
            "  name  what it is,\n        in words\n        remark"
        );
    }

    #[test]
    fn a_word_longer_than_a_line_is_broken_after_a_sign() {
        assert_eq!(
            wrapped(r#"  proof: {"id":1,"method":"door/set"}"#, 24),
            "  proof: {\"id\":1,\n    \"method\":\"door/set\"}"
        );
        assert_eq!(wrapped(&"x".repeat(50), 20).lines().count(), 3);
    }

    #[test]
    fn nothing_is_over_and_nothing_is_lost() {
        let texts = [
            "\u{1b}[1mA heading that is longer than the line\u{1b}[0m and \u{1b}[36mgoes on\u{1b}[0m",
            "  \u{1b}[36msession/new                    \u{1b}[0m  NewSessionRequest → NewSessionResponse  opens a session",
            "    proof new→old: {\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"\"}}",
            "      │ 一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十",
            "                                                                     far in",
        ];
        for text in texts {
            for columns in [20, 33, 60, 80] {
                assert_fits(text, columns);
            }
        }
    }
}
