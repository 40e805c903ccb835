//! Names in TypeScript.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::backend::names::{Words, words};
use crate::backend::sides::SideNames;
use crate::ir::{
    Findings, Handle, Method, Name, Namespace, Progress, Protocol, Side, Things, TypeKind,
};
use crate::source::Location;

/// The type of a tag that no variant of a union knows.
pub(super) const UNKNOWN_TAG: &str = "UnknownTag";

/// The method of an interface that handles extension requests.
pub(super) const EXT_METHOD: &str = "extMethod";

/// The method of an interface that handles extension notifications.
pub(super) const EXT_NOTIFICATION: &str = "extNotification";

/// The property with the version that is spoken.
pub(super) const PROTOCOL_VERSION: &str = "protocolVersion";

/// The method of an interface that handles requests that nothing else does.
pub(super) const UNKNOWN_METHOD: &str = "unknownMethod";

/// The method of an interface that handles notifications that nothing else does.
pub(super) const UNKNOWN_NOTIFICATION: &str = "unknownNotification";

/// The types that say what a side handles: these words after the side's name.
pub(super) const MAPS: [&str; 2] = ["RequestMap", "NotificationMap"];

/// Global types that generated code refers to or that a reader takes for granted, and the names
/// of generated helpers. A schema's type of such a name gets the suffix `Type`.
static RESERVED_TYPES: Words = LazyLock::new(|| {
    words(
        "AbortSignal AnyMessage Array Awaited BigInt Boolean CallOptions Callable Codec ConnectionError \
         ConnectionErrorKind ConnectionOptions Context DecodeError DecodeOptions DecodeResult \
         Exclude Extract Function Infinity Log MaybePromise MessageStream NaN NonNullable Number Object Observed \
         Omit Partial Peer Pick Port ProgressOptions ProgressWork Promise Readonly ReadonlyArray Record RequestError Required \
         ReturnType StandardIssue StandardProps StandardResult StandardSchemaV1 StandardTypes \
         Stream String Symbol UnknownTag",
    )
});

/// The identifiers of a protocol's types.
#[derive(Debug)]
pub(super) struct TypeNames {
    names: HashMap<String, String>,
}

impl TypeNames {
    /// Names every type and every side's interface; two of the same name are reported.
    pub(super) fn new(protocol: &Protocol, diagnostics: &mut Findings) -> Self {
        let mut exports = Namespace::new(Things::Types, "exports of the TypeScript package");
        let mut names = HashMap::with_capacity(protocol.types.len());
        let mut seen = HashSet::with_capacity(protocol.types.len());
        for side in &protocol.sides {
            let method = protocol.handled_by(&side.name.wire).next();
            let location = method.map_or_else(Location::default, |method| method.location.clone());
            let SideNames { name, peer, context, connection, .. } = self::side(side);
            let maps = MAPS.map(|end| format!("{name}{end}"));
            for name in [&name, &peer, &context, &connection].into_iter().chain(&maps) {
                exports.claim(name, &side.name.wire, &location, diagnostics);
            }
        }
        for method in &protocol.methods {
            for progress in &method.progress {
                let name = self::progress(progress);
                exports.claim(&name, &progress.name.wire, &method.location, diagnostics);
            }
            let Some(handle) = &method.handle else { continue };
            let name = self::handle(handle);
            exports.claim(&name, &handle.name.wire, &method.location, diagnostics);
        }
        for (key, def) in &protocol.types {
            let name = type_name(&def.name);
            exports.claim(&name, &def.name.wire, &def.location, diagnostics);
            // Of two types of one name, the codecs need no mention of their own.
            if seen.insert(name.clone()) {
                exports.claim(&codec(&name), &def.name.wire, &def.location, diagnostics);
            }
            names.insert(key.clone(), name);
            let TypeKind::Union(union) = &def.kind else { continue };
            if let Some(state) = &union.state {
                let old = protocol.old_states(key);
                for name in [&state.name].into_iter().chain(old.iter().map(|(name, _)| name)) {
                    exports.claim(
                        &self::state(name),
                        &name.wire,
                        &Location::default(),
                        diagnostics,
                    );
                }
            }
        }
        Self { names }
    }

