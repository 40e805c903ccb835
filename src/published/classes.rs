//! The classes of variants, in a language that has one for each.

use super::declared::{Type, sorted as sorted_words};
use crate::backend::api::{Api, Declaration, Origin};
use crate::ir::{Name, Protocol, TypeKind, Variant};

/// The classes of all variants.
pub(super) struct Classes<'a> {
    all: Vec<Class<'a>>,
}

struct Class<'a> {
    union: &'a str,
    variant: &'a str,
    ours: &'a Declaration,
    /// The words of the union's name.
    of_union: &'a [String],
    /// The words of the class's name that are not those of the union's, in order.
    own: Option<Vec<String>>,
}

impl<'a> Classes<'a> {
    pub(super) fn new(protocol: &'a Protocol, api: &'a Api) -> Self {
        let all = api.declarations.iter().filter_map(|ours| {
            let Origin::Variant { ty: union, variant } = &ours.of else { return None };
            let of_union = protocol.type_def(union).map_or(&[][..], |def| &def.name.words);
            let own = way(&ours.name, union, protocol);
            Some(Class { union, variant, ours, of_union, own })
        });
        Self { all: all.collect() }
    }

    /// Finds the one class, of those that no type is called like, that has just the fields that a
    /// type has.
    pub(super) fn with_fields(
        &self,
        ty: &Type,
        is_free: impl Fn(&Declaration) -> bool,
    ) -> Option<(&'a str, &'a Declaration)> {
        let words = ty.words();
        let is_it = |class: &&Class<'_>| {
            let (functions, fields): (Vec<_>, Vec<_>) =
                class.ours.members.iter().partition(|it| it.role.is_function());
            // A class that keeps unlisted members is declared by what its constructor takes.
            let taken = functions.into_iter().flat_map(|it| &it.parameters).map(|it| &it.of);
            let fields = fields.into_iter().map(|it| &it.of).chain(taken);
            let fields = fields.map(String::as_str).filter(|wire| !wire.is_empty());
            sorted_words(fields) == words && is_free(class.ours)
        };
        let mut found = self.all.iter().filter(is_it);
        let first = found.next()?;
        found.next().is_none().then_some((first.union, first.ours))
    }

    /// Tells whether a variant has a class, and no more than one.
    pub(super) fn has_one(&self, union: &str, variant: &Variant) -> bool {
        let is_its = |it: &&Class<'_>| it.union == union && it.variant == variant.name.wire;
        self.all.iter().filter(is_its).count() == 1
    }

    /// Finds the class that a type is called like: it has the same name, or its name is made of
    /// the words of the union's and of those of the variant, in whatever order. `of`: the union and
    /// the variant, if they are known. `None` as well if there are several.
    pub(super) fn find(
        &self,
        ty: &Type,
        of: Option<(&str, &str)>,
    ) -> Option<(&'a str, &'a Declaration)> {
        let is_meant = |class: &&Class<'_>| of.is_none_or(|of| of == (class.union, class.variant));
        let classes = self.all.iter().filter(is_meant);
        let found = |class: &Class<'a>| (class.union, class.ours);
        if let Some(same) = classes.clone().find(|class| class.ours.name == ty.name) {
            return Some(found(same));
        }
        let words = Name::new(&ty.name).words;
        let mut alike = classes.filter(|class| {
            let is_as_long = |own: &Vec<String>| own.len() + class.of_union.len() == words.len();
            class.own.as_ref().is_some_and(is_as_long)
                && without(words.clone(), class.of_union) == class.own
        });
        alike.next().filter(|_| alike.next().is_none()).map(found)
    }
}

/// The variant that a class is of. `None` if it is for unknown tags.
pub(super) fn variant<'a>(
    union: &str,
    ours: &Declaration,
    protocol: &'a Protocol,
) -> Option<&'a Variant> {
    let Origin::Variant { variant, .. } = &ours.of else { return None };
    let TypeKind::Union(of) = &protocol.type_def(union)?.kind else { return None };
    of.variants.iter().find(|it| it.name.wire == *variant)
}

/// The key in `x-class-names` for the class of a variant.
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
