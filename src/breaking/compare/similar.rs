//! Similarity: whether two spellings are probably meant to be one.

use crate::ir::Name;

/// Tells whether two names look like two spellings of one: they share a word that says something,
/// or differ by a few letters.
pub(super) fn alike(old: &Name, new: &Name) -> bool {
    let telling = |word: &&String| word.len() > 2;
    old.words.iter().filter(telling).any(|word| new.words.contains(word))
        || closeness(&old.wire, &new.wire) >= 0.7
}

/// Measures how much two spellings have in common, from 0 to 1.
pub(super) fn closeness(old: &str, new: &str) -> f64 {
    strsim::normalized_levenshtein(&old.to_lowercase(), &new.to_lowercase())
}

/// The most items that are looked at for renames: schemas that change more than that at once are
/// not read for them.
pub(super) const MOST: usize = 200;

/// Pairs what is left on one side with what is left on the other, the closest first, each at
/// most once. `score` gives `None` where two cannot be one.
pub(super) fn pair_up<T: Copy>(
    old: &mut Vec<T>,
    new: &mut Vec<T>,
    score: impl Fn(T, T) -> Option<f64>,
) -> Vec<(T, T)> {
    let mut scored = Vec::new();
    for (i, from) in old.iter().enumerate().take(MOST) {
        for (j, to) in new.iter().enumerate().take(MOST) {
            if let Some(score) = score(*from, *to) {
                scored.push((score, i, j));
            }
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut left, mut right) = (vec![true; old.len()], vec![true; new.len()]);
    let mut pairs = Vec::new();
    for (_, i, j) in scored {
        if left[i] && right[j] {
            (left[i], right[j]) = (false, false);
            pairs.push((i, j));
        }
    }
    pairs.sort_unstable();
    let found = pairs.iter().map(|(i, j)| (old[*i], new[*j])).collect();
    keep(old, &left);
    keep(new, &right);
    found
}

fn keep<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next().copied().unwrap_or(true));
}