    /// The identifier of a type by its key in the IR.
    pub(super) fn name<'a>(&'a self, key: &'a str) -> &'a str {
        self.names.get(key).map_or(key, String::as_str)
    }
}

/// A type's identifier: the schema's own spelling where that is one in Pascal case, so that a
/// reader finds `MCPServer` again; else its words joined.
pub(super) fn type_name(name: &Name) -> String {
    let spelled = &name.wire;
    let is_pascal = spelled.starts_with(|first: char| first.is_ascii_uppercase())
        && spelled.chars().all(|character| character.is_ascii_alphanumeric());
    // Words of other origin are a name that somebody chose for code.
    let is_own = is_pascal && Name::new(spelled.as_str()).words == name.words;
    let identifier = if is_own { spelled.clone() } else { identifier(name.pascal()) };
    if RESERVED_TYPES.contains(identifier.as_str()) { identifier + "Type" } else { identifier }
}

/// The type that is any of what the methods of a side carry.
pub(super) fn aggregate(name: &Name) -> String {
    identifier(name.pascal())
}

/// The codec of a type.
pub(super) fn codec(type_name: &str) -> String {
    format!("{type_name}Codec")
}

/// The function that decodes a type.
pub(super) fn decoder(type_name: &str) -> String {
    format!("decode{type_name}")
}

/// The list of an enum's values.
pub(super) fn values(type_name: &str) -> String {
    format!("valuesOf{type_name}")
}

/// The keys of a record's fields.
pub(super) fn keys(type_name: &str) -> String {
    format!("keysOf{type_name}")
}

/// The rules for the keys of an object.
pub(super) fn rules(type_name: &str) -> String {
    format!("rulesOf{type_name}")
}

/// A pattern that strings within a type match.
pub(super) fn pattern(type_name: &str) -> String {
    format!("patternOf{type_name}")
}

/// The variants of a union of which the one that knows most keys is taken.
pub(super) fn ranking(type_name: &str) -> String {
    format!("rankingOf{type_name}")
}

/// The names of what the package has for a side.
pub(super) fn side(side: &Side) -> SideNames {
    let variable = identifier(side.name.camel());
    let is_taken = OBJECT_MEMBERS.contains(variable.as_str())
        || matches!(variable.as_str(), "requestId" | "signal" | PROTOCOL_VERSION);
    let accessor = format!("{variable}{}", if is_taken { "_" } else { "" });
    SideNames::new(type_name(&side.name), accessor, variable)
}

/// A method of the class by which others call it. What the class has itself gets a trailing `_`.
pub(super) fn peer_method(of: &Method) -> String {
    let name = method(of);
    if OWN_MEMBERS.contains(name.as_str()) { name + "_" } else { name }
}

/// A method of a class that has no other members but its constructor.
pub(super) fn member(name: &Name) -> String {
    let name = identifier(name.camel());
    let is_own =
        OWN_MEMBERS.contains(name.as_str()) || matches!(name.as_str(), "constructor" | "then");
    if is_own { name + "_" } else { name }
}

/// The class of what a request opens.
pub(super) fn handle(of: &Handle) -> String {
    type_name(&of.name)
}

/// The class that tells of an item from its start to its end.
pub(super) fn progress(of: &Progress) -> String {
    type_name(&of.name)
}

/// A method of a handle, beside the properties of the result.
pub(super) fn handle_method(name: &Name, properties: &[&str]) -> String {
    let name = identifier(name.camel());
    let is_own = OBJECT_MEMBERS.contains(name.as_str()) || name == RELEASE;
    if is_own || properties.contains(&name.as_str()) { name + "_" } else { name }
}

/// The method that gives back what a request opened.
pub(super) const RELEASE: &str = "release";

/// The members of every object, and what `await` takes for a promise.
static OBJECT_MEMBERS: Words = LazyLock::new(|| {
    words(
        "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable then toLocaleString \
         toString valueOf",
    )
});

