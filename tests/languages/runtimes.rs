//! What generated code stands on, whatever the protocol: a package by itself, built and tested by
//! the tools of its language alone.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::generator::backend;
use acp_bindgen::output::FileSet;
use acp_bindgen::{Config, Generator, Runtime, Target};

use crate::generated::packages::read;
use crate::support::{self, Node};

/// The runtime of TypeScript, built: the folder of its package.
pub(crate) fn built_typescript(node: &Node) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let mut files = FileSet::new();
        read(&support::root().join("templates/typescript/runtime"), "runtime", &mut files);
        let package = support::synced("runtime-typescript", &files).join("runtime");
        for module in ["@types", "tough-cookie", "ws"] {
            node.link(module, &package);
        }
        support::run(node.tsc().arg("--project").arg(&package));
        package
    };
    BUILT.get_or_init(build).clone()
}

/// The schemas of the packages that share a runtime, by name.
const SHARING: [(&str, &str); 2] =
    [("acp", "acp@v1"), ("lamp", "examples/build-script/schema/lamp.json")];

/// The package of a schema, which depends on the runtime.
fn package(target: &Target, name: &str, schema: &str) -> FileSet {
    let schema = if schema.ends_with(".json") {
        support::root().join(schema).display().to_string()
    } else {
        schema.to_owned()
    };
    let config = Config {
        schema: vec![schema],
        target: vec![target.clone()],
        name: Some(name.to_owned()),
        runtime: Some(Runtime::Package),
        ..Config::default()
    };
    let inputs = config.read_inputs(&mut Diagnostics::new()).unwrap();
    let mut generation = Generator::new(config).generate(inputs);
    assert!(!generation.diagnostics.has_errors(), "{:?}", generation.diagnostics);
    generation.packages.remove(0).files
}

/// The runtime of a language, as `acp-bindgen runtime` writes it.
fn runtime(target: &Target) -> FileSet {
    backend(target, &Config::default()).runtime()
}

/// The runtime of Rust, with its tests.
fn rust_runtime(files: &mut FileSet) {
    files.insert_under("runtime", runtime(&Target::Rust));
    let tests = support::root().join("templates/rust/runtime/tests");
    read(&tests, "runtime/tests", files);
}

/// Runs the tests of a package of a workspace.
fn test_rust(workspace: &std::path::Path, package: &str) {
    let mut test = support::cargo();
    test.args(["test", "--quiet", "--all-features", "--package", package]).current_dir(workspace);
    support::run(test.env("CARGO_TARGET_DIR", support::target().join("generated-code")));
}

#[test]
fn rust_stands_alone() {
    let mut files = FileSet::new();
    rust_runtime(&mut files);
    files.insert("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = [\"runtime\"]\n");
    let workspace = support::synced("runtime-rust", &files);
    support::check_rust(&workspace);
    test_rust(&workspace, "acp-bindgen-runtime");
    let mut packed = support::cargo_with_packages();
    packed.args(["package", "--offline", "--allow-dirty", "--no-verify", "--quiet"]);
    packed.args(["--package", "acp-bindgen-runtime"]).current_dir(&workspace);
    support::run(packed.env("CARGO_TARGET_DIR", support::target().join("generated-code")));
}

#[test]
fn two_protocols_share_a_runtime_in_rust() {
    let mut files = FileSet::new();
    rust_runtime(&mut files);
    for (name, schema) in SHARING {
        for (path, text) in package(&Target::Rust, name, schema).iter() {
            files.insert(format!("{name}/{path}"), text);
        }
    }
    let program = fs::read_to_string(shared().join("rust.rs")).unwrap();
    files.insert("program/src/lib.rs", "//! A program with two protocols.\n");
    files.insert("program/tests/both.rs", program);
    files.insert(
        "program/Cargo.toml",
        "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nacp = { path = \"../acp\" }\nlamp = { path = \"../lamp\" }\n\
         tokio = { version = \"1\", features = [\"io-util\", \"macros\", \"rt\"] }\n",
    );
    files.insert(
        "Cargo.toml",
        "[workspace]\nresolver = \"2\"\n\
         members = [\"acp\", \"lamp\", \"program\", \"runtime\"]\n\n\
         [patch.crates-io]\nacp-bindgen-runtime = { path = \"runtime\" }\n",
    );
    let workspace = support::synced("shared-runtime-rust", &files);
    support::check_rust(&workspace);
    test_rust(&workspace, "program");
}

/// The folder of programs with two protocols.
fn shared() -> PathBuf {
    support::root().join("tests/languages/shared-runtime")
}

#[test]
fn typescript_stands_alone() {
    let Some(node) = support::node() else { return };
    let package = built_typescript(&node);
    let mut files = FileSet::new();
    read(&package.join("src"), "src", &mut files);
    let tests = files.iter().filter_map(|(path, _)| path.strip_suffix(".test.ts"));
    let tests: Vec<String> =
        tests.map(|path| format!("{path}.test.js").replacen("src/", "dist/", 1)).collect();
    assert!(!tests.is_empty());
    support::run(node.node().arg("--test").args(tests).current_dir(&package));
    support::check_typescript(&node, package.parent().unwrap());
}

#[test]
fn python_stands_alone() {
    let Some(python) = support::python() else { return };
    let runtime = support::root().join("templates/python/runtime");
    let mut files = FileSet::new();
    read(&runtime.join("src"), "runtime/src", &mut files);
    let folder = support::synced("runtime-python", &files);
    let package = folder.join("runtime");
    let tests = ["-B", "-W", "error", "-m", "unittest", "discover", "--start-directory"];
    let sources = package.join("src");
    support::run(python.python().args(tests).arg(runtime.join("tests")).env("PYTHONPATH", sources));
    let projects = [package];
    support::check_python_types(&python, &folder, &projects);
    support::lint_python(&python, &folder, &projects);
}
