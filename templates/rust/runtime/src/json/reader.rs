//! Walks through JSON text.

use std::borrow::Cow;
use std::fmt;

use super::attempts::Failures;
use super::error::{DecodeError, Dropped, Result};
use super::members::Owned;
use super::repeated::Repeats;
use super::text::{self, LongStrings};

/// How deeply arrays and objects may be nested, unless another limit is set.
pub const MAX_DEPTH: u16 = 128;

/// A place in JSON text, moving forward value by value, able to go back to where it has been.
#[derive(Debug)]
pub struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// Whether the last thing read was the bracket that opened the current array or object.
    fresh: bool,
    /// How many more levels may be opened.
    pub(super) depth: u16,
    /// How many levels there may be.
    limit: u16,
    /// Members that belong to unions around the types of objects, the innermost last.
    pub(super) owned: Vec<Owned>,
    pub(super) strict: bool,
    /// What was forgiven so far, if anyone wants to know.
    pub(super) drops: Option<Vec<Dropped>>,
    /// Where strings with escapes are put together.
    pub(super) buffer: String,
    pub(super) long_strings: LongStrings,
    pub(super) repeats: Repeats,
    pub(super) failures: Failures,
}

/// A place that a [`Reader`] can go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    at: usize,
    fresh: bool,
    depth: u16,
    drops: usize,
}

