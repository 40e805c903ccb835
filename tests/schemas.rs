//! The published schemas of the protocol this tool was first made for: the bundled export is the
//! published text, and every version lowers completely.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod support;

use acp_bindgen::diagnostic::{Style, render};
use acp_bindgen::ir::{MethodKind, Protocol, Type, TypeKind};
use acp_bindgen::schema::{SchemaText, bundled};
use acp_bindgen::{Inputs, Loaded, Purpose, load};
use serde_json::Value;

/// Every published schema that must lower, and how many methods it binds.
const PUBLISHED: [(&str, &str, usize); 16] = [
    ("0.4.9", "schema/schema.json", 17),
    ("0.5.1", "schema/schema.json", 17),
    ("0.8.0", "schema/schema.json", 19),
    ("0.12.0", "schema/schema.json", 22),
    ("0.16.1", "schema/schema.json", 23),
    ("0.20.0", "schema/schema.json", 39),
    ("0.29.0", "schema/schema.json", 43),
    ("1.9.0", "schema/schema.json", 31),
    ("2.0.0", "schema/v1/schema.json", 25),
    ("2.0.0", "schema/v1/schema.unstable.json", 31),
    ("2.0.0", "schema/v2/schema.json", 16),
    ("2.0.0", "schema/v2/schema.unstable.json", 22),
    ("2.4.0", "schema/v1/schema.json", 25),
    ("2.4.0", "schema/v1/schema.unstable.json", 40),
    ("2.4.0", "schema/v2/schema.json", 18),
    ("2.4.0", "schema/v2/schema.unstable.json", 33),
];

/// Lowers a schema that must give no finding at all.
fn protocol(schema: SchemaText, overlays: Vec<SchemaText>) -> Protocol {
    let label = schema.label.clone();
    let Loaded { protocol, diagnostics, sources, .. } =
        load(Inputs::new(schema, overlays), Purpose::Generate);
    assert!(diagnostics.is_empty(), "{label}:\n{}", render(&diagnostics, &sources, Style::Plain));
    protocol.unwrap()
}

fn bundled_protocol(name: &str) -> Protocol {
    let (schema, overlay) = bundled::text(name).unwrap();
    protocol(schema, vec![overlay])
}

#[test]
fn the_bundled_export_is_the_published_schema() {
    for (name, path) in [("acp@v1", "schema/v1/schema.json"), ("acp@v2", "schema/v2/schema.json")] {
        let Some(published) = support::npm_schema("2.4.0", path) else { return };
        let published: Value = serde_json::from_str(&published).unwrap();
        let exported: Value = serde_json::from_str(&bundled::text(name).unwrap().0.text).unwrap();
        for (definition, expected) in published["$defs"].as_object().unwrap() {
            assert_eq!(exported["$defs"].get(definition), Some(expected), "{name} {definition}");
        }
        assert_eq!(exported, published, "{name}");
    }
}

#[test]
fn every_published_schema_lowers_without_a_finding() {
    for (version, path, methods) in PUBLISHED {
        let Some(text) = support::npm_schema(version, path) else { return };
        let protocol = protocol(SchemaText::new(format!("{version}/{path}"), text), Vec::new());
        assert_eq!(protocol.methods.len(), methods, "{version} {path}");
        for (name, def) in &protocol.types {
            assert_no_counter(name, &def.name.words, version);
            if let TypeKind::Union(union) = &def.kind {
                for variant in &union.variants {
                    assert_no_counter(name, &variant.name.words, version);
                }
            }
        }
    }
}

/// `Variant3` and the like: names that say nothing but an order.
fn assert_no_counter(owner: &str, words: &[String], version: &str) {
    let last = words.last().map_or("", String::as_str);
    let stem = last.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let counted = stem != last && ["", "variant", "option", "type", "object"].contains(&stem);
    assert!(!counted, "{version}: {owner} {words:?}");
}

#[test]
fn bundled_names_are_those_a_person_would_choose() {
    let v1 = bundled_protocol("acp@v1");
    assert_eq!(v1.short_name, "acp");
    let sides: Vec<_> = v1.sides.iter().map(|side| side.name.wire.as_str()).collect();
    assert_eq!(sides, ["agent", "client"]);
    for (union, variants) in [
        ("ContentBlock", "Text Image Audio ResourceLink Resource"),
        ("McpServer", "Http Sse Stdio"),
        ("RequestPermissionOutcome", "Cancelled Selected"),
        ("EmbeddedResourceResource", "TextResourceContents BlobResourceContents"),
        ("ElicitationContentValue", "String Integer Number Boolean StringArray"),
        ("SetSessionConfigOptionRequest", "Boolean ValueId"),
        ("SessionConfigSelectOptions", "Ungrouped Grouped"),
        ("RequestId", "Null Number Str"),
    ] {
        let TypeKind::Union(union) = &v1.types[union].kind else { panic!("{union} is a union") };
        let names: Vec<_> = union.variants.iter().map(|variant| variant.name.pascal()).collect();
        assert_eq!(names.join(" "), variants);
    }
    for (owner, values, open) in [
        ("StopReason", "END_TURN MAX_TOKENS MAX_TURN_REQUESTS REFUSAL CANCELLED", None),
        ("NoticeSeverity", "INFO WARNING ERROR", Some("OTHER")),
        (
            "ErrorCode",
            "PARSE_ERROR INVALID_REQUEST METHOD_NOT_FOUND INVALID_PARAMS INTERNAL_ERROR \
             REQUEST_CANCELLED AUTH_REQUIRED RESOURCE_NOT_FOUND",
            Some("OTHER"),
        ),
    ] {
        let TypeKind::Enum(of) = &v1.types[owner].kind else { panic!("{owner} is an enum") };
        let names: Vec<_> = of.values.iter().map(|value| value.name.screaming()).collect();
        assert_eq!(names.join(" "), values);
        assert_eq!(of.open.as_ref().map(|open| open.name.screaming()).as_deref(), open);
    }
    let v2 = bundled_protocol("acp@v2");
    let TypeKind::Enum(kind) = &v2.types["ToolKind"].kind else { panic!("ToolKind is an enum") };
    assert!(kind.values.iter().any(|value| value.name.wire == "other"));
    assert_eq!(kind.open.as_ref().map(|open| open.name.wire.as_str()), Some("unknown"));
}

