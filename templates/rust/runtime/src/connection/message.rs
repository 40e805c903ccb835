//! From a line to messages. Nothing is copied: ids, params and results stay the text they are.

use std::borrow::Cow;

use super::super::json::{self, Kind, Reader};
use super::super::rpc::RequestError;
use super::CallError;

/// What a line holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming<'a> {
    /// One message, and its text.
    Single(&'a str, Message<'a>),
    /// The text of each entry of a batch, for [`message`].
    Batch(Vec<&'a str>),
}

/// A JSON-RPC message.
#[derive(Clone, Debug, PartialEq)]
pub enum Message<'a> {
    /// A call that wants an answer.
    Request {
        /// Its id, as it is spelled.
        id: &'a str,
        /// What is called.
        method: Cow<'a, str>,
        /// The text of the params.
        params: Option<&'a str>,
    },
    /// A call without an answer.
    Notification {
        /// What is called.
        method: Cow<'a, str>,
        /// The text of the params.
        params: Option<&'a str>,
    },
    /// An answer, perhaps a malformed one.
    Response {
        /// The id of the request, as it is spelled.
        id: &'a str,
        /// The text of the result.
        result: Option<&'a str>,
        /// The text of the error.
        error: Option<&'a str>,
    },
    /// None of these.
    Invalid {
        /// The id, as it is spelled, where it can be read, else `null`.
        id: &'a str,
        /// What to answer.
        error: RequestError,
    },
}

/// Reads a line.
///
/// # Errors
///
/// What to answer, with the id `null`: the line is not UTF-8, not JSON, nested deeper than 128
/// levels, or an empty batch.
pub fn incoming(line: &[u8]) -> Result<Incoming<'_>, RequestError> {
    match incoming_within(line, json::MAX_DEPTH)? {
        Incoming::Batch(entries) if entries.is_empty() => Err(RequestError::invalid_request()),
        incoming => Ok(incoming),
    }
}

/// The same, with another limit to the levels. A batch may be empty.
pub(super) fn incoming_within(line: &[u8], max_depth: u16) -> Result<Incoming<'_>, RequestError> {
    let text = std::str::from_utf8(line).map_err(|_| RequestError::parse_error())?;
    if text.starts_with('[') {
        let entries = entries(text, max_depth).map_err(|_| RequestError::parse_error())?;
        return Ok(Incoming::Batch(entries));
    }
    match scan(text, max_depth) {
        Ok(message) => Ok(Incoming::Single(text, message)),
        Err(_) => Err(RequestError::parse_error()),
    }
}

/// Reads one message, as [`incoming`] gives its text: a line that is not a batch, or an entry of
/// one.
pub fn message(text: &str) -> Message<'_> {
    scan(text, u16::MAX).unwrap_or_else(|_| Message::Invalid {
        id: "null",
        error: RequestError::parse_error(),
    })
}

/// What a response says.
///
/// # Errors
///
/// The error it carries, or that it is malformed.
pub fn outcome<'a>(result: Option<&'a str>, error: Option<&str>) -> Result<&'a str, CallError> {
    match (result, error) {
        (Some(result), None) => Ok(result),
        (None, Some(error)) => match json::decode::<RequestError>(error) {
            Ok(error) => Err(CallError::Answered(error)),
            Err(error) => Err(CallError::Malformed(error.within("error").to_string())),
        },
        (Some(_), Some(_)) => Err(malformed("both a result and an error")),
        // An empty result may be left out; where more is wanted, decoding says so.
        (None, None) => Ok("null"),
    }
}

/// The text of a member of an object: the last of its name.
pub fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let mut reader = Reader::over(object).max_depth(u16::MAX);
    reader.open_object().ok()?;
    let mut found = None;
    while let Some(key) = reader.key().ok()? {
        let value = reader.raw().ok()?;
        if key == name {
            found = Some(value);
        }
    }
    found
}

/// An object with another member in place of the one of that name, or after all others.
pub(super) fn with_member(object: &str, name: &str, value: &str) -> Option<String> {
    let body = object.strip_suffix('}')?;
    let Some(old) = member(object, name) else {
        let comma = if body == "{" { "" } else { "," };
        return Some(format!(
            "{body}{comma}{}:{value}}}",
            json::encode(name).ok()?
        ));
    };
    let start = old.as_ptr().addr().checked_sub(object.as_ptr().addr())?;
    let rest = object.get(start + old.len()..)?;
    Some([object.get(..start)?, value, rest].concat())
}

fn malformed(what: &str) -> CallError {
    CallError::Malformed(what.to_owned())
}

fn entries(text: &str, max_depth: u16) -> json::Result<Vec<&str>> {
    let mut reader = Reader::over(text).max_depth(max_depth);
    let mut entries = Vec::new();
    reader.open_array()?;
    while reader.has_item()? {
        entries.push(reader.raw()?);
    }
    reader.finish()?;
    Ok(entries)
}

/// Finds the members of a message. Fails only if the text is not JSON.
fn scan(text: &str, max_depth: u16) -> json::Result<Message<'_>> {
    let mut reader = Reader::over(text).max_depth(max_depth);
    if reader.peek()? != Kind::Object {
        reader.skip()?;
        reader.finish()?;
        return Ok(invalid(None));
    }
    let (mut id, mut params, mut result, mut error) = (None, None, None, None);
    let mut method = None;
    let mut is_named = true;
    reader.open_object()?;
    while let Some(key) = reader.key()? {
        match &*key {
            "id" => id = Some(reader.raw()?),
            "params" => params = Some(reader.raw()?),
            "result" => result = Some(reader.raw()?),
            "error" => error = Some(reader.raw()?),
            "method" => {
                is_named = reader.peek()? == Kind::String;
                method = if is_named {
                    Some(reader.string()?)
                } else {
                    reader.skip().map(|()| None)?
                };
            }
            _ => reader.skip()?,
        }
    }
    reader.finish()?;
    let is_id = id.is_none_or(is_id_text);
    if !is_id || !is_named {
        return Ok(invalid(id.filter(|_| is_id)));
    }
    Ok(match (id, method) {
        (Some(id), Some(method)) => Message::Request { id, method, params },
        (None, Some(method)) => Message::Notification { method, params },
        (Some(id), None) => Message::Response { id, result, error },
        // Some peers leave the id out of an error where it has to be null.
        (None, None) if error.is_some() && result.is_none() => Message::Response {
            id: "null",
            result,
            error,
        },
        (None, None) => invalid(None),
    })
}

/// Whether a value can be an id.
pub(super) fn is_id_text(text: &str) -> bool {
    !text.starts_with(['{', '[', 't', 'f'])
}

fn invalid(id: Option<&str>) -> Message<'_> {
    Message::Invalid {
        id: id.unwrap_or("null"),
        error: RequestError::invalid_request(),
    }
}
