//! The declarations of an API, by what they stand for and by their names.

use std::collections::HashMap;

use crate::backend::api::{Api, Declaration, Origin};

/// The declarations of an API.
pub(super) struct Declared<'a> {
    /// By what they stand for, each with its position, in order.
    of: HashMap<&'a Origin, Vec<(usize, &'a Declaration)>>,
    /// By their names, in order.
    named: HashMap<&'a str, Vec<&'a Declaration>>,
}

impl<'a> Declared<'a> {
    pub(super) fn of_api(api: &'a Api) -> Self {
        let mut found = Self { of: HashMap::new(), named: HashMap::new() };
        for (index, declaration) in api.declarations.iter().enumerate() {
            found.of.entry(&declaration.of).or_default().push((index, declaration));
            found.named.entry(&declaration.name).or_default().push(declaration);
        }
        found
    }

    /// The declarations that stand for something, with their positions.
    pub(super) fn with_origin(
        &self,
        origin: &Origin,
    ) -> impl Iterator<Item = (usize, &'a Declaration)> {
        self.of.get(origin).into_iter().flatten().copied()
    }

    /// The declarations of a name: only where names clash are there several.
    pub(super) fn all_named(&self, name: &str) -> impl Iterator<Item = &'a Declaration> {
        self.named.get(name).into_iter().flatten().copied()
    }

    /// The first declaration of a name.
    pub(super) fn named(&self, name: &str) -> Option<&'a Declaration> {
        self.all_named(name).next()
    }
}
