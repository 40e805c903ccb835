//! Reading from any `serde` deserializer.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::Object;
use super::decode::{Decode, decode};

/// The name by which a deserializer of `serde_json` is asked for the text of the next value. One
/// that does not know it gives the value in the ordinary way.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// The name by which `serde_json` with the feature `arbitrary_precision` gives the text of a number.
const NUMBER: &str = "$serde_json::private::Number";

/// Reads a value from a deserializer: straight from its text where that is JSON.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Decode,
    D: Deserializer<'de>,
{
    let text = deserializer.deserialize_newtype_struct(RAW_VALUE, Text)?;
    decode(&text).map_err(D::Error::custom)
}

/// Takes a value as JSON text, in whichever way a deserializer gives it.
struct Text;

/// Takes the text that a deserializer of `serde_json` gives when it is asked for it.
struct RawText;

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        Ok(text_of(&<Value as serde::Deserialize>::deserialize(inner)?))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut object = Object::new();
        while let Some(key) = map.next_key_seed(RawText)? {
            if key == RAW_VALUE || key == NUMBER {
                return map.next_value_seed(RawText);
            }
            object.insert(key.into_owned(), map.next_value()?);
        }
        Ok(text_of(&Value::Object(object)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(text_of(&Value::Array(items)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text_of(&Value::from(text)))
    }

    fn visit_bool<E: Error>(self, boolean: bool) -> Result<Self::Value, E> {
        Ok(text_of(&Value::from(boolean)))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(text_of(&Value::from(number)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(text_of(&Value::from(number)))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(text_of(&Value::from(number)))
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(text_of(&Value::Null))
    }
}

fn text_of<'de>(value: &Value) -> Cow<'de, str> {
    Cow::Owned(value.to_string())
}

impl<'de> DeserializeSeed<'de> for RawText {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for RawText {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the text of a JSON value")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text))
    }
}
