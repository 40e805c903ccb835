//! Agents to be judged, each built from a package that is generated now.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use super::first_program;
use crate::rpc::protocol::Protocol;
use crate::support;

/// A program that can be started.
pub(crate) struct Agent {
    program: PathBuf,
    arguments: Vec<PathBuf>,
    environment: Vec<(&'static str, PathBuf)>,
}

impl Agent {
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(self.environment.iter().cloned());
        command
    }
}

/// The agent of a package's README. `None` if the toolchain is missing.
pub(crate) fn of_readme(protocol: &Protocol, language: &str) -> Option<Agent> {
    let package = generated(protocol, language);
    let block = if language == "typescript" { "ts" } else { language };
    let program = first_program(&package.join("README.md"), block);
    built(&package, language, "readme", &program)
}

/// The agent in this project's own README, or in the page about a language.
pub(crate) fn of_own_readme(protocol: &Protocol, language: &str) -> Option<Agent> {
    let block = if language == "typescript" { "ts" } else { language };
    let page = match language {
        "rust" => "README.md".to_owned(),
        language => format!("docs/{language}.md"),
    };
    let program = first_program(&support::root().join(page), block);
    built(&generated(protocol, language), language, "own-readme", &program)
}

/// The agent beside this file that has every method. `None` if there is none, or no toolchain.
pub(crate) fn full(protocol: &Protocol, language: &str) -> Option<Agent> {
    let extension = match language {
        "python" => "py",
        "typescript" => "ts",
        _ => "rs",
    };
    let version = protocol.name.rsplit('-').next().unwrap_or_default();
    let path = format!("tests/conformance/{language}/full_{version}.{extension}");
    let program = std::fs::read_to_string(support::root().join(path)).ok()?;
    built(&generated(protocol, language), language, "full", &program)
}

/// Generates the package of a protocol, and compiles it where programs run what was compiled; once,
/// however many tests ask: a program must not start while another test writes its package.
fn generated(protocol: &Protocol, language: &str) -> PathBuf {
    static READY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = support::target().join("conformance").join(&protocol.name);
    let package = folder.join(language);
    let mut ready = READY.lock().expect("the package before could be generated");
    if ready.insert(package.clone()) {
        let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
        generate.args(["generate", "--schema", &protocol.schema, "--name", "acp", "--target"]);
        support::run(generate.arg(language).arg("--out").arg(&folder));
        if let ("typescript", Some(node)) = (language, support::node()) {
            node.link("@types", &package);
            support::run(node.tsc().arg("--project").arg(&package));
        }
    }
    package
}

/// Builds a program in a folder beside its package.
fn built(package: &Path, language: &str, name: &str, program: &str) -> Option<Agent> {
    let own = package.with_file_name(format!("{language}-{name}"));
    match language {
        "python" => {
            let python = support::python()?;
            support::write_files(&own, [("agent.py", program)]);
            let source = package.join("src");
            Some(Agent {
                program: python.interpreter(),
                arguments: vec!["-B".into(), own.join("agent.py")],
                environment: vec![("PYTHONPATH", source)],
            })
        }
        "typescript" => {
            const CONFIG: &str = r#"{
                "compilerOptions": {
                    "target": "ES2022", "lib": ["ES2022", "DOM"], "module": "NodeNext",
                    "types": ["node"], "rootDir": "src", "outDir": "dist", "strict": true,
                    "verbatimModuleSyntax": true
                },
                "include": ["src"]
            }"#;
            let node = support::node()?;
            support::write_files(
                &own,
                [
                    ("package.json", r#"{ "type": "module", "private": true }"#),
                    ("tsconfig.json", CONFIG),
                    ("src/agent.ts", program),
                ],
            );
            node.link("@types", &own);
            support::link(package, &own.join("node_modules/acp"));
            support::run(node.tsc().arg("--project").arg(&own));
            let program = PathBuf::from(node.node().get_program());
            let arguments = vec![own.join("dist/agent.js")];
            Some(Agent { program, arguments, environment: Vec::new() })
        }
        _ => {
            const MANIFEST: &str = "edition = \"2024\"\n\n[dependencies]\nacp = { path = \"../rust\" }\n\
                tokio = { version = \"1\", features = [\"macros\", \"rt\", \"time\"] }\n\n\
                [workspace]\n";
            let manifest = format!("[package]\nname = \"agent-{name}\"\n{MANIFEST}");
            support::write_files(&own, [("Cargo.toml", &*manifest), ("src/main.rs", program)]);
            std::fs::copy(support::root().join("Cargo.lock"), own.join("Cargo.lock")).unwrap();
            let target = support::target().join("conformance/rust");
            let mut cargo = support::cargo();
            cargo.args(["build", "--quiet"]).current_dir(&own).env("CARGO_TARGET_DIR", &target);
            support::run(&mut cargo);
            let program = target.join("debug").join(format!("agent-{name}"));
            Some(Agent { program, arguments: Vec::new(), environment: Vec::new() })
        }
    }
}
