//! The model between a schema and the code it becomes: plain data, no behaviour of any one
//! language, no JSON Schema keyword.
//!
//! Every decision that more than one backend needs is made before it gets here (names, presence,
//! how a union is told apart, what a malformed value falls back to), so that all languages agree
//! by construction. The JSON form of [`Protocol`] is what custom templates read.
//!
//! ```
//! use acp_bindgen::ir::{Kind, Presence};
//! use acp_bindgen::{Purpose, SchemaText, load};
//!
//! let schema = serde_json::json!({ "$defs": {
//!     "GreetRequest": {
//!         "type": "object",
//!         "properties": { "name": { "$ref": "#/$defs/FullName" } },
//!         "x-method": "greet",
//!         "x-side": "server",
//!     },
//!     "GreetResponse": { "type": "object", "x-method": "greet", "x-side": "server" },
//!     "FullName": { "type": "string" },
//! } });
//! let schema = SchemaText::from_value("hello.json", &schema);
//! let protocol = load(schema, Purpose::Generate).protocol.ok_or("the schema has errors")?;
//!
//! let greet = protocol.handled_by("server").next().ok_or("the server handles a method")?;
//! assert!(greet.is_request());
//! let name = &protocol.fields(greet.params())[0];
//! assert_eq!(name.name.wire, "name");
//! assert_eq!(name.presence, Presence::Optional);
//! assert!(matches!(protocol.resolved(&name.ty).kind, Kind::String(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aggregate;
mod cancel;
mod capability;
mod catalogue;
mod data;
mod distinct;
mod docs;
mod enumeration;
mod errors;
mod finite;
mod gates;
mod graph;
mod handle;
mod handlers;
mod helper;
#[cfg(feature = "json-schema")]
pub(crate) mod json_schema;
mod json_types;
mod keys;
mod keywords;
mod kind;
mod lookup;
mod method;
mod multiples;
mod name;
mod namespace;
mod negotiation;
mod old_states;
mod package;
mod payload;
mod process;
mod progress;
mod prose;
mod record;
mod remote;
mod rules;
mod scalars;
mod stable;
mod state;
mod types;
mod union;
mod walk;

pub use aggregate::Aggregate;
pub use cancel::Cancels;
pub use capability::{Advertised, NeededCapability};
pub use catalogue::{Catalogue, CatalogueEntry};
pub(crate) use distinct::distinct_names;
pub use distinct::with_distinct_names;
pub use docs::{Docs, Stability};
pub use enumeration::{Enum, EnumBase, EnumValue, OpenValue};
pub use errors::OwnError;
pub use finite::Finite;
pub use gates::{Gate, Step};
pub(crate) use graph::{after_targets, cycles};
pub use handle::{Handle, HandleMethod};
pub use helper::{Choice, FileAccess, Yes};
#[cfg(feature = "json-schema")]
pub use json_schema::json_schema;
pub use json_types::{JsonType, JsonTypes};
pub use keys::{KeyChoice, KeyNames, KeyRules};
pub use kind::{Kind, Resolved};
pub use method::{
    CapabilityLocation, ExtensionDocs, Extensions, Handler, Method, MethodKind, Position, Side,
    Stream,
};
pub(crate) use multiples::{is_multiple, is_multiple_of, real_step, whole_step};
pub use name::Name;
pub use namespace::{Findings, Namespace, Things};
pub use negotiation::Negotiation;
pub use package::{BadPackageName, check_package_name};
pub use payload::{EITHER, Part, Payload};
pub use process::{ProcessEnv, ProcessExit, ProcessHost, ProcessOutput};
pub use progress::Progress;
pub use record::{Fallback, Field, Leniency, Presence, Record, UnknownProperties};
pub use remote::{Remote, RemoteScope, RemoteSession};
pub use rules::{
    AdvertisedRule, CallRule, CancelRule, CapabilityRule, ConnectionRules, EndpointRules,
    GatedRule, NegotiationRule, TurnRule, VersionRule,
};
pub use scalars::{IntegerFormat, IntegerType, NumberType, StringType};
pub use state::{Collection, Series, State, StateChange, StateValue, StateVariant, Status};
pub use types::{ArrayType, MapType, Tuple, TupleItem, Type, TypeDef, TypeKind, TypeRole};
#[cfg(feature = "cli")]
pub(crate) use union::INNER_DEPTH;
pub use union::{OpenVariant, Selector, Shorthand, Tagging, Union, Variant};

use indexmap::IndexMap;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// The version of the IR's JSON form. It changes when a reader of that form could break.
pub const IR_VERSION: u32 = 1;

