//! Generated TypeScript packages in use: the programs beside this file compile with them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support;

/// A folder with the programs, and the packages of both versions.
fn workspace(name: &str) -> PathBuf {
    let folder = support::scratch(name);
    for version in ["acp-v1", "acp-v2"] {
        let out = folder.join(format!("{version}-sdk"));
        let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
        generate.args(["generate", "--target", "typescript", "--name", version, "--schema"]);
        let schema = format!("bundled:{}", version.replace('-', "@"));
        support::run(generate.arg(schema).arg("--out").arg(&out));
        support::link(&out.join("typescript"), &folder.join(version));
    }
    for entry in std::fs::read_dir(support::root().join("tests/typescript")).unwrap().flatten() {
        std::fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    folder
}

fn compile(node: &support::Node, project: &Path) {
    node.link("@types", project.parent().unwrap());
    support::run(node.tsc().arg("--project").arg(project));
}

#[test]
fn programs_compile_or_fail_as_they_should() {
    let Some(node) = support::node() else { return };
    let folder = workspace("typescript-programs");
    compile(&node, &folder.join("tsconfig.json"));
    let mut completions = node.node();
    completions.arg("completions.mjs").arg(node.modules().join("typescript"));
    support::run(completions.current_dir(&folder));
}

#[test]
fn familiar_programs_are_those_of_the_official_sdk() {
    let Some(node) = support::node() else { return };
    let Some(peers) = support::npm_peers() else { return };
    let folder = support::scratch("typescript-familiar");
    for file in ["familiar-agent.ts", "familiar-client.ts"] {
        let source = support::root().join("tests/typescript").join(file);
        std::fs::copy(source, folder.join(file)).unwrap();
    }
    let config = serde_json::json!({
        "compilerOptions": {
            "target": "ES2022",
            "lib": ["ES2022", "DOM"],
            "module": "ESNext",
            "moduleResolution": "Bundler",
            "types": ["node"],
            "noEmit": true,
            "strict": true,
            // Its own declarations are not held to this.
            "skipLibCheck": true,
            "paths": { "sdk": [peers.join("acp-0.29.0/dist/acp.d.ts")] },
        },
        "files": ["familiar-agent.ts", "familiar-client.ts"],
    });
    support::write_files(&folder, [("tsconfig.json", config.to_string().as_str())]);
    compile(&node, &folder.join("tsconfig.json"));
}

#[test]
fn a_package_without_a_runtime_compiles() {
    let Some(node) = support::node() else { return };
    let folder = support::scratch("typescript-data");
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--target", "typescript", "--runtime", "none", "--out"]);
    support::run(generate.arg(&folder).args(["--schema", "bundled:acp@v1"]));
    let package = folder.join("typescript");
    for file in ["connection.ts", "connections.ts", "errors.ts", "node.ts", "remote.ts"] {
        assert!(!package.join("src").join(file).exists(), "{file}");
    }
    assert!(package.join("src/methods.ts").exists());
    compile(&node, &package.join("tsconfig.json"));
}
