//! What all records and all enums have in common. Where a macro is used, `json` is this module.

/// [`Record`](super::Record) for a type whose fields are as those of most: a line for each, with the
/// name of the property, what becomes of an invalid value, perhaps the function that reads it, and
/// how the field holds it. The members that no field names may have a field, too.
#[doc(hidden)]
#[macro_export]
macro_rules! fields {
    ($type:ident {
        $($field:ident: $wire:literal
            $read:ident $(($decode:expr))? $store:ident $(($other:expr))?),+
        $(, ..$rest:ident: $map:ident $(($item:expr))?)?
        $(,)?
    }) => {
        impl json::Record for $type {
            fn read(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                $(let mut $field = None;)+
                $(let mut $rest = json::$map::new();)?
                while let Some(key) = reader.key()? {
                    match &*key {
                        $($wire => $field = json::fields!(@$read reader, key $(, $decode)?),)+
                        _ => json::fields!(@rest reader, key $(, $rest $(, $item)?)?),
                    }
                }
                Ok(Self {
                    $($field: json::fields!(@$store $field, $wire $(, $other)?),)+
                    $($rest,)?
                })
            }

            fn write<M: serde::ser::SerializeMap>(
                &self,
                object: &mut M,
            ) -> Result<(), M::Error> {
                $(json::fields!(@write $store object, $wire, &self.$field)?;)+
                $(json::put_all(object, &self.$rest)?;)?
                Ok(())
            }
        }

        json::record!($type);
    };
    (@strict $reader:ident, $key:ident) => { Some($reader.field(&$key)?) };
    (@strict $reader:ident, $key:ident, $decode:expr) => {
        Some($reader.field_with(&$key, $decode)?)
    };
    (@lenient $reader:ident, $key:ident) => { $reader.lenient(&$key)? };
    (@lenient $reader:ident, $key:ident, $decode:expr) => {
        $reader.lenient_with(&$key, $decode)?
    };
    (@lenient_default $reader:ident, $key:ident $(, $decode:expr)?) => {
        Some(json::fields!(@lenient $reader, $key $(, $decode)?).unwrap_or_default())
    };
    (@non_null $reader:ident, $key:ident) => { $reader.non_null(&$key)? };
    (@non_null $reader:ident, $key:ident, $decode:expr) => {
        $reader.non_null_with(&$key, $decode)?
    };
    (@non_null_default $reader:ident, $key:ident $(, $decode:expr)?) => {
        Some(json::fields!(@non_null $reader, $key $(, $decode)?).unwrap_or_default())
    };
    (@rest $reader:ident, $key:ident) => { $reader.skip()? };
    (@rest $reader:ident, $key:ident, $rest:ident) => {
        $reader.keep($key, &mut $rest, json::Decode::decode)?
    };
    (@rest $reader:ident, $key:ident, $rest:ident, $item:expr) => {
        $reader.keep($key, &mut $rest, $item)?
    };
    (@required $field:ident, $wire:literal) => { json::required($field, $wire)? };
    (@optional $field:ident, $wire:literal) => { $field };
    (@patch $field:ident, $wire:literal) => { $field.unwrap_or_default() };
    (@default $field:ident, $wire:literal) => { $field.unwrap_or_default() };
    (@or $field:ident, $wire:literal, $other:expr) => { $field.unwrap_or($other) };
    (@or_else $field:ident, $wire:literal, $other:expr) => { $field.unwrap_or_else($other) };
    (@write optional $object:ident, $wire:literal, $value:expr) => {
        json::put_some($object, $wire, $value.as_ref())
    };
    (@write patch $object:ident, $wire:literal, $value:expr) => {
        json::put_patch($object, $wire, $value)
    };
    (@write $other:ident $object:ident, $wire:literal, $value:expr) => {
        json::put($object, $wire, $value)
    };
}

/// `Decode`, `Serialize` and `Deserialize` for a type with [`Record`](super::Record).
#[doc(hidden)]
#[macro_export]
macro_rules! record {
    ($type:ident) => {
        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                reader.open_object()?;
                json::Record::read(reader)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut object = serializer.serialize_map(None)?;
                json::Record::write(self, &mut object)?;
                serde::ser::SerializeMap::end(object)
            }
        }

        json::value!($type);
    };
}

