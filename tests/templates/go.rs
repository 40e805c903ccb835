//! The Go target of `examples/go-templates`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{self, acp_bindgen};

/// What `encoding/json` and these templates make of messages otherwise than the other languages,
/// and why.
const DIFFERENT: [(&str, &str); 25] = [
    ("minLength not met", CONSTRAINTS),
    ("minLength in a union", CONSTRAINTS),
    ("minLength in a notification", CONSTRAINTS),
    ("open integer: known value written as a fraction", FRACTIONS),
    ("uint16: 1.0 is 1", FRACTIONS),
    ("uint16: 1e2 is 100", FRACTIONS),
    ("uint16: 6.5535E4", FRACTIONS),
    ("uint16: -0 is 0", FRACTIONS),
    ("uint16: 0.0 is 0", FRACTIONS),
    ("uint32: 5.0 is 5", FRACTIONS),
    ("uint64: 1e15", FRACTIONS),
    ("null where a newtype belongs", "Go leaves a string as it is where there is null"),
    ("unknown tag, shared field forgiven", "what has an unknown tag goes out as it came"),
    ("unknown tag falls to the untagged variant", DRAFTS),
    ("tag of another kind falls to the untagged variant", DRAFTS),
    ("auth method: unknown tag", DRAFTS),
    ("auth method: unknown tag of a draft", DRAFTS),
    ("auth method: unknown tag, in an answer", DRAFTS),
    ("auth method: no tag, and members of a draft", DRAFTS),
    ("auth method: a tag of another kind", DRAFTS),
    ("config option: unknown tag", DRAFTS),
    ("in capabilities: one that only a draft has", DRAFTS),
    ("in capabilities: told in an answer", DRAFTS),
    ("in capabilities: told in params", DRAFTS),
    ("in capabilities: named like what languages have", DRAFTS),
];
const CONSTRAINTS: &str = "the templates enforce no lengths";
const DRAFTS: &str = "the templates keep no members that the schema does not list";
const FRACTIONS: &str = "Go takes no spelling with a point, exponent or sign for these integers";

#[cfg(feature = "bundled")]
#[test]
fn the_example_of_the_readme_runs() {
    let folder = support::scratch("go-example");
    let example = support::root().join("examples/go-templates/acp-bindgen.toml");
    let mut generate = acp_bindgen(&folder);
    support::run(generate.arg("generate").arg("--config").arg(example).args(["--out", "sdk"]));
    let mut files: Vec<String> = fs::read_dir(folder.join("sdk/go"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let expected =
        [".acp-bindgen.json", "go.mod", "json.go", "methods.go", "registry.go", "types.go"];
    assert_eq!(files, expected);
}

#[cfg(feature = "bundled")]
#[test]
fn messages_of_the_first_version_make_the_round_trip() {
    round_trip("acp-v1", "bundled:acp@v1", &DIFFERENT.map(|(name, _)| name));
}

#[cfg(feature = "bundled")]
#[test]
fn the_second_version_builds() {
    let Some(go) = support::go() else { return };
    build(&go, "go-acp-v2", "bundled:acp@v2");
}

/// Each entry of the corpus, through the generated types.
fn round_trip(corpus: &str, schema: &str, different: &[&str]) {
    let Some(go) = support::go() else { return };
    let program = build(&go, &format!("go-{corpus}"), schema);
    let entries: Vec<(String, Value)> = entries(corpus);
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<&str> = entries.iter().map(|(line, _)| line.as_str()).collect();
    let lines = lines.join("\n");
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), entries.len());
    let mut wrong = Vec::new();
    for ((_, entry), answer) in entries.iter().zip(&answers) {
        let is_right = if entry.get("reject").is_some() {
            answer.get("error").is_some()
        } else {
            let expected = entry.get("encoded").unwrap_or(&entry["value"]);
            answer.get("ok").is_some_and(|encoded| same(encoded, expected))
        };
        let name = entry["name"].as_str().unwrap();
        if is_right == different.contains(&name) {
            wrong.push(format!("{name}: {answer}"));
        }
    }
    assert!(entries.len() > 500, "{}", entries.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The same JSON, with numbers compared by value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// The lines of a corpus, as they are spelled and as JSON.
fn entries(corpus: &str) -> Vec<(String, Value)> {
    let mut files: Vec<PathBuf> = fs::read_dir(support::root().join("tests/wire").join(corpus))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .flat_map(|file| {
            let text = fs::read_to_string(file).unwrap();
            text.lines()
                .map(|line| (line.to_owned(), serde_json::from_str(line).unwrap()))
                .collect::<Vec<_>>()
        })
        // What is given as a text is about how texts are read.
        .filter(|(_, entry): &(String, Value)| entry.get("value").is_some())
        .collect()
}

/// Generates the package, checks it with Go's own tools, and builds the program beside it.
fn build(go: &support::Go, name: &str, schema: &str) -> PathBuf {
    let folder = support::scratch(name);
    let templates = support::root().join("examples/go-templates/templates");
    let mut generate = acp_bindgen(&folder);
    generate.args(["generate", "--schema", schema, "--out", ".", "--name", "acp"]);
    generate.args(["--target", "go", "--templates"]);
    let mut choice = std::ffi::OsString::from("go=");
    choice.push(templates);
    support::run(generate.arg(choice));
    let package = folder.join("go");
    vet(go, &package);
    let program = folder.join("program");
    support::write_files(
        &program,
        [
            ("main.go", include_str!("go/main.go")),
            ("go.mod", "module program\n\ngo 1.18\n\nrequire acp v0.0.0\n\nreplace acp => ../go\n"),
        ],
    );
    support::run(go.go().args(["build", "-o", "program", "."]).current_dir(&program));
    program.join("program")
}

fn vet(go: &support::Go, package: &Path) {
    let unformatted = support::run(Command::new("gofmt").args(["-l", "."]).current_dir(package));
    assert_eq!(unformatted, "");
    support::run(go.go().args(["vet", "./..."]).current_dir(package));
}

/// What a schema can call things, and say, does not get out of names, literals and comments.
#[test]
fn hostile_schemas_build() {
    let Some(go) = support::go() else { return };
    let evil = "*/ \" ` \\ \u{202e}\n//go:embed x\n# Heading\n- item\n    code\\";
    let constant = |value: &str| json!({ "const": value, "description": evil });
    let schema = json!({ "title": "Evil", "description": evil, "$defs": {
        "type": { "type": "object", "description": evil, "required": ["func"], "properties": {
            "func": { "type": "string", "description": evil },
            "2d": { "type": "string", "default": evil },
            "go": { "$ref": "#/$defs/List" }
        } },
        "List": { "type": "array", "items": { "$ref": "#/$defs/Raw" } },
        "Raw": { "oneOf": [constant("\"; panic(1) //"), constant("`")], "description": evil },
        "DoNotification": { "type": "object", "x-side": "side", "x-method": evil },
        "Either": { "description": evil, "anyOf": [
            { "title": "select", "description": evil, "type": "object", "required": ["k"],
              "properties": { "k": { "const": "\"", "type": "string" } } },
            { "title": "map", "type": "object", "required": ["k"],
              "properties": { "k": { "const": evil, "type": "string" } } }
        ] }
    } });
    let folder = support::scratch("go-hostile-schema");
    fs::write(folder.join("evil.json"), schema.to_string()).unwrap();
    let path = folder.join("evil.json");
    build(&go, "go-hostile", path.to_str().unwrap());
}
