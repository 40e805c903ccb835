//! Names made distinct: where two things would have one identifier, one of them gets another name.
//!
//! The thing that keeps the plain name is what the package has by itself, else one whose name the
//! user chose, else one that the schema spells just so, else a request, else one with the fewest
//! symbols, else the first in the order of names on the wire: the order of the schema says nothing.
//! For the others, symbols become words, and where that does not help a number comes after the name.

use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::IndexMap;

use super::namespace::{Claim, Clash, Findings, Things};
use super::{Name, Protocol, Side, TypeKind};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Location;

/// The number of times that names are decided anew. What clashes after them is an error.
const ROUNDS: usize = 40;

/// The number of numbers that are tried one after the other, before each is twice the last one: a
/// schema may have names with more numbers than there are rounds.
const NEAR: usize = 8;

/// Decides names with `make`, and again for as long as two of them clash, with other names in the
/// protocol.
///
/// Each thing that gets another name is a warning, `name-taken`. Where none of two can get one, as
/// the user chose both names, that is an error, `name-collision`.
pub fn with_distinct_names<T>(
    protocol: &Protocol,
    diagnostics: &mut Diagnostics,
    make: impl FnMut(&Protocol, &mut Findings) -> T,
) -> T {
    decided(Cow::Borrowed(protocol), diagnostics, make).0
}

/// The protocol with the names with which nothing clashes that `claim` claims: see
/// [`with_distinct_names`].
pub(crate) fn distinct_names(
    protocol: Protocol,
    diagnostics: &mut Diagnostics,
    claim: impl FnMut(&Protocol, &mut Findings),
) -> Protocol {
    decided(Cow::Owned(protocol), diagnostics, claim).1.into_owned()
}

fn decided<'p, T>(
    mut protocol: Cow<'p, Protocol>,
    diagnostics: &mut Diagnostics,
    mut make: impl FnMut(&Protocol, &mut Findings) -> T,
) -> (T, Cow<'p, Protocol>) {
    let mut renamed = Renamed::default();
    let mut round = 0;
    loop {
        let mut findings = Findings::default();
        let result = make(&protocol, &mut findings);
        let groups = grouped(findings.clashes);
        if !groups.is_empty() && round < ROUNDS && renamed.rename(protocol.to_mut(), &groups) {
            round += 1;
            continue;
        }
        renamed.notes.into_values().for_each(|note| diagnostics.push(note.warning()));
        diagnostics.extend(findings.diagnostics);
        groups.iter().flat_map(Group::errors).for_each(|error| diagnostics.push(error));
        return (result, protocol);
    }
}

/// All things of one identifier in one namespace.
struct Group {
    things: Things,
    description: String,
    identifier: String,
    claims: Vec<Claim>,
}

fn grouped(clashes: Vec<Clash>) -> Vec<Group> {
    let mut groups: IndexMap<(Things, String, String), Vec<Claim>> = IndexMap::new();
    for Clash { things, description, identifier, claims } in clashes {
        let group = groups.entry((things, description, identifier)).or_default();
        for claim in claims {
            if !group.contains(&claim) {
                group.push(claim);
            }
        }
    }
    let group = |((things, description, identifier), claims)| Group {
        things,
        description,
        identifier,
        claims,
    };
    groups.into_iter().map(group).collect()
}

impl Group {
    /// The errors of a group in which no name can change.
    fn errors(&self) -> impl Iterator<Item = Diagnostic> {
        let first = self.claims.first();
        self.claims.iter().skip(1).filter_map(move |claim| {
            let other = first?;
            let message = format!(
                "`{}` and `{}` are both `{}` among the {}",
                other.wire, claim.wire, self.identifier, self.description
            );
            let error = Diagnostic::error("name-collision", message)
                .at(claim.location.clone())
                .related(other.location.clone(), format!("`{}` is here", other.wire));
            Some(error.help(self.things.remedy("one of them")))
        })
    }
}

impl Things {
    /// The hint for two things of one name, of which one is to get another.
    fn remedy(&self, which: &str) -> String {
        let keyword = match self {
            Self::Types | Self::Members(_) | Self::MembersOfAny => {
                "`x-name` (`x-names` for an `enum`)"
            }
            Self::Functions | Self::Methods => "`x-function-name` on the params",
            Self::Entries => return format!("give {which} another name in the catalogue"),
            Self::Sides => return format!("give {which} another name in the schema"),
        };
        format!(
            "give {which} another name with {keyword}, in an overlay if the schema is not yours"
        )
    }

    /// An identifier of such a thing, for messages.
    fn show(&self, words: &[String]) -> String {
        let name = Name { words: words.to_vec(), ..Name::new("") };
        match self {
            Self::Types => name.pascal(),
            _ => name.snake(),
        }
    }
}

