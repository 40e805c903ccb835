//! The time that an engine takes for a pattern, if it tries one way to match after the other.
//!
//! That time grows no faster than the text as long as the number of ways that are open at once has
//! a bound, whatever the text says. So all sets of open ways are looked at that texts can lead to.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use regex_syntax::hir::ClassUnicode;

use super::positions::{Label, Positions};

/// The most ways that may be open at once.
const WAYS: u32 = 64;

/// The most sets of open ways that are looked at.
const SETS: usize = 2_000;

/// The most steps from one position to the next that are looked at.
const STEPS: usize = 1_000_000;

const TOO_SLOW: &str = "some languages would take too long to try it with some texts";

/// The ways that are open: how many have come to each position.
type Open = BTreeMap<usize, u32>;

/// Tells why an engine may take too long for some text, if it may.
pub(super) fn obstacle(positions: &Positions) -> Option<&'static str> {
    let edges = positions.first.iter().filter(|at| positions.is_start(**at));
    let mut at_start: Vec<usize> = edges.flat_map(|at| positions.after(*at)).copied().collect();
    at_start.extend(&positions.first);
    let alphabet = alphabet(positions);
    let ends: HashSet<usize> = positions.last.iter().copied().collect();
    let mut steps = STEPS;
    let mut seen = HashSet::new();
    let mut pending = vec![(Open::new(), positions.nullable, at_start.as_slice())];
    while let Some((open, is_found, begins)) = pending.pop() {
        let ahead: usize = open.keys().map(|at| positions.after(*at).len()).sum();
        steps = steps.saturating_sub((begins.len() + ahead).saturating_mul(alphabet.len()));
        if steps == 0 {
            return Some(TOO_SLOW);
        }
        for c in &alphabet {
            let after = step(positions, &open, begins, *c);
            if after.values().sum::<u32>() > WAYS || seen.len() > SETS {
                return Some(TOO_SLOW);
            }
            // Where a match is found, none is looked for that begins later; but ways from where it
            // could have ended are tried before.
            let is_found = is_found || after.keys().any(|at| ends.contains(at));
            let begins = if is_found { &[] } else { positions.first.as_slice() };
            if seen.insert((after.clone(), is_found)) {
                pending.push((after, is_found, begins));
            }
        }
    }
    None
}

/// The ways that are open after a character: those that go on, and those that begin with it.
fn step(positions: &Positions, open: &Open, begins: &[usize], c: char) -> Open {
    let mut after = Open::new();
    let mut enter = |at: usize, ways: u32| {
        if matches!(positions.labels.get(at), Some(Label::Character(class)) if holds(class, c)) {
            let count = after.entry(at).or_insert(0_u32);
            *count = count.saturating_add(ways);
        }
    };
    for at in begins {
        enter(*at, 1);
    }
    for (at, ways) in open {
        for next in positions.after(*at) {
            enter(*next, *ways);
        }
    }
    after
}

/// A character for each set of characters that the expression tells from others.
fn alphabet(positions: &Positions) -> BTreeSet<char> {
    let classes = positions.labels.iter().filter_map(|label| match label {
        Label::Character(class) => Some(class),
        Label::Start | Label::End => None,
    });
    let ranges = classes.flat_map(ClassUnicode::ranges);
    let next = |c: char| (c..=char::MAX).nth(1);
    let mut found: BTreeSet<char> =
        ranges.flat_map(|it| [Some(it.start()), next(it.end())]).flatten().collect();
    found.insert('\0');
    found
}

fn holds(class: &ClassUnicode, c: char) -> bool {
    class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&c))
}
