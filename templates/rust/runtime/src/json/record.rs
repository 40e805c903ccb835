//! Objects with named members, that may share one JSON object with others.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::error::{DecodeError, Result, Step, one_of};
use super::patch::Patch;
use super::reader::{Kind, Reader};

/// A type whose JSON form is an object.
pub trait Record: Sized {
    /// Reads the rest of the object that the reader is in. Members before that are none of the
    /// record's.
    fn read(reader: &mut Reader<'_>) -> Result<Self>;

    /// Writes the members.
    fn write<M: SerializeMap>(&self, object: &mut M) -> std::result::Result<(), M::Error>;
}

/// Writes a member.
#[inline]
pub fn put<M: SerializeMap, T: Serialize + ?Sized>(
    object: &mut M,
    name: &'static str,
    value: &T,
) -> std::result::Result<(), M::Error> {
    object.serialize_entry(name, value)
}

/// Writes a member that may be absent.
#[inline]
pub fn put_some<M: SerializeMap, T: Serialize>(
    object: &mut M,
    name: &'static str,
    value: Option<&T>,
) -> std::result::Result<(), M::Error> {
    match value {
        Some(value) => object.serialize_entry(name, value),
        None => Ok(()),
    }
}

/// Writes a member that may be absent or `null`.
#[inline]
pub fn put_patch<M: SerializeMap, T: Serialize>(
    object: &mut M,
    name: &'static str,
    value: &Patch<T>,
) -> std::result::Result<(), M::Error> {
    match value {
        Patch::Absent => Ok(()),
        Patch::Null => object.serialize_entry(name, &()),
        Patch::Value(value) => object.serialize_entry(name, value),
    }
}

/// Writes the members of a map.
pub fn put_all<'a, M: SerializeMap, T: Serialize + 'a>(
    object: &mut M,
    members: impl IntoIterator<Item = (&'a String, &'a T)>,
) -> std::result::Result<(), M::Error> {
    let mut members = members.into_iter();
    members.try_for_each(|(name, value)| object.serialize_entry(name, value))
}

/// Writes a tag, and the members of what it tells.
pub fn put_tagged<M: SerializeMap, T: Record>(
    object: &mut M,
    property: &'static str,
    tag: &'static str,
    payload: &T,
) -> std::result::Result<(), M::Error> {
    object.serialize_entry(property, tag)?;
    payload.write(object)
}

/// Writes an object of a tag, and the members of what it tells.
pub fn serialize_tagged<S: Serializer, T: Record>(
    serializer: S,
    property: &'static str,
    tag: &'static str,
    payload: &T,
) -> std::result::Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(None)?;
    put_tagged(&mut object, property, tag, payload)?;
    object.end()
}

/// What is told by a tag alone.
pub struct NoMembers;

impl Record for NoMembers {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        reader.skip_rest().map(|()| Self)
    }

    fn write<M: SerializeMap>(&self, _object: &mut M) -> std::result::Result<(), M::Error> {
        Ok(())
    }
}

impl<T: Record> Record for Box<T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        T::read(reader).map(Self::new)
    }

    fn write<M: SerializeMap>(&self, object: &mut M) -> std::result::Result<(), M::Error> {
        (**self).write(object)
    }
}

/// Gives an error that says that the object being read should have been another.
pub fn refuse_object<T>(expected: &'static str) -> Result<T> {
    Err(DecodeError::new(expected, "another object"))
}

/// Reads the rest of an object as a map.
pub fn read_members<T>(
    reader: &mut Reader<'_>,
    read: impl Fn(&mut Reader<'_>) -> Result<T>,
) -> Result<BTreeMap<String, T>> {
    let mut members = BTreeMap::new();
    while let Some(key) = reader.key()? {
        let value = reader.step(|| Step::property(&key), &read)?;
        members.insert(key.into_owned(), value);
    }
    Ok(members)
}

impl<'a> Reader<'a> {
    /// Finds the tag of the object that the reader is in. If it comes first, the reader stands
    /// after it, else it has not moved.
    ///
    /// Gives nothing if there is no such property, or if it is not a string.
    #[inline]
    #[doc(hidden)]
    pub fn tag(&mut self, name: &'static str) -> Result<Option<Cow<'a, str>>> {
        let start = self.mark();
        match self.key()? {
            Some(key) if key == name && self.token() == Some(b'"') => {
                self.repeats.watch(name, self.at, self.depth);
                self.string().map(Some)
            }
            Some(key) => self.late_tag(name, &key, start),
            None => {
                self.restore(start);
                Ok(None)
            }
        }
    }

    fn late_tag(
        &mut self,
        name: &'static str,
        first: &str,
        start: super::reader::Mark,
    ) -> Result<Option<Cow<'a, str>>> {
        let mut found = first == name;
        while !found {
            self.hop()?;
            match self.key()? {
                Some(key) => found = key == name,
                None => break,
            }
        }
        if found {
            self.repeats.watch(name, self.at, self.depth);
        }
        let tag = if found && self.peek()? == Kind::String {
            Some(self.string()?)
        } else {
            None
        };
        self.restore(start);
        Ok(tag)
    }

    /// Checks that the rest of the object is also a value of another type.
    #[doc(hidden)]
    pub fn check<T: Record>(&mut self) -> Result<()> {
        let start = self.mark();
        T::read(self)?;
        self.restore(start);
        self.forget_drops(start);
        Ok(())
    }

    /// Says that a tag is missing, not a string, or none of the known ones. The reader stands in
    /// the object, not yet after the tag unless that came first.
    #[cold]
    #[doc(hidden)]
    pub fn bad_tag(
        &mut self,
        name: &'static str,
        tag: Option<&str>,
        known: &[&str],
    ) -> DecodeError {
        let expected = if known.is_empty() {
            "a string".to_owned()
        } else {
            one_of(known)
        };
        if tag.is_some() {
            return DecodeError::new(expected, "another string").within(name);
        }
        loop {
            match self.key() {
                Ok(Some(key)) if key == name => return self.mismatch(expected).within(name),
                Ok(Some(_)) => {
                    if let Err(error) = self.skip() {
                        return error;
                    }
                }
                Ok(None) => return DecodeError::missing(name),
                Err(error) => return error,
            }
        }
    }
}
