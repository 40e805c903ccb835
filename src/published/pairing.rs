//! Which type of a published package is which of ours.

use std::collections::{HashMap, HashSet};

use super::classes::Classes;
use super::declared::{self, folded, sorted};
use crate::backend::api::{Api, Declaration, Origin};
use crate::ir::{Name, Protocol, Type, TypeKind, Variant};

/// Fewer names than these say nothing about a type.
const FEWEST: usize = 2;

/// Types that are only like each other have at least so many names in common.
const FEWEST_IN_COMMON: usize = 3;

/// The partner of a published type among ours.
#[derive(Clone, Copy, Debug)]
pub(super) enum Partner<'a> {
    /// A definition, or a side's declaration.
    Declared { ours: &'a Declaration, reason: Reason },
    /// The class of a variant, or of one of several that a variant has.
    Class { union: &'a str, ours: &'a Declaration, reason: Reason },
    /// A variant that is told by its tag.
    Variant { union: &'a str, variant: &'a Variant },
    /// No type of ours.
    None,
}

impl<'a> Partner<'a> {
    /// The class of a variant that it stands for.
    fn class(&self, api: &'a Api) -> Option<&'a Declaration> {
        match self {
            Self::Class { ours, .. } => Some(ours),
            Self::Variant { union, variant } => api.declarations.iter().find(|it| {
                matches!(&it.of, Origin::Variant { ty, variant: of } if ty == union && *of == variant.name.wire)
            }),
            Self::Declared { .. } | Self::None => None,
        }
    }
}

/// Why two types are held to be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// They have the same name.
    Name,
    /// Their names differ in case, or in a word that means the same.
    Spelling,
    /// They have the same properties, or nearly; or the same values.
    Shape,
}

/// Finds the partner of each published type. No two have the same one.
pub(super) fn pair<'a>(
    published: &[declared::Type],
    protocol: &'a Protocol,
    api: &'a Api,
) -> Vec<Partner<'a>> {
    let mut ours: Vec<Ours<'a>> = Vec::new();
    for declaration in &api.declarations {
        match &declaration.of {
            Origin::Type(key) if is_type(declaration, key, protocol, api) => {
                ours.push(Ours::new(declaration, Some(key), protocol));
            }
            Origin::Side(_) | Origin::Protocol => {
                ours.push(Ours::new(declaration, None, protocol));
            }
            Origin::Type(_) | Origin::Variant { .. } | Origin::Method(_) => {}
        }
    }
    let mut partners = vec![Partner::None; published.len()];
    let mut taken = HashSet::new();
    for (partner, ty) in partners.iter_mut().zip(published) {
        if let Some((union, variant)) = variant(ty, protocol) {
            *partner = Partner::Variant { union, variant };
        }
    }
    let classes = Classes::new(protocol, api);
    let is_class: Vec<bool> = partners
        .iter()
        .zip(published)
        .map(|(partner, ty)| match partner {
            Partner::Variant { union, variant } => {
                classes.has_one(union, variant) && namesake(ty, variant, api).is_some()
            }
            _ => false,
        })
        .collect();
    let theirs: Vec<Theirs<'_>> = published.iter().map(Theirs::new).collect();
    let by_name = |it: &Theirs<'_>, ours: &Ours<'_>| ours.declaration.name == it.ty.name;
    let by_key = |it: &Theirs<'_>, ours: &Ours<'_>| ours.key == Some(&it.ty.name);
    let by_case =
        |it: &Theirs<'_>, ours: &Ours<'_>| ours.key.is_some() && ours.folded_name == it.folded;
    let by_words = |it: &Theirs<'_>, ours: &Ours<'_>| {
        ours.folded_key.as_ref().is_some_and(|key| it.synonyms.contains(key)) && agree(it, ours)
    };
    let by_shape =
        |it: &Theirs<'_>, ours: &Ours<'_>| ours.words.len() >= FEWEST && ours.words == it.words;
    let by_likeness = |it: &Theirs<'_>, ours: &Ours<'_>| are_alike(&it.words, &ours.words);
    let mut round = |is_same: &dyn Fn(&Theirs<'_>, &Ours<'_>) -> bool, reason| {
        let free = |index: &usize, taken: &HashSet<usize>| !taken.contains(index);
        let mut found = Vec::new();
        let mut wanted: HashMap<usize, usize> = HashMap::new();
        for (at, it) in theirs.iter().enumerate() {
            // A name decides, whatever else a type is like, but for one whose tag says that it is
            // the variant's class, and not what the variant has.
            let is_open = matches!(partners.get(at), Some(Partner::None));
            if !is_open && (reason != Reason::Name || is_class.get(at) == Some(&true))
                || matches!(partners.get(at), Some(Partner::Declared { .. }))
            {
                continue;
            }
            let mut same = (0..ours.len()).filter(|index| free(index, &taken));
            let mut same = same.by_ref().filter(|index| is_same(it, &ours[*index]));
            // Of several, none is known to be it.
            if let (Some(only), None) = (same.next(), same.next()) {
                found.push((at, only));
                *wanted.entry(only).or_default() += 1;
            }
        }
        for (at, index) in &found {
            let is_wanted_once = wanted.get(index) == Some(&1);
            if let (true, Some(partner), Some(ours)) =
                (is_wanted_once, partners.get_mut(*at), ours.get(*index))
            {
                taken.insert(*index);
                *partner = Partner::Declared { ours: ours.declaration, reason };
            }
        }
    };
    round(&by_name, Reason::Name);
    round(&by_key, Reason::Name);
    round(&by_case, Reason::Spelling);
    round(&by_words, Reason::Spelling);
    round(&by_shape, Reason::Shape);
    round(&by_likeness, Reason::Shape);
    for (partner, ty) in partners.iter_mut().zip(published) {
        let of = match partner {
            Partner::None => None,
            Partner::Variant { union, variant } => Some((*union, variant.name.wire.as_str())),
            Partner::Declared { .. } | Partner::Class { .. } => continue,
        };
        if let Some((union, ours)) = classes.find(ty, of) {
            *partner = Partner::Class { union, ours, reason: Reason::Name };
        }
    }
    pair_by_fields(published, &classes, api, &mut partners);
    partners
}

