//! Schemas that would cost endless time or memory, or a stack: every command ends, with a verdict
//! or a finding, within bounded memory and processor time.

#![cfg(unix)]

use std::process::Command;

use serde_json::{Value, json};

use super::support;

/// The most address space of a command in KiB, and the most processor seconds. The command is built
/// without optimization here.
const LIMITS: &str = "ulimit -v 512000; ulimit -t 5; exec \"$@\"";

/// Schemas, and the finding that refuses each, if one does.
fn schemas() -> Vec<(&'static str, Value, Option<&'static str>)> {
    let long = json!({ "type": "string", "minLength": 3_000_000_000_u64 });
    let many = json!({ "type": "array", "items": long, "minItems": 3_000_000_000_u64 });
    let nested = (0..6).fold(
        json!({ "type": "boolean" }),
        |items, _| json!({ "type": "array", "items": items, "minItems": 900 }),
    );
    let held = json!({ "type": "object", "properties": { "held": many }, "required": ["held"] });
    vec![
        ("long", long, None),
        ("many", many, None),
        ("nested", nested, None),
        ("held", held, None),
        (
            "no string",
            json!({ "type": "string", "minLength": 9, "maxLength": 8 }),
            Some("unsatisfiable"),
        ),
        (
            "no number",
            json!({ "type": "number", "minimum": 0.5, "maximum": 0.25 }),
            Some("unsatisfiable"),
        ),
        (
            "no array",
            json!({ "type": "array", "minItems": 2, "maxItems": 1 }),
            Some("unsatisfiable"),
        ),
        ("pattern", json!({ "type": "string", "pattern": "(z{40000}){40000}" }), None),
        (
            "merges itself",
            json!({ "type": "object", "properties": {
                "left": { "allOf": [{ "$ref": "#/$defs/It" }], "required": ["gone"] },
                "right": { "allOf": [{ "$ref": "#/$defs/It" }], "required": ["gone"] },
            } }),
            None,
        ),
        (
            "is its own alternative",
            json!({ "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/It" }] }),
            Some("cyclic-ref"),
        ),
        (
            "is nothing but its own null",
            json!({ "anyOf": [{ "$ref": "#/$defs/It" }, { "type": "null" }] }),
            Some("cyclic-ref"),
        ),
        (
            "default in its own default",
            json!({ "type": "object", "properties": {
                "next": { "$ref": "#/$defs/It", "default": { "next": {} } },
            } }),
            Some("invalid-default"),
        ),
        ("array of itself", json!({ "type": "array", "items": { "$ref": "#/$defs/It" } }), None),
        (
            "or anything",
            json!({ "type": "object", "properties": {
                "next": { "anyOf": [{ "$ref": "#/$defs/It" }, {}] },
            } }),
            None,
        ),
    ]
}

