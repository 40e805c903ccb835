//! The rules of the connections of a side: plain data, which the runtimes of all languages
//! interpret.

#[cfg(feature = "serde")]
use serde::Serialize;
use serde_json::Value;

use super::{
    Advertised, CapabilityLocation, Gate, Method, Part, Position, Protocol, RemoteSession, Side,
};

/// The rules of the connections of a side. Methods are given by their names on the wire, as in
/// messages.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct ConnectionRules {
    /// The name of the side.
    pub near: String,
    /// The name of the other end, where it is always the same side.
    pub far: Option<String>,
    /// The notification that cancels a request by its id.
    pub cancel: Option<CancelRule>,
    /// The messages that cancel requests which the side handles (annotation `x-cancels`).
    pub cancels: Vec<TurnRule>,
    /// The payload in which the other end says what it can do (annotation `x-capabilities`).
    pub handshake: Option<CapabilityRule>,
    /// The capabilities that the side must not claim without handling methods, where the schema lets
    /// it leave methods out.
    pub advertises: Option<AdvertisedRule>,
    /// The request in which both ends agree on a version (annotation `x-protocol-version`).
    pub negotiation: Option<NegotiationRule>,
    /// The rules of calls that the side makes, for methods that have some.
    pub calls: Vec<CallRule>,
    /// The parts of payloads that the side may send only if their receiver allows it (annotation
    /// `x-capability`).
    pub gates: Vec<GatedRule>,
}

/// The notification that cancels a request by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CancelRule {
    /// The notification.
    pub method: String,
    /// The property of its params that holds the request's id.
    pub property: String,
}

/// A message that cancels requests.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct TurnRule {
    /// The message.
    pub method: String,
    /// The request that it cancels.
    pub request: String,
    /// The property that is the same in the params of both.
    pub key: String,
    /// The result of a request that ends by it. `None`: an error.
    pub result: Option<Value>,
}

/// The payload in which an end says what it can do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CapabilityRule {
    /// The request.
    pub method: String,
    /// Which of its payloads.
    pub part: Part,
    /// The property that holds the capabilities.
    pub property: String,
}

/// The payload in which a side says what it can do, and the methods that it has to handle then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct AdvertisedRule {
    /// The payload.
    pub location: CapabilityRule,
    /// The capabilities that stand for methods.
    pub capabilities: Vec<Advertised>,
}

/// The request in which two ends agree on a version.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct NegotiationRule {
    /// The request.
    pub method: String,
    /// The property of its params that holds the version asked for.
    pub params: String,
    /// The property of its result that holds the version agreed on.
    pub result: String,
    /// The versions that this end speaks, from the lowest to the highest.
    pub versions: Vec<Value>,
    /// True if the side handles the request.
    pub answers: bool,
}

/// The rules of calls of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CallRule {
    /// The method.
    pub method: String,
    /// Whether it is a request or a notification.
    pub part: Part,
    /// True if it changes what the connection is, and must not be in a batch (annotation
    /// `x-lifecycle`).
    pub lifecycle: bool,
    /// The path within the other end's capabilities that allows it. Empty: it is always allowed.
    pub capability: Vec<String>,
}

/// The parts of a payload that may be sent only if its receiver allows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct GatedRule {
    /// The method.
    pub method: String,
    /// Which of its payloads.
    pub part: Part,
    /// The places.
    pub gates: Vec<Gate>,
}

/// The rules of connections over a network (annotation `x-remote`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct EndpointRules {
    /// The path where connections are made.
    pub path: String,
    /// The request that opens a connection over HTTP.
    pub opens: Option<String>,
    /// The header that holds the id of a connection.
    pub connection: Option<String>,
    /// The header that holds the version which is spoken.
    pub version: Option<VersionRule>,
    /// The property and the header that tell the sessions of a connection apart.
    pub session: Option<RemoteSession>,
}

/// The header that holds the version which is spoken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct VersionRule {
    /// The header.
    pub header: String,
    /// The property of the opening request's result that says which version that is, if the ends
    /// agree on one there.
    pub property: Option<String>,
    /// The version of the schema, as the header says it.
    pub value: Option<String>,
}

