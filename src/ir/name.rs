//! Names, split into words once so that every language joins the same ones.

use heck::ToSnakeCase;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A name on the wire, and the words that identifiers are made of.
///
/// The words are lowercase ASCII letters and digits, and there is always at least one. An
/// identifier joined from them may still begin with a digit or be a keyword: that is for each
/// language's own filter.
#[derive(Clone, Debug, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Name {
    /// The exact spelling in the schema and in messages.
    pub wire: String,
    /// The words, for identifiers.
    pub words: Vec<String>,
    /// True if the user chose the words: they are never changed to make names distinct.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub is_chosen: bool,
}

/// Names are equal by what they say, whoever chose it.
impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.wire == other.wire && self.words == other.words
    }
}

impl Name {
    /// Splits a spelling into words, at case changes and at everything that is neither an ASCII
    /// letter nor a digit. A character outside ASCII becomes a word of its code point
    /// (`é` → `ue9`), so that two different spellings rarely meet; an empty name is `empty`. Symbols
    /// are words where there is nothing else (`<=` → `less equal`), or where they stand before a
    /// number (`-1` → `minus 1`).
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
        Self { wire, words, is_chosen: false }
    }

    /// A name whose identifiers come from other text than its wire spelling.
    pub fn with_words(wire: impl Into<String>, words: &str) -> Self {
        Self { wire: wire.into(), words: split(words), is_chosen: false }
    }

    /// A name whose identifiers the user chose, with the text that they come from.
    pub fn chosen(wire: impl Into<String>, words: &str) -> Self {
        Self { is_chosen: true, ..Self::with_words(wire, words) }
    }

    /// A name with a word for each of its symbols: `foo bar` of `foo-bar` becomes `foo dash bar`.
    pub fn spelled_out(wire: impl Into<String>) -> Self {
        let wire = wire.into();
        Self { words: split(&with_symbols(&wire)), wire, is_chosen: false }
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

/// Symbols that say something of the number after them.
const SIGNS: &[char] = &['+', '-', '<', '>', '=', '~', '!', '*'];

fn split(text: &str) -> Vec<String> {
    if text.is_empty() {
        return vec![String::from("empty")];
    }
    let rest = text.trim_start_matches(SIGNS);
    if !text.contains(char::is_alphanumeric) {
        return split_words(&with_symbols(text));
    }
    if rest.starts_with(|first: char| first.is_ascii_digit()) {
        let signs = text.strip_suffix(rest).unwrap_or_default();
        return split_words(&format!("{} {rest}", with_symbols(signs)));
    }
    split_words(text)
}

fn split_words(text: &str) -> Vec<String> {
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
    let words = ascii.to_snake_case();
    words.split('_').filter(|word| !word.is_empty()).map(String::from).collect()
}

/// The text with a word, or two, in the place of each symbol.
fn with_symbols(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    let mut is_inside = false;
    for character in text.chars() {
        if character.is_alphanumeric() {
            spelled.push(character);
        } else {
            let word = symbol(character, is_inside);
            let unknown = || format!("u{:x}", u32::from(character));
            spelled.extend([" ", &word.map_or_else(unknown, String::from), " "]);
        }
        is_inside = character.is_alphanumeric();
    }
    spelled
}

/// The word for a symbol, which stands after a letter or not.
fn symbol(symbol: char, is_inside: bool) -> Option<&'static str> {
    Some(match symbol {
        ' ' => "space",
        '!' => "bang",
        '"' => "quote",
        '#' => "hash",
        '$' => "dollar",
        '%' => "percent",
        '&' => "and",
        '\'' => "apostrophe",
        '(' => "open paren",
        ')' => "close paren",
        '*' => "star",
        '+' => "plus",
        ',' => "comma",
        '-' if is_inside => "dash",
        '-' => "minus",
        '.' => "dot",
        '/' => "slash",
        ':' => "colon",
        ';' => "semicolon",
        '<' => "less",
        '=' => "equal",
        '>' => "greater",
        '?' => "question",
        '@' => "at",
        '[' => "open bracket",
        '\\' => "backslash",
        ']' => "close bracket",
        '^' => "caret",
        '_' => "underscore",
        '`' => "backtick",
        '{' => "open brace",
        '|' => "pipe",
        '}' => "close brace",
        '~' => "tilde",
        _ => return None,
    })
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
    fn symbols_before_numbers_and_between_words_are_words() {
        assert_eq!(Name::new("+1").snake(), "plus_1");
        assert_eq!(Name::new("-1").snake(), "minus_1");
        assert_eq!(Name::new("<5 ms").snake(), "less_5_ms");
        assert_eq!(Name::new("_meta").snake(), "meta");
        assert_eq!(Name::spelled_out("_meta").snake(), "underscore_meta");
        assert_eq!(Name::spelled_out("foo-bar").snake(), "foo_dash_bar");
        assert_eq!(Name::spelled_out("C++").snake(), "c_plus_plus");
    }

    #[test]
    fn odd_spellings_still_have_words() {
        assert_eq!(Name::new("").words, ["empty"]);
        assert_eq!(Name::new("$").words, ["dollar"]);
        assert_eq!(Name::new("<=").words, ["less", "equal"]);
        assert_eq!(Name::new("\u{1f600}").words, ["u1f600"]);
        assert_eq!(Name::new("größe").words, ["gr", "uf6", "udf", "e"]);
        assert_eq!(Name::new("__proto__").words, ["proto"]);
    }
}
