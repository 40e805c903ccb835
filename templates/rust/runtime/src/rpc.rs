//! What handlers of JSON-RPC methods give and get.

use std::any::type_name;
use std::fmt;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};

use super::json::{self, Value};

/// What a handler gives.
pub type Result<T, E = RequestError> = std::result::Result<T, E>;

/// Why a request failed: the error object of JSON-RPC.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RequestError {
    /// The kind of error.
    pub code: i32,
    /// One sentence for people.
    pub message: String,
    /// Anything else that is known about it.
    pub data: Option<Value>,
    origin: Origin,
    /// The members of the data that an error of the protocol's own is shown with.
    shown: &'static [&'static str],
}

/// The members of the data of a protocol's own errors, by their codes: texts.
#[doc(hidden)]
pub type Members = &'static [(i32, &'static [&'static str])];

/// Where an error comes from.
#[derive(Clone, Debug)]
enum Origin {
    /// It is meant for whoever gets it.
    Chosen,
    /// A handler failed: why. The peer is told only if that was chosen.
    Unexpected(String),
    /// A call of this method was answered with it.
    Answer(String),
}

impl RequestError {
    /// An error of this kind.
    pub fn new(code: impl Into<i32>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            data: None,
            origin: Origin::Chosen,
            shown: &[],
        }
    }

    /// Adds what else is known.
    #[must_use]
    pub fn data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into());
        self
    }

    /// The message was not JSON: -32700.
    pub fn parse_error() -> Self {
        Self::new(-32700, "Parse error")
    }

    /// The message was not a request: -32600.
    pub fn invalid_request() -> Self {
        Self::new(-32600, "Invalid request")
    }

    /// Nothing handles this method: -32601.
    pub fn method_not_found(method: &str) -> Self {
        let mut data = json::Object::new();
        data.insert(String::from("method"), Value::from(method));
        Self::new(-32601, "Method not found").data(data)
    }

    /// The params are not those of the method: -32602.
    pub fn invalid_params() -> Self {
        Self::new(-32602, "Invalid params")
    }

    /// The handler failed: -32603.
    pub fn internal_error() -> Self {
        Self::new(-32603, "Internal error")
    }

    /// The handler failed unexpectedly: -32603. Why it did is for this end's observer and log; the
    /// peer is told only with `error_details` of the connection's options.
    pub fn unexpected(error: impl fmt::Display) -> Self {
        Self {
            origin: Origin::Unexpected(error.to_string()),
            ..Self::internal_error()
        }
    }

    /// Why a handler failed unexpectedly.
    #[doc(hidden)]
    pub fn details(&self) -> Option<&str> {
        match &self.origin {
            Origin::Unexpected(details) => Some(details),
            Origin::Chosen | Origin::Answer(_) => None,
        }
    }

    /// The method of the call that was answered with it, if one was.
    pub fn call(&self) -> Option<&str> {
        match &self.origin {
            Origin::Answer(method) => Some(method),
            Origin::Chosen | Origin::Unexpected(_) => None,
        }
    }

    /// Says that a call of this method was answered with it. `members`: those of the protocol's own
    /// errors.
    #[must_use]
    #[doc(hidden)]
    pub fn answering(self, method: &str, members: Members) -> Self {
        let own = members.iter().find(|(code, _)| *code == self.code);
        Self {
            origin: Origin::Answer(method.to_owned()),
            shown: own.map_or(self.shown, |(_, members)| members),
            ..self
        }
    }

    /// Adds members to the data, of those that are there: texts, with which the error is shown.
    #[doc(hidden)]
    #[must_use]
    pub fn with_members<const N: usize>(
        mut self,
        names: &'static [&'static str; N],
        members: [Option<String>; N],
    ) -> Self {
        self.shown = names;
        let members = names.iter().zip(members);
        let members = members.filter_map(|(name, text)| Some(((*name).to_owned(), text?.into())));
        let data: json::Object = members.collect();
        if data.is_empty() {
            self
        } else {
            self.data(data)
        }
    }

    /// The request was cancelled: -32800.
    pub fn request_cancelled() -> Self {
        Self::new(-32800, "Request cancelled")
    }

    /// What the data tell that the message does not: the method that was not found, what is wrong
    /// with params, or the members that the protocol gives to an error of its own.
    fn told(&self) -> Option<String> {
        let data = |name| self.data.as_ref()?.get(name)?.as_str();
        let told = match self.code {
            -32601 => data("method")?.to_owned(),
            -32602 => {
                let (expected, found) = (data("expected")?, data("found")?);
                let told = format!("expected {expected}, found {found}");
                match data("path")? {
                    "" => told,
                    path => format!("{path}: {told}"),
                }
            }
            _ => {
                let own = self.shown.iter().filter_map(|name| data(name));
                own.collect::<Vec<_>>().join(", ")
            }
        };
        Some(told).filter(|told| Some(told.as_str()) != self.call() && !self.message.contains(told))
    }
}

/// Errors that say the same are equal, whichever call was answered with them.
impl PartialEq for RequestError {
    fn eq(&self, other: &Self) -> bool {
        (self.code, &self.message, &self.data, self.details())
            == (other.code, &other.message, &other.data, other.details())
    }
}

