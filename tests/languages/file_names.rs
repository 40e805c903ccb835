//! Packages whose modules have other paths than usual, judged by their languages' own tools.

use std::path::{Path, PathBuf};

use acp_bindgen::config::{Specifiers, Targets};
use acp_bindgen::output::FileSet;
use acp_bindgen::{Config, Generator, Runtime, Target};

use crate::guides::programs;
use crate::support;

/// Modules of TypeScript and their paths: in folders of their own and of others, out of a folder, with
/// names that break lines and join them.
const TYPESCRIPT: [(&str, &str); 5] = [
    ("src/types.ts", "src/schema/types.gen.ts"),
    ("src/codecs.ts", "src/schema/codecs/of-every-type.gen.ts"),
    ("src/index.ts", "src/acp.ts"),
    ("src/methods.ts", "src/m.ts"),
    ("src/payloads.ts", "src/schema/codecs/payloads-of-messages-as-the-schema-says.ts"),
];

/// Those that only packages with connections have.
const TYPESCRIPT_CONNECTIONS: [(&str, &str); 8] = [
    ("src/errors.ts", "src/rpc/json/errors.ts"),
    ("src/interfaces.ts", "src/rpc/sides.ts"),
    ("src/connections.ts", "src/remote/connections.ts"),
    ("src/app.ts", "src/app/index.ts"),
    ("src/remote-node.ts", "src/remote/node/index.ts"),
    ("src/remote.ts", "src/remote/index.ts"),
    ("src/handles.ts", "src/runtime/handles.ts"),
    ("src/node.ts", "src/streams-and-processes-of-node.ts"),
];

const PYTHON: [(&str, &str); 6] = [
    ("types.py", "schema.py"),
    ("enums.py", "model/enums.py"),
    ("codecs.py", "wire.py"),
    ("methods.py", "meta.py"),
    ("payloads.py", "model/inner/payloads.py"),
    ("_decoders.py", "_how_values_are_decoded_as_the_schema_says_it.py"),
];

const PYTHON_CONNECTIONS: [(&str, &str); 5] = [
    ("connections.py", "connection/of_sides.py"),
    ("errors.py", "exceptions.py"),
    ("remote.py", "network/remote.py"),
    ("_endpoint.py", "network/inner/at.py"),
    ("rpc.py", "connection/json_rpc.py"),
];

/// The package of ACP v1 with modules at these paths.
fn package(target: &Target, name: &str, runtime: Runtime, specifiers: Specifiers) -> FileSet {
    let mut targets = Targets { specifiers: Some(specifiers), ..Targets::default() };
    let has_connections = runtime != Runtime::None;
    if *target == Target::TypeScript {
        let more = TYPESCRIPT_CONNECTIONS.iter().filter(|_| has_connections);
        for (from, to) in TYPESCRIPT.iter().chain(more) {
            targets.files.push(target.clone(), *from, *to);
        }
    } else {
        let more = PYTHON_CONNECTIONS.iter().filter(|_| has_connections);
        for (from, to) in PYTHON.iter().chain(more) {
            let path = |path: &str| format!("src/{name}/{path}");
            targets.files.push(target.clone(), path(from), path(to));
        }
    }
    let config = Config {
        schema: vec![String::from("acp@v1")],
        target: vec![target.clone()],
        name: Some(name.to_owned()),
        runtime: Some(runtime),
        targets,
        ..Config::default()
    };
    let mut diagnostics = acp_bindgen::diagnostic::Diagnostics::new();
    let inputs = config.read_inputs(&mut diagnostics).unwrap();
    let mut generation = Generator::new(config).generate(inputs);
    assert!(!generation.diagnostics.has_errors(), "{:?}", generation.diagnostics);
    generation.packages.remove(0).files
}

#[test]
fn typescript_compiles() {
    let Some(node) = support::node() else { return };
    let of = |name, runtime, specifiers| package(&Target::TypeScript, name, runtime, specifiers);
    let mut packages = FileSet::new();
    packages.insert_under("whole", of("whole", Runtime::Embedded, Specifiers::Js));
    packages.insert_under("data", of("data", Runtime::None, Specifiers::Js));
    support::check_typescript(&node, &support::synced("file-names-typescript", &packages));

    packages.insert_under("sources", of("sources", Runtime::Embedded, Specifiers::Ts));
    let folder = support::synced("file-names-typescript-built", &packages);
    for name in ["whole", "data", "sources"] {
        let package = folder.join(name);
        node.link("@types", &package);
        support::run(node.tsc().arg("--project").arg(&package));
        for path in exported(&package) {
            assert!(path.exists(), "{}", path.display());
        }
        let subpaths: &[&str] =
            if name == "data" { &[""] } else { &["", "/app", "/node", "/remote", "/remote/node"] };
        for subpath in subpaths {
            let import = format!("await import(\"{name}{subpath}\")");
            let mut run = node.node();
            run.args(["--input-type=module", "-e", &import]).current_dir(&package);
            support::run(&mut run);
        }
    }
}

/// The files that the manifest of a package names.
fn exported(package: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(package.join("package.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let exports = manifest["exports"].as_object().unwrap().values();
    let conditions = exports.filter_map(serde_json::Value::as_object).flat_map(|it| it.values());
    let paths = conditions.chain([&manifest["main"], &manifest["types"]]);
    let paths: Vec<PathBuf> = paths.map(|path| package.join(path.as_str().unwrap())).collect();
    assert!(paths.len() >= 4);
    paths
}

#[test]
fn python_compiles() {
    let Some(python) = support::python() else { return };
    let of = |name, runtime| package(&Target::Python, name, runtime, Specifiers::Js);
    let mut packages = FileSet::new();
    packages.insert_under("whole", of("acp", Runtime::Embedded));
    packages.insert_under("data", of("acp_two", Runtime::None));
    let folder = support::synced("file-names-python", &packages);
    let projects = ["whole", "data"].map(|name| folder.join(name));
    support::check_python(&python, &folder, &projects);

    let readme = &programs(&projects[0].join("README.md"), "python");
    let shown = readme.iter().find(|it| it.contains("from acp.wire import ")).unwrap();
    let published = "import acp.meta, acp.connection.of_sides, acp.wire, acp.schema\n\
        assert acp.schema.InitializeRequest is acp.InitializeRequest\n\
        assert acp.wire is acp.codecs and acp.meta is acp.methods\n\
        assert acp.AgentSideConnection is acp.connection.of_sides.AgentSideConnection\n";
    for program in [shown, published] {
        let mut run = python.python();
        run.args(["-W", "error", "-B", "-c", program]).env("PYTHONPATH", projects[0].join("src"));
        support::run(&mut run);
    }
}
