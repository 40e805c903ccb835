//! Names, split into words once so that every language joins the same ones.

use heck::ToSnakeCase;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A name on the wire, and the words that identifiers are made of.
///
/// The words are lowercase ASCII letters and digits, and there is always at least one. An
/// identifier joined from them may still begin with a digit or be a keyword: that is for each
/// language's own filter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Name {
    /// The exact spelling in the schema and in messages.
    pub wire: String,
    /// The words, for identifiers.
    pub words: Vec<String>,
}

impl Name {
    /// Splits a spelling into words, at case changes and at everything that is neither an ASCII
    /// letter nor a digit. A character outside ASCII becomes a word of its code point
    /// (`é` → `ue9`), so that two different spellings rarely meet; an empty name is `empty`.
    ///
    /// ```
    /// use acp_bindgen::ir::Name;
    ///
    /// let name = Name::new("greetings/sayHello");
    /// assert_eq!(name.pascal(), "GreetingsSayHello");
    /// assert_eq!(name.snake(), "greetings_say_hello");
    /// ```
    pub fn new(wire: impl Into<String>) -> Self {
        let wire = wire.into();
        let words = split(&wire);
        Self { wire, words }
    }

    /// A name whose identifiers come from other text than its wire spelling.
    pub fn with_words(wire: impl Into<String>, words: &str) -> Self {
        Self { wire: wire.into(), words: split(words) }
    }

    /// `session_update`
    pub fn snake(&self) -> String {
        self.words.join("_")
    }

    /// `SESSION_UPDATE`
    pub fn screaming(&self) -> String {
        self.snake().to_ascii_uppercase()
    }

    /// `session-update`
    pub fn kebab(&self) -> String {
        self.words.join("-")
    }

    /// `SessionUpdate`
    pub fn pascal(&self) -> String {
        self.words.iter().map(|word| capitalized(word)).collect()
    }

    /// `sessionUpdate`
    pub fn camel(&self) -> String {
        let mut words = self.words.iter();
        let first = words.next().cloned().unwrap_or_default();
        words.fold(first, |joined, word| joined + &capitalized(word))
    }
}

fn split(text: &str) -> Vec<String> {
    let mut ascii = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            ascii.push(character);
        } else if character.is_alphanumeric() {
            ascii.extend([" ", &format!("u{:x}", u32::from(character)), " "]);
        } else {
            ascii.push(' ');
        }
    }
    let words: Vec<String> = ascii
        .to_snake_case()
        .split('_')
        .filter(|word| !word.is_empty())
        .map(String::from)
        .collect();
    if !words.is_empty() {
        return words;
    }
    if text.is_empty() {
        return vec![String::from("empty")];
    }
    // Nothing but punctuation: spell it out, so that `$` and `.` stay apart.
    text.chars().map(|character| format!("u{:x}", u32::from(character))).collect()
}

fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_ascii_uppercase().to_string() + characters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn words_join_in_every_style() {
        let name = Name::new("agent_message_chunk");
        assert_eq!(name.pascal(), "AgentMessageChunk");
        assert_eq!(name.camel(), "agentMessageChunk");
        assert_eq!(name.screaming(), "AGENT_MESSAGE_CHUNK");
        assert_eq!(Name::new("readTextFile").snake(), "read_text_file");
        assert_eq!(Name::new("$/cancel_request").kebab(), "cancel-request");
    }

    #[test]
    fn odd_spellings_still_have_words() {
        assert_eq!(Name::new("").words, ["empty"]);
        assert_eq!(Name::new("$").words, ["u24"]);
        assert_eq!(Name::new("größe").words, ["gr", "uf6", "udf", "e"]);
        assert_eq!(Name::new("__proto__").words, ["proto"]);
    }
}
