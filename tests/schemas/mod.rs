//! The bundled schemas of the protocol this tool was first made for, and the vocabulary.

use std::collections::BTreeMap;
use std::process::Command;

use acp_bindgen::ir::{Protocol, Type, TypeDef, TypeKind};
use acp_bindgen::schema::{SchemaText, bundled};
use acp_bindgen::{Inputs, Purpose, load};
use serde_json::Value;

use crate::support::{clean as protocol, lowered, run};

fn bundled_protocol(name: &str) -> Protocol {
    let (schema, overlay) = bundled::text(name).unwrap();
    protocol(schema, vec![overlay])
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

/// Methods of one's own are like those of the protocol, and may use its types.
#[test]
fn a_further_schema_adds_methods() {
    let (schema, overlay) = bundled::text("acp@v1").unwrap();
    let added = serde_json::json!({
        "title": "Mine",
        "$defs": {
            "ShoutRequest": {
                "type": "object",
                "properties": { "sessionId": { "$ref": "#/$defs/SessionId" } },
                "required": ["sessionId"],
                "x-side": "agent",
                "x-method": "_mine/shout"
            },
            "ShoutResponse": { "type": "object", "x-side": "agent", "x-method": "_mine/shout" }
        }
    });
    let extensions = vec![SchemaText::from_value("mine.json", &added)];
    let inputs = Inputs { extensions, ..Inputs::new(schema, vec![overlay]) };
    let loaded = load(inputs, Purpose::Generate);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let protocol = loaded.protocol.unwrap();
    let plain = bundled_protocol("acp@v1");
    assert_eq!(protocol.methods.len(), plain.methods.len() + 1);
    let shout = protocol.methods.iter().find(|method| method.name.wire == "_mine/shout").unwrap();
    assert!(shout.is_handled_by("agent"));
    assert_eq!(protocol.type_def("ShoutRequest").unwrap().kind.references(), ["SessionId"]);
    assert_ne!(protocol.origin.digest, plain.origin.digest);
}

/// Leaving out what is unstable gives the protocol that its publisher calls stable.
#[test]
fn the_stable_part_of_an_unstable_schema_is_the_stable_schema() {
    for name in ["acp@v1", "acp@v2"] {
        let expected = bundled_protocol(name);
        let stable = bundled_protocol(&format!("{name}-unstable")).stable();
        let methods = |protocol: &Protocol| -> Vec<String> {
            protocol.methods.iter().map(|method| format!("{:?}", method.kind)).collect()
        };
        assert_eq!(methods(&stable), methods(&expected));
        let sides = |protocol: &Protocol| -> Vec<(String, Option<String>)> {
            let sides = protocol.sides.iter();
            sides.map(|side| (side.name.wire.clone(), side.counterpart.clone())).collect()
        };
        assert_eq!(sides(&stable), sides(&expected));
        let types = |protocol: &Protocol| -> BTreeMap<String, Vec<String>> {
            let members = |def: &TypeDef| match &def.kind {
                TypeKind::Union(union) => {
                    let shared = union.shared.iter().map(|field| field.name.wire.clone());
                    shared.chain(union.variants.iter().map(|it| it.tag_or_name().into())).collect()
                }
                TypeKind::Enum(of) => of.values.iter().map(|it| format!("{:?}", it.name)).collect(),
                TypeKind::Record(record) => {
                    let fields = record.fields.iter();
                    fields
                        .map(|it| format!("{} {:?} {:?}", it.name.wire, it.ty, it.default))
                        .collect()
                }
                TypeKind::Tuple(tuple) => {
                    tuple.types().map(|ty| format!("{ty:?} {}", tuple.required)).collect()
                }
                TypeKind::Alias { target } => vec![format!("{target:?}")],
            };
            protocol.types.iter().map(|(name, def)| (name.clone(), members(def))).collect()
        };
        assert_eq!(types(&stable), types(&expected), "{name}");
    }
}

#[test]
fn bundled_methods_read_as_their_users_say_them() {
    let v1 = bundled_protocol("acp@v1");
    let camel = |side: &str, optional: bool| -> String {
        let methods = v1.handled_by(side).filter(|method| method.optional == optional);
        methods.map(|method| method.name.camel()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(camel("agent", false), "initialize authenticate newSession prompt");
    assert_eq!(
        camel("agent", true),
        "logout loadSession listSessions deleteSession resumeSession closeSession setSessionMode \
         setSessionConfigOption cancel"
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

/// The same JSON with the keys of every object in another order.
pub(crate) fn reordered(value: &Value) -> Value {
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
            TypeKind::Record(_) | TypeKind::Tuple(_) | TypeKind::Alias { .. } => {}
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
        let backwards = SchemaText { builtin: true, ..backwards };
        let (forwards, backwards) =
            (protocol(schema, vec![overlay.clone()]), protocol(backwards, vec![overlay]));
        assert_eq!(names(&forwards), names(&backwards), "{name}");
    }
}

#[test]
fn the_published_vocabulary_lists_every_annotation() {
    let vocabulary: Value =
        serde_json::from_str(include_str!("../../schema/annotations.schema.json")).unwrap();
    let mut described: Vec<_> = vocabulary["properties"].as_object().unwrap().keys().collect();
    let mut known = acp_bindgen::schema::ANNOTATIONS.to_vec();
    described.sort();
    known.sort_unstable();
    assert_eq!(described, known);
}

#[test]
fn the_page_about_annotations_has_a_section_for_each() {
    let page = include_str!("../../docs/annotations.md");
    let headings: String = page.lines().filter(|line| line.starts_with("### ")).collect();
    let mut explained: Vec<_> = headings.split('`').filter(|it| it.starts_with("x-")).collect();
    let mut known = acp_bindgen::schema::ANNOTATIONS.to_vec();
    explained.sort_unstable();
    known.sort_unstable();
    assert_eq!(explained, known);
    for section in page.split("\n### ").skip(1) {
        let (title, text) = section.split_once('\n').unwrap();
        let (_, snippet) = text.split_once("```json\n").unwrap();
        let (snippet, _) = snippet.split_once("\n```").unwrap();
        let parsed = serde_json::from_str::<Value>(&format!("{{{snippet}}}"));
        assert!(parsed.is_ok(), "{title}: {parsed:?}");
        for name in title.split('`').filter(|it| it.starts_with("x-")) {
            let is_shown = title.contains(" and ") || snippet.contains(&format!("\"{name}\""));
            assert!(is_shown, "{name} is not in its example");
        }
    }
}

#[test]
fn a_method_is_described_by_the_branch_of_its_message_union() {
    for name in bundled::NAMES {
        let (schema, _) = bundled::text(name).unwrap();
        let schema: Value = serde_json::from_str(&schema.text).unwrap();
        let mut described = 0;
        for method in &bundled_protocol(name).methods {
            let Type::Named { name: params } = method.params() else { continue };
            let branches = ["Agent", "Client", "ProtocolLevel"].iter().flat_map(|sender| {
                let kind = if method.is_request() { "Request" } else { "Notification" };
                let params = &schema["$defs"][format!("{sender}{kind}")]["properties"]["params"];
                params["anyOf"][0]["anyOf"].as_array().cloned().unwrap_or_default()
            });
            let reference = format!("#/$defs/{params}");
            let branch = branches.into_iter().find(|it| it["allOf"][0]["$ref"] == *reference);
            if let Some(text) = branch.as_ref().and_then(|branch| branch["description"].as_str()) {
                assert_eq!(method.docs.description.as_deref(), Some(text), "{params}");
                described += 1;
            }
        }
        assert!(described >= 17, "{name}: {described}");
    }
}

#[test]
fn no_description_is_lost() {
    let paragraphs = |text: &str| -> Vec<String> {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        text.split("\n\n").map(words).collect()
    };
    for name in bundled::NAMES {
        let (schema, _) = bundled::text(name).unwrap();
        let schema: Value = serde_json::from_str(&schema.text).unwrap();
        let protocol = bundled_protocol(name);
        let mut kept = Vec::new();
        descriptions(&serde_json::to_value(&protocol).unwrap(), &mut |text| {
            kept.extend(paragraphs(text));
        });
        let definitions = schema["$defs"].as_object().unwrap().iter();
        let mut count = 0;
        for (name, definition) in definitions.filter(|(name, _)| protocol.types.contains_key(*name))
        {
            descriptions(definition, &mut |text| {
                count += 1;
                for paragraph in paragraphs(text) {
                    assert!(kept.contains(&paragraph), "{name}: {paragraph}");
                }
            });
        }
        assert!(count > 400, "{name}: {count}");
        // The message unions describe methods, named or not.
        for definition in
            ["AgentRequest", "AgentNotification", "ClientRequest", "ClientNotification"]
        {
            let params = &schema["$defs"][definition]["properties"]["params"]["anyOf"][0]["anyOf"];
            for branch in params.as_array().unwrap() {
                for paragraph in paragraphs(branch["description"].as_str().unwrap()) {
                    assert!(kept.contains(&paragraph), "{name}: {definition}: {paragraph}");
                }
            }
        }
        // What is said of messages of neither side stands in the root.
        let method = protocol.methods.iter().find(|it| it.name.wire == "$/cancel_request");
        let said = method.and_then(|method| method.docs.description.as_deref()).unwrap();
        assert!(said.starts_with("Cancels an ongoing request."), "{name}: {said}");
    }
}

#[test]
fn a_side_is_shown_with_what_it_handles_beside_its_methods() {
    let protocol = bundled_protocol("acp@v1");
    let docs = &protocol.side("agent").unwrap().extensions.request;
    let first = docs.description.as_deref().and_then(|text| text.lines().next()).unwrap();
    let mut inspect = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    let shown = run(inspect.args(["inspect", "--schema", "bundled:acp@v1", "agent"]));
    assert!(shown.starts_with("agent   side, connected to client\n"), "{shown}");
    for line in ["  handles  initialize, ", "  other requests  ", "  other notifications  ", first]
    {
        assert!(shown.contains(line), "{line}: {shown}");
    }
}

fn descriptions<'a>(value: &'a Value, take: &mut dyn FnMut(&'a str)) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) if key == "description" => take(text),
                    member => descriptions(member, take),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| descriptions(item, take)),
        _ => {}
    }
}

/// What unstable parts alone lead to goes with them; what only leads to itself does not.
#[test]
fn the_stable_part_keeps_what_nothing_unstable_leads_to() {
    let schema = serde_json::json!({
        "title": "Trees",
        "$defs": {
            "Tree": { "type": "object", "properties": { "twig": { "$ref": "#/$defs/Tree" } } },
            "Leaf": { "type": "object" },
            "GrowRequest": {
                "type": "object", "x-unstable": true, "x-side": "wood", "x-method": "grow",
                "properties": { "leaf": { "$ref": "#/$defs/Leaf" } }
            },
            "GrowResponse": { "type": "object", "x-side": "wood", "x-method": "grow" }
        }
    });
    let protocol = lowered("trees.json", &schema.to_string()).protocol.unwrap();
    assert!(protocol.types.contains_key("GrowResponse"));
    let stable = protocol.stable();
    assert_eq!(stable.types.keys().map(String::as_str).collect::<Vec<_>>(), ["Tree"]);
}
