//! The programs in the READMEs of generated packages do what they say.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Generates ACP v1 in a language; gives the folder around the package.
fn generate(language: &str) -> PathBuf {
    let folder = support::target().join("guides").join(language);
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", "bundled:acp@v1", "--name", "acp", "--target"]);
    support::run(generate.arg(language).arg("--out").arg(&folder));
    folder
}

/// The programs in a README, in order: its blocks of code in the given language.
fn programs(readme: &Path, language: &str) -> Vec<String> {
    let text = std::fs::read_to_string(readme).unwrap();
    let begin = format!("\n```{language}\n");
    text.split(&begin).skip(1).map(|rest| rest.split("\n```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_typescript_agent_and_client_talk() {
    const CONFIG: &str = r#"{
        "compilerOptions": {
            "target": "ES2022", "lib": ["ES2022", "DOM"], "module": "NodeNext", "types": ["node"],
            "rootDir": "src", "outDir": "dist", "strict": true, "exactOptionalPropertyTypes": true,
            "noUncheckedIndexedAccess": true, "verbatimModuleSyntax": true
        },
        "include": ["src"]
    }"#;
    let Some(node) = support::node() else { return };
    let folder = generate("typescript");
    let package = folder.join("typescript");
    let programs = programs(&package.join("README.md"), "ts");
    let (agent, client) = (programs[0].as_str(), programs[1].as_str());
    let own = folder.join("programs");
    support::write_files(
        &own,
        [
            ("package.json", r#"{ "type": "module", "private": true }"#),
            ("tsconfig.json", CONFIG),
            ("src/agent.ts", agent),
            ("src/client.ts", client),
        ],
    );
    node.link("@types", &package);
    node.link("@types", &own);
    support::link(&package, &own.join("node_modules/acp"));
    for project in [&package, &own] {
        support::run(node.tsc().arg("--project").arg(project));
    }
    let mut run = node.node();
    run.args(["dist/client.js", "node", "dist/agent.js"]).current_dir(&own);
    assert_eq!(support::run(&mut run), "hello (end_turn)\n");
}
