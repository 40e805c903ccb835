//! Generated TypeScript packages in use: the programs beside this file compile with them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

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
    let sdk = peers.join("acp-0.29.0/dist/acp.d.ts");
    let config = config(&sdk, &["familiar-agent.ts", "familiar-client.ts"]);
    support::write_files(&folder, [("tsconfig.json", config.as_str())]);
    compile(&node, &folder.join("tsconfig.json"));
}

/// A configuration for programs that import a package as `sdk`.
fn config(package: &Path, files: &[&str]) -> String {
    let config = serde_json::json!({
        "compilerOptions": {
            "target": "ES2022",
            "lib": ["ES2022", "DOM"],
            "module": "ESNext",
            "moduleResolution": "Bundler",
            "types": ["node"],
            "noEmit": true,
            "strict": true,
            // The declarations of other packages are not held to this.
            "skipLibCheck": true,
            "allowImportingTsExtensions": true,
            "paths": { "sdk": [package] },
        },
        "files": files,
    });
    config.to_string()
}

/// What the official types of v2 do not see: comparisons with tags that do not exist.
const UNSEEN_BY_OTHERS: [usize; 2] = [8, 9];

#[test]
fn mistakes_are_seen() {
    let Some(node) = support::node() else { return };
    let folder = workspace("typescript-mistakes");
    let all: Vec<usize> = (1..=9).collect();
    assert_eq!(seen(&node, &folder, &folder.join("acp-v2/src/index.ts")), all);
    let Some(peers) = support::npm_peers() else { return };
    let official = peers.join("acp-2.4.0/dist/v2/stable/acp.d.ts");
    let others: Vec<usize> =
        all.into_iter().filter(|number| !UNSEEN_BY_OTHERS.contains(number)).collect();
    assert_eq!(seen(&node, &folder, &official), others);
}

/// The numbers of the mistakes that the compiler sees with the types of a package. It has to see
/// nothing else.
fn seen(node: &support::Node, folder: &Path, package: &Path) -> Vec<usize> {
    let config = config(package, &["mistakes.ts"]);
    support::write_files(folder, [("tsconfig.json", config.as_str())]);
    node.link("@types", folder);
    let project = folder.join("tsconfig.json");
    let output = node.tsc().arg("--project").arg(project).current_dir(folder).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let program = std::fs::read_to_string(folder.join("mistakes.ts")).unwrap();
    let lines: Vec<&str> = program.lines().collect();
    let mut numbers = Vec::new();
    for error in output.lines().filter(|line| !line.starts_with(' ')) {
        let line = error.strip_prefix("mistakes.ts(").and_then(|rest| rest.split_once(','));
        let line = line.and_then(|(line, _)| line.parse::<usize>().ok());
        let line = line.unwrap_or_else(|| panic!("elsewhere: {error}"));
        let number = lines[line - 1].rsplit_once("// ").and_then(|(_, it)| it.parse().ok());
        numbers.push(number.unwrap_or_else(|| panic!("no mistake: {error}")));
    }
    numbers.dedup();
    numbers
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

#[test]
fn a_record_of_many_fields_compiles() {
    let Some(node) = support::node() else { return };
    let fields = (0..350).map(|index| (format!("field{index}"), json!({ "type": "string" })));
    let fields: serde_json::Map<String, Value> = fields.collect();
    let schema = json!({ "title": "Many", "$defs": {
        "Many": { "type": "object", "properties": fields },
        "Either": {
            "type": "object", "properties": fields, "required": ["kind"],
            "oneOf": [
                { "properties": { "kind": { "const": "a" } }, "required": ["kind"] },
                { "properties": { "kind": { "const": "b" } }, "required": ["kind"] }
            ]
        }
    } });
    let folder = support::scratch("typescript-many");
    let text = schema.to_string();
    support::write_files(&folder, [("schema.json", text.as_str())]);
    let mut generate = support::acp_bindgen(&folder);
    generate.args(["generate", "--target", "typescript", "--schema", "schema.json", "--out", "."]);
    support::run(&mut generate);
    let package = folder.join("typescript");
    let codecs = std::fs::read_to_string(package.join("src/codecs.ts")).unwrap();
    assert!(codecs.contains("result = decodeMany_fields4(value, context, result);"));
    assert!(codecs.contains("result = decodeEither_fields4(value, context, result);"));
    compile(&node, &package.join("tsconfig.json"));
}
