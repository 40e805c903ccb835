//! How values are read from and written to JSON.
//!
//! [`decode`] reads a value, [`encode`] writes one. [`Decoder`] has the choices: strict mode, and
//! a hook that sees what was forgiven. Every type of this crate also implements
//! [`serde::Serialize`] and [`serde::Deserialize`].
//!
//! Decoding goes straight from text to types. The [`Reader`] can go back to a place it has been,
//! so a tag is found wherever it stands, a union of shapes is tried shape by shape, and a
//! malformed value is forgiven, all without building an intermediate tree; a message that needs
//! none of this is read once. Of two properties with the same name the last one counts.

mod attempts;
mod constraints;
mod decode;
mod encode;
mod error;
mod fields;
mod hop;
mod keywords;
mod macros;
mod members;
mod newtypes;
mod number;
mod optional;
mod patch;
#[cfg(feature = "regex")]
mod pattern;
mod reader;
mod record;
mod repeated;
mod serde_bridge;
mod text;
mod tuple;
mod unknown;

pub use self::decode::{Decode, Decoder, decode, decode_slice};
pub use self::encode::encode;
pub use self::error::{DecodeError, Dropped, Result};
pub use self::optional::{FromOption, FromPatch, FromValue, IntoJson, IntoOption, IntoPatch};
pub use self::patch::Patch;
pub use self::reader::{Kind, Reader};
pub use self::unknown::UnknownVariant;
pub use serde_json::Value;

#[doc(hidden)]
pub use self::constraints::{
    array_of, check_bounds, check_length, constant, literal, literal_value, map_of, nullable,
    number_in, patch, string_of, valid_items, valid_items_of, valid_items_or_null,
    valid_items_patch,
};
#[doc(hidden)]
pub use self::encode::write;
#[doc(hidden)]
pub use self::error::one_of;
#[doc(hidden)]
pub use self::fields::required;
#[doc(hidden)]
pub use self::keywords::{
    KeyChoice, Keys, Names, bounded_enum, bounded_number_enum, check_above, check_below,
    check_distinct, check_multiple, check_whole_multiple, checked, judged_number, keyed,
};
#[doc(hidden)]
pub use self::macros::{
    closed_enum, closed_number_enum, fields, number_enum, open_enum, open_number_enum, record,
    text_enum, value,
};
#[doc(hidden)]
pub use self::newtypes::{
    checked_number, checked_string, number_newtype, numeric_newtype, string_newtype, text_newtype,
    wrapper,
};
#[cfg(feature = "regex")]
#[doc(hidden)]
pub use self::pattern::Pattern;
#[doc(hidden)]
pub use self::reader::MAX_DEPTH;
#[doc(hidden)]
pub use self::record::{
    NoMembers, Record, put, put_all, put_patch, put_some, put_tagged, read_members, refuse_object,
    serialize_tagged,
};
#[doc(hidden)]
pub use self::serde_bridge::deserialize;
#[doc(hidden)]
pub use self::tuple::{Written, tuple};

/// A JSON object.
pub type Object = serde_json::Map<String, Value>;

/// An object used as a map: any keys, one type of value.
pub type Map<T> = std::collections::BTreeMap<String, T>;
