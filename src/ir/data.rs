//! The part of a protocol that is data: types and names of methods.

use super::Protocol;

impl Protocol {
    /// The protocol without all that connections are for: its types, and its methods by name.
    #[must_use]
    pub fn data_only(&self) -> Self {
        let mut protocol = self.clone();
        protocol.negotiation = None;
        protocol.remote = None;
        // They show connections.
        protocol.guides.clear();
        protocol.sides.clear();
        protocol.extensions = None;
        protocol.catalogue = None;
        for method in &mut protocol.methods {
            method.cancels.clear();
            method.handle = None;
            method.process = None;
            method.progress.clear();
            method.choice = None;
            method.file = None;
            method.stream = None;
        }
        protocol
    }
}
