//! Namespaces: the identifiers of a generated program, each taken by one thing.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Location;

/// The things that take the identifiers of a namespace: what is renamed where two of them meet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Things {
    /// Types, and the variants of unions that have types of their own.
    Types,
    /// The fields, values and variants of a type, by its key.
    Members(String),
    /// The fields, values and variants of any type: those of several may stand in one class.
    MembersOfAny,
    /// The functions of methods.
    Functions,
    /// The constants of methods.
    Methods,
    /// The calls of a catalogue's entries.
    Entries,
    /// Sides.
    Sides,
}

/// A thing that has taken an identifier: its name on the wire, and its location. What a package has
/// by itself is nowhere in the schema.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Claim {
    pub(super) wire: String,
    pub(super) location: Location,
}

/// Two things of one identifier.
#[derive(Clone, Debug)]
pub(super) struct Clash {
    pub(super) things: Things,
    /// The words for the namespace in messages.
    pub(super) description: String,
    pub(super) identifier: String,
    pub(super) claims: [Claim; 2],
}

/// The clashes and diagnostics of names, as they are decided.
#[derive(Debug, Default)]
pub struct Findings {
    pub(super) diagnostics: Diagnostics,
    pub(super) clashes: Vec<Clash>,
}

impl Findings {
    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds what another thread found.
    pub(crate) fn extend(&mut self, other: Self) {
        self.diagnostics.extend(other.diagnostics);
        self.clashes.extend(other.clashes);
    }
}

/// A namespace of a generated program: the types of a module, the fields of a struct.
#[derive(Debug)]
pub struct Namespace {
    things: Things,
    description: String,
    taken: HashMap<String, Claim>,
}

impl Namespace {
    /// An empty namespace. `description`: its name in messages, as in `Rust types` or
    /// ``fields of `Session` in Python``.
    pub fn new(things: Things, description: impl Into<String>) -> Self {
        Self { things, description: description.into(), taken: HashMap::new() }
    }

    /// Takes an identifier for a thing of the schema, or for what the package has by itself where
    /// the location is nowhere. Two things of one identifier are noted in `findings`.
    pub fn claim(
        &mut self,
        identifier: &str,
        wire: &str,
        location: &Location,
        findings: &mut Findings,
    ) {
        let claim = Claim { wire: wire.to_owned(), location: location.clone() };
        let Some(other) = self.taken.get(identifier) else {
            self.taken.insert(identifier.to_owned(), claim);
            return;
        };
        findings.clashes.push(Clash {
            things: self.things.clone(),
            description: self.description.clone(),
            identifier: identifier.to_owned(),
            claims: [other.clone(), claim],
        });
    }
}
