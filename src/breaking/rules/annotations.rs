//! Annotations: what ends tell each other, how they meet over a network, and what generated code
//! makes of messages.

use super::{NOTHING, Rule, source, wire};
use crate::breaking::verdict::Effect::{Break as Gone, Builders, Conditional, Name, Ok as Same};
use crate::breaking::verdict::Verdict::{Break, Ok, Risk};
use crate::breaking::verdict::{Level, Source, Wire};

pub(crate) static METHOD_BECAME_OPTIONAL: Rule = Rule {
    id: "method-became-optional",
    level: Level::Risky,
    wire: wire(Risk, Ok),
    source: Source::OK,
    summary: "a handler may now leave out a method",
    why: "An old caller takes it for granted; a new peer without it answers that the method does not exist.",
    remedy: "Tie the method to a capability, so that callers know who has it.",
    before: r#"{"OpenRequest": {"x-method": "door/open"}}"#,
    after: r#"{"OpenRequest": {"x-method": "door/open", "x-optional": true}}"#,
};

pub(crate) static METHOD_BECAME_MANDATORY: Rule = Rule {
    id: "method-became-mandatory",
    level: Level::Breaking,
    wire: wire(Ok, Risk),
    source: source(Builders, Builders, Builders),
    summary: "a handler may no longer leave out a method",
    why: "A new caller takes it for granted, and an old peer may not have it. Code that implements the handler without it does not compile.",
    remedy: "Leave it optional, and have callers ask for the capability.",
    before: r#"{"OpenRequest": {"x-method": "door/open", "x-optional": true}}"#,
    after: r#"{"OpenRequest": {"x-method": "door/open"}}"#,
};

pub(crate) static CAPABILITY_ADDED: Rule = Rule {
    id: "capability-added",
    level: Level::Risky,
    wire: wire(Risk, Ok),
    source: Source::OK,
    summary: "something may now be sent only to peers with a capability",
    why: "An old sender does not look at the capability, and sends it to peers that have never said that they understand it.",
    remedy: "Have receivers go on understanding it without the capability, while old senders exist.",
    before: r#"{"OpenRequest": {"x-method": "door/open"}}"#,
    after: r#"{"OpenRequest": {"x-method": "door/open", "x-capability": "doors"}}"#,
};

pub(crate) static CAPABILITY_REMOVED: Rule = Rule {
    id: "capability-removed",
    level: Level::Risky,
    wire: wire(Ok, Risk),
    source: Source::OK,
    summary: "something may now be sent to any peer, whatever its capabilities",
    why: "A new sender sends it to old peers that have not told the capability, and may not understand it.",
    remedy: "Keep the capability, and tell it always.",
    before: r#"{"OpenRequest": {"x-method": "door/open", "x-capability": "doors"}}"#,
    after: r#"{"OpenRequest": {"x-method": "door/open"}}"#,
};

pub(crate) static CAPABILITY_CHANGED: Rule = Rule {
    id: "capability-changed",
    level: Level::Risky,
    wire: wire(Risk, Risk),
    source: Source::OK,
    summary: "something needs another capability",
    why: "Each side looks for a capability that the other does not tell, and goes without what both have.",
    remedy: "Keep the capability; or have peers tell both for a while.",
    before: r#"{"OpenRequest": {"x-capability": "doors"}}"#,
    after: r#"{"OpenRequest": {"x-capability": "gates"}}"#,
};

pub(crate) static CAPABILITIES_MOVED: Rule = Rule {
    id: "capabilities-moved",
    level: Level::Risky,
    wire: wire(Risk, Risk),
    source: Source::OK,
    summary: "a side tells its capabilities elsewhere",
    why: "Neither end finds what the other one can do: everything is allowed, or nothing is remembered.",
    remedy: "Keep the property in which a side tells what it can do.",
    before: r#"{"HelloResponse": {"properties": {"can": {"x-capabilities": "house"}}}}"#,
    after: r#"{"HelloResponse": {"properties": {"can": {}}}}"#,
};

pub(crate) static VERSION_CHANGED: Rule = Rule {
    id: "protocol-version-changed",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: Source::OK,
    summary: "the versions of the protocol that an end speaks have changed",
    why: "Where the two schemas have no version in common and ends agree on one, no old peer can talk to a new one: the connection ends after its first answer. With a version in common, peers go on with that.",
    remedy: "Go on speaking the old version (`x-versions`) while old peers exist.",
    before: r#"{"x-version": 2, "x-versions": [1]}"#,
    after: r#"{"x-version": 3}"#,
};