/// The things that got other names.
#[derive(Default)]
struct Renamed {
    notes: IndexMap<(Things, Claim), Note>,
}

/// A thing as a key: the function of a method that can be renamed has the method's own name.
fn key(things: &Things, claim: &Claim) -> (Things, Claim) {
    let things = if *things == Things::Functions { &Things::Methods } else { things };
    (things.clone(), claim.clone())
}

/// The names that a thing has had, and its name now.
struct Note {
    /// The number of names that it has had, the plain one not counted.
    tries: usize,
    /// Its words at first, and now.
    plain: Vec<String>,
    words: Vec<String>,
    things: Things,
    claim: Claim,
    /// The first clash: what is called so, and where.
    message: String,
    keeper: Claim,
}

impl Renamed {
    /// Gives things of each group other names. Tells whether any could get one.
    fn rename(&mut self, protocol: &mut Protocol, groups: &[Group]) -> bool {
        let mut done = HashSet::new();
        for group in groups {
            let mut claims: Vec<(bool, bool, &Claim)> = Vec::new();
            for claim in &group.claims {
                let Named { names, is_chosen, .. } = named(protocol, &group.things, claim);
                claims.push((!names.is_empty(), is_chosen, claim));
            }
            claims.sort_by_key(|(is_own, is_chosen, claim)| {
                let symbols = claim.wire.chars().filter(|it| !it.is_alphanumeric()).count();
                let is_exact = claim.wire == group.identifier;
                let pointer = &claim.location.pointer;
                let is_told = protocol.methods.iter().any(|it| {
                    let is_it = it.name.wire == claim.wire && it.location == claim.location;
                    is_it && !it.is_request()
                });
                (
                    *is_own,
                    !*is_chosen,
                    !is_exact,
                    is_told,
                    symbols,
                    &claim.wire,
                    pointer.len(),
                    pointer,
                )
            });
            let Some(&(is_own, _, keeper)) = claims.first() else { continue };
            let others =
                claims.iter().skip(1).filter(|(is_own, is_chosen, _)| *is_own && !is_chosen);
            for (place, (_, _, claim)) in others.enumerate() {
                if done.insert(key(&group.things, claim)) {
                    self.rename_one(protocol, group, (keeper, is_own), (claim, place));
                }
            }
        }
        !done.is_empty()
    }

    /// Gives one thing its next name.
    fn rename_one(
        &mut self,
        protocol: &mut Protocol,
        group: &Group,
        (keeper, is_in_schema): (&Claim, bool),
        (claim, place): (&Claim, usize),
    ) {
        let things = &group.things;
        let Named { names, is_side, .. } = named(protocol, things, claim);
        let Some(now) = names.first().map(|name| name.words.clone()) else { return };
        let note = self.notes.entry(key(things, claim)).or_insert_with(|| Note {
            tries: 0,
            plain: now.clone(),
            words: now,
            things: if is_side { Things::Sides } else { things.clone() },
            claim: claim.clone(),
            message: if is_in_schema {
                format!(
                    "`{}` and `{}` would both be `{}` among the {}",
                    keeper.wire, claim.wire, group.identifier, group.description
                )
            } else {
                format!(
                    "`{}` would be `{}` among the {}, where the package has that by itself",
                    claim.wire, group.identifier, group.description
                )
            },
            keeper: keeper.clone(),
        });
        note.words = next(note, place, is_in_schema);
        note.tries += 1;
        for name in names {
            name.words.clone_from(&note.words);
        }
    }
}

/// The next words to try for a thing that must not have its plain name.
fn next(note: &Note, place: usize, is_in_schema: bool) -> Vec<String> {
    let wire = note.claim.wire.as_str();
    let own = Name::new(wire).words;
    let is_method = matches!(note.things, Things::Functions | Things::Methods);
    let mut better: Vec<Vec<String>> = Vec::new();
    if is_method {
        better.push(own.clone());
    }
    if is_method || own == note.plain {
        better.push(Name::spelled_out(wire).words);
    }
    let with = |word: String| note.plain.iter().cloned().chain([word]).collect();
    if note.things == Things::Types && !is_in_schema {
        better.push(with(String::from("type")));
    }
    better.retain(|words| *words != note.plain);
    better.dedup();
    let count = better.len();
    better
        .into_iter()
        .nth(note.tries)
        .unwrap_or_else(|| with((number(note.tries.saturating_sub(count)) + place).to_string()))
}

/// The number after a name that is tried after so many others: 2 to 9, then 16, 32, and so on.
fn number(tries: usize) -> usize {
    if tries < NEAR { tries + 2 } else { NEAR << (tries - NEAR + 1) }
}

