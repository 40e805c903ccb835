//! How far a type reaches: the payloads it can be a part of, and whether a malformed value of it
//! spoils the whole message.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::change::{Part, Payload};
use crate::ir::{Field, Protocol, Type, TypeKind};

/// The uses of the types of one protocol.
pub(super) struct Reach<'a> {
    /// For each definition, those that mention it.
    users: HashMap<&'a str, Vec<&'a str>>,
    /// The payloads that are a definition.
    payloads: HashMap<&'a str, Vec<Payload>>,
    /// Definitions whose malformed values spoil a message: no receiver on the way forgives them.
    strict: HashSet<&'a str>,
    /// Definitions that the JSON-RPC envelope is made of.
    transport: HashSet<&'a str>,
    known: RefCell<HashMap<&'a str, Reached>>,
}

/// Where a definition gets to.
#[derive(Clone, Debug, Default)]
pub(super) struct Reached {
    pub(super) payloads: BTreeSet<Payload>,
    /// The named definitions on the way, the nearest first.
    pub(super) types: Vec<String>,
}

impl<'a> Reach<'a> {
    pub(super) fn of(protocol: &'a Protocol) -> Self {
        let mut users: HashMap<&str, Vec<&str>> = HashMap::new();
        for (name, def) in &protocol.types {
            for (used, _) in mentions(&def.kind) {
                users.entry(used).or_default().push(name);
            }
        }
        let mut payloads: HashMap<&str, Vec<Payload>> = HashMap::new();
        for method in &protocol.methods {
            let params = (Part::of(method), Some(method.params()));
            for (part, ty) in [params, (Part::Result, method.result())] {
                let payload = Payload::of(protocol, method, part);
                if let (Some(name), Some(payload)) = (ty.and_then(mentioned), payload) {
                    payloads.entry(name).or_default().push(payload);
                }
            }
        }
        let strict = spread(protocol, payloads.keys().copied(), true);
        let all = spread(protocol, payloads.keys().copied(), false);
        let mut transport = spread(protocol, protocol.transport.iter().map(String::as_str), false);
        transport.retain(|name| !all.contains(name));
        Self { users, payloads, strict, transport, known: RefCell::default() }
    }

    /// Where a definition gets to.
    pub(super) fn reached(&self, name: &'a str) -> Reached {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let mut reached = Reached::default();
        let mut seen = HashSet::from([name]);
        let mut pending = std::collections::VecDeque::from([name]);
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

    /// Whether a malformed value of this definition can spoil a whole message. A definition that
    /// no payload contains is taken to.
    pub(super) fn spoils(&self, name: &'a str) -> bool {
        self.strict.contains(name) || self.reached(name).payloads.is_empty()
    }

    /// Whether a definition belongs to the JSON-RPC envelope, and to no payload.
    pub(super) fn is_transport(&self, name: &str) -> bool {
        self.transport.contains(name)
    }
}

/// All definitions that can be got to from these; `strictly`: only where nothing is forgiven.
fn spread<'a>(
    protocol: &'a Protocol,
    roots: impl Iterator<Item = &'a str>,
    strictly: bool,
) -> HashSet<&'a str> {
    let mut pending: Vec<&str> = roots.collect();
    let mut seen: HashSet<&str> = pending.iter().copied().collect();
    while let Some(name) = pending.pop() {
        let Some(def) = protocol.types.get(name) else { continue };
        for (used, forgiven) in mentions(&def.kind) {
            if !(strictly && forgiven) && seen.insert(used) {
                pending.push(used);
            }
        }
    }
    seen
}

/// The definitions that a definition mentions, and whether a malformed one is forgiven there.
fn mentions(kind: &TypeKind) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    match kind {
        TypeKind::Record(record) => add_fields(&record.fields, &mut found),
        TypeKind::Union(union) => {
            add_fields(&union.shared, &mut found);
            let variants = union.variants.iter().filter_map(|variant| variant.payload.as_ref());
            let open = union.open.iter().filter_map(|open| open.payload.as_ref());
            found.extend(variants.chain(open).filter_map(mentioned).map(|name| (name, false)));
        }
        TypeKind::Enum(_) => {}
        TypeKind::Alias { target } => found.extend(mentioned(target).map(|name| (name, false))),
    }
    found
}

fn add_fields<'a>(fields: &'a [Field], found: &mut Vec<(&'a str, bool)>) {
    for field in fields {
        let skips = field.leniency.skip_invalid_items && matches!(field.ty, Type::Array(_));
        let forgiven = skips || field.leniency.on_error.is_some();
        found.extend(mentioned(&field.ty).map(|name| (name, forgiven)));
    }
}

fn mentioned(ty: &Type) -> Option<&str> {
    match ty {
        Type::Named { name } => Some(name),
        Type::Array(array) => mentioned(&array.items),
        Type::Map(map) => mentioned(&map.values),
        Type::Nullable { inner } => mentioned(inner),
        _ => None,
    }
}
