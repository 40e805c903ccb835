//! Agents to be judged, each built from a package that is generated now.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use super::first_program;
use crate::rpc::protocol::Protocol;
use crate::support;

/// The files of a program by their names.
type Files = BTreeMap<String, String>;

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
    built(&package, language, "readme", &alone(language, program))
}

/// The agent in this project's own README, or in the page about a language.
pub(crate) fn of_own_readme(protocol: &Protocol, language: &str) -> Option<Agent> {
    let block = if language == "typescript" { "ts" } else { language };
    let page = match language {
        "rust" => "README.md".to_owned(),
        language => format!("docs/{language}.md"),
    };
    let program = first_program(&support::root().join(page), block);
    built(&generated(protocol, language), language, "own-readme", &alone(language, program))
}

/// The agent beside this file that has every method. `None` if there is none, or no toolchain.
pub(crate) fn full(protocol: &Protocol, language: &str) -> Option<Agent> {
    let version = protocol.name.rsplit('-').next().unwrap_or_default();
    let folder = format!("tests/conformance/{language}/full_{version}");
    let entries = std::fs::read_dir(support::root().join(folder)).ok()?;
    // Python may have left what it compiled.
    let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let file = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    let files: Files = paths.map(file).collect();
    built(&generated(protocol, language), language, "full", &files)
}

/// A program of one file, which is where each program begins.
fn alone(language: &str, program: String) -> Files {
    let name = match language {
        "python" => "agent.py",
        "typescript" => "agent.ts",
        _ => "main.rs",
    };
    Files::from([(name.to_owned(), program)])
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
fn built(package: &Path, language: &str, name: &str, files: &Files) -> Option<Agent> {
    let own = package.with_file_name(format!("{language}-{name}"));
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    match language {
        "python" => {
            let python = support::python()?;
            support::write_files(&own, files);
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
                ],
            );
            support::write_files(&own.join("src"), files);
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
            support::write_files(&own, [("Cargo.toml", &*manifest)]);
            support::write_files(&own.join("src"), files);
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
