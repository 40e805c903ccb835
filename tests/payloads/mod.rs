//! The aggregates of sides: each reads what every one of its methods carries, as the codec of that
//! does, and knows no other method.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use acp_bindgen::example::Examples;
use acp_bindgen::ir::{Part, Protocol};
use acp_bindgen::{Purpose, input, load};
use serde_json::{Value, json};

use crate::support;

/// The schemas, each with the runtime of its packages. In the second one some payloads have no type
/// of their own, and the schema has taken a name.
const SCHEMAS: [(&str, &str); 3] =
    [("acp@v1", "embedded"), ("acp@v1", "none"), ("tests/payloads/lamp.schema.json", "none")];

fn protocol(schema: &str) -> Protocol {
    let inputs = input::read_schema(schema, &[], &[]).unwrap();
    load(inputs, Purpose::Generate).protocol.unwrap()
}

/// For each method of each aggregate, an example of what it carries.
fn cases(schema: &str) -> Vec<Value> {
    let protocol = protocol(schema);
    let examples = Examples::new(&protocol);
    let mut cases = Vec::new();
    for aggregate in protocol.aggregates(&protocol.sides) {
        let is_result = aggregate.part == Part::Result;
        for method in &aggregate.methods {
            let ty = if is_result { method.result().unwrap() } else { method.params() };
            let example = ty.named().map(|name| examples.named(name).unwrap());
            cases.push(json!({
                "name": aggregate.name.pascal(),
                "function": format!("decode_{}", aggregate.name.snake()),
                "method": method.name.wire,
                "part": if is_result { "result" } else { "params" },
                "type": ty.named(),
                "value": example,
            }));
        }
    }
    cases
}

/// A generated package with the cases beside it.
fn prepared(language: &str, (schema, runtime): (&str, &str)) -> PathBuf {
    let label = if schema.starts_with("acp") { "acp" } else { "lamp" };
    let folder = support::target().join(format!("payloads-{language}-{label}-{runtime}"));
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", schema, "--target", language, "--runtime", runtime]);
    generate.args(["--name", "sdk", "--out"]).arg(&folder).current_dir(support::root());
    support::run(&mut generate);
    let cases = serde_json::to_string_pretty(&cases(schema)).unwrap();
    support::write_files(&folder, [("payloads/cases.json", cases.as_str())]);
    folder
}

#[test]
fn rust() {
    for (schema, runtime) in SCHEMAS {
        let folder = prepared("rust", (schema, runtime));
        let tests = folder.join("payloads");
        let source = source(&cases(schema));
        support::write_files(
            &tests,
            [("Cargo.toml", include_str!("rust/Cargo.toml")), ("tests/payloads.rs", &source)],
        );
        let mut test = support::cargo();
        test.args(["test", "--quiet"]).current_dir(tests);
        support::run(test.env("CARGO_TARGET_DIR", support::target().join("connection/target")));
    }
}

/// A test of each case in Rust.
fn source(cases: &[Value]) -> String {
    let mut source = String::from("#[test]\nfn payloads() {\n");
    for case in cases {
        let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
        let (name, part, method) = (text("name"), text("part"), text("method"));
        let value = case["value"].to_string();
        let read = format!("sdk::{name}::from_method_and_{part}");
        writeln!(
            source,
            "    let read = {read}({method:?}, Some({value:?})).unwrap().unwrap();\n    \
                 assert_eq!(read.method(), {method:?});\n    \
                 let printed = serde_json::to_value(&read).unwrap();\n    \
                 assert!({read}(\"no/such\", Some(\"{{}}\")).unwrap().is_none());"
        )
        .unwrap();
        if case["type"].is_string() {
            writeln!(
                source,
                "    let alone: sdk::{} = sdk::json::decode({value:?}).unwrap();\n    \
                     assert_eq!(printed, serde_json::to_value(&alone).unwrap());\n    \
                     assert!({read}({method:?}, Some(\"7\")).is_err());",
                text("type")
            )
            .unwrap();
        } else {
            writeln!(source, "    assert_eq!(printed.to_string(), {value:?});").unwrap();
        }
    }
    source + "}\n"
}

#[test]
fn typescript() {
    let Some(node) = support::node() else { return };
    for of in SCHEMAS {
        let folder = prepared("typescript", of);
        let package = folder.join("typescript");
        node.link("@types", &package);
        support::run(node.tsc().arg("--project").arg(&package));
        let tests = folder.join("payloads");
        let files = [
            ("payloads.test.mjs", include_str!("payloads.test.mjs")),
            ("narrowed.ts", include_str!("narrowed.ts")),
        ];
        support::write_files(&tests, files);
        let mut test = node.node();
        test.args(["--test", "payloads.test.mjs"]).current_dir(&tests);
        support::run(&mut test);
        if of.0.starts_with("acp") {
            let mut check = node.tsc();
            check.args(["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"]);
            support::run(check.arg("narrowed.ts").current_dir(&tests));
        }
    }
}

#[test]
fn python() {
    let Some(python) = support::python() else { return };
    for of in SCHEMAS {
        let folder = prepared("python", of);
        let package = folder.join("python/src");
        let tests = folder.join("payloads");
        let source = include_str!("test_payloads.py");
        support::write_files(&tests, [("test_payloads.py", source)]);
        let mut test = python.python();
        test.args(["-X", "dev", "-W", "error", "-B", "test_payloads.py"]);
        support::run(test.env("PYTHONPATH", &package).current_dir(&tests));
        checked(&python, &package);
    }
}

/// Has a type checker and a linter look at the modules.
fn checked(python: &support::Python, package: &Path) {
    let modules = ["sdk/payloads.py", "sdk/runtime/payloads.py"];
    let mut check = python.mypy();
    check.args(["--strict", "--no-error-summary", "--python-version", "3.10"]);
    check.arg("--python-executable").arg(python.interpreter());
    support::run(check.args(modules).current_dir(package));
    support::run(python.lint().args(modules).current_dir(package));
    let mut format = python.ruff();
    support::run(
        format.args(["format", "--check", "--isolated"]).args(modules).current_dir(package),
    );
}