impl Protocol {
    /// The rules of the connections of a side.
    pub fn connection_rules(&self, side: &Side) -> ConnectionRules {
        let name = &side.name.wire;
        let cancel = self.cancellation().map(|(method, field)| CancelRule {
            method: method.name.wire.clone(),
            property: field.name.wire.clone(),
        });
        let negotiation = self.negotiation.as_ref();
        let negotiation = negotiation.and_then(|it| Some((it, self.request(&it.method)?)));
        ConnectionRules {
            near: name.clone(),
            far: self.far_end(side).map(|far| far.name.wire.clone()),
            cancel,
            cancels: self.turns(side),
            handshake: self.handshake(side).map(CapabilityRule::new),
            advertises: side.capabilities.as_ref().and_then(|location| {
                let capabilities = self.advertised(name);
                let location = CapabilityRule::new(location);
                (!capabilities.is_empty()).then_some(AdvertisedRule { location, capabilities })
            }),
            negotiation: negotiation.map(|(it, method)| NegotiationRule {
                method: it.method.clone(),
                params: it.params.wire.clone(),
                result: it.result.wire.clone(),
                versions: it.versions.clone(),
                answers: method.is_handled_by(name),
            }),
            calls: self.called_by(side).filter_map(CallRule::new).collect(),
            gates: self.methods.iter().flat_map(|method| self.gated(side, method)).collect(),
        }
    }

    /// The side at the other end of a side's connections, where it is always the same: the one that
    /// the schema says, else the only one that there is.
    pub fn far_end<'a>(&'a self, side: &'a Side) -> Option<&'a Side> {
        if let Some(name) = &side.counterpart {
            return self.side(name);
        }
        let mut others = self.other_ends(side);
        others.next().filter(|_| others.next().is_none())
    }

    /// The rules of connections over a network. Without the annotation, they are made at the root.
    pub fn endpoint_rules(&self) -> EndpointRules {
        let remote = self.remote.as_ref();
        let version = remote.and_then(|remote| Some((remote.version.as_ref()?, &remote.opens)));
        EndpointRules {
            path: remote.map_or_else(|| String::from("/"), |it| it.path.clone()),
            opens: remote.map(|it| it.opens.clone()),
            connection: remote.map(|it| it.connection.clone()),
            version: version.map(|(header, opens)| {
                let agreed = self.negotiation.as_ref().filter(|it| it.method == *opens);
                VersionRule {
                    header: header.clone(),
                    property: agreed.map(|it| it.result.wire.clone()),
                    value: self.version.as_ref().map(|version| match version.as_str() {
                        Some(text) => text.to_owned(),
                        None => version.to_string(),
                    }),
                }
            }),
            session: remote.and_then(|it| it.session.clone()),
        }
    }

    /// The messages that cancel requests which a side handles.
    fn turns(&self, side: &Side) -> Vec<TurnRule> {
        let handles = |request: &str| self.request_of(&side.name.wire, request).is_some();
        let turns = self.methods.iter().flat_map(|method| {
            let cancels = method.cancels.iter().filter(|cancels| handles(&cancels.request));
            cancels.map(|cancels| TurnRule {
                method: method.name.wire.clone(),
                request: cancels.request.clone(),
                key: cancels.key.clone(),
                result: cancels.result.clone(),
            })
        });
        turns.collect()
    }

    /// The payloads of a method that a side sends and of which the receiver has to allow parts.
    fn gated(&self, side: &Side, method: &Method) -> Vec<GatedRule> {
        let name = &side.name.wire;
        let sends = |part: Part| match part {
            Part::Result => method.is_handled_by(name),
            Part::Params | Part::Notification => self.is_called_by(method, side),
        };
        let payloads = self.payloads(method).into_iter();
        let gated = payloads.filter(|(payload, _)| sends(payload.part)).map(|(payload, ty)| {
            let gates = self.gates(&payload, ty);
            GatedRule { method: payload.method, part: payload.part, gates }
        });
        gated.filter(|rule| !rule.gates.is_empty()).collect()
    }
}

impl ConnectionRules {
    /// The methods that the side has to handle if it says that it can.
    pub fn advertised(&self) -> impl Iterator<Item = &String> {
        let capabilities = self.advertises.iter().flat_map(|it| &it.capabilities);
        capabilities.flat_map(|it| &it.methods)
    }
}

impl EndpointRules {
    /// The same with the names of headers in lower case, which to HTTP is all the same (RFC 9110,
    /// section 5.1).
    #[must_use]
    pub fn with_lower_case_headers(mut self) -> Self {
        let version = self.version.as_mut().map(|version| &mut version.header);
        let session = self.session.as_mut().map(|session| &mut session.header);
        let headers = self.connection.as_mut().into_iter().chain(version).chain(session);
        headers.for_each(|header| header.make_ascii_lowercase());
        self
    }
}

impl CapabilityRule {
    fn new(location: &CapabilityLocation) -> Self {
        let part = match location.position {
            Position::Params => Part::Params,
            Position::Result => Part::Result,
        };
        let (method, property) = (location.method.clone(), location.property.wire.clone());
        Self { method, part, property }
    }
}

