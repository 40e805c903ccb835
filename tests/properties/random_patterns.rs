//! Random regular expressions, and texts that some of them match.

use super::support::Random;

/// A pattern of at most so many levels.
pub(crate) fn pattern(random: &mut Random, depth: usize) -> String {
    let begin = if random.once_in(2) { "^" } else { "" };
    let end = if random.once_in(2) { "$" } else { "" };
    format!("{begin}{}{end}", part(random, depth))
}

fn part(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return (*random.pick(&ATOMS)).to_owned();
    }
    match random.below(5) {
        0 => (*random.pick(&ATOMS)).to_owned(),
        1 => format!("(?:{}|{})", part(random, depth - 1), part(random, depth - 1)),
        2 => format!("({}){}", part(random, depth - 1), random.pick(&REPEATS)),
        _ => format!("{}{}", part(random, depth - 1), part(random, depth - 1)),
    }
}

/// A text of the characters that are in patterns.
pub(crate) fn text(random: &mut Random) -> String {
    let length = random.below(7);
    (0..length).map(|_| *random.pick(&CHARACTERS)).collect()
}

const ATOMS: [&str; 18] = [
    "a", "b", "1", "-", "_", "[ab]", "[^ab]", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", ".", "é",
    "[b-é]", "\\.", "\\/",
];

const REPEATS: [&str; 7] = ["*", "+", "?", "{2}", "{1,2}", "{2,}", "*?"];

const CHARACTERS: [char; 12] =
    ['a', 'b', '1', '-', '_', '.', '/', ' ', '\n', 'é', '\u{2028}', '😀'];
