//! From the wire names in annotations to methods. A name alone is no method: a request and a
//! notification may share it, and each side may handle its own.

use super::{Handler, Method, ProcessHost, Protocol, Side};

impl Protocol {
    /// Tells whether there are so many definitions that their printing is worth several threads.
    pub(crate) fn is_large(&self) -> bool {
        self.types.len() > 1024
    }

    /// The methods of a wire name, in schema order.
    pub fn named<'a, 'w>(
        &'a self,
        wire: &'w str,
    ) -> impl Iterator<Item = &'a Method> + use<'a, 'w> {
        self.methods.iter().filter(move |method| method.name.wire == wire)
    }

    /// The request of a wire name: the first, where several sides handle one.
    pub fn request(&self, wire: &str) -> Option<&Method> {
        self.methods.iter().find(|method| method.is_request() && method.name.wire == wire)
    }

    /// The request of a wire name that a side handles.
    pub fn request_of<'a>(&'a self, side: &'a str, wire: &str) -> Option<&'a Method> {
        let mut handled = self.handled_by(side);
        handled.find(|method| method.is_request() && method.name.wire == wire)
    }

    /// The method of a wire name that a handler has: the request, where a notification shares the
    /// name.
    pub fn method_of(&self, handler: &Handler, wire: &str) -> Option<&Method> {
        let mut named = self.methods_of(handler).filter(|method| method.name.wire == wire);
        let first = named.next()?;
        if first.is_request() {
            Some(first)
        } else {
            named.find(|it| it.is_request()).or(Some(first))
        }
    }

    /// The requests that start programs, with the classes that run them, in order.
    pub fn process_hosts(&self) -> impl Iterator<Item = (&Method, &ProcessHost)> {
        self.methods.iter().filter_map(|method| Some((method, method.process.as_ref()?)))
    }

    /// Tells whether a side can be a server: it handles the request that opens connections. If it is
    /// not said which one does, or if it is the connection's own, any side can.
    pub fn can_serve(&self, side: &Side) -> bool {
        let Some(remote) = &self.remote else { return true };
        let own = self.method_of(&Handler::Protocol, &remote.opens);
        self.request_of(&side.name.wire, &remote.opens).is_some()
            || own.is_some_and(Method::is_request)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::ir::Handler;
    use crate::load::{Purpose, load};
    use crate::schema::SchemaText;

    fn payload(side: &str, method: &str) -> Value {
        json!({ "type": "object", "x-side": side, "x-method": method })
    }

    #[test]
    fn a_request_is_found_behind_a_notification_of_its_name() {
        let schema = json!({ "title": "T", "$defs": {
            "KnockNotification": payload("guest", "knock"),
            "TapNotification": payload("host", "knock"),
            "KnockRequest": payload("host", "knock"),
            "KnockResponse": payload("host", "knock"),
        }, "x-remote": { "path": "/", "opens": "knock", "connection": "Knock" } });
        let loaded = load(SchemaText::from_value("t.json", &schema), Purpose::Generate);
        let protocol = loaded.protocol.unwrap();
        assert!(protocol.request("knock").unwrap().is_handled_by("host"));
        let handler = |side: &str| Handler::Side { name: side.to_owned() };
        assert!(protocol.method_of(&handler("host"), "knock").unwrap().is_request());
        assert!(!protocol.method_of(&handler("guest"), "knock").unwrap().is_request());
        assert!(protocol.method_of(&handler("guest"), "ring").is_none());
        assert!(protocol.can_serve(protocol.side("host").unwrap()));
        assert!(!protocol.can_serve(protocol.side("guest").unwrap()));
    }
}
