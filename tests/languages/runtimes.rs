//! What generated code stands on, whatever the protocol: a package by itself, built and tested by
//! the tools of its language alone.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::generator::backend;
use acp_bindgen::output::FileSet;
use acp_bindgen::{Config, Generator, Runtime, Target};

use crate::generated::packages::read;
use crate::python::run_program;
use crate::support::{self, Node};

/// The runtime of TypeScript, built: the folder of its package.
pub(crate) fn built_typescript(node: &Node) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let sources = support::root().join("templates/typescript/runtime");
        let mut all = FileSet::new();
        read(&sources, "runtime", &mut all);
        let mut files = FileSet::new();
        files.insert_under("runtime", runtime(&Target::TypeScript));
        for (path, text) in
            all.iter().filter(|(path, _)| files.get(path).is_none()).collect::<Vec<_>>()
        {
            assert!(path.ends_with(".test.ts"), "{path} is a file of a part");
            files.insert(path, text);
        }
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
    let schema = if schema.contains('/') {
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

#[test]
fn rust_stands_alone_and_two_protocols_share_it() {
    let mut files = FileSet::new();
    files.insert_under("runtime", runtime(&Target::Rust));
    let tests = support::root().join("templates/rust/runtime/tests");
    read(&tests, "runtime/tests", &mut files);
    for (name, schema) in SHARING {
        // ACP is compiled for the program; its code is judged with a copy of the runtime.
        let folder = if name == "acp" { "others/acp" } else { name };
        files.insert_under(folder, package(&Target::Rust, name, schema));
    }
    let program = fs::read_to_string(shared().join("rust.rs")).unwrap();
    files.insert("program/src/lib.rs", "//! A program with two protocols.\n");
    files.insert("program/tests/both.rs", program);
    files.insert(
        "program/Cargo.toml",
        "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nacp = { path = \"../others/acp\" }\nlamp = { path = \"../lamp\" }\n\
         tokio = { version = \"1\", features = [\"io-util\", \"macros\", \"rt\"] }\n",
    );
    files.insert(
        "Cargo.toml",
        "[workspace]\nresolver = \"2\"\n\
         exclude = [\"others\"]\nmembers = [\"lamp\", \"program\", \"runtime\"]\n\n\
         [patch.crates-io]\nacp-bindgen-runtime = { path = \"runtime\" }\n",
    );
    let workspace = support::synced("shared-runtime-rust", &files);
    support::check_rust(&workspace);
    let in_workspace = |mut cargo: Command, arguments: &[&str]| {
        cargo.args(arguments).args(["--quiet", "--package", "acp-bindgen-runtime"]);
        cargo.env("CARGO_TARGET_DIR", support::target().join("generated-code"));
        support::run(cargo.current_dir(&workspace));
    };
    let tests = ["test", "--package", "program", "--features", "acp-bindgen-runtime/regex"];
    in_workspace(support::cargo(), &tests);
    let packed = ["package", "--offline", "--allow-dirty", "--no-verify"];
    in_workspace(support::cargo_with_packages(), &packed);
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
    let sources = support::root().join("templates/python/runtime");
    let mut files = FileSet::new();
    files.insert_under("runtime", runtime(&Target::Python));
    let mut all = FileSet::new();
    read(&sources.join("src"), "runtime/src", &mut all);
    assert!(all.iter().all(|(path, _)| files.get(path).is_some()), "each module is one of a part");
    let folder = support::synced("runtime-python", &files);
    let package = folder.join("runtime");
    let tests = ["-B", "-W", "error", "-m", "unittest", "discover", "--start-directory"];
    let mut test = python.python();
    test.args(tests).arg(sources.join("tests")).env("PYTHONPATH", package.join("src"));
    support::run(&mut test);
    let projects = [package];
    support::check_python_types(&python, &folder, &projects);
    support::lint_python(&python, &folder, &projects);
}

#[test]
fn two_protocols_share_a_runtime_in_python() {
    let (Some(python), Some(wheels)) = (support::python(), support::wheels()) else { return };
    let mut files = FileSet::new();
    files.insert_under("runtime", runtime(&Target::Python));
    for (name, schema) in SHARING {
        files.insert_under(name, package(&Target::Python, name, schema));
        assert!(files.get(&format!("{name}/src/{name}/types.py")).is_some());
        assert!(files.get(&format!("{name}/src/{name}/runtime/__init__.py")).is_none());
    }
    let folder = support::synced("shared-runtime-python", &files);
    let projects = ["acp", "lamp", "runtime"].map(|name| folder.join(name));
    // The code of ACP is judged with a copy of the runtime.
    let judged = &projects[1..];
    support::check_python_types(&python, &folder, judged);
    support::lint_python(&python, &folder, judged);

    let made = support::scratch("shared-runtime-python-installed");
    let (built, installed) = (made.join("built"), made.join("installed"));
    let mut making = wheels.pip();
    making.args(["wheel", "--no-deps", "--no-build-isolation", "--check-build-dependencies"]);
    support::run(making.arg("--wheel-dir").arg(&built).args(&projects));
    let mut install = wheels.pip();
    install.args(["install", "--no-index", "--no-deps", "--target"]).arg(&installed);
    support::run(install.arg("--find-links").arg(&built).args(["acp", "lamp", &needed(&files)]));
    run_program(&shared().join("python.py"), &[installed]);
}

/// What a package of Python needs of the runtime, as its manifest says.
fn needed(files: &FileSet) -> String {
    let manifest: toml::Table = files.get("lamp/pyproject.toml").unwrap().parse().unwrap();
    let project = &manifest["project"];
    let extras = project["optional-dependencies"]["ws"].as_array().unwrap();
    assert_eq!(extras[0].as_str(), Some("acp-bindgen-runtime[ws]"));
    project["dependencies"][0].as_str().unwrap().to_owned()
}
