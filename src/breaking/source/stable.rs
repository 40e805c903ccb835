//! Code that users have only if they ask for what is unstable.

use std::collections::HashSet;

use super::language::Language;
use crate::backend::Options;
use crate::backend::api::{Declaration, Member};
use crate::ir::Protocol;

/// The code that users have who do not ask for what is unstable.
#[derive(Debug)]
pub(super) struct StableCode {
    /// The names of declarations, each with those of its members. `None`: it is all stable.
    names: Option<HashSet<(String, String)>>,
}

impl StableCode {
    pub(super) fn new(protocol: &Protocol, language: Language, options: &Options) -> Self {
        if !language.hides_unstable() || !protocol.has_unstable() {
            return Self { names: None };
        }
        let mut names = HashSet::new();
        for declaration in language.backend().api(&protocol.stable(), options).declarations {
            for member in declaration.members {
                names.insert((declaration.name.clone(), member_key(&member)));
            }
            names.insert((declaration.name, String::new()));
        }
        Self { names: Some(names) }
    }

    pub(super) fn has(&self, declaration: &Declaration) -> bool {
        self.has_named(declaration, String::new)
    }

    pub(super) fn has_member(&self, declaration: &Declaration, member: &Member) -> bool {
        self.has_named(declaration, || member_key(member))
    }

    fn has_named(&self, declaration: &Declaration, member: impl Fn() -> String) -> bool {
        let key = || (declaration.name.clone(), member());
        self.names.as_ref().is_none_or(|names| names.contains(&key()))
    }
}

/// The name of a member, apart from those of other roles.
fn member_key(member: &Member) -> String {
    let call = if member.role.is_function() { "()" } else { "" };
    format!("{}{call}", member.name)
}
