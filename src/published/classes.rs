//! The classes of variants, in a language that has one for each.

use super::declared::Type;
use crate::backend::api::{Api, Declaration, Origin};
use crate::ir::{Name, Protocol, TypeKind};

/// Finds the class that a type is called like: it has the same name, or its name is made of the
/// words of the union's and of those of the variant, in whatever order. `of`: the union and the
/// variant, if they are known. `None` as well if there are several.
pub(super) fn find<'a>(
    ty: &Type,
    of: Option<(&str, &str)>,
    protocol: &Protocol,
    api: &'a Api,
) -> Option<(&'a str, &'a Declaration)> {
    let classes = api.declarations.iter().filter_map(|ours| match &ours.of {
        Origin::Variant { ty, variant } if of.is_none_or(|of| of == (ty, variant)) => {
            Some((ty.as_str(), ours))
        }
        _ => None,
    });
    if let Some(same) = classes.clone().find(|(_, ours)| ours.name == ty.name) {
        return Some(same);
    }
    let mut alike = classes.filter(|(union, ours)| {
        let words = way(&ours.name, union, protocol);
        words.is_some_and(|words| way(&ty.name, union, protocol) == Some(words))
    });
    alike.next().filter(|_| alike.next().is_none())
}

/// What `x-class-names` calls the class of a variant.
pub(super) fn key(union: &str, ours: &Declaration, protocol: &Protocol) -> Option<String> {
    let Origin::Variant { variant, .. } = &ours.of else { return None };
    let TypeKind::Union(of) = &protocol.type_def(union)?.kind else { return None };
    let way = way(&ours.name, union, protocol)?;
    let Some(variant) = of.variants.iter().find(|it| it.name.wire == *variant) else {
        return of.open.as_ref().filter(|it| it.name.wire == *variant).map(|_| variant.clone());
    };
    let outer = variant.tag_or_name();
    let rest = without(way, &variant.name.words)?;
    if rest.is_empty() {
        return Some(outer.to_owned());
    }
    let inner = protocol.inner_variants(variant.payload.as_ref()?);
    let mut inner = inner.into_iter().filter(|(_, words)| sorted(words.clone()) == rest);
    inner.next().filter(|_| inner.next().is_none()).map(|(inner, _)| format!("{outer}/{inner}"))
}

/// The words of a name that are not those of the union's, in order. `None` if some of these are not
/// in it, or there are no others.
fn way(name: &str, union: &str, protocol: &Protocol) -> Option<Vec<String>> {
    let of = &protocol.type_def(union)?.name;
    without(Name::new(name).words, &of.words).filter(|words| !words.is_empty())
}

/// Words, in order, without others, each of which must be there.
fn without(mut words: Vec<String>, others: &[String]) -> Option<Vec<String>> {
    for other in others {
        let at = words.iter().position(|word| word == other)?;
        words.remove(at);
    }
    Some(sorted(words))
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words
}
