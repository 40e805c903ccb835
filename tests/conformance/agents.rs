//! Agents to be judged, each built from a package that is generated now.

use std::path::PathBuf;
use std::process::Command;

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
    let folder = support::target().join("conformance").join(&protocol.name);
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", &protocol.schema, "--name", "acp", "--target"]);
    support::run(generate.arg(language).arg("--out").arg(&folder));
    let package = folder.join(language);
    let readme = package.join("README.md");
    match language {
        "python" => {
            let python = support::python()?;
            let own = folder.join("python-agent");
            support::write_files(&own, [("agent.py", &*first_program(&readme, "python"))]);
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
            let own = folder.join("typescript-agent");
            support::write_files(
                &own,
                [
                    ("package.json", r#"{ "type": "module", "private": true }"#),
                    ("tsconfig.json", CONFIG),
                    ("src/agent.ts", &*first_program(&readme, "ts")),
                ],
            );
            node.link("@types", &package);
            node.link("@types", &own);
            support::link(&package, &own.join("node_modules/acp"));
            for project in [&package, &own] {
                support::run(node.tsc().arg("--project").arg(project));
            }
            let program = PathBuf::from(node.node().get_program());
            let arguments = vec![own.join("dist/agent.js")];
            Some(Agent { program, arguments, environment: Vec::new() })
        }
        _ => {
            const MANIFEST: &str = "[package]\nname = \"agent\"\nedition = \"2024\"\n\n\
                [dependencies]\nacp = { path = \"../rust\" }\n\
                tokio = { version = \"1\", features = [\"macros\", \"rt\", \"time\"] }\n\n\
                [workspace]\n";
            let own = folder.join("rust-agent");
            let program = first_program(&readme, "rust");
            support::write_files(&own, [("Cargo.toml", MANIFEST), ("src/main.rs", &*program)]);
            std::fs::copy(support::root().join("Cargo.lock"), own.join("Cargo.lock")).unwrap();
            let target = support::target().join("conformance/rust");
            let mut cargo = support::cargo();
            cargo.args(["build", "--quiet"]).current_dir(&own).env("CARGO_TARGET_DIR", &target);
            support::run(&mut cargo);
            let program = target.join("debug/agent");
            Some(Agent { program, arguments: Vec::new(), environment: Vec::new() })
        }
    }
}
