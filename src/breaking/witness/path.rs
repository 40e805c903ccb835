//! The shortest way from a message to a definition, that both schemas go together.

use std::collections::{HashMap, VecDeque};

use crate::ir::{Field, Kind, Part, Payload, Protocol, Tuple, Type, Union};

/// A step into a value.
#[derive(Clone, Debug)]
pub(super) enum Step<'a> {
    /// Into a property of an object of this type; what the receiver takes it for.
    Field(&'a Type, &'a str, &'a Type),
    /// Into the first item of an array.
    Item(usize),
    /// Into the item of a tuple at a place.
    Place(&'a Tuple, usize),
    /// Into a member of a map.
    MapValue,
    /// Into what a variant carries: its union, and its tag if it has one.
    Variant(&'a Union, Option<String>),
    /// Nowhere: only the receiver has a union here.
    Stay,
}

/// A pair of types, the sender's and the receiver's, and how a message leads there.
struct Node<'a> {
    sender: &'a Type,
    receiver: &'a Type,
    /// The node before, and the step from there.
    from: Option<(usize, Step<'a>)>,
    root: usize,
}

/// A payload that both schemas know.
#[derive(Clone, Debug)]
pub(super) struct Root<'a> {
    pub(super) payload: Payload,
    pub(super) sender: &'a Type,
    pub(super) receiver: &'a Type,
}

/// Every pair of types that a message can lead to.
pub(super) struct Routes<'a> {
    nodes: Vec<Node<'a>>,
    pub(super) roots: Vec<Root<'a>>,
    /// The nodes of each pair of definitions, the nearest to a message first.
    known: HashMap<(&'a str, &'a str), Vec<usize>>,
}

/// The most ways to a pair of definitions that are remembered.
const MOST: usize = 6;

impl<'a> Routes<'a> {
    /// Follows everything that a sender and a receiver agree on.
    pub(super) fn new(sender: &'a Protocol, receiver: &'a Protocol) -> Self {
        let roots = roots(sender, receiver);
        let mut routes = Self { nodes: Vec::new(), roots, known: HashMap::new() };
        let mut pending = VecDeque::new();
        for (index, root) in routes.roots.clone().into_iter().enumerate() {
            let node =
                Node { sender: root.sender, receiver: root.receiver, from: None, root: index };
            routes.visit(node, sender, receiver, &mut pending);
        }
        while let Some(index) = pending.pop_front() {
            let node = &routes.nodes[index];
            let (root, from) = (node.root, (node.sender, node.receiver));
            for (step, a, b) in steps(sender, receiver, from.0, from.1) {
                let node = Node { sender: a, receiver: b, from: Some((index, step)), root };
                routes.visit(node, sender, receiver, &mut pending);
            }
        }
        routes
    }

    fn visit(
        &mut self,
        node: Node<'a>,
        sender: &'a Protocol,
        receiver: &'a Protocol,
        pending: &mut VecDeque<usize>,
    ) {
        let (a, b) = (names(sender, node.sender), names(receiver, node.receiver));
        let index = self.nodes.len();
        // Something without a name cannot lead back to itself.
        let mut is_new = a.is_empty() || b.is_empty();
        for from in &a {
            for to in &b {
                let known = self.known.entry((*from, *to)).or_default();
                if known.len() < MOST {
                    known.push(index);
                    is_new = true;
                }
            }
        }
        self.nodes.push(node);
        if is_new {
            pending.push_back(index);
        }
    }

    /// The ways to a pair of definitions: for each the message, and the steps from it.
    pub(super) fn to(&self, sender: &Type, receiver: &Type) -> Vec<(&Root<'a>, Vec<&Step<'a>>)> {
        let (Type::Named { name: from }, Type::Named { name: to }) = (sender, receiver) else {
            return Vec::new();
        };
        let known = self.known.get(&(from.as_str(), to.as_str()));
        let nodes = known.into_iter().flatten().filter_map(|index| self.nodes.get(*index));
        nodes
            .filter_map(|node| {
                let root = self.roots.get(node.root)?;
                let mut steps = Vec::new();
                let mut current = node;
                while let Some((before, step)) = &current.from {
                    steps.push(step);
                    current = self.nodes.get(*before)?;
                }
                steps.reverse();
                Some((root, steps))
            })
            .collect()
    }
}

/// The definitions that a type is used as, and that it is.
fn names<'a>(protocol: &'a Protocol, ty: &'a Type) -> Vec<&'a str> {
    let resolved = protocol.resolved(ty);
    let mut found: Vec<&str> = resolved
        .used_as
        .into_iter()
        .chain(resolved.def)
        .map(|def| def.name.wire.as_str())
        .collect();
    found.dedup();
    found
}

