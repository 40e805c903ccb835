//! Handlers: which methods each has, and who calls them.

use super::{CapabilityLocation, Field, Handler, Method, Protocol, Side, Type, TypeKind};

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

    /// The sides that can be at the other end of a side's connection: all others, or the side
    /// itself if it is the only one.
    pub fn other_ends<'a>(&'a self, side: &'a Side) -> impl Iterator<Item = &'a Side> {
        let is_alone = self.sides.len() == 1;
        self.sides.iter().filter(move |other| is_alone || *other != side)
    }

    /// The location at which the other end of a side's connection says what it can do.
    pub fn handshake<'a>(&'a self, side: &'a Side) -> Option<&'a CapabilityLocation> {
        self.other_ends(side).find_map(|other| other.capabilities.as_ref())
    }

    /// The notification that cancels a request, and the property that names the request: of the
    /// protocol's own notifications, the one whose params are required to hold just one thing.
    pub fn cancellation(&self) -> Option<(&Method, &Field)> {
        let mut own = self.methods_of(&Handler::Protocol).filter(|method| !method.is_request());
        own.find_map(|method| {
            let mut required = self.required_fields(method.params())?;
            let (first, second) = (required.next()?, required.next());
            second.is_none().then_some((method, first))
        })
    }

    /// Tells whether some results come in pieces.
    pub fn has_streams(&self) -> bool {
        self.methods.iter().any(|method| method.stream.is_some())
    }

    /// The fields of a record that have to be there. None for other types.
    pub fn required_fields<'a>(&'a self, ty: &'a Type) -> Option<impl Iterator<Item = &'a Field>> {
        let Type::Named { name } = self.resolve(ty) else { return None };
        let TypeKind::Record(record) = &self.type_def(name)?.kind else { return None };
        Some(record.fields.iter().filter(|field| field.presence.is_required()))
    }
}