/// A JSON-RPC protocol, as its schema describes it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Protocol {
    /// The version of this JSON form: [`IR_VERSION`].
    pub ir_version: u32,
    /// The root schema's `title`, or the schema's file stem where it has none.
    pub title: Name,
    /// A short lowercase name made from the title (its initials), for packages and folders.
    pub short_name: String,
    /// The schema that the protocol was read from.
    pub origin: Origin,
    /// The documentation of the root schema.
    pub docs: Docs,
    /// The version of the protocol that a peer is told: a string or a whole number (annotation
    /// `x-version`).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub version: Option<serde_json::Value>,
    /// The request in which two ends agree on a version (annotation `x-protocol-version`).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub negotiation: Option<Negotiation>,
    /// How the protocol is spoken over HTTP (annotation `x-remote`).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub remote: Option<Remote>,
    /// The guides that users of a generated package should read first, by target: Markdown in which
    /// `%PACKAGE%` stands for the package's name (annotation `x-guides`).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "IndexMap::is_empty"))]
    pub guides: IndexMap<String, String>,
    /// The sides that handle methods, in the order of the root message unions, else in order of
    /// first use. A method of the whole protocol belongs to no side and is handled by all.
    pub sides: Vec<Side>,
    /// All methods, in the order in which the schema first binds them.
    pub methods: Vec<Method>,
    /// The messages of methods that the schema does not name, where it allows any.
    pub extensions: Option<Extensions>,
    /// Every type, by its unique name: first those of `$defs` in schema order, each followed by
    /// the inline types hoisted out of it. The JSON-RPC message unions are not types; they are
    /// listed in `envelope`.
    pub types: IndexMap<String, TypeDef>,
    /// The definitions that only arrange payloads into JSON-RPC messages.
    pub envelope: Vec<String>,
    /// The types that those definitions hold beside payloads: ids and errors.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub transport: Vec<String>,
    /// The parts of the schema of which the types do not say all: they are not compared.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub unmodelled: Vec<Unmodelled>,
    /// The entries that a request calls by name (annotation `x-catalogue`), if a catalogue was read.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub catalogue: Option<Catalogue>,
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A part of a schema of which the types do not say all.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Unmodelled {
    /// The definition, and the properties from there, joined by dots.
    pub path: String,
    /// True if it is any JSON for the types. Else it is only less than they say.
    pub is_any: bool,
}

/// Which schema a protocol came from. Holds nothing that differs between two machines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Origin {
    /// The schema's name: `bundled:acp@v1`, or a file name without its folder.
    pub label: String,
    /// The version of the schema's release, where one is known (`1.15.1`).
    pub version: Option<String>,
    /// SHA-256 of the schema text and its overlays, the first 16 hexadecimal digits.
    pub digest: String,
}

impl Protocol {
    /// The definition of a type that [`Type::Named`] refers to.
    pub fn type_def(&self, name: &str) -> Option<&TypeDef> {
        self.types.get(name)
    }

    /// Follows aliases until a type that is something of its own.
    ///
    /// A chain of aliases is finite: lowering rejects cycles.
    pub fn resolve<'a>(&'a self, ty: &'a Type) -> &'a Type {
        let mut current = ty;
        while let Type::Named { name } = current {
            match self.types.get(name).map(|def| &def.kind) {
                Some(TypeKind::Alias { target }) => current = target,
                _ => break,
            }
        }
        current
    }

    /// Tells whether `null` is a value of the type itself, so that a field of it can be null
    /// without being marked nullable.
    pub fn admits_null(&self, ty: &Type) -> bool {
        self.json_types(ty).contains(JsonType::Null)
    }

    /// The notification that brings the pieces of a result.
    pub fn stream_notification(&self, stream: &Stream) -> Option<&Method> {
        let mut methods = self.methods.iter();
        methods.find(|method| !method.is_request() && method.name.wire == stream.notification)
    }

    /// The type of the pieces of a result.
    pub fn stream_delta(&self, stream: &Stream) -> Option<&Type> {
        let fields = self.fields(self.stream_notification(stream)?.params());
        fields.iter().find(|field| field.name.wire == stream.delta).map(|field| &field.ty)
    }

    /// The side of this name.
    pub fn side(&self, name: &str) -> Option<&Side> {
        self.sides.iter().find(|side| side.name.wire == name)
    }

    /// The methods that a side handles, in schema order.
    pub fn handled_by<'a>(&'a self, side: &'a str) -> impl Iterator<Item = &'a Method> {
        self.methods.iter().filter(move |method| method.is_handled_by(side))
    }

    /// The methods that a side calls on its peers: those that another end handles, and those of the
    /// protocol itself, in schema order.
    pub fn called_by<'a>(&'a self, side: &'a Side) -> impl Iterator<Item = &'a Method> {
        self.methods.iter().filter(|method| self.is_called_by(method, side))
    }

    /// Tells whether a side calls a method on its peers. The only side calls its own.
    pub(crate) fn is_called_by(&self, method: &Method, side: &Side) -> bool {
        method.handler == Handler::Protocol
            || self.other_ends(side).any(|end| method.is_handled_by(&end.name.wire))
    }
}
