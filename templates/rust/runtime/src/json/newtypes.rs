//! What all types around one value have in common. Where a macro is used, `json` is this module.

/// What all strings of their own type can do.
#[doc(hidden)]
#[macro_export]
macro_rules! text_newtype {
    ($type:ident) => {
        impl $type {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&$type> for $type {
            fn from(value: &$type) -> Self {
                value.clone()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.0
            }
        }

        impl std::ops::Deref for $type {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::borrow::Borrow<str> for $type {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $type {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $type {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        json::value!($type);
    };
}

/// A string of its own type.
#[doc(hidden)]
#[macro_export]
macro_rules! string_newtype {
    ($type:ident) => {
        impl $type {
            /// Any text.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }
        }

        impl From<&str> for $type {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<&String> for $type {
            fn from(text: &String) -> Self {
                Self(text.clone())
            }
        }

        impl From<String> for $type {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl std::str::FromStr for $type {
            type Err = std::convert::Infallible;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok(Self::from(text))
            }
        }

        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                reader.string().map(|text| Self(text.into_owned()))
            }
        }

        json::text_newtype!($type);
    };
}

/// A string of its own type, of limited length, and maybe with a pattern: as the schema has it,
/// and as it is spelled here.
#[doc(hidden)]
#[macro_export]
macro_rules! checked_string {
    ($type:ident, $minimum:literal, $maximum:expr $(, $source:literal, $spelled:literal)?) => {
        impl $type {
            /// A text that fits.
            ///
            /// # Errors
            ///
            /// It does not.
            pub fn new(text: impl Into<String>) -> json::Result<Self> {
                let text = text.into();
                let length = text.chars().count();
                json::check_length("characters", length, $minimum, $maximum)?;
                $({
                    static PATTERN: json::Pattern = json::Pattern::new($source, $spelled);
                    PATTERN.check(&text)?;
                })?
                Ok(Self(text))
            }
        }

        impl TryFrom<&str> for $type {
            type Error = json::DecodeError;

            fn try_from(text: &str) -> json::Result<Self> {
                Self::new(text)
            }
        }

        impl TryFrom<String> for $type {
            type Error = json::DecodeError;

            fn try_from(text: String) -> json::Result<Self> {
                Self::new(text)
            }
        }

        impl std::str::FromStr for $type {
            type Err = json::DecodeError;

            fn from_str(text: &str) -> json::Result<Self> {
                Self::new(text)
            }
        }

        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                Self::new(reader.string()?)
            }
        }

        json::text_newtype!($type);
    };
}

/// What all numbers of their own type can do.
#[doc(hidden)]
#[macro_export]
macro_rules! numeric_newtype {
    ($type:ident, $number:ident) => {
        impl $type {
            /// The number.
            pub fn get(self) -> $number {
                self.0
            }
        }

        impl From<$type> for $number {
            fn from(value: $type) -> Self {
                value.0
            }
        }

        impl From<&$type> for $type {
            fn from(value: &$type) -> Self {
                *value
            }
        }

        impl PartialEq<$number> for $type {
            fn eq(&self, other: &$number) -> bool {
                self.0 == *other
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }

        json::value!($type);
    };
}

/// A number of its own type.
#[doc(hidden)]
#[macro_export]
macro_rules! number_newtype {
    ($type:ident, $number:ident) => {
        impl $type {
            /// Any number.
            pub const fn new(number: $number) -> Self {
                Self(number)
            }
        }

        impl From<$number> for $type {
            fn from(number: $number) -> Self {
                Self(number)
            }
        }

        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                json::Decode::decode(reader).map(Self)
            }
        }

        json::numeric_newtype!($type, $number);
    };
}

/// A number of its own type and within bounds.
#[doc(hidden)]
#[macro_export]
macro_rules! checked_number {
    ($type:ident, $number:ident, $minimum:expr, $maximum:expr) => {
        impl $type {
            /// A number within the bounds.
            ///
            /// # Errors
            ///
            /// It is out of them.
            pub fn new(number: $number) -> json::Result<Self> {
                json::check_bounds(&number, &$minimum, &$maximum)?;
                Ok(Self(number))
            }
        }

        impl TryFrom<$number> for $type {
            type Error = json::DecodeError;

            fn try_from(number: $number) -> json::Result<Self> {
                Self::new(number)
            }
        }

        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                json::number_in(reader, &$minimum, &$maximum).map(Self)
            }
        }

        json::numeric_newtype!($type, $number);
    };
}

/// An array or a map of its own type.
#[doc(hidden)]
#[macro_export]
macro_rules! wrapper {
    ($type:ident, $inner:ty) => {
        impl From<$inner> for $type {
            fn from(inner: $inner) -> Self {
                Self(inner)
            }
        }

        impl std::ops::Deref for $type {
            type Target = $inner;

            fn deref(&self) -> &$inner {
                &self.0
            }
        }

        impl std::ops::DerefMut for $type {
            fn deref_mut(&mut self) -> &mut $inner {
                &mut self.0
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }

        json::value!($type);
    };
}

#[doc(hidden)]
pub use {
    checked_number, checked_string, number_newtype, numeric_newtype, string_newtype, text_newtype,
    wrapper,
};
