//! The order of versions, by their names.

use std::cmp::Ordering;

use semver::Version as Semver;

/// Compares two labels: versions (semver.org), with or without a `v`, by their numbers; then
/// everything else by its text, in which runs of digits count as numbers.
///
/// ```
/// use acp_bindgen::input::in_order;
///
/// let mut versions = ["nightly", "v1.10.0", "1.9.0"];
/// versions.sort_by(|one, other| in_order(one, other));
/// assert_eq!(versions, ["1.9.0", "v1.10.0", "nightly"]);
/// ```
pub fn in_order(one: &str, other: &str) -> Ordering {
    let version = |label: &str| Semver::parse(label.strip_prefix('v').unwrap_or(label)).ok();
    match (version(one), version(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => runs(one).cmp(&runs(other)),
    }
}

/// The parts of a text: a number for each run of digits, and the text before it.
fn runs(text: &str) -> Vec<(&str, Option<u64>)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|it: char| it.is_ascii_digit()).unwrap_or(rest.len());
        let (words, tail) = rest.split_at(digits);
        let end = tail.find(|it: char| !it.is_ascii_digit()).unwrap_or(tail.len());
        let (number, after) = tail.split_at(end);
        parts.push((words, number.parse().ok()));
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_stand_in_their_order() {
        let mut labels = ["v0.10.0", "b", "v0.2.0", "v0.2.0-alpha.7", "part10", "0.2.1", "part9"];
        labels.sort_by(|one, other| in_order(one, other));
        assert_eq!(
            labels,
            ["v0.2.0-alpha.7", "v0.2.0", "0.2.1", "v0.10.0", "b", "part9", "part10"]
        );
    }
}