/// The exit code of a command on a schema file, and all that it says.
pub(super) fn answer(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    command.args(["-c", LIMITS, "sh", env!("CARGO_BIN_EXE_acp-bindgen")]).args(arguments);
    let output = command.current_dir(folder).output().expect("the command starts");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn every_command_ends() {
    let folder = support::scratch("hostile");
    std::fs::write(folder.join("none.jsonl"), "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n").unwrap();
    let other = json!({ "title": "Other", "$defs": { "It": { "type": "integer" } } });
    std::fs::write(folder.join("other.json"), other.to_string()).unwrap();
    std::fs::create_dir(folder.join("versions")).unwrap();
    std::fs::write(folder.join("versions/1.0.0.json"), other.to_string()).unwrap();
    for (name, schema, finding) in schemas() {
        let schema = json!({ "title": "Hostile", "$defs": { "It": schema } });
        for path in ["it.json", "versions/1.1.0.json"] {
            std::fs::write(folder.join(path), schema.to_string()).unwrap();
        }
        let read = ["--schema", "it.json"];
        for target in ["rust", "typescript", "python", "docs"] {
            std::fs::remove_dir_all(folder.join("out")).ok();
            let generate =
                [&["generate"], &read[..], &["--target", target, "--out", "out"]].concat();
            let (code, said) = answer(&folder, &generate);
            assert_eq!(
                code,
                Some(if finding.is_some() { 2 } else { 0 }),
                "{name} {target}: {said}"
            );
            let refusal = finding.map(|code| format!("error[{code}]")).unwrap_or_default();
            assert!(said.contains(&refusal), "{name} {target}: {said}");
            let check = [&["check"], &read[..], &["--target", target, "--out", "out"]].concat();
            let (code, said) = answer(&folder, &check);
            let expected = if finding.is_some() { 2 } else { 0 };
            assert_eq!(code, Some(expected), "{name} {target}: {said}");
        }
        let (code, said) = answer(&folder, &["diff", "it.json", "it.json"]);
        let is_read = finding != Some("cyclic-ref");
        assert_eq!(code, Some(if is_read { 0 } else { 2 }), "{name}: {said}");
        let others: [&[&str]; 8] = [
            &["matrix", "versions"],
            &["matrix", "versions", "--strict"],
            &["diff", "it.json", "other.json"],
            &["diff", "other.json", "it.json"],
            &["changelog", "it.json", "it.json"],
            &["inspect", "--schema", "it.json"],
            &["lint", "--schema", "it.json"],
            &["validate", "--schema", "it.json", "none.jsonl"],
        ];
        for arguments in others {
            let (code, said) = answer(&folder, arguments);
            assert!(matches!(code, Some(0..=2)), "{name} {arguments:?}: {code:?} {said}");
        }
    }
}

/// Definitions `T0`, `T1` and so on, each made from the reference to the next; the last is a string.
fn chain(length: usize, link: impl Fn(usize, Value) -> Value) -> Value {
    let next = |at: usize| json!({ "$ref": format!("#/$defs/T{}", at + 1) });
    let links = (0..length).map(|at| (format!("T{at}"), link(at, next(at))));
    let last = (format!("T{length}"), json!({ "type": "string" }));
    Value::Object(links.chain([last]).collect())
}

/// Writes a schema of these definitions, and the request and result that hold the first of them.
fn write_large(path: &std::path::Path, mut definitions: Value) {
    for payload in ["CallRequest", "CallResponse"] {
        definitions[payload] = json!({
            "type": "object", "properties": { "value": { "$ref": "#/$defs/T0" } },
            "x-method": "call", "x-side": "server",
        });
    }
    std::fs::write(path, json!({ "title": "Large", "$defs": definitions }).to_string()).unwrap();
}

#[test]
fn what_would_be_decoded_as_too_many_definitions_is_refused() {
    let folder = support::scratch("too-deep");
    let path = folder.join("it.json");
    let alias = |_, next| json!({ "description": "The next.", "allOf": [next] });
    let union = |_, next| json!({ "anyOf": [{ "type": "integer" }, next] });
    let merged = |at, next| match at {
        // The last is no object.
        2_999 => json!({ "type": "object" }),
        _ => json!({ "properties": { format!("p{at}"): {} }, "allOf": [next] }),
    };
    let array = |_: usize, next: Value| json!({ "type": "array", "items": next });
    let map = |_, next| json!({ "type": "object", "additionalProperties": next });
    let mixed = |at: usize, next: Value| match at % 4 {
        0 => array(at, next),
        1 => map(at, next),
        2 => json!({ "anyOf": [next, { "type": "null" }] }),
        _ => alias(at, next),
    };
    let lists = (0..33).fold(json!({ "type": "string" }), |items, at| array(at, items));
    let property = json!({ "T0": { "type": "object", "properties": { "lists": lists } } });
    let inline = json!({ "T0": lists });
    for (name, definitions) in [
        ("aliases", chain(3_000, alias)),
        ("unions", chain(3_000, union)),
        ("merged", chain(3_000, merged)),
        ("arrays", chain(3_000, array)),
        ("maps", chain(3_000, map)),
        ("mixed", chain(3_000, mixed)),
        ("inline", inline),
        ("property", property),
    ] {
        write_large(&path, definitions);
        for command in ["inspect", "lint", "generate"] {
            let (code, said) = answer(&folder, &[command, "--schema", "it.json"]);
            assert!(matches!(code, Some(1 | 2)), "{name} {command}: {code:?} {said}");
            assert_eq!(said.matches("too-deep").count(), 1, "{name} {command}: {said}");
        }
        let (code, said) = answer(&folder, &["diff", "it.json", "it.json"]);
        assert_eq!(code, Some(2), "{name}: {said}");
    }
}

/// Writes `old.json` and `new.json`: a chain of definitions to an object, whose property `x` is of
/// another type in each.
fn write_pair(folder: &std::path::Path, link: impl Fn(usize, Value) -> Value) {
    for (path, x) in [("old.json", "string"), ("new.json", "integer")] {
        let mut definitions = chain(30, &link);
        definitions["T30"] = json!({ "type": "object", "properties": { "x": { "type": x } } });
        write_large(&folder.join(path), definitions);
    }
}

const BOTH_WAYS: [&[&str]; 2] =
    [&["diff", "old.json", "new.json"], &["diff", "new.json", "old.json"]];

/// What is unfolded or tried once for each way to it is so a billion times.
#[test]
fn a_union_with_two_ways_to_the_next_costs_no_more_than_with_one() {
    let folder = support::scratch("two-ways");
    write_pair(&folder, |_, next| {
        let list = json!({ "type": "array", "items": next });
        json!({ "anyOf": [next, { "anyOf": [next, list] }] })
    });
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"call","params":{"value":{"x":true}}}"#;
    std::fs::write(folder.join("call.jsonl"), call).unwrap();
    let validate: &[&str] = &["validate", "--schema", "old.json", "call.jsonl"];
    for arguments in BOTH_WAYS.into_iter().chain([validate]) {
        let (code, said) = answer(&folder, arguments);
        assert_eq!(code, Some(1), "{arguments:?}: {said}");
    }
}

