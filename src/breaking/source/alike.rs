//! Whether two declarations say the same in another order.

use std::collections::HashMap;

use crate::backend::api::{Declaration, Member, Parameter, Position, Role};

/// Tells whether two declarations say the same, in whatever order they have their members, and
/// these what is given by name.
pub(super) fn is_alike(old: &Declaration, new: &Declaration) -> bool {
    let sorted = |of: &Declaration| {
        let members = of.members.iter().map(|member| {
            if has_keywords(member) { words(&member.text).join(" ") } else { member.text.clone() }
        });
        let frame = of.head.iter().chain([&of.tail]).cloned();
        let mut lines: Vec<String> = frame.chain(members).collect();
        lines.sort_unstable();
        lines
    };
    let counterparts = by_key(&new.members);
    let is_same = |member: &Member| {
        let counterpart = counterparts.get(&member_key(member)).map(|(_, other)| *other);
        !has_keywords(member) || counterpart.is_some_and(|other| is_alike_member(member, other))
    };
    sorted(old) == sorted(new) && old.members.iter().all(is_same)
}

/// The name and the use of a member, by which those of a declaration's two forms are paired.
pub(super) fn member_key(member: &Member) -> (&str, Role) {
    (&member.name, member.role)
}

/// Members with their positions, the first of each name and use.
pub(super) fn by_key(members: &[Member]) -> HashMap<(&str, Role), (usize, &Member)> {
    let mut found = HashMap::new();
    for (index, member) in members.iter().enumerate() {
        found.entry(member_key(member)).or_insert((index, member));
    }
    found
}

/// Tells whether two functions differ only in the order of what is given by name.
pub(super) fn is_alike_member(old: &Member, new: &Member) -> bool {
    let parameters = |of: &Member| -> Vec<Parameter> {
        let mut parameters = of.parameters.clone();
        // Stable: what is given by its place keeps it, and stands first.
        parameters.sort_by(|a, b| key(a).cmp(&key(b)));
        parameters
    };
    words(&old.text) == words(&new.text) && parameters(old) == parameters(new)
}

fn key(parameter: &Parameter) -> (bool, &str) {
    match parameter.position {
        Position::Positional => (false, ""),
        Position::Keyword => (true, &parameter.name),
    }
}

fn has_keywords(member: &Member) -> bool {
    member.parameters.iter().any(|parameter| parameter.position == Position::Keyword)
}

/// The words of a line, in the order of the alphabet.
fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split([' ', ',', '(', ')']).collect();
    words.sort_unstable();
    words
}
