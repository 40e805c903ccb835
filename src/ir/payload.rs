//! Payloads of methods: who sends what to whom.

use std::fmt;

use super::{Handler, Method, Position, Protocol, Type};

/// A payload of a method with its sender and its receiver. In JSON a string: `door/open params
/// (guest->house)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Payload {
    /// The method's wire name.
    pub method: String,
    /// The part that it plays there.
    pub part: Part,
    /// The side that sends it; `either` where both do.
    pub sender: String,
    /// The side that gets it; `either` where both do.
    pub receiver: String,
}

/// The part that a payload plays in a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Part {
    /// The params of a request.
    Params,
    /// The result of a request.
    Result,
    /// The params of a notification.
    Notification,
}

impl Part {
    /// The payload in the terms of the model.
    pub fn position(self) -> Position {
        match self {
            Self::Params | Self::Notification => Position::Params,
            Self::Result => Position::Result,
        }
    }

    /// The part of a method's params.
    pub fn for_params(method: &Method) -> Self {
        if method.is_request() { Self::Params } else { Self::Notification }
    }
}

impl Protocol {
    /// The payloads of a method with their types: its params, then its result if it has one.
    pub fn payloads<'a>(&self, method: &'a Method) -> Vec<(Payload, &'a Type)> {
        let params = (Part::for_params(method), Some(method.params()));
        let parts = [params, (Part::Result, method.result())].into_iter();
        parts.filter_map(|(part, ty)| Some((Payload::new(self, method, part)?, ty?))).collect()
    }
}

impl Payload {
    /// A payload of a method, with the sides that send and get it. `None`: it has no such.
    pub fn new(protocol: &Protocol, method: &Method, part: Part) -> Option<Self> {
        let handler = match &method.handler {
            Handler::Side { name } => name.as_str(),
            Handler::Either | Handler::Protocol => EITHER,
        };
        let caller = caller(protocol, handler);
        let (sender, receiver) =
            if part == Part::Result { (handler, caller) } else { (caller, handler) };
        let has_it = if part == Part::Result {
            method.is_request()
        } else {
            part == Part::for_params(method)
        };
        has_it.then(|| Self {
            method: method.name.wire.clone(),
            part,
            sender: sender.to_owned(),
            receiver: receiver.to_owned(),
        })
    }
}

/// The side that calls what another handles: the other one of two, the first other one of more.
fn caller<'a>(protocol: &'a Protocol, handler: &str) -> &'a str {
    let mut others = protocol.sides.iter().filter(|side| side.name.wire != handler);
    match others.next() {
        Some(side) if handler != EITHER => &side.name.wire,
        _ => EITHER,
    }
}

/// The name that stands for a side where any side may be meant.
pub const EITHER: &str = "either";

impl fmt::Display for Payload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = match self.part {
            Part::Params | Part::Notification => "params",
            Part::Result => "result",
        };
        write!(formatter, "{} {part} ({}->{})", self.method, self.sender, self.receiver)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Payload {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
