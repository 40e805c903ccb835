//! The verdicts on code, proved by compilers: programs that use a generated package go on, or stop
//! compiling, when the schema changes, just as `diff` says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use acp_bindgen::breaking::{Effect, RULES};
use serde_json::Value;

use crate::support;

/// The programs of each verdict in each language, named for it, and the finding it stands for.
const PROGRAMS: [(&str, &str, &str); 20] = [
    ("rust", "break", "property-removed-optional:Lamp.colour"),
    ("rust", "name", "type-removed:Spare"),
    ("rust", "cond", "enum-opened:Fuse"),
    ("rust", "send", "property-added-required:Bell.volume"),
    ("rust", "send_handler", "method-added-request:TestRequest.house/test"),
    ("rust", "ok", "property-added-optional:Door.locked"),
    ("typescript", "break", "property-removed-optional:Lamp.colour"),
    ("typescript", "name", "type-removed:Spare"),
    ("typescript", "recv", "property-became-optional:Fan.speed"),
    ("typescript", "send", "property-became-required:Heater.level"),
    ("typescript", "cond", "enum-value-added-closed:Mode"),
    ("typescript", "send_handler", "method-added-request:TestRequest.house/test"),
    ("typescript", "ok", "property-added-optional:Door.locked"),
    ("python", "break", "property-removed-optional:Lamp.colour"),
    ("python", "name", "type-removed:Spare"),
    ("python", "recv", "property-became-optional:Fan.speed"),
    ("python", "send", "property-became-required:Heater.level"),
    ("python", "cond", "enum-value-added-closed:Mode"),
    ("python", "send_handler", "method-added-request:TestRequest.house/test"),
    ("python", "ok", "property-added-optional:Door.locked"),
];

/// The programs of a language that must stop compiling.
fn stopping(language: &str) -> BTreeSet<String> {
    let stops = PROGRAMS.iter().filter(|(of, verdict, _)| *of == language && *verdict != "ok");
    stops.map(|(_, verdict, _)| (*verdict).to_owned()).collect()
}

fn folder() -> PathBuf {
    support::root().join("tests/breaking_source")
}

/// Generates a package from one of the schemas.
fn generate(version: &str, target: &str, name: &str, out: &Path) {
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--quiet", "--target", target, "--name", name]);
    if target == "rust" {
        // What programs implement is there without a runtime, and compiles sooner.
        generate.args(["--runtime", "none"]);
    }
    generate.arg("--schema").arg(folder().join(format!("{version}.json")));
    support::run(generate.arg("--out").arg(out));
}

#[test]
fn the_report_gives_the_verdicts_that_the_programs_prove() {
    let mut diff = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    diff.args(["diff", "old.json", "new.json", "--format", "json", "--fail-on", "never"]);
    let report: Value = serde_json::from_str(&support::run(diff.current_dir(folder()))).unwrap();
    let changes = report["changes"].as_array().unwrap();
    for (language, verdict, id) in PROGRAMS {
        let found = changes.iter().find(|change| change["id"].as_str().unwrap().starts_with(id));
        let found = found.unwrap_or_else(|| panic!("no {id} in {report:#}"));
        let given = found["source"][language].as_str().unwrap();
        let given = given.split(':').next().unwrap();
        let verdict = verdict.split('_').next().unwrap();
        assert_eq!(given, verdict, "{language}: {id}");
    }
}

#[test]
fn every_verdict_that_a_rule_gives_has_a_program() {
    for rule in RULES {
        for (language, effect) in rule.source.languages() {
            let verdict = match effect {
                Effect::Conditional(_) => "cond".to_owned(),
                effect => effect.text(),
            };
            let has = PROGRAMS
                .iter()
                .any(|(of, program, _)| of.eq_ignore_ascii_case(language) && *program == verdict);
            assert!(has, "no program in {language} for `{verdict}`, which {} gives", rule.id);
        }
    }
}

