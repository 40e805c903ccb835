//! A statement as it is read, from left to right.

/// The rest of a statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a>(pub(super) &'a str);

impl<'a> Text<'a> {
    /// Tells whether nothing is left.
    pub(super) fn is_end(self) -> bool {
        self.0.is_empty()
    }

    /// Tells whether this comes next.
    pub(super) fn sees(self, token: &str) -> bool {
        self.0.starts_with(token)
    }

    /// Passes over this, if it comes next.
    pub(super) fn eats(&mut self, token: &str) -> bool {
        let rest = self.0.strip_prefix(token);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Passes over this, which has to come next.
    pub(super) fn eat(&mut self, token: &str) -> Option<()> {
        self.eats(token).then_some(())
    }

    /// Takes this many bytes.
    pub(super) fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.0.split_at_checked(length).unwrap_or((self.0, ""));
        self.0 = rest;
        taken
    }

    /// Takes characters of which this holds; none is none.
    pub(super) fn take_while(&mut self, holds: impl Fn(char) -> bool) -> Option<&'a str> {
        let length = self.0.find(|next| !holds(next)).unwrap_or(self.0.len());
        (length > 0).then(|| self.take(length))
    }

    /// Takes the letters, digits and points of a name.
    pub(super) fn name(&mut self) -> Option<&'a str> {
        self.take_while(|next| is_word(next) || next == '.')
    }

    /// Takes a string literal.
    pub(super) fn string(&mut self) -> Option<&'a str> {
        let quote = self.0.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        let mut is_escaped = false;
        for (at, next) in self.0.char_indices().skip(1) {
            match next {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                _ if next == quote => return Some(self.take(at + 1)),
                _ => {}
            }
        }
        None
    }

    /// Takes a property's name: a name, or a string literal.
    pub(super) fn key(&mut self) -> Option<&'a str> {
        self.string().or_else(|| self.take_while(is_word))
    }
}

/// Tells whether a character can be in a name.
pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '#')
}