fn roots<'a>(sender: &'a Protocol, receiver: &'a Protocol) -> Vec<Root<'a>> {
    let mut found = Vec::new();
    for method in &sender.methods {
        let twin = receiver.methods.iter().find(|other| {
            other.name.wire == method.name.wire
                && other.is_request() == method.is_request()
                && other.handler == method.handler
        });
        let Some(twin) = twin else { continue };
        let part = Part::for_params(method);
        let params = (part, Some(method.params()), Some(twin.params()));
        for (part, a, b) in [params, (Part::Result, method.result(), twin.result())] {
            if let (Some(a), Some(b), Some(payload)) = (a, b, Payload::new(sender, method, part)) {
                found.push(Root { payload, sender: a, receiver: b });
            }
        }
    }
    found
}

/// The steps that both types allow.
fn steps<'a>(
    sender: &'a Protocol,
    receiver: &'a Protocol,
    a: &'a Type,
    b: &'a Type,
) -> Vec<(Step<'a>, &'a Type, &'a Type)> {
    let (from, to) = (sender.resolved(a), receiver.resolved(b));
    let mut found = Vec::new();
    let mut fields = |list: &'a [Field], others: &'a [Field]| {
        let known: HashMap<&str, &'a Field> =
            others.iter().map(|other| (other.name.wire.as_str(), other)).collect();
        for field in list {
            if let Some(other) = known.get(field.name.wire.as_str()) {
                found.push((Step::Field(a, &field.name.wire, b), &field.ty, &other.ty));
            }
        }
    };
    match (from.kind, to.kind) {
        (Kind::Record(x), Kind::Record(y)) => fields(&x.fields, &y.fields),
        (Kind::Array(x), Kind::Array(y)) => {
            let count = usize::try_from(x.min_items.unwrap_or(1).max(1)).unwrap_or(1);
            found.push((Step::Item(count), &x.items, &y.items));
        }
        (Kind::Tuple(x), Kind::Tuple(y)) => {
            let places = x.items.len().max(y.items.len());
            found.extend(
                (0..=places).filter_map(|at| Some((Step::Place(x, at), x.item(at)?, y.item(at)?))),
            );
        }
        (Kind::Map(x), Kind::Map(y)) => found.push((Step::MapValue, &x.values, &y.values)),
        (Kind::Union(x), Kind::Union(y)) => {
            fields(&x.shared, &y.shared);
            found.extend(variants(x, y));
        }
        (Kind::Union(x), Kind::Record(y)) => {
            fields(&x.shared, &y.fields);
            let carried = x.variants.iter().filter_map(|variant| {
                let tag = variant.tag().map(str::to_owned);
                Some((Step::Variant(x, tag), variant.payload.as_ref()?, b))
            });
            found.extend(carried);
        }
        (Kind::Record(x), Kind::Union(y)) => {
            fields(&x.fields, &y.shared);
            let carried = y.variants.iter().filter_map(|variant| variant.payload.as_ref());
            found.extend(carried.map(|payload| (Step::Stay, a, payload)));
        }
        _ => {}
    }
    found
}

/// The most variants without a tag that are tried for one.
const TRIED: usize = 20;

fn variants<'a>(x: &'a Union, y: &'a Union) -> Vec<(Step<'a>, &'a Type, &'a Type)> {
    let mut found = Vec::new();
    let payload = |union: &'a Union| union.open.as_ref().and_then(|open| open.payload.as_ref());
    for variant in &x.variants {
        let Some(carried) = &variant.payload else { continue };
        let twin = variant.tag().and_then(|tag| y.tagged().find(|(known, _)| *known == tag));
        let step = || Step::Variant(x, variant.tag().map(str::to_owned));
        if let Some((_, twin)) = twin {
            found.extend(twin.payload.iter().map(|other| (step(), carried, other)));
        } else {
            let others = y.untagged().filter_map(|other| other.payload.as_ref()).chain(payload(y));
            found.extend(others.take(TRIED).map(|other| (step(), carried, other)));
        }
    }
    if let (Some(a), Some(b)) = (payload(x), payload(y)) {
        found.push((Step::Variant(x, Some(super::build::other_tag(x))), a, b));
    }
    found
}

/// The properties that a type insists on.
pub(super) fn required_properties<'a>(protocol: &'a Protocol, ty: &'a Type) -> Vec<&'a str> {
    let required = protocol.fields(ty).iter().filter(|field| field.presence.is_required());
    required.map(|field| field.name.wire.as_str()).collect()
}
