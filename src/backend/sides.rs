//! Sides and their methods, as the templates of TypeScript and Python print them. Each language
//! adds names and type expressions of its own.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::ir::{Method, Protocol, Side};

/// A side of a connection.
#[derive(Debug, Serialize)]
pub(super) struct SideModel<M> {
    #[serde(flatten)]
    pub(super) names: SideNames,
    /// The methods that it handles, in the schema's order.
    pub(super) methods: Vec<M>,
    /// The sides that may be at the other end, the counterpart first.
    pub(super) peers: Vec<SideNames>,
    /// The class by which the other end is called, where it is known which side is there.
    pub(super) base: Option<String>,
}

/// The names of what a package has for a side.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SideNames {
    /// The interface or class of its handlers.
    pub(super) name: String,
    /// The class by which it is called from the other end.
    pub(super) peer: String,
    /// The class of what its handlers know beside their params.
    pub(super) context: String,
    /// The class of a connection at whose near end it is.
    pub(super) connection: String,
    /// The property that gives it where it is at the other end.
    pub(super) accessor: String,
    /// Its words as those of a variable.
    pub(super) variable: String,
}

/// A method that a side handles.
#[derive(Debug, Serialize)]
pub(super) struct MethodModel {
    /// Its name on the wire, and as a literal.
    #[serde(skip)]
    pub(super) of: String,
    wire: String,
    pub(super) is_request: bool,
    pub(super) is_optional: bool,
    stream: Option<StreamSource>,
}

/// The source of a result's pieces, as literals.
#[derive(Debug, Serialize)]
struct StreamSource {
    notification: String,
    token: Vec<String>,
    token_in: String,
    delta: String,
    result: String,
}

impl SideNames {
    /// The names that begin with that of the handlers, and two others.
    pub(super) fn new(name: String, accessor: String, variable: String) -> Self {
        let [peer, context, connection] =
            ["Peer", "Context", "SideConnection"].map(|end| format!("{name}{end}"));
        Self { name, peer, context, connection, accessor, variable }
    }
}

impl<M> SideModel<M> {
    /// Finds out what is at the other end of a side.
    pub(super) fn new(
        protocol: &Protocol,
        side: &Side,
        methods: Vec<M>,
        names: fn(&Side) -> SideNames,
    ) -> Self {
        let counterpart = side.counterpart.as_ref().and_then(|name| protocol.side(name));
        let mut ends: Vec<&Side> = protocol.other_ends(side).collect();
        // The one that is there goes first.
        ends.sort_by_key(|end| Some(*end) != counterpart);
        let peers: Vec<SideNames> = ends.into_iter().map(names).collect();
        let base = counterpart.map(|end| names(end).peer);
        Self { names: names(side), methods, peers, base }
    }
}

/// Renames the accessors of connections that would hide what those inherit: the calls of their
/// base, by the names that `calls` gives.
pub(super) fn keep_accessors_apart<'a, M: 'a>(
    sides: impl Iterator<Item = &'a mut SideModel<M>>,
    calls: fn(&M) -> Vec<String>,
) {
    let mut sides: Vec<_> = sides.collect();
    let calls: HashMap<String, HashSet<String>> = sides
        .iter()
        .map(|side| (side.names.peer.clone(), side.methods.iter().flat_map(calls).collect()))
        .collect();
    for side in &mut sides {
        let Some(inherited) = side.base.as_ref().and_then(|base| calls.get(base)) else { continue };
        for peer in &mut side.peers {
            if Some(&peer.peer) != side.base.as_ref() && inherited.contains(&peer.accessor) {
                peer.accessor.push('_');
            }
        }
    }
}

impl MethodModel {
    /// Writes what the schema says of a method as literals.
    pub(super) fn new(method: &Method, literal: fn(&str) -> String) -> Self {
        let literals = |texts: &Vec<String>| texts.iter().map(|text| literal(text)).collect();
        Self {
            of: method.name.wire.clone(),
            wire: literal(&method.name.wire),
            is_request: method.is_request(),
            is_optional: method.optional,
            stream: method.stream.as_ref().map(|stream| StreamSource {
                notification: literal(&stream.notification),
                token: literals(&stream.token),
                token_in: literal(&stream.token_in),
                delta: literal(&stream.delta),
                result: literal(&stream.result),
            }),
        }
    }
}
