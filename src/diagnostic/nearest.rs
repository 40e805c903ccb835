//! Did you mean?

/// The candidate most like `text`, if any is near enough to be a slip: one or two edits, and
/// fewer than half of the letters.
///
/// ```
/// use acp_bindgen::diagnostic::nearest;
///
/// assert_eq!(nearest("gret", ["greet", "wave"]), Some("greet"));
/// assert_eq!(nearest("shout", ["greet", "wave"]), None);
/// ```
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = text.chars().count();
    candidates
        .into_iter()
        .filter(|candidate| *candidate != text)
        .filter(|candidate| candidate.chars().count().abs_diff(letters) <= 2)
        .map(|candidate| (strsim::osa_distance(text, candidate), candidate))
        .filter(|(distance, _)| *distance <= 2 && distance * 2 < letters)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        assert_eq!(nearest("x-mehtod", ["x-method", "x-side"]), Some("x-method"));
        assert_eq!(nearest("agnet", ["agent", "client"]), Some("agent"));
        assert_eq!(nearest("agent", ["client"]), None);
        assert_eq!(nearest("ab", ["cd"]), None);
    }
}
