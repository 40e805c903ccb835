//! The context of declarations: what is the same for all declarations of a language.

use std::collections::HashMap;

use super::declared::Declared;
use super::language::Language;
use super::lost::Losses;
use super::stable::StableCode;
use super::subject::Subjects;
use super::types::{Names, relation};
use crate::breaking::verdict::{Effect, Relation};

/// The facts that are the same for all declarations of a language.
pub(super) struct Context<'a> {
    pub(super) language: Language,
    /// The meanings of names in types, in the old API and in the new.
    pub(super) names: (Names, Names),
    /// The declarations of the old API and of the new.
    pub(super) declared: [Declared<'a>; 2],
    /// The code of both APIs that users have without asking for it.
    pub(super) stable: [StableCode; 2],
    /// The declaration of the new API that each of the old has become, by their positions.
    pub(super) partners: HashMap<usize, usize>,
    pub(super) subjects: Subjects<'a>,
    pub(super) losses: Losses,
}

impl Context<'_> {
    pub(super) fn relation(&self, old: &str, new: &str) -> Relation {
        relation((old, &self.names.0), (new, &self.names.1))
    }

    /// The verdict on code that reads values of a type, or builds them, when it becomes another.
    pub(super) fn value(&self, old: &str, new: &str) -> Effect {
        match self.relation(old, new) {
            Relation::Same => Effect::Ok,
            _ if !self.language.has_subtypes() => Effect::Break,
            Relation::Wider => Effect::Readers,
            Relation::Narrower => Effect::Builders,
            Relation::Other => Effect::Break,
        }
    }
}
