//! The toolchains that the other tests need can be found and installed.

use crate::support;

#[test]
fn node_tools_are_there() {
    let Some(node) = support::node() else { return };
    assert!(support::run(node.tsc().arg("--version")).starts_with("Version"));
    support::run(node.prettier().arg("--version"));
}

#[test]
fn python_tools_are_there() {
    let Some(python) = support::python() else { return };
    support::run(python.python().args(["-c", "import msgspec"]));
    support::run(python.mypy().arg("--version"));
    support::run(python.ruff().arg("--version"));
}

#[test]
fn published_schemas_are_there() {
    let mut versions = Vec::new();
    for (version, path) in [
        ("0.4.9", "schema/schema.json"),
        ("0.5.1", "schema/schema.json"),
        ("0.8.0", "schema/schema.json"),
        ("0.12.0", "schema/schema.json"),
        ("0.16.1", "schema/schema.json"),
        ("0.21.1", "schema/schema.json"),
        ("0.29.0", "schema/schema.json"),
        ("1.9.0", "schema/schema.json"),
        ("2.0.2", "schema/v1/schema.json"),
        ("2.4.0", "schema/v2/schema.unstable.json"),
    ] {
        let Some(text) = support::npm_schema(version, path) else { return };
        let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(schema["$defs"]["InitializeRequest"].is_object(), "{version}");
        versions.push(version);
    }
    assert_eq!(versions.len(), 10);
}
