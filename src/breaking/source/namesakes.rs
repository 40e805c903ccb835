//! Members of one name.

use std::collections::HashMap;

use crate::backend::api::Member;

/// The members of a declaration by their names, functions apart from all others.
pub(super) struct Namesakes<'m> {
    /// Those that were not taken, the last first.
    members: HashMap<(&'m str, bool), Vec<&'m Member>>,
}

impl<'m> Namesakes<'m> {
    pub(super) fn new(members: &'m [Member]) -> Self {
        let mut found: HashMap<_, Vec<&Member>> = HashMap::new();
        for member in members.iter().rev() {
            found
                .entry((member.name.as_str(), member.role.is_function()))
                .or_default()
                .push(member);
        }
        Self { members: found }
    }

    /// Tells whether there is a member of this name, taken or not.
    pub(super) fn have(&self, member: &Member) -> bool {
        self.members.contains_key(&(member.name.as_str(), member.role.is_function()))
    }

    /// The first member of this name that was not taken.
    pub(super) fn take(&mut self, member: &'m Member) -> Option<&'m Member> {
        self.members.get_mut(&(member.name.as_str(), member.role.is_function()))?.pop()
    }
}
