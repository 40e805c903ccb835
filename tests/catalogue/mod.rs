//! The typed calls of catalogue entries, in the SDKs of a protocol that has a catalogue.

use std::path::Path;
use std::process::{Command, Output};

use crate::support;

const CATALOGUE: &str = "tests/cases/catalogue/catalogue.json";

#[test]
fn rust() {
    let folder = support::target().join("catalogue-rust");
    generate("rust", &folder);
    let tests = folder.join("catalogue");
    support::write_files(
        &tests,
        [
            ("Cargo.toml", include_str!("rust/Cargo.toml")),
            ("tests/catalogue.rs", include_str!("rust/catalogue.rs")),
        ],
    );
    let mut test = support::cargo();
    test.args(["test", "--quiet"]).current_dir(tests);
    support::run(test.env("CARGO_TARGET_DIR", support::target().join("connection/target")));
}

#[test]
fn typescript() {
    let Some(node) = support::node() else { return };
    let folder = support::target().join("catalogue-typescript");
    generate("typescript", &folder);
    let package = folder.join("typescript");
    node.link("@types", &package);
    support::run(node.tsc().arg("--project").arg(&package));
    let tests = folder.join("catalogue");
    support::write_files(&tests, [("catalogue.test.mjs", include_str!("catalogue.test.mjs"))]);
    let mut test = node.node();
    test.args(["--test", "catalogue.test.mjs"]).current_dir(tests);
    support::run(&mut test);
}

#[test]
fn python() {
    let Some(python) = support::python() else { return };
    let folder = support::target().join("catalogue-python");
    generate("python", &folder);
    let program = support::root().join("tests/catalogue/catalogue.py");
    let mut run = python.python();
    run.args(["-W", "error", "-B"]).arg(program);
    support::run(run.env("PYTHONPATH", folder.join("python/src")).current_dir(&folder));
}

#[test]
fn a_schema_has_to_say_what_the_catalogue_is_for() {
    let said = failed(&["--schema", "bundled:acp@v1", "--catalogue", CATALOGUE]);
    assert!(said.contains("error[no-catalogue]"), "{said}");
    assert!(said.contains("`x-catalogue`"), "{said}");
}

#[test]
fn a_text_that_is_no_catalogue_is_refused_with_its_locations() {
    let folder = support::scratch("catalogue-texts");
    let whole = |entry: &str| format!("{{\"agents\": [\n  {entry}\n]}}");
    let entry = r#"{"name": "a", "inputSchema": {}, "outputSchema": {}}"#;
    for (name, text, code, location) in [
        ("text", String::from("nope"), "invalid-json", ":1:"),
        ("array", String::from("[]"), "malformed-catalogue", ":1:1"),
        ("empty", String::from("{}"), "malformed-catalogue", ":1:1"),
        ("kind", String::from("{\"agents\": 3}"), "malformed-catalogue", "#/agents"),
        ("entry", whole("4"), "malformed-catalogue", "#/agents/0"),
        ("unnamed", whole("{}"), "malformed-catalogue", ":2:3"),
        ("named", whole(r#"{"name": 1}"#), "malformed-catalogue", "#/agents/0/name"),
        (
            "schema",
            whole(r#"{"name": "a", "inputSchema": "x", "outputSchema": {}}"#),
            "malformed-catalogue",
            "#/agents/0/inputSchema",
        ),
        ("twice", whole(&format!("{entry},\n  {entry}")), "name-collision", ":3:12"),
        (
            "alike",
            whole(&format!("{entry},\n  {}", entry.replace("\"a\"", "\"A\""))),
            "name-taken",
            "#/agents/0/name",
        ),
        (
            "taken",
            whole(&entry.replace("{}}", r#"{"$ref": "nowhere"}}"#)),
            "unmodelled",
            "#/agents/0/outputSchema/$ref",
        ),
    ] {
        let catalogue = folder.join(name).with_extension("json");
        std::fs::write(&catalogue, text).unwrap();
        let catalogue = catalogue.to_str().unwrap().to_owned();
        let out = folder.join("out").to_str().unwrap().to_owned();
        let arguments = ["--schema", SCHEMA, "--catalogue", &catalogue, "--out", &out, "--dry-run"];
        let output = run(&arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        let is_fine = ["name-taken", "unmodelled"].contains(&code);
        assert_eq!(output.status.success(), is_fine, "{name}: {said}");
        assert!(said.contains(&format!("[{code}]")), "{name}: {said}");
        assert!(said.contains(location), "{name}: {said}");
    }
}

const SCHEMA: &str = "schema/agent-communication.json";

fn failed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

fn run(arguments: &[&str]) -> Output {
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.arg("generate").args(arguments).current_dir(support::root());
    generate.output().unwrap()
}

fn generate(language: &str, folder: &Path) {
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", SCHEMA, "--catalogue", CATALOGUE, "--target", language]);
    generate.args(["--name", "sdk", "--out"]).arg(folder).current_dir(support::root());
    support::run(&mut generate);
}
