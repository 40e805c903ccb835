//! Texts rewritten so that each message is one line.

use super::lines::pieces;

/// The text with one message a line: no blank lines, no carriage returns, no white space between
/// tokens of a message that goes on in other lines, and a line end at the end. The items of an
/// array over several lines become lines. `None` if it is so already.
///
/// Keys stay in their order, and numbers and strings as they are spelled. What is no JSON stays as
/// it is.
///
/// ```
/// use acp_bindgen::validate::fixed;
///
/// let text = "{ \"method\":\n  \"wave\" }\n\n";
/// assert_eq!(fixed(text).as_deref(), Some("{\"method\":\"wave\"}\n"));
/// assert_eq!(fixed("{\"method\":\"wave\"}\n"), None);
/// ```
pub fn fixed(text: &str) -> Option<String> {
    let pieces = pieces(text);
    let is_alone = pieces.len() == 1;
    let mut written = String::with_capacity(text.len());
    for piece in pieces {
        let piece = text.get(piece).unwrap_or_default();
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(piece).is_ok();
        if !is_json || !piece.contains('\n') {
            written.push_str(piece);
        } else if is_alone && piece.starts_with('[') {
            written.push_str(&items(piece));
        } else {
            written.push_str(&compact(piece));
        }
        written.push('\n');
    }
    (written != text).then_some(written)
}

/// The items of an array, a line each.
fn items(array: &str) -> String {
    let items: Vec<Box<serde_json::value::RawValue>> =
        serde_json::from_str(array).unwrap_or_default();
    let lines: Vec<String> = items.iter().map(|item| compact(item.get())).collect();
    lines.join("\n")
}

/// A JSON text without white space between its tokens.
fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for character in text.chars() {
        if in_string || !matches!(character, ' ' | '\t' | '\r' | '\n') {
            out.push(character);
        }
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::fixed;

    #[test]
    fn nothing_but_white_space_changes() {
        let fixed = |text: &str| fixed(text).unwrap_or_else(|| "as it is".to_owned());
        assert_eq!(fixed("{\"a\": 1}\n[ ]\n"), "as it is");
        assert_eq!(fixed(""), "as it is");
        assert_eq!(fixed("\r\n {\"b\": 1.0, \"a\": 1e2}\r\n\n"), "{\"b\": 1.0, \"a\": 1e2}\n");
        assert_eq!(
            fixed("{\n  \"b\": \"x\\\" {\\u0041 }\",\n  \"a\": [1, 2]\n}{} {}"),
            "{\"b\":\"x\\\" {\\u0041 }\",\"a\":[1,2]}\n{}\n{}\n"
        );
        assert_eq!(fixed("[\n  {\"a\": 1.50},\n  {}\n]\n"), "{\"a\":1.50}\n{}\n");
        assert_eq!(fixed("not JSON \n{\"a\":\n"), "not JSON\n{\"a\":\n");
    }
}
