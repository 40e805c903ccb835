//! Which function of a published handler is for which method.

use super::declared::{Member, Type};
use crate::backend::api::{Declaration, Origin};
use crate::ir::{self, Method, Name, Protocol};

/// Finds the method of each function that a side's handler has. One that is called so here is not
/// looked for among the rest, and no two functions are for one method.
pub(super) fn pair<'a, 'p>(
    handler: &'a Type,
    ours: &Declaration,
    protocol: &'p Protocol,
) -> Vec<(&'a Member, Option<&'p Method>)> {
    let Origin::Side(side) = &ours.of else { return Vec::new() };
    let is_published = |name: &str| handler.functions.iter().any(|it| it.name == name);
    let is_free = |method: &&Method| {
        let mut own = ours.members.iter().filter(|it| it.of == method.name.wire);
        !own.any(|it| it.role.is_function() && is_published(&it.name))
    };
    let methods = protocol.methods.iter().filter(|method| method.is_handled_by(side));
    let free: Vec<&Method> = methods.filter(is_free).collect();
    let found = |function: &Member| {
        let mut alike = free.iter().filter(|method| are_alike(&function.name, method));
        alike.next().filter(|_| alike.next().is_none()).copied()
    };
    let found: Vec<_> = handler.functions.iter().map(|it| (it, found(it))).collect();
    let times = |of: &Method| {
        let all = found.iter().filter_map(|(_, method)| *method);
        all.filter(|method| std::ptr::eq(*method, of)).count()
    };
    let once = |method: Option<&'p Method>| method.filter(|it| times(it) == 1);
    found.iter().map(|(function, method)| (*function, once(*method))).collect()
}

/// Tells whether a function is called like a method: with all words of its name here or on the wire,
/// in any order, with the last ones of that on the wire, or like its params (`session_notification`
/// takes a `SessionNotification`).
fn are_alike(function: &str, method: &Method) -> bool {
    let sorted = |mut words: Vec<String>| {
        words.sort();
        words
    };
    let words = Name::new(function).words;
    let wire = Name::new(method.name.wire.as_str()).words;
    let params =
        matches!(method.params(), ir::Type::Named { name } if Name::new(name).words == words);
    params
        || wire.ends_with(&words)
        || [wire, method.name.words.clone()].map(sorted).contains(&sorted(words))
}