#[test]
fn no_message_is_built_that_nobody_would_read() {
    let folder = support::scratch("too-large-for-messages");
    write_pair(
        &folder,
        |_, next| json!({ "type": "object", "properties": { "a": next, "b": next }, "required": ["a", "b"] }),
    );
    for arguments in BOTH_WAYS {
        let (code, said) = answer(&folder, arguments);
        assert_eq!(code, Some(1), "{arguments:?}: {said}");
        let reason = "a message around it would hold more than 10000 values";
        assert_eq!(said.matches(reason).count(), 2, "{arguments:?}: {said}");
    }
}

#[test]
fn no_message_is_built_that_no_receiver_takes() {
    let folder = support::scratch("too-deep-for-messages");
    let records = |changed: usize| {
        chain(300, |at, next| {
            let name = if at % 20 < changed { "integer" } else { "string" };
            let later = json!({ "$ref": format!("#/$defs/T{}", (at + 7).min(300)) });
            json!({
                "type": "object",
                "properties": {
                    "name": { "type": name },
                    "next": next,
                    "later": { "type": "array", "items": later },
                },
                "required": ["name", "next"],
            })
        })
    };
    write_large(&folder.join("old.json"), records(0));
    write_large(&folder.join("new.json"), records(1));
    let (code, said) = answer(&folder, &["diff", "old.json", "new.json"]);
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn definitions_that_each_lead_to_the_next_twice_are_looked_at_once() {
    let definition = |at: usize| {
        let next = json!({ "$ref": format!("#/$defs/T{}", at + 1) });
        (format!("T{at}"), json!({ "minimum": at, "allOf": [next, { "anyOf": [next] }] }))
    };
    let mut definitions: serde_json::Map<_, _> = (0..40).map(definition).collect();
    definitions.insert(String::from("T40"), json!({ "type": ["integer", "string"] }));
    let schema = json!({ "title": "Twice", "$defs": definitions });
    let lowered = support::lowered("twice.json", &schema.to_string());
    assert!(lowered.protocol.is_some(), "{}", lowered.report());
}
