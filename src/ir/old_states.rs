//! Names that states had before.

use super::{Docs, Name, Protocol, State, Type, TypeKind};

impl Protocol {
    /// The names that the state of a union had when the union had other names, which the packages
    /// keep: each with what is said of it.
    ///
    /// A name that a type has by now is left to that.
    pub fn old_states(&self, union: &str) -> Vec<(Name, Docs)> {
        let Some(TypeKind::Union(of)) = self.types.get(union).map(|def| &def.kind) else {
            return Vec::new();
        };
        let Some(state) = &of.state else { return Vec::new() };
        let aliases = self.types.values().filter(|def| match &def.kind {
            TypeKind::Alias { target: Type::Named { name } } => def.old_name && name == union,
            _ => false,
        });
        let old = aliases.map(|def| {
            let description = Some(format!("Called `{}`.", state.name.pascal()));
            (State::name_of(&def.name), Docs { description, ..def.docs.clone() })
        });
        let is_free = |name: &Name| self.types.values().all(|def| def.name.words != name.words);
        old.filter(|(name, _)| is_free(name)).collect()
    }
}