/// What a JSON value can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// What to call a value of this kind: `a string`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl<'a> Reader<'a> {
    /// Stands before the first value of the text.
    pub(super) fn new(text: &'a str, strict: bool, observed: bool) -> Self {
        let drops = observed.then(Vec::new);
        Self {
            text,
            at: 0,
            fresh: false,
            depth: MAX_DEPTH,
            limit: MAX_DEPTH,
            owned: Vec::new(),
            strict,
            drops,
            buffer: String::new(),
            long_strings: LongStrings::default(),
            repeats: Repeats::default(),
            failures: Failures::default(),
        }
    }

    /// Stands before the first value of a text, with nothing to forgive.
    #[doc(hidden)]
    pub fn over(text: &'a str) -> Self {
        Self::new(text, true, false)
    }

    /// Takes so many levels of arrays and objects, instead of 128.
    #[must_use]
    #[doc(hidden)]
    pub fn max_depth(mut self, levels: u16) -> Self {
        self.depth = levels;
        self.limit = levels;
        self
    }

    /// The text of the next value, which is passed over.
    #[doc(hidden)]
    pub fn raw(&mut self) -> Result<&'a str> {
        self.token();
        let start = self.at;
        self.skip()?;
        Ok(&self.text[start..self.at])
    }

    /// The kind of the next value, without reading it.
    ///
    /// # Errors
    ///
    /// The text ends here, or no value can begin with what follows.
    pub fn peek(&mut self) -> Result<Kind> {
        match self.token() {
            Some(b'"') => Ok(Kind::String),
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b't' | b'f') => Ok(Kind::Boolean),
            Some(b'n') => Ok(Kind::Null),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            _ => Err(self.syntax("a JSON value")),
        }
    }

    /// An error that says that something else was expected in place of the next value.
    pub fn mismatch(&mut self, expected: impl Into<Cow<'static, str>>) -> DecodeError {
        match self.peek() {
            Ok(kind) => DecodeError::new(expected, kind.name()),
            Err(error) => error,
        }
    }

    /// Gives an error that says that the next value should have been something else.
    #[doc(hidden)]
    pub fn refuse<T>(&mut self, expected: &'static str) -> Result<T> {
        Err(self.mismatch(expected))
    }

    /// Where the reader is.
    #[inline]
    #[doc(hidden)]
    pub fn mark(&self) -> Mark {
        let drops = self.drops.as_ref().map_or(0, Vec::len);
        Mark {
            at: self.at,
            fresh: self.fresh,
            depth: self.depth,
            drops,
        }
    }

    /// Goes back to where the reader has been.
    #[inline]
    #[doc(hidden)]
    pub fn restore(&mut self, mark: Mark) {
        self.at = mark.at;
        self.fresh = mark.fresh;
        self.depth = mark.depth;
    }

    /// Forgets what was forgiven since then.
    pub(super) fn forget_drops(&mut self, mark: Mark) {
        if let Some(drops) = &mut self.drops {
            drops.truncate(mark.drops);
        }
    }

    /// Enters an object.
    #[inline]
    #[doc(hidden)]
    pub fn open_object(&mut self) -> Result<()> {
        if self.token() == Some(b'{') {
            self.open()
        } else {
            Err(self.mismatch("an object"))
        }
    }

    /// Enters an array.
    #[inline]
    #[doc(hidden)]
    pub fn open_array(&mut self) -> Result<()> {
        if self.token() == Some(b'[') {
            self.open()
        } else {
            Err(self.mismatch("an array"))
        }
    }

    /// Reads the next property's name in an object, or leaves the object at its end.
    #[inline]
    #[doc(hidden)]
    pub fn key(&mut self) -> Result<Option<Cow<'a, str>>> {
        while let Some((key, at)) = self.key_at()? {
            if !self.repeats.is_replaced(at) {
                self.repeats.see(&key, at, self.depth);
                return Ok(Some(key));
            }
            self.skip()?;
        }
        Ok(None)
    }

    /// The same, with its place, and also for one that another of its name comes after.
    #[inline]
    pub(super) fn key_at(&mut self) -> Result<Option<(Cow<'a, str>, usize)>> {
        if self.at_end(b'}')? {
            return Ok(None);
        }
        self.property_name()?;
        let start = self.at;
        let key = text::read_short(self)?;
        self.colon()?;
        Ok(Some((key, start)))
    }

    /// Whether the array has another item. Leaves the array at its end.
    #[inline]
    #[doc(hidden)]
    pub fn has_item(&mut self) -> Result<bool> {
        Ok(!self.at_end(b']')?)
    }

    /// Reads a string.
    #[inline]
    #[doc(hidden)]
    pub fn string(&mut self) -> Result<Cow<'a, str>> {
        if self.token() == Some(b'"') {
            text::read(self)
        } else {
            Err(self.mismatch("a string"))
        }
    }

    /// Reads `true` or `false`.
    #[doc(hidden)]
    pub fn boolean(&mut self) -> Result<bool> {
        match self.token() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            _ => Err(self.mismatch("a boolean")),
        }
    }

    /// Reads `null`, if it is next.
    #[inline]
    #[doc(hidden)]
    pub fn null(&mut self) -> Result<bool> {
        if self.token() == Some(b'n') {
            self.word("null").map(|()| true)
        } else {
            Ok(false)
        }
    }

    /// Passes over the next value.
    #[doc(hidden)]
    pub fn skip(&mut self) -> Result<()> {
        match self.peek()? {
            Kind::Null => self.word("null"),
            Kind::Boolean => self.boolean().map(drop),
            Kind::Number => self.number_token().map(drop),
            Kind::String => text::skip(self),
            Kind::Array => {
                self.open()?;
                while self.has_item()? {
                    self.skip()?;
                }
                Ok(())
            }
            Kind::Object => {
                self.open()?;
                while !self.at_end(b'}')? {
                    self.property_name()?;
                    text::skip(self)?;
                    self.colon()?;
                    self.skip()?;
                }
                Ok(())
            }
        }
    }

    /// Passes over the rest of the object the reader is in.
    #[doc(hidden)]
    pub fn skip_rest(&mut self) -> Result<()> {
        while self.key()?.is_some() {
            self.skip()?;
        }
        Ok(())
    }

    /// Checks that nothing but space follows.
    #[doc(hidden)]
    pub fn finish(&mut self) -> Result<()> {
        match self.token() {
            None => Ok(()),
            Some(_) => Err(self.syntax("the end of the text")),
        }
    }

    /// An error about the text itself.
    #[cold]
    pub(super) fn syntax(&self, expected: &'static str) -> DecodeError {
        let found = if self.at < self.text.len() {
            "malformed JSON"
        } else {
            "the end of the text"
        };
        DecodeError::new(expected, found)
    }

    /// Passes over space, and looks at the byte after it.
    #[inline]
    pub(super) fn token(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    /// Passes over the opening bracket that the reader stands at.
    #[inline]
    fn open(&mut self) -> Result<()> {
        self.depth = match self.depth.checked_sub(1) {
            Some(depth) => depth,
            None => return Err(self.too_deep()),
        };
        self.at += 1;
        self.fresh = true;
        Ok(())
    }

    #[cold]
    fn too_deep(&self) -> DecodeError {
        let expected = format!("at most {} levels", self.limit);
        DecodeError::new(expected, "deeper nesting")
    }

    /// Passes over a closing bracket, or over the comma before the next member.
    #[inline]
    fn at_end(&mut self, close: u8) -> Result<bool> {
        let fresh = std::mem::replace(&mut self.fresh, false);
        match self.token() {
            Some(byte) if byte == close => {
                self.at += 1;
                self.repeats.close(self.depth);
                self.depth += 1;
                Ok(true)
            }
            Some(_) if fresh => Ok(false),
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.syntax("`,` or a closing bracket")),
        }
    }

    /// Checks that a property's name is next.
    #[inline]
    fn property_name(&mut self) -> Result<()> {
        if self.token() == Some(b'"') {
            Ok(())
        } else {
            Err(self.syntax("a property name"))
        }
    }

    /// Passes over the colon after a property's name.
    #[inline]
    fn colon(&mut self) -> Result<()> {
        if self.token() != Some(b':') {
            return Err(self.syntax("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &'static str) -> Result<()> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.syntax("a JSON value"))
        }
    }
}
