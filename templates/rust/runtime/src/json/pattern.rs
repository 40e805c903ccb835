//! Regular expressions of the schema.

use std::sync::OnceLock;

use regex::Regex;

use super::error::{DecodeError, Result};

/// A regular expression. It is compiled where a text is first compared with it.
pub struct Pattern {
    /// As the schema has it.
    source: &'static str,
    /// As this engine reads it.
    spelled: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    #[doc(hidden)]
    pub const fn new(source: &'static str, spelled: &'static str) -> Self {
        Self {
            source,
            spelled,
            compiled: OnceLock::new(),
        }
    }

    /// Checks that some part of a text matches.
    #[doc(hidden)]
    pub fn check(&self, text: &str) -> Result<()> {
        let compiled = self.compiled.get_or_init(|| Regex::new(self.spelled).ok());
        if compiled.as_ref().is_none_or(|it| it.is_match(text)) {
            return Ok(());
        }
        let expected = format!("a string that matches `{}`", self.source);
        Err(DecodeError::new(expected, "another string"))
    }
}