#[test]
fn bundled_methods_read_as_their_users_say_them() {
    let v1 = bundled_protocol("acp@v1");
    let camel = |side: &str, optional: bool| -> String {
        let methods = v1.handled_by(side).filter(|method| method.optional == optional);
        methods.map(|method| method.name.camel()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(camel("agent", false), "initialize authenticate newSession prompt cancel");
    assert_eq!(
        camel("agent", true),
        "logout loadSession listSessions deleteSession resumeSession closeSession setSessionMode \
         setSessionConfigOption"
    );
    assert_eq!(camel("client", false), "requestPermission sessionUpdate");
    assert_eq!(
        camel("client", true),
        "writeTextFile readTextFile createTerminal terminalOutput releaseTerminal \
         waitForTerminalExit killTerminal createElicitation completeElicitation"
    );
    let gate = |wire: &str| {
        let method = v1.methods.iter().find(|method| method.name.wire == wire).unwrap();
        method.capability.as_ref().map(|path| path.join("."))
    };
    assert_eq!(gate("session/load").as_deref(), Some("loadSession"));
    assert_eq!(gate("fs/read_text_file").as_deref(), Some("fs.readTextFile"));
    assert_eq!(gate("session/prompt"), None);
    let lifecycle: Vec<_> =
        v1.methods.iter().filter(|m| m.lifecycle).map(|m| m.name.wire.as_str()).collect();
    assert_eq!(
        lifecycle,
        [
            "initialize",
            "authenticate",
            "logout",
            "session/new",
            "session/load",
            "session/resume",
            "session/prompt"
        ]
    );
}

#[test]
fn one_wire_name_can_be_a_request_and_a_notification() {
    let Some(text) = support::npm_schema("2.4.0", "schema/v2/schema.unstable.json") else { return };
    let protocol = protocol(SchemaText::new("v2", text), Vec::new());
    let named: Vec<_> = protocol
        .methods
        .iter()
        .filter(|method| method.name.wire == "mcp/message")
        .map(|method| (method.name.snake(), matches!(method.kind, MethodKind::Request { .. })))
        .collect();
    assert_eq!(
        named,
        [("message_mcp".to_owned(), true), ("message_mcp_notification".to_owned(), false)]
    );
}

/// The same JSON with the keys of every object in another order.
fn reordered(value: &Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members.iter().rev().map(|(key, value)| (key.clone(), reordered(value))).collect(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(reordered).collect()),
        other => other.clone(),
    }
}

/// Everything that has a name, and the name.
fn names(protocol: &Protocol) -> Vec<String> {
    let mut names: Vec<String> = protocol
        .methods
        .iter()
        .map(|method| format!("{} {}", method.name.wire, method.name.snake()))
        .collect();
    for (key, def) in &protocol.types {
        names.push(format!("{key} {}", def.name.pascal()));
        match &def.kind {
            TypeKind::Union(union) => names.extend(union.variants.iter().map(|variant| {
                let payload = match &variant.payload {
                    Some(Type::Named { name }) => name.as_str(),
                    _ => "",
                };
                format!("{key}::{} {payload}", variant.name.pascal())
            })),
            TypeKind::Enum(of) => {
                names.extend(
                    of.values.iter().map(|value| format!("{key}::{}", value.name.pascal())),
                );
            }
            TypeKind::Record(_) | TypeKind::Alias { .. } => {}
        }
    }
    names.sort();
    names
}

#[test]
fn the_order_of_keys_changes_no_name() {
    for name in bundled::NAMES {
        let (schema, overlay) = bundled::text(name).unwrap();
        let value: Value = serde_json::from_str(&schema.text).unwrap();
        let backwards = SchemaText::from_value("backwards", &reordered(&value));
        let (forwards, backwards) =
            (protocol(schema, vec![overlay.clone()]), protocol(backwards, vec![overlay]));
        assert_eq!(names(&forwards), names(&backwards), "{name}");
    }
}

#[test]
fn the_published_vocabulary_lists_every_annotation() {
    let vocabulary: Value =
        serde_json::from_str(include_str!("../schema/annotations.schema.json")).unwrap();
    let mut described: Vec<_> = vocabulary["properties"].as_object().unwrap().keys().collect();
    let mut known = acp_bindgen::schema::ANNOTATIONS.to_vec();
    described.sort();
    known.sort_unstable();
    assert_eq!(described, known);
}
