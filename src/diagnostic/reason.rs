//! Errors of the operating system, for messages.

use std::io;

/// An input or output error in words, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.rsplit_once(" (os error").map_or(text.as_str(), |(words, _)| words);
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}
