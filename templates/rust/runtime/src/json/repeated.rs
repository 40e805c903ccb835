//! Properties that an object has twice: the last one counts.
//!
//! Most objects have none, so nothing is looked for at first. Only where it could have made a
//! difference, because something failed or a tag came again, all of the text is looked through,
//! and if there are any it is read once more without those that do not count.

use std::borrow::Cow;
use std::collections::HashMap;

use super::error::Result;
use super::reader::{Kind, Reader};

/// What is known of properties that come twice.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    /// The tags of the objects around, the innermost last.
    tags: Vec<Tag>,
    doubtful: bool,
    /// Where properties begin that do not count, in order.
    replaced: Vec<usize>,
}

#[derive(Debug)]
struct Tag {
    name: &'static str,
    at: usize,
    depth: u16,
}

impl Repeats {
    /// Takes note of the tag of the object that is so deep.
    #[inline]
    pub(super) fn watch(&mut self, name: &'static str, at: usize, depth: u16) {
        self.tags.push(Tag { name, at, depth });
    }

    /// Takes note of a property.
    #[inline]
    pub(super) fn see(&mut self, key: &str, at: usize, depth: u16) {
        while let Some(tag) = self.tags.last() {
            if tag.depth >= depth {
                break;
            }
            self.tags.pop();
        }
        let here = self.tags.iter().rev();
        let mut here = here.take_while(|tag| tag.depth == depth);
        self.doubtful |= here.any(|tag| tag.at < at && tag.name == key);
    }

    /// Takes note of the end of what is so deep.
    #[inline]
    pub(super) fn close(&mut self, depth: u16) {
        while self.tags.last().is_some_and(|tag| tag.depth <= depth) {
            self.tags.pop();
        }
    }

    /// Takes note that something failed which might not have with other properties.
    pub(super) fn doubt(&mut self) {
        self.doubtful = true;
    }

    pub(super) fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    /// Passes over these from now on.
    pub(super) fn replace(&mut self, replaced: Vec<usize>) {
        self.replaced = replaced;
    }

    #[inline]
    pub(super) fn is_replaced(&self, at: usize) -> bool {
        !self.replaced.is_empty() && self.replaced.binary_search(&at).is_ok()
    }
}

impl Reader<'_> {
    /// Where properties begin that others of the same name come after.
    ///
    /// # Errors
    ///
    /// The text is not JSON, or nested too deeply.
    #[cold]
    pub(super) fn replaced(&self, max_depth: u16) -> Result<Vec<usize>> {
        let mut reader = Reader::over(self.text).max_depth(max_depth);
        let mut replaced = Vec::new();
        reader.find_replaced(&mut replaced)?;
        reader.finish()?;
        replaced.sort_unstable();
        Ok(replaced)
    }

    fn find_replaced(&mut self, replaced: &mut Vec<usize>) -> Result<()> {
        match self.peek()? {
            Kind::Array => {
                self.open_array()?;
                while self.has_item()? {
                    self.find_replaced(replaced)?;
                }
                Ok(())
            }
            Kind::Object => {
                let mut last: HashMap<Cow<'_, str>, usize> = HashMap::new();
                self.open_object()?;
                while let Some((key, at)) = self.key_at()? {
                    replaced.extend(last.insert(key, at));
                    self.find_replaced(replaced)?;
                }
                Ok(())
            }
            _ => self.skip(),
        }
    }
}
