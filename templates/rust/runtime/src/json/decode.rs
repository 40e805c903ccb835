//! Entry points, and how values of Rust's own types are read.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Object;
use super::constraints::out_of_range;
use super::error::{DecodeError, Dropped, Result, Step};
use super::reader::{Kind, MAX_DEPTH, Reader};

/// A type that can be read from JSON.
pub trait Decode: Sized {
    /// Reads the next value.
    ///
    /// # Errors
    ///
    /// The value is not one of the type, or the text is not JSON.
    fn decode(reader: &mut Reader<'_>) -> Result<Self>;
}

/// Reads a value from JSON text.
///
/// # Errors
///
/// The text is not JSON, or not a value of the type.
pub fn decode<T: Decode>(text: &str) -> Result<T> {
    Decoder::new().decode(text)
}

/// Reads a value from JSON text in UTF-8.
///
/// # Errors
///
/// The bytes are not UTF-8, not JSON, or not a value of the type.
pub fn decode_slice<T: Decode>(bytes: &[u8]) -> Result<T> {
    match std::str::from_utf8(bytes) {
        Ok(text) => decode(text),
        Err(_) => Err(DecodeError::new("JSON text in UTF-8", "other bytes")),
    }
}

/// Reads values, with choices.
pub struct Decoder<'h> {
    strict: bool,
    max_depth: u16,
    observer: Option<&'h mut dyn FnMut(&Dropped)>,
}

impl<'h> Decoder<'h> {
    /// Forgives what the schema says is forgiven, and tells nobody.
    pub fn new() -> Self {
        Self {
            strict: false,
            max_depth: MAX_DEPTH,
            observer: None,
        }
    }

    /// Forgives nothing.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Refuses text in which arrays and objects are nested deeper than this; 128 unless set. Each
    /// level takes room on the stack.
    #[must_use]
    pub fn max_depth(mut self, levels: u16) -> Self {
        self.max_depth = levels;
        self
    }

    /// Sees each value that was forgiven, once the whole text has been read.
    #[must_use]
    pub fn on_drop(mut self, observer: &'h mut dyn FnMut(&Dropped)) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Reads a value from JSON text.
    ///
    /// # Errors
    ///
    /// The text is not JSON, or not a value of the type.
    pub fn decode<T: Decode>(&mut self, text: &str) -> Result<T> {
        let mut reader = self.reader(text);
        let mut value = reader.whole();
        if value.is_err() || reader.repeats.is_doubtful() {
            let replaced = reader.replaced(self.max_depth)?;
            if !replaced.is_empty() {
                reader = self.reader(text);
                reader.repeats.replace(replaced);
                value = reader.whole();
            }
        }
        let value = value?;
        if let Some(observer) = &mut self.observer {
            for dropped in reader.drops.iter().flatten() {
                observer(dropped);
            }
        }
        Ok(value)
    }

    fn reader<'a>(&self, text: &'a str) -> Reader<'a> {
        Reader::new(text, self.strict, self.observer.is_some()).max_depth(self.max_depth)
    }
}

impl Default for Decoder<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Decoder<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = formatter.debug_struct("Decoder");
        debug.field("strict", &self.strict).finish_non_exhaustive()
    }
}

impl Decode for String {
    #[inline]
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.string().map(Into::into)
    }
}

impl Decode for bool {
    #[inline]
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.boolean()
    }
}

impl Decode for f64 {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.number()
    }
}

impl Decode for () {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        if reader.null()? {
            Ok(())
        } else {
            Err(reader.mismatch("null"))
        }
    }
}

macro_rules! integers {
    ($($integer:ident)*) => {
        $(
            impl Decode for $integer {
                fn decode(reader: &mut Reader<'_>) -> Result<Self> {
                    let number = reader.integer()?;
                    $integer::try_from(number)
                        .map_err(|_| out_of_range(&$integer::MIN, &$integer::MAX))
                }
            }
        )*
    };
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);

impl<T: Decode> Decode for Option<T> {
    #[inline]
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        if reader.null()? {
            Ok(None)
        } else {
            T::decode(reader).map(Some)
        }
    }
}

impl<T: Decode> Decode for Box<T> {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        T::decode(reader).map(Box::new)
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        let mut items = Self::new();
        reader.open_array()?;
        while reader.has_item()? {
            items.push(reader.item(items.len(), T::decode)?);
        }
        Ok(items)
    }
}

impl<T: Decode> Decode for BTreeMap<String, T> {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.open_object()?;
        super::read_members(reader, T::decode)
    }
}

impl Decode for Object {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        let mut object = Self::new();
        reader.open_object()?;
        while let Some(key) = reader.key()? {
            let value = reader.step(|| Step::property(&key), Value::decode)?;
            object.insert(key.into_owned(), value);
        }
        Ok(object)
    }
}

impl Decode for Value {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.peek()? {
            Kind::Null => reader.null().map(|_| Self::Null),
            Kind::Boolean => reader.boolean().map(Self::Bool),
            Kind::Number => reader.number_value(),
            Kind::String => reader.string().map(|text| Self::String(text.into_owned())),
            Kind::Array => Vec::decode(reader).map(Self::Array),
            Kind::Object => Object::decode(reader).map(Self::Object),
        }
    }
}

impl Reader<'_> {
    /// Reads all of the text as one value.
    fn whole<T: Decode>(&mut self) -> Result<T> {
        let value = T::decode(self)?;
        self.finish().map(|()| value)
    }

    /// Reads an item of an array.
    #[inline]
    #[doc(hidden)]
    pub fn item<T>(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.step(|| Step::Item(index), read)
    }
}
