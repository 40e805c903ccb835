//! JSON pointers (RFC 6901).

/// Appends a segment to a pointer, escaping `~` and `/`.
pub fn push_segment(pointer: &mut String, segment: &str) {
    pointer.push('/');
    for character in segment.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// The unescaped segments of a pointer. `None` when it does not begin with `/` and is not empty.
pub fn segments(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let rest = pointer.strip_prefix('/')?;
    Some(rest.split('/').map(|part| part.replace("~1", "/").replace("~0", "~")).collect())
}

#[cfg(test)]
mod tests {
    use super::{push_segment, segments};

    #[test]
    fn segments_survive_escaping() {
        let mut pointer = String::new();
        for segment in ["$defs", "a/b", "m~n", ""] {
            push_segment(&mut pointer, segment);
        }
        assert_eq!(pointer, "/$defs/a~1b/m~0n/");
        assert_eq!(
            segments(&pointer),
            Some(vec!["$defs".into(), "a/b".into(), "m~n".into(), String::new()])
        );
        assert_eq!(segments("no"), None);
    }
}