#[test]
fn rust_programs_stop_compiling_as_they_should() {
    let workspace = support::target().join("test-scratch/breaking-source-rust");
    for version in ["old", "new"] {
        let name = format!("house-{version}");
        let out = workspace.join(version);
        generate(version, "rust", &name, &out);
    }
    let lock = std::fs::read_to_string(support::root().join("Cargo.lock")).unwrap();
    let manifest = "[workspace]\nmembers = [\"old/rust\", \"new/rust\"]\nresolver = \"3\"\n";
    support::write_files(&workspace, [("Cargo.toml", manifest)]);
    if !workspace.join("Cargo.lock").exists() {
        support::write_files(&workspace, [("Cargo.lock", lock.as_str())]);
    }
    let target = support::target().join("generated-code");
    let mut check = support::cargo_with_packages();
    check.args(["check", "--workspace", "--offline", "--quiet", "--message-format", "json"]);
    let messages = support::run(check.current_dir(&workspace).env("CARGO_TARGET_DIR", &target));
    for version in ["old", "new"] {
        let library = library(&messages, &format!("house_{version}"));
        let mut failed = BTreeSet::new();
        for (_, program, _) in PROGRAMS.iter().filter(|(language, ..)| *language == "rust") {
            let mut rustc = Command::new("rustc");
            rustc.args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata"]);
            rustc.arg("--extern").arg(format!("house={}", library.display()));
            rustc.arg("-L").arg(format!("dependency={}", library.parent().unwrap().display()));
            rustc.arg("-o").arg(workspace.join(format!("{program}.rmeta")));
            rustc.arg(folder().join(format!("rust/{program}.rs")));
            if let Err(report) = support::try_run(&mut rustc) {
                assert!(report.contains("error[E"), "{report}");
                failed.insert((*program).to_owned());
            }
        }
        let expected = if version == "old" { BTreeSet::new() } else { stopping("rust") };
        assert_eq!(failed, expected, "with the {version} package");
    }
}

/// The file that cargo has made of a crate.
fn library(messages: &str, name: &str) -> PathBuf {
    let messages = messages.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut files = messages
        .filter(|message| message["target"]["name"] == name)
        .filter_map(|message| Some(PathBuf::from(message["filenames"][0].as_str()?)));
    files.next().unwrap_or_else(|| panic!("no library `{name}`"))
}

#[test]
fn typescript_programs_stop_compiling_as_they_should() {
    let Some(node) = support::node() else { return };
    let workspace = support::scratch("breaking-source-typescript");
    for version in ["old", "new"] {
        let project = workspace.join(version);
        generate(version, "typescript", "house", &project);
        let config = serde_json::json!({
            "compilerOptions": {
                "strict": true, "noEmit": true, "target": "es2022",
                "module": "nodenext", "lib": ["es2022", "dom"], "skipLibCheck": true,
                "types": ["node"], "typeRoots": [node.modules().join("@types")],
                "paths": { "house": ["./typescript/src/index.ts"] },
            },
            "include": ["programs/*.ts"],
        });
        let config = format!("{config:#}\n");
        support::write_files(&project, [("tsconfig.json", config.as_str())]);
        copy_programs("typescript", &project.join("programs"));
        let mut tsc = node.tsc();
        tsc.args(["--project", ".", "--pretty", "false"]).current_dir(&project);
        let expected = if version == "old" { BTreeSet::new() } else { stopping("typescript") };
        assert_eq!(failed(&mut tsc, ".ts("), expected, "with the {version} package");
    }
}

#[test]
fn python_programs_stop_type_checking_as_they_should() {
    let Some(python) = support::python() else { return };
    let workspace = support::scratch("breaking-source-python");
    for version in ["old", "new"] {
        let project = workspace.join(version);
        generate(version, "python", "house", &project);
        let programs = project.join("programs");
        copy_programs("python", &programs);
        let mut mypy = python.mypy();
        mypy.args(["--strict", "--no-error-summary", "--python-version", "3.10"]);
        mypy.arg("--python-executable").arg(python.interpreter()).arg("programs");
        mypy.env("MYPYPATH", project.join("python/src")).current_dir(&project);
        let expected = if version == "old" { BTreeSet::new() } else { stopping("python") };
        assert_eq!(failed(&mut mypy, ".py:"), expected, "with the {version} package");
    }
}

fn copy_programs(language: &str, into: &Path) {
    std::fs::create_dir_all(into).unwrap();
    for entry in std::fs::read_dir(folder().join(language)).unwrap().flatten() {
        std::fs::copy(entry.path(), into.join(entry.file_name())).unwrap();
    }
}

/// The programs that a checker finds errors in. There must be none anywhere else.
fn failed(checker: &mut Command, after_name: &str) -> BTreeSet<String> {
    let Err(report) = support::try_run(checker) else { return BTreeSet::new() };
    let mut failed = BTreeSet::new();
    for line in report.lines().filter(|line| line.contains("error")) {
        let Some((file, _)) = line.split_once(after_name) else { continue };
        let program = file.strip_prefix("programs/").unwrap_or_else(|| panic!("{report}"));
        failed.insert(program.trim_end_matches('_').to_owned());
    }
    assert!(!failed.is_empty(), "{report}");
    failed
}
