//! Passing over what is read later.

use super::error::Result;
use super::reader::{Kind, Reader};
use super::text;

impl Reader<'_> {
    /// Passes over the next value, which is going to be read: only then is it looked into whether
    /// it is JSON at all.
    pub(super) fn hop(&mut self) -> Result<()> {
        match self.peek()? {
            Kind::String => text::hop(self),
            Kind::Array | Kind::Object => self.hop_brackets(),
            _ => self.skip(),
        }
    }

    /// Passes over all up to the bracket that belongs to the one that the reader stands at,
    /// whatever its shape.
    fn hop_brackets(&mut self) -> Result<()> {
        let bytes = self.text.as_bytes();
        let mut open = 0_usize;
        loop {
            match bytes.get(self.at) {
                Some(b'"') => {
                    text::hop(self)?;
                    continue;
                }
                Some(b'{' | b'[') => open += 1,
                Some(b'}' | b']') if open == 1 => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'}' | b']') => open -= 1,
                Some(_) => {}
                None => return Err(self.syntax("a closing bracket")),
            }
            self.at += 1;
        }
    }
}
