//! Programs written for other packages of the protocol, of which only the imports are changed, or
//! as little as can be.
//!
//! The examples of the official TypeScript package talk to each other: in the versions that have an
//! API of classes, as ours has.

mod python;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use crate::support;

/// Versions whose examples use classes; later ones chain functions.
const VERSIONS: [&str; 6] = ["0.4.9", "0.5.1", "0.8.0", "0.12.0", "0.16.1", "0.19.2"];

/// The examples start their agent with `npx tsx agent.ts`: here it is compiled already.
const NPX: &str = "#!/bin/sh\nexec node \"${2%.ts}.js\"\n";

#[test]
fn examples_of_the_official_package_run_with_other_imports() {
    let Some(node) = support::node() else { return };
    let package = package(&node);
    let Some(folders) = VERSIONS.map(|version| example(version, &package)).into_iter().collect()
    else {
        return;
    };
    let folders: Vec<PathBuf> = folders;
    // They wait a second now and then, for show.
    thread::scope(|scope| {
        for folder in &folders {
            scope.spawn(move || talks(folder));
        }
    });
}

/// The generated package, compiled.
fn package(node: &support::Node) -> PathBuf {
    let out = support::scratch("ports-typescript");
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", "bundled:acp@v1", "--target", "typescript", "--out"]);
    support::run(generate.arg(&out));
    let package = out.join("typescript");
    node.link("@types", &package);
    support::run(node.tsc().arg("--project").arg(&package));
    package
}

/// A folder with both examples of a version. `None` if npm cannot be had.
fn example(version: &str, package: &Path) -> Option<PathBuf> {
    let folder = support::scratch(&format!("ports-typescript-{version}"));
    for name in ["agent.js", "client.js"] {
        let program = support::npm_schema(version, &format!("dist/examples/{name}"))?;
        assert_eq!(program.matches("\"../acp.js\"").count(), 1, "{version}: {name}");
        let program = program.replace("\"../acp.js\"", "\"acp\"");
        support::write_files(&folder, [(name, program.as_str())]);
    }
    let files = [("package.json", r#"{"type": "module"}"#), ("bin/npx", NPX)];
    support::write_files(&folder, files);
    support::link(package, &folder.join("node_modules/acp"));
    make_executable(&folder.join("bin/npx"));
    Some(folder)
}

/// Runs the client, which starts the agent, and lets it do what it asks for.
fn talks(folder: &Path) {
    let mut paths = vec![folder.join("bin")];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let answer = folder.join("answer");
    std::fs::write(&answer, "1\n").unwrap();
    let mut client = Command::new("node");
    client.arg("client.js").current_dir(folder).env("PATH", std::env::join_paths(paths).unwrap());
    client.stdin(Stdio::from(std::fs::File::open(answer).unwrap()));
    let said = support::run(&mut client);
    let name = folder.display();
    for line in ["Connected to agent (protocol v1)", "Perfect!", "Agent completed with: end_turn"] {
        assert!(said.contains(line), "{name}: {line}: {said}");
    }
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}