/// `Deserialize` for a type with [`Decode`](super::Decode).
#[doc(hidden)]
#[macro_export]
macro_rules! value {
    ($type:ident) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                json::deserialize(deserializer)
            }
        }
    };
}

/// What all enums of strings can do.
#[doc(hidden)]
#[macro_export]
macro_rules! text_enum {
    ($type:ident) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        json::value!($type);
    };
}

/// An enum of strings that has no other values.
#[doc(hidden)]
#[macro_export]
macro_rules! closed_enum {
    ($type:ident) => {
        impl std::str::FromStr for $type {
            type Err = json::DecodeError;

            fn from_str(text: &str) -> json::Result<Self> {
                let known = Self::ALL.iter().find(|value| value.as_str() == text);
                known
                    .copied()
                    .ok_or_else(|| json::DecodeError::new(Self::choices(), "another string"))
            }
        }

        impl $type {
            fn choices() -> String {
                json::one_of(&Self::ALL)
            }
        }

        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                if reader.peek()? != json::Kind::String {
                    return Err(reader.mismatch(Self::choices()));
                }
                reader.string()?.parse()
            }
        }

        json::text_enum!($type);
    };
}

/// An enum of strings that keeps values it does not know.
#[doc(hidden)]
#[macro_export]
macro_rules! open_enum {
    ($type:ident, $other:ident) => {
        impl $type {
            fn known(text: &str) -> Option<Self> {
                Self::ALL
                    .iter()
                    .find(|value| value.as_str() == text)
                    .cloned()
            }
        }

        impl From<&str> for $type {
            fn from(text: &str) -> Self {
                Self::known(text).unwrap_or_else(|| Self::$other(text.to_owned()))
            }
        }

        impl From<String> for $type {
            fn from(text: String) -> Self {
                Self::known(&text).unwrap_or(Self::$other(text))
            }
        }

        impl From<&$type> for $type {
            fn from(value: &$type) -> Self {
                value.clone()
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
                reader.string().map(|text| Self::from(&*text))
            }
        }

        json::text_enum!($type);
    };
}

/// What all enums of integers can do.
#[doc(hidden)]
#[macro_export]
macro_rules! number_enum {
    ($type:ident, $integer:ident) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.value().fmt(formatter)
            }
        }

        impl From<$type> for $integer {
            fn from(value: $type) -> Self {
                value.value()
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.value().serialize(serializer)
            }
        }

        json::value!($type);
    };
}

/// An enum of integers that has no other values.
#[doc(hidden)]
#[macro_export]
macro_rules! closed_number_enum {
    ($type:ident, $integer:ident) => {
        impl TryFrom<$integer> for $type {
            type Error = json::DecodeError;

            fn try_from(number: $integer) -> json::Result<Self> {
                let known = Self::ALL.iter().find(|value| value.value() == number);
                known
                    .copied()
                    .ok_or_else(|| json::DecodeError::new(Self::choices(), "another number"))
            }
        }

        impl $type {
            fn choices() -> String {
                json::one_of(&Self::ALL)
            }
        }

        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                if reader.peek()? != json::Kind::Number {
                    return Err(reader.mismatch(Self::choices()));
                }
                let number = <$integer as json::Decode>::decode(reader);
                number
                    .map_err(|error| match error.found() {
                        "a fraction" | "a number out of range" => {
                            json::DecodeError::new(Self::choices(), "another number")
                        }
                        _ => error,
                    })?
                    .try_into()
            }
        }

        json::number_enum!($type, $integer);
    };
}

/// An enum of integers that keeps values it does not know.
#[doc(hidden)]
#[macro_export]
macro_rules! open_number_enum {
    ($type:ident, $integer:ident, $other:ident) => {
        impl From<$integer> for $type {
            fn from(number: $integer) -> Self {
                let known = Self::ALL.iter().find(|value| value.value() == number);
                known.copied().unwrap_or(Self::$other(number))
            }
        }

        impl json::Decode for $type {
            fn decode(reader: &mut json::Reader<'_>) -> json::Result<Self> {
                <$integer as json::Decode>::decode(reader).map(Self::from)
            }
        }

        json::number_enum!($type, $integer);
    };
}

#[doc(hidden)]
pub use {
    closed_enum, closed_number_enum, fields, number_enum, open_enum, open_number_enum, record,
    text_enum, value,
};
