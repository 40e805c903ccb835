//! The members of an annotation that is an object.

use indexmap::IndexMap;

use crate::diagnostic::{Diagnostic, nearest};
use crate::schema::reader::Reader;
use crate::source::Node;

/// An object of just these members, all strings. What is wrong with it is reported.
pub(super) fn strings(
    keyword: &str,
    value: &Node,
    known: &[&str],
    reader: &mut Reader<'_>,
) -> Option<IndexMap<String, String>> {
    let members = reader.strings(keyword, value);
    only(keyword, value, known, reader);
    // Members that are no strings have been reported.
    has(keyword, value, known, reader).then_some(members).filter(|all| all.len() >= known.len())
}

/// Tells whether a value is an object with the needed members. What is wrong is reported.
pub(super) fn object(
    keyword: &str,
    value: &Node,
    known: &[&str],
    needed: &[&str],
    reader: &mut Reader<'_>,
) -> Option<()> {
    if value.as_object().is_none() {
        reader.wrong(&format!("`{keyword}`"), "an object", value);
        return None;
    }
    only(keyword, value, known, reader);
    has(keyword, value, needed, reader).then_some(())
}

/// The string of a member, if it is there.
pub(super) fn string(
    keyword: &str,
    value: &Node,
    member: &str,
    reader: &mut Reader<'_>,
) -> Option<String> {
    let found = value.get(member)?;
    reader.string(&format!("{keyword}/{member}"), found)
}

/// Reports members that are not known.
pub(super) fn only(keyword: &str, value: &Node, known: &[&str], reader: &mut Reader<'_>) {
    let members = value.as_object().into_iter().flatten();
    for (name, _) in members.filter(|(name, _)| !known.contains(&name.as_str())) {
        let near = nearest(name, known.iter().copied());
        report(format!("`{keyword}` has no member `{name}`"), near, known, value, reader);
    }
}

/// Tells whether an object has these members. The first that it lacks is reported.
pub(super) fn has(keyword: &str, value: &Node, needed: &[&str], reader: &mut Reader<'_>) -> bool {
    let Some(members) = value.as_object() else { return false };
    let Some(lacks) = needed.iter().find(|name| !members.contains_key(**name)) else { return true };
    report(format!("`{keyword}` lacks the member `{lacks}`"), None, needed, value, reader);
    false
}

fn report(
    message: String,
    near: Option<&str>,
    known: &[&str],
    value: &Node,
    reader: &mut Reader<'_>,
) {
    let location = reader.location(value.span);
    let error = Diagnostic::error("malformed-keyword", message).at(location);
    reader.report(error.near(near, format!("its members are {}", known.join(", "))));
}