/// The class of what a series of updates makes up.
pub(super) fn state(name: &Name) -> String {
    type_name(name)
}

/// The items in such a class.
pub(super) fn collection(name: &Name) -> String {
    let name = identifier(name.camel());
    let is_own = OBJECT_MEMBERS.contains(name.as_str()) || name == APPLY || name == END;
    if is_own { name + "_" } else { name }
}

/// The method by which such a class takes an update.
pub(super) const APPLY: &str = "apply";

/// The method by which such a class learns of a cancelled turn.
pub(super) const END: &str = "turnCancelled";

/// The object that says where the pieces of a method's result come from.
pub(super) fn stream(of: &Method) -> String {
    method(of) + "Stream"
}

/// The members of a connection itself, and of every object.
static OWN_MEMBERS: Words = LazyLock::new(|| {
    words(
        "batch close closed hasOwnProperty isPrototypeOf notify propertyIsEnumerable \
         protocolVersion request signal toLocaleString toString valueOf",
    )
});

/// A static method of a class, which has some members by itself.
pub(super) fn static_member(name: &Name) -> String {
    let name = identifier(name.camel());
    let is_own = ["arguments", "caller", "length", "name", "prototype"];
    if is_own.contains(&name.as_str()) { name + "_" } else { name }
}

/// A method of a side's interface: `newSession`. In an interface `new` and `constructor` mean
/// something else, and each has handlers of its own, so that such names get a trailing `_`.
pub(super) fn method(method: &Method) -> String {
    let name = identifier(method.function().camel());
    let is_own =
        matches!(name.as_str(), "new" | "constructor" | UNKNOWN_METHOD | UNKNOWN_NOTIFICATION);
    if is_own { name + "_" } else { name }
}

/// The name of a wire name among a side's constants: `session_new` for `session/new`.
pub(super) fn method_constant(wire: &str) -> String {
    identifier(Name::new(wire).snake())
}

/// The object that holds the wire names of what a side handles: `AGENT_METHODS`.
pub(super) fn methods_constant(name: &Name) -> String {
    identifier(format!("{}_METHODS", name.screaming()))
}

/// The name of an enum's value among its constants: `EndTurn`.
pub(super) fn enum_constant(name: &Name) -> String {
    identifier(name.pascal())
}

/// The function that makes a variant of a union: `agentMessageChunk`.
pub(super) fn constructor(variant: &Name) -> String {
    identifier(variant.camel())
}

/// The function that takes a value of a union, or a variant's one value: `toContentBlock`.
pub(super) fn shorthand(type_name: &str) -> String {
    format!("to{type_name}")
}

/// A parameter: `newText`. What JavaScript keeps for itself gets a trailing `_`.
pub(super) fn parameter(name: &Name) -> String {
    variable(&name.camel())
}

/// A word as the name of a variable.
pub(super) fn variable(word: &str) -> String {
    let variable = identifier(word.to_owned());
    if RESERVED_WORDS.contains(variable.as_str()) { variable + "_" } else { variable }
}

/// The function that makes apps of a side: `agent`.
pub(super) fn factory(side: &Name) -> String {
    let name = variable(&side.camel());
    if name == "methods" { name + "_" } else { name }
}

/// A part of a wire name as a member of an object: `readTextFile`. Empty if it has no words.
pub(super) fn member_key(part: &Name) -> String {
    if part.words.is_empty() { String::new() } else { identifier(part.camel()) }
}

/// Words that cannot be the name of a variable in a module.
static RESERVED_WORDS: Words = LazyLock::new(|| {
    words(
        "arguments await break case catch class const continue debugger default delete do else \
         enum eval export extends false finally for function if implements import in instanceof \
         interface let new null package private protected public return static super switch \
         this throw true try typeof undefined var void while with yield",
    )
});

/// Joined words as an identifier: they may begin with a digit.
fn identifier(joined: String) -> String {
    if joined.starts_with(|first: char| first.is_ascii_digit()) {
        format!("_{joined}")
    } else {
        joined
    }
}