pub(crate) static VERSION_DISAGREES: Rule = Rule {
    id: "version-disagrees",
    level: Level::Risky,
    wire: Wire::OK,
    source: Source::OK,
    summary: "the version that the schema states does not say how much has changed",
    why: "Whoever goes by versions takes a small step for a harmless one. What breaks asks for a major version, what is new for a minor one; below 1.0.0 each counts one lower. Before a release (`2.0.0-alpha.3`) any higher version will do.",
    remedy: "Give the schema the version that its changes ask for.",
    before: r#"{"version": "1.2.0", "$defs": {"Lamp": {}}}"#,
    after: r#"{"version": "1.2.1", "$defs": {}}"#,
};

pub(crate) static NEGOTIATION_CHANGED: Rule = Rule {
    id: "negotiation-changed",
    level: Level::Breaking,
    wire: wire(Risk, Risk),
    source: source(Name, Gone, Gone),
    summary: "ends agree on a version of the protocol in another way",
    why: "An end that takes no notice of the version goes on with a peer that speaks another; an end that does may end the connection.",
    remedy: "Keep the properties in which the version is asked for and answered.",
    before: r#"{"HelloRequest": {"properties": {"speak": {"x-protocol-version": true}}}}"#,
    after: r#"{"HelloRequest": {"properties": {"speak": {}}}}"#,
};

pub(crate) static REMOTE_ADDED: Rule = Rule {
    id: "remote-added",
    level: Level::Breaking,
    wire: wire(Risk, Risk),
    source: source(Same, Gone, Name),
    summary: "the schema now says how the protocol is spoken over HTTP",
    why: "Peers over standard streams notice nothing. Old peers over a WebSocket do not know the path, and old servers do not know HTTP.",
    remedy: "Serve the path that was used before as well.",
    before: r"{}",
    after: r#"{"x-remote": {"path": "/house", "opens": "hello", "connection": "House-Connection"}}"#,
};

pub(crate) static REMOTE_REMOVED: Rule = Rule {
    id: "remote-removed",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: source(Name, Gone, Builders),
    summary: "the schema no longer says how the protocol is spoken over HTTP",
    why: "A peer that connects over HTTP is not understood: the path, the headers and the event streams are gone. Peers over standard streams notice nothing.",
    remedy: "Keep `x-remote` while anyone connects over HTTP.",
    before: r#"{"x-remote": {"path": "/house", "opens": "hello", "connection": "House-Connection"}}"#,
    after: r"{}",
};

pub(crate) static REMOTE_CHANGED: Rule = Rule {
    id: "remote-changed",
    level: Level::Breaking,
    wire: wire(Break, Break),
    source: Source::OK,
    summary: "the protocol is spoken over HTTP in another way",
    why: "The path, the request that opens a connection, and the headers are the same at both ends, or the server refuses what the client posts. Peers over standard streams notice nothing.",
    remedy: "Keep them; serve both paths where it is only the path.",
    before: r#"{"x-remote": {"path": "/house"}}"#,
    after: r#"{"x-remote": {"path": "/rooms"}}"#,
};

pub(crate) static CANCELLATION_CHANGED: Rule = Rule {
    id: "cancellation-changed",
    level: Level::Risky,
    wire: wire(Risk, Risk),
    source: Source::OK,
    summary: "a message cancels other requests than before, or they end in another way",
    why: "One end takes a request for cancelled, and the other one goes on with it, or answers it in a way that is not expected.",
    remedy: "Keep what a message cancels, and the result of what was cancelled.",
    before: r#"{"StopNotification": {"x-cancels": [{"request": "job/run", "key": "job"}]}}"#,
    after: r#"{"StopNotification": {}}"#,
};

pub(crate) static STREAM_CHANGED: Rule = Rule {
    id: "stream-changed",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Name, Name, Name),
    summary: "the result of a request comes in pieces in another way",
    why: "The messages are as they were. Generated code has or loses the call that gives the pieces.",
    remedy: "Keep `x-stream`.",
    before: r#"{"RunRequest": {"x-stream": {"notification": "run/progress"}}}"#,
    after: r#"{"RunRequest": {}}"#,
};

pub(crate) static HANDLE_CHANGED: Rule = Rule {
    id: "handle-changed",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Name, Gone, Gone),
    summary: "what a request opens has another class in generated code",
    why: "The messages are as they were. The class of what was opened, or a method of it, is gone or has another name.",
    remedy: "Keep `x-handle`; add methods rather than rename them.",
    before: r#"{"OpenRequest": {"x-handle": {"name": "DoorHandle", "id": "doorId"}}}"#,
    after: r#"{"OpenRequest": {}}"#,
};

pub(crate) static STATE_CHANGED: Rule = Rule {
    id: "state-changed",
    level: Level::Breaking,
    wire: wire(Risk, Risk),
    source: source(Name, Name, Name),
    summary: "updates make up another state",
    why: "The two ends understand the same updates in different ways: what one takes for a change of an item is a new item for the other, or replaces what it should add to.",
    remedy: "Keep `x-key`, `x-patch-of`, `x-status`, `x-merge`, `x-appends` and `x-removes`; give a new meaning a new variant.",
    before: r#"{"Task": {"x-key": "taskId"}}"#,
    after: r#"{"Task": {}}"#,
};