/// Finds the classes of variants that types without a partner have just the fields of. None that
/// several are like.
fn pair_by_fields<'a>(
    published: &[declared::Type],
    classes: &Classes<'a>,
    api: &'a Api,
    partners: &mut [Partner<'a>],
) {
    let taken: Vec<&Declaration> = partners.iter().filter_map(|it| it.class(api)).collect();
    let is_taken = |ours: &Declaration| taken.iter().any(|it| it.name == ours.name);
    let found: Vec<_> = partners
        .iter()
        .zip(published)
        .map(|(partner, ty)| {
            let is_open = matches!(partner, Partner::None) && ty.words().len() >= FEWEST_IN_COMMON;
            is_open.then(|| classes.with_fields(ty, |ours| !is_taken(ours))).flatten()
        })
        .collect();
    for (at, (partner, class)) in partners.iter_mut().zip(&found).enumerate() {
        let Some((union, ours)) = *class else { continue };
        let is_same = |other: &Option<(&str, &Declaration)>| {
            other.is_some_and(|(_, other)| other.name == ours.name)
        };
        if found.iter().enumerate().all(|(other, class)| other == at || !is_same(class)) {
            *partner = Partner::Class { union, ours, reason: Reason::Shape };
        }
    }
}

/// Tells whether a declaration is the definition's own, not one that only goes with it.
fn is_type(declaration: &Declaration, key: &str, protocol: &Protocol, api: &Api) -> bool {
    let own = protocol.type_def(key).map(|def| def.name.pascal());
    let is_own = |it: &Declaration| Some(&it.name) == own.as_ref();
    let mut others = api.declarations.iter().filter(|it| it.of == declaration.of);
    is_own(declaration) || !others.clone().any(is_own) && others.next() == Some(declaration)
}

/// A declaration of ours, with what it is recognised by.
struct Ours<'a> {
    declaration: &'a Declaration,
    /// The definition that it stands for, if it is one.
    key: Option<&'a str>,
    folded_name: String,
    folded_key: Option<String>,
    words: Vec<String>,
}

