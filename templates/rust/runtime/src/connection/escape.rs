//! Escape sequences of terminals.

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

/// What stands behind the escape sequences that a line begins with. There is nothing if it begins
/// with none.
pub(super) fn behind(line: &[u8]) -> Option<&[u8]> {
    let mut rest = sequence(line)?;
    while let Some(next) = sequence(rest) {
        rest = next;
    }
    Some(rest)
}

/// What stands behind one sequence, and the space after it.
fn sequence(text: &[u8]) -> Option<&[u8]> {
    let body = text.strip_prefix(&[ESCAPE])?;
    let rest = match body.first()? {
        b'[' => ended(&body[1..], |byte| matches!(byte, b' '..=b'?')),
        b']' | b'P' | b'X' | b'^' | b'_' => said(&body[1..]),
        _ => ended(body, |byte| matches!(byte, b' '..=b'/')),
    };
    rest.map(<[u8]>::trim_ascii_start)
}

/// What stands behind bytes of a kind, and the one that ends them.
fn ended(text: &[u8], goes_on: impl Fn(u8) -> bool) -> Option<&[u8]> {
    let end = text.iter().position(|byte| !goes_on(*byte))?;
    let is_end = matches!(text[end], b'0'..=b'~');
    is_end.then_some(&text[end + 1..])
}

/// What stands behind a text for the terminal.
fn said(text: &[u8]) -> Option<&[u8]> {
    let end = text
        .iter()
        .position(|byte| matches!(*byte, BELL | ESCAPE))?;
    let rest = &text[end + 1..];
    if text[end] == BELL {
        return Some(rest);
    }
    rest.strip_prefix(b"\\")
}
