//! Tuples: arrays whose items have types of their own, by their places.

use serde::Serialize;
use serde::ser::{Error, SerializeSeq};

use super::constraints::check_length;
use super::decode::Decode;
use super::error::{DecodeError, Result};
use super::patch::Patch;
use super::reader::Reader;

/// The items of an array, read one after another.
#[derive(Debug)]
pub struct Items<'r, 'a> {
    reader: &'r mut Reader<'a>,
    count: usize,
    is_at_end: bool,
    minimum: usize,
    maximum: usize,
}

/// Reads an array of so many items. `read` takes those that have places.
pub fn tuple<'a, T>(
    reader: &mut Reader<'a>,
    minimum: usize,
    maximum: usize,
    read: impl FnOnce(&mut Items<'_, 'a>) -> Result<T>,
) -> Result<T> {
    reader.open_array()?;
    let mut items = Items {
        reader,
        count: 0,
        is_at_end: false,
        minimum,
        maximum,
    };
    let tuple = read(&mut items)?;
    while items.optional(Reader::skip)?.is_some() {}
    items.check().map(|()| tuple)
}

impl<'a> Items<'_, 'a> {
    /// Reads the next item.
    #[doc(hidden)]
    pub fn next<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
        match self.optional(read)? {
            Some(item) => Ok(item),
            None => Err(self
                .check()
                .err()
                .unwrap_or_else(|| DecodeError::new("more items", self.count.to_string()))),
        }
    }

    /// Reads the next item, if there is one.
    #[doc(hidden)]
    pub fn optional<T>(
        &mut self,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        if self.is_at_end || !self.reader.has_item()? {
            self.is_at_end = true;
            return Ok(None);
        }
        let item = self.reader.item(self.count, read)?;
        self.count += 1;
        Ok(Some(item))
    }

    fn check(&self) -> Result<()> {
        check_length("items", self.count, self.minimum, self.maximum)
    }

    /// Reads all further items.
    #[doc(hidden)]
    pub fn rest<T>(&mut self, read: impl Fn(&mut Reader<'a>) -> Result<T>) -> Result<Vec<T>> {
        let mut rest = Vec::new();
        while let Some(item) = self.optional(&read)? {
            rest.push(item);
        }
        Ok(rest)
    }
}

/// The items of an array, written one after another.
pub struct Written<S> {
    items: S,
    is_at_end: bool,
}

impl<S: SerializeSeq> Written<S> {
    /// Begins an array.
    #[doc(hidden)]
    pub fn new(items: S) -> Self {
        Self {
            items,
            is_at_end: false,
        }
    }

    /// Writes an item.
    #[doc(hidden)]
    pub fn put<T: Serialize + ?Sized>(&mut self, item: &T) -> std::result::Result<(), S::Error> {
        if self.is_at_end {
            return Err(S::Error::custom(
                "an item is there, but not the one before it",
            ));
        }
        self.items.serialize_element(item)
    }

    /// Writes an item that may be missing.
    #[doc(hidden)]
    pub fn put_some<T: Serialize>(
        &mut self,
        item: Option<&T>,
    ) -> std::result::Result<(), S::Error> {
        if let Some(item) = item {
            self.put(item)
        } else {
            self.is_at_end = true;
            Ok(())
        }
    }

    /// Writes an item that may be missing, or `null`.
    #[doc(hidden)]
    pub fn put_patch<T: Serialize>(
        &mut self,
        item: &Patch<T>,
    ) -> std::result::Result<(), S::Error> {
        match item {
            Patch::Absent => self.put_some(None::<&()>),
            Patch::Null => self.put(&()),
            Patch::Value(item) => self.put(item),
        }
    }

    /// Writes all further items.
    #[doc(hidden)]
    pub fn put_all<T: Serialize>(&mut self, items: &[T]) -> std::result::Result<(), S::Error> {
        items.iter().try_for_each(|item| self.put(item))
    }

    /// Ends the array.
    #[doc(hidden)]
    pub fn end(self) -> std::result::Result<S::Ok, S::Error> {
        self.items.end()
    }
}

macro_rules! tuples {
    ($($count:literal: $($item:ident)+;)+) => {
        $(
            impl<$($item: Decode),+> Decode for ($($item,)+) {
                fn decode(reader: &mut Reader<'_>) -> Result<Self> {
                    tuple(reader, $count, $count, |items| {
                        Ok(($(items.next($item::decode)?,)+))
                    })
                }
            }
        )+
    };
}

tuples! {
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
    10: A B C D E F G H I J;
    11: A B C D E F G H I J K;
    12: A B C D E F G H I J K L;
}
