//! Reach: the payloads that a type can be a part of, and whether a malformed value of it makes the
//! whole message invalid.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use crate::ir::{Payload, Protocol};

/// The uses of the types of one protocol.
pub(super) struct Reach<'a> {
    /// For each definition, those that mention it.
    users: HashMap<&'a str, Vec<&'a str>>,
    /// The payloads that are a definition.
    payloads: HashMap<&'a str, Vec<Payload>>,
    /// Definitions whose malformed values make a message invalid: no receiver on the way forgives
    /// them.
    strict: HashSet<&'a str>,
    /// Definitions that the JSON-RPC envelope is made of.
    transport: HashSet<&'a str>,
    known: RefCell<HashMap<&'a str, Reached>>,
}

/// The payloads that a definition reaches.
#[derive(Clone, Debug, Default)]
pub(super) struct Reached {
    pub(super) payloads: BTreeSet<Payload>,
    /// The named definitions on the way, the nearest first.
    pub(super) types: Vec<String>,
}

impl<'a> Reach<'a> {
    pub(super) fn new(protocol: &'a Protocol) -> Self {
        let mut users: HashMap<&str, Vec<&str>> = HashMap::new();
        for (name, def) in &protocol.types {
            for used in def.kind.references() {
                users.entry(used).or_default().push(name);
            }
        }
        let mut payloads: HashMap<&str, Vec<Payload>> = HashMap::new();
        for method in &protocol.methods {
            for (payload, ty) in protocol.payloads(method) {
                if let Some(name) = ty.named() {
                    payloads.entry(name).or_default().push(payload);
                }
            }
        }
        let strict = protocol.strictly_reachable(payloads.keys().copied()).into_iter().collect();
        let all: HashSet<&str> = protocol.reachable(payloads.keys().copied()).into_iter().collect();
        let transport = protocol.reachable(protocol.transport.iter().map(String::as_str));
        let transport = transport.into_iter().filter(|name| !all.contains(name)).collect();
        Self { users, payloads, strict, transport, known: RefCell::default() }
    }

    /// The payloads that a definition reaches.
    pub(super) fn reached(&self, name: &'a str) -> Reached {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let mut reached = Reached::default();
        let mut seen = HashSet::from([name]);
        let mut pending = VecDeque::from([name]);
        while let Some(current) = pending.pop_front() {
            reached.payloads.extend(self.payloads.get(current).into_iter().flatten().cloned());
            if current != name {
                reached.types.push(current.to_owned());
            }
            for user in self.users.get(current).into_iter().flatten() {
                if seen.insert(user) {
                    pending.push_back(user);
                }
            }
        }
        self.known.borrow_mut().insert(name, reached.clone());
        reached
    }

    /// Tells whether a malformed value of this definition can make a whole message invalid. A
    /// definition that no payload contains is taken to.
    pub(super) fn invalidates_message(&self, name: &'a str) -> bool {
        self.strict.contains(name) || self.reached(name).payloads.is_empty()
    }

    /// Tells whether a definition belongs to the JSON-RPC envelope, and to no payload.
    pub(super) fn is_transport(&self, name: &str) -> bool {
        self.transport.contains(name)
    }
}
