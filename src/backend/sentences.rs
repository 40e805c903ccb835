//! Sentences of descriptions.

/// Finds where the first of several sentences ends: after a full stop that another sentence
/// follows, and that is in no code and no link.
pub(super) fn sentence_end(text: &str) -> Option<usize> {
    let ends = text.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
    let begins = |next: char| next.is_uppercase() || matches!(next, '`' | '"' | '[' | '(' | '*');
    let is_end = |end: &usize| {
        let (before, after) = text.split_at(*end);
        let word = before.rsplit(' ').next().unwrap_or_default();
        let is_abbreviation = word.matches('.').count() > 1;
        let is_open = before.matches('`').count() % 2 == 1
            || before.matches('[').count() != before.matches(']').count();
        let next = after.strip_prefix(' ').and_then(|after| after.chars().next());
        next.is_some_and(begins) && !is_abbreviation && !is_open
    };
    ends.filter(|end| text.is_char_boundary(*end)).find(is_end)
}

#[cfg(test)]
mod tests {
    use super::sentence_end;

    #[test]
    fn a_sentence_ends_where_another_begins() {
        let first = |text: &str| sentence_end(text).map(|end| text[..end].to_owned());
        assert_eq!(first("One. Two."), Some("One.".to_owned()));
        assert_eq!(first("Such as e.g. That. More"), Some("Such as e.g. That.".to_owned()));
        assert_eq!(first("See `a. B` here. Then"), Some("See `a. B` here.".to_owned()));
        assert_eq!(first("Only one."), None);
    }
}