impl Eq for RequestError {}

impl fmt::Display for RequestError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(method) = self.call() {
            write!(formatter, "{method}: ")?;
        }
        formatter.write_str(&self.message)?;
        if let Some(told) = self.told() {
            write!(formatter, ": {told}")?;
        }
        write!(formatter, " ({})", self.code)
    }
}

impl std::error::Error for RequestError {}

/// Bad params: -32602, with the place and what was expected there.
impl From<json::DecodeError> for RequestError {
    fn from(error: json::DecodeError) -> Self {
        let mut data = json::Object::new();
        data.insert(String::from("path"), Value::from(error.path()));
        data.insert(String::from("expected"), Value::from(error.expected()));
        data.insert(String::from("found"), Value::from(error.found()));
        Self::invalid_params().data(data)
    }
}

impl json::Record for RequestError {
    fn read(reader: &mut json::Reader<'_>) -> json::Result<Self> {
        let mut code = None;
        let mut message = None;
        let mut data = None;
        while let Some(key) = reader.key()? {
            match &*key {
                "code" => code = Some(reader.field("code")?),
                "message" => message = Some(reader.field("message")?),
                "data" => data = Some(reader.field("data")?),
                _ => reader.skip()?,
            }
        }
        let code = json::required(code, "code")?;
        let message = json::required(message, "message")?;
        Ok(Self {
            code,
            message,
            data,
            origin: Origin::Chosen,
            shown: &[],
        })
    }

    fn write<M: serde::ser::SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        json::put(object, "code", &self.code)?;
        json::put(object, "message", &self.message)?;
        json::put_some(object, "data", self.data.as_ref())
    }
}

json::record!(RequestError);

/// Reads the params of a method. Absent params are those without any member.
///
/// # Errors
///
/// -32602 with the place in `data`.
pub fn params<T: json::Decode>(params: Option<&str>) -> Result<T> {
    params_with(&mut json::Decoder::new(), params)
}

/// Reads the params of a method, with choices.
#[doc(hidden)]
pub fn params_with<T: json::Decode>(
    decoder: &mut json::Decoder<'_>,
    params: Option<&str>,
) -> Result<T> {
    let read = match params {
        Some(text) => decoder.decode(text),
        None => match decoder.decode("{}") {
            Err(error) => decoder.decode("null").map_err(|_| error),
            value => value,
        },
    };
    read.map_err(|error| RequestError::from(error.within("params")))
}

/// Reads the result of a request. Where the result need not have any member, `null` and nothing
/// at all stand for it; and where it is only `null`, `{}` does.
///
/// # Errors
///
/// The text is not the result of the method.
pub fn result<T: json::Decode>(result: Option<&str>) -> json::Result<T> {
    result_with(&mut json::Decoder::new(), result)
}

/// Reads the result of a request, with choices.
#[doc(hidden)]
pub fn result_with<T: json::Decode>(
    decoder: &mut json::Decoder<'_>,
    result: Option<&str>,
) -> json::Result<T> {
    let text = result.unwrap_or("null");
    decoder.decode(text).or_else(|error| match text.trim() {
        "null" => decoder.decode("{}").map_err(|_| error),
        "{}" => decoder.decode("null").map_err(|_| error),
        _ => Err(error),
    })
}

/// Answers for a handler that does not have the method.
#[doc(hidden)]
pub fn unsupported<P, T>(method: &str, params: P) -> LeftOut<T> {
    drop(params);
    LeftOut(ready(Err(RequestError::method_not_found(method))))
}

/// Takes a notification that the handler has no interest in.
#[doc(hidden)]
pub fn ignored<P>(params: P) -> LeftOut<()> {
    drop(params);
    LeftOut(ready(Ok(())))
}

/// What a function of a handler gives that was left out. No function that was written gives it.
#[doc(hidden)]
pub struct LeftOut<T>(Ready<Result<T>>);

impl<T> Future for LeftOut<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context)
    }
}

/// Whether a handler has a function, and did not leave it out.
#[doc(hidden)]
pub fn has<'a, H: 'a, P, C, T, F: Future<Output = Result<T>>>(
    _: impl Fn(&'a H, P, C) -> F,
) -> bool {
    type_name::<F>() != type_name::<LeftOut<T>>()
}

/// Whether a handler has the function for all methods that are not named, and did not leave it
/// out.
#[doc(hidden)]
#[doc(hidden)]
pub fn has_any<'a, H: 'a, P, C, T, F: Future<Output = Result<T>>>(
    _: impl Fn(&'a H, String, P, C) -> F,
) -> bool {
    type_name::<F>() != type_name::<LeftOut<T>>()
}

/// What a member of an error's data can be.
pub trait Member {
    /// The text, if there is one.
    fn text(self) -> Option<String>;
}

impl Member for &str {
    fn text(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl Member for &String {
    fn text(self) -> Option<String> {
        Some(self.clone())
    }
}

impl Member for String {
    fn text(self) -> Option<String> {
        Some(self)
    }
}

// The only one of an `Option`, so that the type of `None` is known.
impl Member for Option<String> {
    fn text(self) -> Option<String> {
        self
    }
}