pub(crate) static SHORTHAND_CHANGED: Rule = Rule {
    id: "shorthand-changed",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Conditional("lost-trait"), Same, Builders),
    summary: "another variant of a union can be given as a bare value in generated code",
    why: "The messages are as they were. Code that gives a bare value where the union is expected may not compile any more.",
    remedy: "Keep `x-shorthand`.",
    before: r#"{"Block": {"x-shorthand": "plain"}}"#,
    after: r#"{"Block": {}}"#,
};

pub(crate) static LIFECYCLE_CHANGED: Rule = Rule {
    id: "lifecycle-changed",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "generated code treats calls of a method in a batch in another way",
    why: "A method that changes what a connection is must not be called in a batch: generated code refuses to, before anything is sent.",
    remedy: NOTHING,
    before: r#"{"HelloRequest": {"x-lifecycle": true}}"#,
    after: r#"{"HelloRequest": {}}"#,
};

pub(crate) static CATALOGUE_CHANGED: Rule = Rule {
    id: "catalogue-changed",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "the request that calls the entries of a catalogue is another, or is told in another way",
    why: "The messages are as they were. The typed calls that generated code has where a catalogue is given (`--catalogue`) come, go, or look elsewhere for names, inputs and outputs.",
    remedy: "Keep `x-catalogue` on the request, and say the same with it.",
    before: r#"{"UseRequest": {"x-catalogue": {"list": "tools/list", "nameIn": "name"}}}"#,
    after: r#"{"UseRequest": {}}"#,
};

pub(crate) static CODE_NAME_CHANGED: Rule = Rule {
    id: "code-name-changed",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Name, Name, Name),
    summary: "something has another name in generated code, and the same one on the wire",
    why: "The messages are as they were. Code that uses the generated name does not compile any more.",
    remedy: "Keep `x-name`, `x-names`, `x-function-name` and the titles that name things, or change them in a release that breaks code anyway.",
    before: r#"{"Lamp": {"type": "object"}}"#,
    after: r#"{"Lamp": {"type": "object", "x-name": "Light"}}"#,
};

pub(crate) static DEPRECATED: Rule = Rule {
    id: "deprecated",
    level: Level::Safe,
    wire: Wire::OK,
    source: Source::OK,
    summary: "something is to go some day",
    why: "Nothing changes yet. Compilers and editors warn those who use it.",
    remedy: "Say in the description what to use instead, and since when.",
    before: r#"{"level": {"type": "integer"}}"#,
    after: r#"{"level": {"type": "integer", "deprecated": true}}"#,
};

pub(crate) static NO_LONGER_DEPRECATED: Rule = Rule {
    id: "no-longer-deprecated",
    level: Level::Info,
    wire: Wire::OK,
    source: Source::OK,
    summary: "something is to stay after all",
    why: "Nothing changes but the warnings.",
    remedy: NOTHING,
    before: r#"{"level": {"type": "integer", "deprecated": true}}"#,
    after: r#"{"level": {"type": "integer"}}"#,
};

pub(crate) static BECAME_UNSTABLE: Rule = Rule {
    id: "became-unstable",
    level: Level::Breaking,
    wire: Wire::OK,
    source: source(Gone, Same, Same),
    summary: "something is no longer part of the stable protocol",
    why: "Messages are as they were. In Rust it is there only with the feature `unstable`; in the other languages it is marked.",
    remedy: "Leave stable what was stable; deprecate it if it is to go.",
    before: r#"{"Lamp": {}}"#,
    after: r#"{"Lamp": {"x-unstable": true}}"#,
};

pub(crate) static BECAME_STABLE: Rule = Rule {
    id: "became-stable",
    level: Level::Safe,
    wire: Wire::OK,
    source: Source::OK,
    summary: "something is now part of the stable protocol",
    why: "Whoever asked for it has it as before, and everybody else has it now.",
    remedy: NOTHING,
    before: r#"{"Lamp": {"x-unstable": true}}"#,
    after: r#"{"Lamp": {}}"#,
};

pub(crate) static NOT_JUDGED: Rule = Rule {
    id: "not-judged",
    level: Level::Breaking,
    wire: wire(Risk, Risk),
    source: source(Gone, Gone, Gone),
    summary: "something is written in another way of which the model does not say all",
    why: "What it allows is not compared: it may keep out what used to be valid, or nothing at all. Generated code takes any JSON there, or does not look at it; other receivers may.",
    remedy: "Compare by hand what it allows; or say it with properties, unions and enums.",
    before: r#"{"Lamp": {"if": {"required": ["on"]}, "then": {"required": ["level"]}}}"#,
    after: r#"{"Lamp": {}}"#,
};
