//! Types as text, compared by the alternatives that they are made of.

use std::collections::HashMap;

use crate::backend::api::{Api, DeclarationKind, Role};
use crate::breaking::verdict::Relation;

/// The meanings of the names in types of an API.
#[derive(Debug, Default)]
pub(super) struct Names {
    meanings: HashMap<String, String>,
}

/// The most names for names that are followed.
const DEPTH: usize = 8;

/// The length of a type from which its names are left as they are: one can contain itself twice.
const LONGEST: usize = 4096;

impl Names {
    /// The aliases of an API, and its choices between types without names.
    pub(super) fn new(api: &Api) -> Self {
        let mut meanings = HashMap::new();
        for declaration in &api.declarations {
            let members = declaration.members.iter();
            let alternatives = members.filter(|member| member.role == Role::Alternative);
            let types = alternatives.filter(|member| member.ty == member.name);
            let types: Vec<&str> = types.map(|member| member.ty.as_str()).collect();
            let meaning = match declaration.kind {
                DeclarationKind::Alias => declaration.ty.clone(),
                DeclarationKind::Choice { .. } if !types.is_empty() => types.join(" | "),
                _ => continue,
            };
            meanings.insert(declaration.name.clone(), meaning);
        }
        Self { meanings }
    }

    /// Lets a name stand for another, unless it stands for something already.
    pub(super) fn rename(&mut self, from: &str, to: &str) {
        self.meanings.entry(from.to_owned()).or_insert_with(|| to.to_owned());
    }

    /// A type with names replaced by what they stand for.
    pub(super) fn spelled_out(&self, ty: &str) -> String {
        let mut text = ty.to_owned();
        for _ in 0..DEPTH {
            let mut changed = false;
            let mut next = String::with_capacity(text.len());
            for word in words(&text) {
                match self.meanings.get(word).filter(|meaning| *meaning != word) {
                    Some(meaning) => {
                        next.push_str(meaning);
                        changed = true;
                    }
                    None => next.push_str(word),
                }
            }
            text = next;
            if !changed || text.len() > LONGEST {
                break;
            }
        }
        text
    }
}

/// Compares two types, each with the names of its API.
pub(super) fn relation((old, before): (&str, &Names), (new, after): (&str, &Names)) -> Relation {
    if old == new {
        return Relation::Same;
    }
    let (old, new) = (before.spelled_out(old), after.spelled_out(new));
    let (old, new) = (alternatives(&old), alternatives(&new));
    let is_within = |some: &[&str], all: &[&str]| some.iter().all(|each| is_among(each, all));
    Relation::new(is_within(&old, &new), is_within(&new, &old))
}

/// A type as text that is the same for all types of the same values: its alternatives spelled out and
/// in order, without those that are within others.
pub(super) fn spelled(ty: &str, names: &Names) -> String {
    let text = names.spelled_out(ty);
    let all = alternatives(&text);
    let mut own: Vec<&str> =
        all.iter().map(|ty| bare(ty)).filter(|ty| !is_constant_of(ty, &all)).collect();
    own.sort_unstable();
    own.dedup();
    own.join(" | ")
}

/// The names in a type that another does not have.
pub(super) fn names_apart<'a>(of: &'a str, other: &str) -> Vec<&'a str> {
    let known: Vec<&str> = words(other).collect();
    words(of).filter(|word| is_name(word) && !known.contains(word)).collect()
}

/// The alternatives of a type: what stands between ` | ` outside of brackets and strings.
fn alternatives(ty: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start, mut at) = (Vec::new(), 0_usize, 0, 0);
    for word in words(ty) {
        match word {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => depth = depth.saturating_sub(1),
            "|" if depth == 0 => {
                found.push(ty.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
        at += word.len();
    }
    found.push(ty.get(start..).unwrap_or_default().trim());
    found
}

/// Tells whether a type is one of several, or a constant of one of them.
fn is_among(ty: &str, all: &[&str]) -> bool {
    has(bare(ty), all) || is_constant_of(ty, all)
}

/// Tells whether a type is a constant, and one of several types has all such.
fn is_constant_of(ty: &str, all: &[&str]) -> bool {
    ty.starts_with('"') && has("string", all)
        || ty.starts_with(|first: char| first.is_ascii_digit() || first == '-')
            && has("number", all)
}

fn has(ty: &str, all: &[&str]) -> bool {
    all.iter().any(|other| *other == ty || bare(other) == ty)
}

/// A type that an intersection with the empty object keeps from absorbing constants.
fn bare(ty: &str) -> &str {
    ty.strip_prefix('(').and_then(|ty| ty.strip_suffix(" & {})")).unwrap_or(ty)
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Cuts code into names, strings, and single characters between them.
fn words(code: &str) -> impl Iterator<Item = &str> {
    let mut rest = code;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = if first == '"' {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |(at, _)| at + 1)
        } else if is_part(first) {
            rest.find(|c| !is_part(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_compared_as_sets() {
        let mut names = Names::default();
        names.rename("Id", "string");
        let related = |old, new| relation((old, &names), (new, &Names::default()));
        assert_eq!(related("A | B", "B | A"), Relation::Same);
        assert_eq!(related("A", "A | null"), Relation::Wider);
        assert_eq!(related("A | \"|\"", "A"), Relation::Narrower);
        assert_eq!(related("A[]", "(A | null)[]"), Relation::Other);
        assert_eq!(related("Id | null", "string | null"), Relation::Same);
        assert_eq!(related("number", "1 | 2 | (number & {})"), Relation::Same);
        assert_eq!(related("\"Id\"", "\"string\""), Relation::Other);
        let spelled = |ty| spelled(ty, &names);
        assert_eq!(spelled("B | A | B"), spelled("A | B"));
        assert_eq!(spelled("Id | \"on\" | 1"), spelled("1 | (string & {})"));
        assert_ne!(spelled("A[]"), spelled("A"));
    }
}