impl CallRule {
    /// The rules of calls of a method, if it has some.
    fn new(method: &Method) -> Option<Self> {
        let capability = method.capability.clone().unwrap_or_default();
        (method.lifecycle || !capability.is_empty()).then(|| Self {
            method: method.name.wire.clone(),
            part: Part::for_params(method),
            lifecycle: method.lifecycle,
            capability,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{CallRule, ConnectionRules};
    use crate::ir::{Gate, Part, Protocol, Step};
    use crate::load::{Purpose, load};
    use crate::schema::SchemaText;

    fn protocol(schema: &Value) -> Protocol {
        let loaded = load(SchemaText::from_value("t.json", schema), Purpose::Generate);
        loaded.protocol.unwrap()
    }

    fn payload(side: &str, method: &str) -> Value {
        json!({ "type": "object", "x-side": side, "x-method": method })
    }

    fn rules(protocol: &Protocol, side: &str) -> ConnectionRules {
        protocol.connection_rules(protocol.side(side).unwrap())
    }

    /// A host that says what it can do in `hello`, and rings only then.
    fn house() -> Value {
        let mut hello = payload("host", "hello");
        hello["properties"] = json!({ "abilities": {
            "type": "object",
            "properties": { "bells": { "type": "object" } },
            "x-capabilities": "host",
        } });
        let mut ring = payload("host", "ring");
        ring["x-capability"] = json!("bells");
        ring["x-optional"] = json!(true);
        ring["x-lifecycle"] = json!(true);
        json!({ "title": "T", "$defs": {
            "HelloRequest": payload("host", "hello"),
            "HelloResponse": hello,
            "RingRequest": ring,
            "RingResponse": payload("host", "ring"),
            "WaveNotification": payload("guest", "wave"),
        } })
    }

    #[test]
    fn a_capability_binds_both_ends() {
        let protocol = protocol(&house());
        let guest = rules(&protocol, "guest");
        assert_eq!((guest.near.as_str(), guest.far.as_deref()), ("guest", Some("host")));
        let ring = CallRule {
            method: String::from("ring"),
            part: Part::Params,
            lifecycle: true,
            capability: vec![String::from("bells")],
        };
        assert_eq!(guest.calls, [ring]);
        let told = guest.handshake.unwrap();
        assert_eq!((told.method.as_str(), told.part), ("hello", Part::Result));
        let host = rules(&protocol, "host");
        assert_eq!(host.calls, []);
        assert_eq!(host.advertised().collect::<Vec<_>>(), ["ring"]);
        assert_eq!(host.handshake, None);
    }

    #[test]
    fn each_side_of_three_keeps_to_gates() {
        let mut schema = house();
        let defs = schema["$defs"].as_object_mut().unwrap();
        defs["RingRequest"]["properties"] =
            json!({ "chime": { "type": "string", "x-capability": { "host": "bells" } } });
        defs.insert(String::from("NodNotification"), payload("visitor", "nod"));
        let protocol = protocol(&schema);
        let gate = Gate {
            path: vec![Step::Property(String::from("chime"))],
            capability: vec![String::from("bells")],
        };
        for (side, sends) in [("guest", true), ("visitor", true), ("host", false)] {
            let gates = rules(&protocol, side).gates;
            let found: Vec<_> =
                gates.iter().map(|rule| (rule.part, rule.gates.as_slice())).collect();
            let expected: &[_] = &[(Part::Params, std::slice::from_ref(&gate))];
            assert_eq!(found, if sends { expected } else { &[] }, "{side}");
        }
    }

    #[test]
    fn the_only_side_calls_its_own() {
        let mut ring = payload("peer", "ring");
        ring["x-lifecycle"] = json!(true);
        let schema = json!({ "title": "T", "$defs": {
            "RingRequest": ring,
            "RingResponse": payload("peer", "ring"),
        } });
        let protocol = protocol(&schema);
        let peer = rules(&protocol, "peer");
        assert_eq!(peer.far.as_deref(), Some("peer"));
        assert_eq!(peer.calls.len(), 1);
    }

    #[test]
    fn the_version_is_read_where_it_is_agreed_on() {
        let agreed = |method: &str| {
            let mut schema = house();
            for name in ["HelloRequest", "HelloResponse", "RingRequest", "RingResponse"] {
                schema["$defs"][name]["properties"]["version"] = json!({
                    "type": "integer",
                    "x-protocol-version": name.starts_with(method),
                });
                schema["$defs"][name]["required"] = json!(["version"]);
            }
            schema["x-version"] = json!(3);
            schema["x-remote"] =
                json!({ "path": "/", "opens": "hello", "connection": "Id", "version": "Version" });
            protocol(&schema).endpoint_rules().version.unwrap()
        };
        let (opening, later) = (agreed("Hello"), agreed("Ring"));
        assert_eq!(opening.header, "Version");
        assert_eq!(opening.property.as_deref(), Some("version"));
        assert_eq!(later.property, None);
        assert_eq!(later.value.as_deref(), Some("3"));
    }
}
