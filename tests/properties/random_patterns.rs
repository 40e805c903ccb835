//! Random regular expressions, and texts that some of them match.

use super::support::Random;

/// Patterns of all that can be in one, and so many random ones.
pub(crate) fn patterns(random: &mut Random, count: usize) -> Vec<String> {
    let made = (0..count).map(|_| pattern(random, 3));
    PATTERNS.iter().map(|it| (*it).to_owned()).chain(made).collect()
}

/// Texts in which languages differ easily, and so many random ones.
pub(crate) fn texts(random: &mut Random, count: usize) -> Vec<String> {
    let made = (0..count).map(|_| text(random));
    TEXTS.iter().map(|it| (*it).to_owned()).chain(made).collect()
}

/// A pattern of at most so many levels.
fn pattern(random: &mut Random, depth: usize) -> String {
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
fn text(random: &mut Random) -> String {
    let length = random.below(7);
    (0..length).map(|_| *random.pick(&CHARACTERS)).collect()
}

const PATTERNS: [&str; 28] = [
    "^[a-z]+$",
    "^[a-z][a-z0-9_-]*(\\.[a-z][a-z0-9_-]*)*$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^\\w+$",
    "^\\W+$",
    "^\\s*\\S+\\s*$",
    "^\\D$",
    "^.$",
    "^.+$",
    "a$",
    "^$",
    "$",
    "^",
    "",
    "b",
    "^(?:a|b1)?-$",
    "^(on|off)$|^a",
    "(^a|-$)",
    "^[^a-b]*$",
    "^[\\w.-]+$",
    "^[\\]^\\\\-]+$",
    "^[\\s\\S]{2,3}$",
    "^\\u00e9?\\x61*$",
    "^(?<name>a+)b?$",
    "^a{2}b{1,}1{0,2}$",
    "\\t|\\n|\\r",
    "^/[a-z/]*\"?'?`?$",
    "^[+--]|[&&~]$",
];

const TEXTS: [&str; 22] = [
    "",
    "a",
    "b",
    "ab",
    "aab1",
    "on",
    "-",
    "a\n",
    "\n",
    "\r",
    "\u{2028}",
    "\u{a0}a",
    "\u{feff}a",
    "\u{663}",
    "é",
    "éa",
    "😀",
    "a.b-c",
    "2024-01-31",
    "/a/b",
    "]^\\-",
    "~",
];

const ATOMS: [&str; 18] = [
    "a", "b", "1", "-", "_", "[ab]", "[^ab]", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", ".", "é",
    "[b-é]", "\\.", "\\/",
];

const REPEATS: [&str; 7] = ["*", "+", "?", "{2}", "{1,2}", "{2,}", "*?"];

const CHARACTERS: [char; 12] =
    ['a', 'b', '1', '-', '_', '.', '/', ' ', '\n', 'é', '\u{2028}', '😀'];
