//! Handlers: which methods each has, and who calls them.

use super::{CapabilityLocation, Handler, Method, Protocol, Side};

impl Protocol {
    /// All handlers: the sides in their order, either side, and the connection.
    pub fn handlers(&self) -> impl Iterator<Item = Handler> {
        let sides = self.sides.iter().map(|side| Handler::Side { name: side.name.wire.clone() });
        sides.chain([Handler::Either, Handler::Protocol])
    }

    /// The methods of a handler, in the order of the schema.
    pub fn methods_of(&self, handler: &Handler) -> impl Iterator<Item = &Method> {
        self.methods.iter().filter(move |method| method.handler == *handler)
    }

    /// The sides that call what a side handles: all others.
    pub fn callers(&self, side: &str) -> impl Iterator<Item = &Side> {
        self.sides.iter().filter(move |other| other.name.wire != side)
    }

    /// The location of the capabilities of the side that a handler is, if it tells them.
    pub fn capabilities_of(&self, handler: &Handler) -> Option<&CapabilityLocation> {
        match handler {
            Handler::Side { name } => self.side(name)?.capabilities.as_ref(),
            Handler::Either | Handler::Protocol => None,
        }
    }
}
