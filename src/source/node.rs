//! JSON values with spans.

use indexmap::IndexMap;
use serde_json::Value;

use super::Span;

/// A JSON value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The bytes of the value.
    pub span: Span,
    /// The value.
    pub json: Json,
}

/// The kinds of JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(serde_json::Number),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object; its keys are unique, in the order of the text.
    Object(IndexMap<String, Member>),
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The bytes of the key, quotes included.
    pub key: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The value of an object's property.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_object()?.get(key).map(|member| &member.value)
    }

    /// The properties, if this is an object.
    pub fn as_object(&self) -> Option<&IndexMap<String, Member>> {
        match &self.json {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The items, if this is an array.
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.json {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.json {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.json {
            Json::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Names the kind of value, with its article, for messages.
    pub fn describe(&self) -> &'static str {
        match self.json {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Number(_) => "a number",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }

    /// The plain value, without spans.
    pub fn to_value(&self) -> Value {
        match &self.json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => Value::Number(number.clone()),
            Json::String(text) => Value::String(text.clone()),
            Json::Array(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Json::Object(members) => Value::Object(
                members
                    .iter()
                    .map(|(key, member)| (key.clone(), member.value.to_value()))
                    .collect(),
            ),
        }
    }
}
