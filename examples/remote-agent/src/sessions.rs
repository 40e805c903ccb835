//! Sessions, which outlive the connections they are used on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All sessions of the program.
#[derive(Clone, Default)]
pub struct Sessions(Arc<Mutex<HashMap<String, Vec<Line>>>>);

/// Something that was said.
#[derive(Clone)]
pub struct Line {
    pub is_user: bool,
    pub text: String,
}

impl Sessions {
    /// A new session, whose id nobody can guess.
    pub fn open(&self) -> String {
        let id = format!("{:032x}", rand());
        self.lock().insert(id.clone(), Vec::new());
        id
    }

    /// What was said in a session, if there is such a session.
    pub fn history(&self, id: &str) -> Option<Vec<Line>> {
        self.lock().get(id).cloned()
    }

    /// Remembers what was said.
    pub fn remember(&self, id: &str, is_user: bool, text: &str) {
        if let Some(lines) = self.lock().get_mut(id) {
            lines.push(Line { is_user, text: text.to_owned() });
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<Line>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// 128 bits that are hard to guess: each hasher has keys of its own, from the system.
fn rand() -> u128 {
    use std::collections::hash_map::RandomState;
    use std::hash::BuildHasher;
    let half = || u128::from(RandomState::new().hash_one(()));
    half() << 64 | half()
}
