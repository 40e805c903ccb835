//! A declaration of a generated API, cut down to what its users see.

/// A declaration: its own line, what it declares within, and what closes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Item {
    /// Its name.
    pub(super) name: String,
    /// The lines before the members: attributes, then the declaration itself.
    pub(super) head: Vec<String>,
    /// What it declares within.
    pub(super) members: Vec<Member>,
    /// The line after the members, if there is one.
    pub(super) tail: String,
}

/// A field, a variant, a value or a function within a declaration, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Its name.
    pub(super) name: String,
    /// What it is for its users.
    pub(super) kind: MemberKind,
    /// The declaration.
    pub(super) text: String,
}

/// What a member is for its users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum MemberKind {
    /// A value to read, or one that a reader has to tell from others.
    Value,
    /// A value to read that whoever builds the whole has to give.
    Required,
    /// A function to call, or one to write.
    Function,
    /// A function that makes the whole, with what has to be given.
    Constructor,
}

impl Item {
    /// The whole declaration, line by line.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        let tail = (!self.tail.is_empty()).then_some(self.tail.as_str());
        let members = self.members.iter().map(|member| member.text.as_str());
        self.head.iter().map(String::as_str).chain(members).chain(tail)
    }

    /// The member of this name that serves the same end.
    pub(super) fn member(&self, like: &Member) -> Option<&Member> {
        let is_function = |kind| matches!(kind, MemberKind::Function | MemberKind::Constructor);
        self.members.iter().find(|member| {
            member.name == like.name && is_function(member.kind) == is_function(like.kind)
        })
    }
}

/// A name's letters and digits in lowercase: what stays the same between the conventions of
/// languages.
pub(super) fn key(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Formatted lines as one: what a formatter breaks apart is put together again.
pub(super) fn joined<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for line in lines {
        let line = line.trim();
        let opens = joined.ends_with(['(', '[', '<']);
        let closes = line.starts_with([')', ']', '>']);
        if closes && joined.ends_with(',') {
            joined.pop();
        }
        if !(joined.is_empty() || opens || closes) {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    joined
}

/// The name that a piece of code begins with: letters, digits, `_` and `$`.
pub(super) fn leading_name(code: &str) -> &str {
    let end =
        code.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(code.len());
    code.get(..end).unwrap_or_default()
}

/// Splits code at a character that is within no brackets and no string.
pub(super) fn split_outside(code: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quote, mut start) = (0_usize, None, 0);
    let mut characters = code.char_indices();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(open), _) => quote = (character != open).then_some(open),
            (None, '"' | '\'' | '`') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) if character == separator && depth == 0 => {
                parts.push(code.get(start..at).unwrap_or_default().trim());
                start = at + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(code.get(start..).unwrap_or_default().trim());
    parts
}

/// Whether a line is only a comment, or a part of one, as generated code has them.
pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "* ", "*/"].iter().any(|start| line.starts_with(start)) || line == "*"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_formatter_breaks_is_joined() {
        let lines = ["  pub fn new(", "    a: A,", "    b: impl Into<B>,", "  ) -> Self {"];
        assert_eq!(joined(lines), "pub fn new(a: A, b: impl Into<B>) -> Self {");
    }

    #[test]
    fn strings_and_brackets_are_not_split() {
        let parts = split_outside(r#""a|\"b" | (c | d) | e"#, '|');
        assert_eq!(parts, [r#""a|\"b""#, "(c | d)", "e"]);
    }

    #[test]
    fn keys_are_the_same_in_all_languages() {
        assert_eq!(key("read_text_file"), key("readTextFile"));
        assert_eq!(key("r#type"), "rtype");
    }
}
