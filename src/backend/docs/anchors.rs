//! Ids of the places in a page.

use std::collections::{HashMap, HashSet};

use crate::ir::Name;

/// The longest id, before it is told apart from another.
const LONGEST: usize = 80;

/// Gives out ids, each once.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    taken: HashSet<String>,
    /// For an id that was taken, the number that the next like it gets.
    next: HashMap<String, usize>,
}

impl Anchors {
    /// An id of these words. Where two things have the same, the later one's ends in a number.
    pub(super) fn claim(&mut self, wanted: &str) -> String {
        let wanted: String = wanted.chars().take(LONGEST).collect();
        if self.taken.insert(wanted.clone()) {
            return wanted;
        }
        let next = self.next.entry(wanted.clone()).or_insert(2);
        loop {
            let anchor = format!("{wanted}-{next}");
            *next += 1;
            if self.taken.insert(anchor.clone()) {
                return anchor;
            }
        }
    }
}

/// A name as part of an id: its letters and digits in lower case, with dashes for what else is in
/// it (`$/cancel_request` → `cancel-request`); its words where nothing is left of it.
pub(super) fn slug(name: &Name) -> String {
    let mut slug = String::with_capacity(name.wire.len());
    for character in name.wire.chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { name.kebab() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_harmless() {
        let mut anchors = Anchors::default();
        let mut claim = |wire: &str| anchors.claim(&slug(&Name::new(wire)));
        assert_eq!(claim("session/new"), "session-new");
        assert_eq!(claim("session-new"), "session-new-2");
        assert_eq!(claim("session_new"), "session-new-3");
        assert_eq!(claim("$/cancel_request"), "cancel-request");
        assert_eq!(claim("\"><script>"), "script");
        assert_eq!(claim("$"), "dollar");
        assert_eq!(claim("größe"), "gr-e");
        assert_eq!(claim(&"x".repeat(500)).len(), LONGEST);
    }
}