impl Note {
    fn warning(self) -> Diagnostic {
        let label = format!("it is called `{}`", self.things.show(&self.words));
        let warning = Diagnostic::warning("name-taken", self.message)
            .at(self.claim.location)
            .label(label)
            .help(self.things.remedy("it"));
        let Claim { wire, location } = self.keeper;
        if location.line == 0 {
            warning
        } else {
            warning.related(location, format!("`{wire}` is here"))
        }
    }
}

/// The names that a thing's identifiers are made of. There are none for what is not in the schema.
struct Named<'p> {
    names: Vec<&'p mut Name>,
    /// Whether the user chose one of them.
    is_chosen: bool,
    /// Whether it is a side, whatever its identifier stands among.
    is_side: bool,
}

/// Finds the names that a thing's identifiers are made of.
fn named<'p>(protocol: &'p mut Protocol, things: &Things, claim: &Claim) -> Named<'p> {
    let mut is_side = *things == Things::Sides;
    let names: Vec<&mut Name> = match things {
        Things::Types => {
            let is_it = |key: &str, name: &Name| claim.wire == key || claim.wire == name.wire;
            let mut found = Vec::new();
            let mut variants = Vec::new();
            for (key, def) in &mut protocol.types {
                if def.location == claim.location && is_it(key, &def.name) {
                    found.push(&mut def.name);
                } else if let TypeKind::Union(_) = &def.kind {
                    variants.extend(members(&mut def.kind, claim, false));
                }
            }
            let types = if found.is_empty() { variants } else { found };
            // The names that a package makes of a side's stand among those of types.
            is_side = types.is_empty();
            if is_side { sides(&mut protocol.sides, claim) } else { types }
        }
        Things::Members(of) => {
            let def = protocol.types.get_mut(of);
            def.map(|def| members(&mut def.kind, claim, true)).unwrap_or_default()
        }
        Things::MembersOfAny => {
            let types = protocol.types.values_mut();
            types.flat_map(|def| members(&mut def.kind, claim, true)).collect()
        }
        Things::Functions | Things::Methods => {
            let is_function = *things == Things::Functions;
            let methods = protocol.methods.iter_mut();
            let it =
                methods.filter(|it| it.name.wire == claim.wire && it.location == claim.location);
            let of = |it: &'p mut super::Method| match &mut it.function_name {
                Some(name) if is_function => name,
                _ => &mut it.name,
            };
            it.map(of).collect()
        }
        Things::Entries => {
            let entries = protocol.catalogue.iter_mut().flat_map(|it| &mut it.entries);
            let it =
                entries.filter(|it| it.name.wire == claim.wire && it.location == claim.location);
            it.map(|it| &mut it.name).collect()
        }
        Things::Sides => sides(&mut protocol.sides, claim),
    };
    let is_chosen = names.iter().any(|name| name.is_chosen);
    Named { names, is_chosen, is_side }
}

/// The name of the side that a claim is about.
fn sides<'p>(sides: &'p mut [Side], claim: &Claim) -> Vec<&'p mut Name> {
    sides.iter_mut().map(|side| &mut side.name).filter(|it| it.wire == claim.wire).collect()
}

/// The names of a type's members: variants, and with `all` fields and values.
fn members<'p>(kind: &'p mut TypeKind, claim: &Claim, all: bool) -> Vec<&'p mut Name> {
    let mut found: Vec<&mut Name> = Vec::new();
    let is_it =
        |name: &Name, location: &Location| name.wire == claim.wire && *location == claim.location;
    let fields = match kind {
        TypeKind::Record(record) => &mut record.fields,
        TypeKind::Union(union) => {
            for variant in &mut union.variants {
                if is_it(&variant.name, &variant.location) {
                    let is_chosen = !all && variant.class_name.is_some();
                    found.push(
                        variant
                            .class_name
                            .as_mut()
                            .filter(|_| is_chosen)
                            .unwrap_or(&mut variant.name),
                    );
                }
            }
            if let Some(open) = union.open.as_mut().filter(|it| is_it(&it.name, &it.location)) {
                found.push(&mut open.name);
            }
            &mut union.shared
        }
        TypeKind::Enum(of) => {
            let values = of.values.iter_mut().filter(|it| all && is_it(&it.name, &it.location));
            return values.map(|it| &mut it.name).collect();
        }
        TypeKind::Alias { .. } | TypeKind::Tuple(_) => return found,
    };
    if all {
        let fields = fields.iter_mut().filter(|it| is_it(&it.name, &it.location));
        found.extend(fields.map(|it| &mut it.name));
    }
    found
}