impl<'a> Ours<'a> {
    fn new(declaration: &'a Declaration, key: Option<&'a str>, protocol: &Protocol) -> Self {
        let kind = key.and_then(|key| protocol.type_def(key)).map(|def| &def.kind);
        let words = match kind {
            Some(TypeKind::Record(record)) => {
                sorted(record.fields.iter().map(|field| field.name.wire.as_str()))
            }
            Some(TypeKind::Enum(of)) => sorted(of.values.iter().filter_map(|it| it.value.as_str())),
            _ => Vec::new(),
        };
        let (folded_name, folded_key) = (folded(&declaration.name), key.map(folded));
        Self { declaration, key, folded_name, folded_key, words }
    }
}

/// A published type, with what it is recognised by.
struct Theirs<'a> {
    ty: &'a declared::Type,
    folded: String,
    synonyms: Vec<String>,
    words: Vec<String>,
}

impl<'a> Theirs<'a> {
    fn new(ty: &'a declared::Type) -> Self {
        let folded = folded(&ty.name);
        Self { ty, synonyms: synonyms(&folded), folded, words: ty.words() }
    }
}

/// Finds the variant that a type stands for, by a property with a constant value.
fn variant<'a>(ty: &declared::Type, protocol: &'a Protocol) -> Option<(&'a str, &'a Variant)> {
    let mut found = protocol.types.iter().filter_map(|(key, def)| {
        let TypeKind::Union(union) = &def.kind else { return None };
        let tag = union.tag()?;
        let (_, value) = ty.constants.iter().find(|(property, _)| *property == tag.wire)?;
        let (_, variant) = union.tagged().find(|(tag, _)| tag == value)?;
        Some((key.as_str(), variant))
    });
    let first = found.next()?;
    let others: Vec<_> = found.collect();
    if others.is_empty() {
        return Some(first);
    }
    // Several unions can have the same tag and value: that is told by which of them the type is
    // named after, or not at all.
    let words = Name::new(&ty.name).words;
    let is_named_after = |(union, _): &(&str, &Variant)| {
        Name::new(*union).words.iter().all(|word| words.contains(word))
    };
    let mut same = std::iter::once(first).chain(others).filter(is_named_after);
    let only = same.next()?;
    same.next().is_none().then_some(only)
}

/// The definition of what a variant has, if it is called like a type that stands for the variant.
pub(super) fn namesake<'a>(
    ty: &declared::Type,
    variant: &'a Variant,
    api: &Api,
) -> Option<&'a str> {
    let Some(Type::Named { name: key }) = &variant.payload else { return None };
    let mut own = api.declarations.iter().filter(|it| it.of == Origin::Type(key.clone()));
    (*key == ty.name || own.any(|it| it.name == ty.name)).then_some(key.as_str())
}

/// Other spellings of a folded name: without a word that says only that it is a type, and with other words
/// for what goes in and out.
fn synonyms(name: &str) -> Vec<String> {
    let bare = ["schema", "model", "type"].iter().find_map(|end| name.strip_suffix(end));
    let mut found: Vec<String> = bare.map(str::to_owned).into_iter().collect();
    for (end, others) in
        [("params", ["request", "notification"].as_slice()), ("result", &["response"])]
    {
        let start = name.strip_suffix(end).into_iter();
        found.extend(start.flat_map(|start| others.iter().map(move |it| format!("{start}{it}"))));
    }
    found
}

/// Tells whether two types can be the same: they share a name, or the names of one are unknown.
fn agree(it: &Theirs<'_>, ours: &Ours<'_>) -> bool {
    it.words.is_empty() || ours.words.is_empty() || common(&it.words, &ours.words) > 0
}

/// Tells whether three quarters of all names are in both lists.
fn are_alike(one: &[String], other: &[String]) -> bool {
    let (fewer, more) = (one.len().min(other.len()), one.len().max(other.len()));
    if fewer < FEWEST_IN_COMMON || fewer * 4 < more * 3 {
        return false;
    }
    let common = common(one, other);
    let all = one.len() + other.len() - common;
    common >= FEWEST_IN_COMMON && common * 4 >= all * 3
}

/// The number of words that are in both lists, each of which is in order and has no word twice.
fn common(one: &[String], other: &[String]) -> usize {
    one.iter().filter(|word| other.binary_search(word).is_ok()).count()
}
