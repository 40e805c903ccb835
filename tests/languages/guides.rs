//! The programs in the READMEs of generated packages do what they say.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support;

/// Generates a bundled schema in a language, for a suite; gives the folder around the package.
pub(crate) fn generate(suite: &str, language: &str, schema: &str) -> PathBuf {
    let folder = support::target().join(suite).join(language).join(schema);
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", schema, "--name", "acp", "--target"]);
    support::run(generate.arg(language).arg("--out").arg(&folder));
    folder
}

/// The programs in a README, in order: its blocks of code in the given language.
pub(crate) fn programs(readme: &Path, language: &str) -> Vec<String> {
    let text = std::fs::read_to_string(readme).unwrap();
    let begin = format!("\n```{language}\n");
    text.split(&begin).skip(1).map(|rest| rest.split("\n```").next().unwrap().to_owned()).collect()
}

/// Compiles a package, and programs that use it, in a folder of their own.
pub(crate) fn compile_typescript<'a>(
    node: &support::Node,
    package: &Path,
    own: &Path,
    programs: impl IntoIterator<Item = (&'a str, &'a str)>,
) {
    const CONFIG: &str = r#"{
        "compilerOptions": {
            "target": "ES2022", "lib": ["ES2022", "DOM"], "module": "NodeNext", "types": ["node"],
            "rootDir": "src", "outDir": "dist", "strict": true, "exactOptionalPropertyTypes": true,
            "noUncheckedIndexedAccess": true, "verbatimModuleSyntax": true
        },
        "include": ["src"]
    }"#;
    let project =
        [("package.json", r#"{ "type": "module", "private": true }"#), ("tsconfig.json", CONFIG)];
    support::write_files(own, project.into_iter().chain(programs));
    for module in ["@types", "tough-cookie", "ws"] {
        node.link(module, package);
    }
    node.link("@types", own);
    support::link(package, &own.join("node_modules/acp"));
    for project in [package, own] {
        support::run(node.tsc().arg("--project").arg(project));
    }
}

#[test]
fn the_typescript_programs_compile_and_talk() {
    let Some(node) = support::node() else { return };
    for schema in ["acp@v1", "acp@v2"] {
        let folder = generate("guides", "typescript", schema);
        let package = folder.join("typescript");
        let programs = programs(&package.join("README.md"), "ts");
        let names = ["agent".to_owned(), "client".to_owned()];
        let names = names.into_iter().chain((2..programs.len()).map(|at| format!("other{at}")));
        let paths: Vec<String> = names.map(|name| format!("src/{name}.ts")).collect();
        let programs = paths.iter().zip(&programs).map(|(path, text)| (&**path, &**text));
        let own = folder.join("programs");
        compile_typescript(&node, &package, &own, programs);
        let mut run = node.node();
        run.args(["dist/client.js", "node", "dist/agent.js"]).current_dir(&own);
        assert_eq!(support::run(&mut run), "hello (end_turn)\n", "{schema}");
    }
}

#[test]
fn the_python_programs_talk() {
    let Some(python) = support::python() else { return };
    let names = ["agent.py", "client.py", "values.py", "talk.py", "tester.py", "state.py"];
    let run = python_programs(&python, "acp@v1", &names);
    let interpreter = python.interpreter();
    let interpreter = interpreter.to_str().unwrap();
    assert_eq!(run(&["client.py", interpreter, "-B", "agent.py"]), "hello (end_turn)\n");
    let dropped = "entries[1]: expected an object, found a number";
    assert_eq!(run(&["values.py"]), format!("untitled\nhi\n{dropped}\nentries[1]\n"));
    let talk = "{'sum': 3}\n{'sum': 2} {'sum': 4}\n\
        _example/add: Invalid params: a and b are integers (-32602)\n\
        the peer does not allow session/load: loadSession\ngave up\n";
    assert_eq!(run(&["talk.py"]), talk);
    let refusal = "I need a terminal. (end_turn)\n";
    assert_eq!(run(&["client.py", interpreter, "-B", "tester.py"]), refusal);
    assert_eq!(run(&["state.py"]), "Run the tests: completed\nBuild: failed\n");
}

#[test]
fn the_python_programs_of_version_2_talk() {
    let Some(python) = support::python() else { return };
    let run = python_programs(&python, "acp@v2", &["agent.py", "client.py"]);
    let interpreter = python.interpreter();
    let said = run(&["client.py", interpreter.to_str().unwrap(), "-B", "agent.py"]);
    assert_eq!(said, "hello (end_turn)\n");
}

/// Writes the programs of a README and has them checked. Gives what runs one.
fn python_programs<'p>(
    python: &'p support::Python,
    schema: &str,
    names: &[&str],
) -> impl Fn(&[&str]) -> String + use<'p> {
    let folder = generate("guides", "python", schema);
    let source = folder.join("python/src");
    let programs = programs(&folder.join("python/README.md"), "python");
    let own = folder.join("programs");
    assert_eq!(programs.len(), names.len());
    // The formatter ends a file with a line.
    let programs: Vec<String> = programs.into_iter().map(|program| program + "\n").collect();
    let files = names.iter().copied().zip(programs.iter().map(String::as_str));
    support::write_files(&own, files);
    check_python(python, &source, &own, names, 88);
    move |arguments| {
        let mut run = python.python();
        run.args(["-W", "error", "-B"]).args(arguments);
        support::run(run.env("PYTHONPATH", &source).current_dir(&own))
    }
}

/// Has type checkers and the formatter look at the programs in a folder, whose lines are of this
/// width.
pub(crate) fn check_python(
    python: &support::Python,
    source: &Path,
    own: &Path,
    names: &[&str],
    width: usize,
) {
    let mut mypy = python.mypy();
    mypy.args(["--strict", "--no-error-summary", "--python-version", "3.10"]).args(names);
    mypy.arg("--python-executable").arg(python.interpreter());
    support::run(mypy.env("MYPYPATH", source).current_dir(own));
    if let Some(mut pyright) = support::pyright(python, own, &[source.to_owned()], &[]) {
        support::run(&mut pyright);
    }
    let mut ruff = python.ruff();
    ruff.args(["format", "--check", "--isolated", "--quiet", "--line-length"]);
    support::run(ruff.args([&width.to_string(), "."]).current_dir(own));
}

#[test]
fn the_rust_programs_talk() {
    for version in ["v1", "v2"] {
        let folder = support::target().join("guides/rust").join(version);
        let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
        generate.args(["generate", "--target", "rust", "--schema", &format!("acp@{version}")]);
        // Cargo takes packages of one name for the same, whose artifacts share a folder.
        generate.args(["--name", &format!("acp-{version}"), "--out"]);
        support::run(generate.arg(&folder));
        let package = folder.join("rust");
        let lock = support::root().join("Cargo.lock");
        std::fs::copy(lock, package.join("Cargo.lock")).unwrap();
        let mut test = support::cargo_with_packages();
        test.args(["test", "--doc", "--offline"]).current_dir(&package);
        let said =
            support::run(test.env("CARGO_TARGET_DIR", support::target().join("generated-code")));
        assert!(said.contains("test result: ok"), "{said}");

        let readme = package.join("README.md");
        let depends = programs(&readme, "toml")[0].replace("path/to/this/folder", "../rust");
        let manifest = format!(
            "[package]\nname = \"guide-{version}\"\nedition = \"2024\"\n\n{depends}\n\n[workspace]\n"
        );
        let own = folder.join("programs");
        let files = [
            ("Cargo.toml", &*manifest),
            ("src/bin/agent.rs", &programs(&readme, "rust")[0]),
            ("src/bin/client.rs", &programs(&readme, "rust,no_run")[0]),
        ];
        support::write_files(&own, files);
        std::fs::copy(support::root().join("Cargo.lock"), own.join("Cargo.lock")).unwrap();
        let target = support::target().join("pages/cargo");
        let mut build = support::cargo_with_packages();
        build.args(["build", "--quiet", "--offline"]).current_dir(&own);
        support::run(build.env("CARGO_TARGET_DIR", &target));
        let mut client = Command::new(target.join("debug/client"));
        let said = support::run(client.arg(target.join("debug/agent")));
        assert_eq!(said, "hello (end_turn)\n", "{version}");
    }
}

/// Protocols whose authors have written no guide, and what the program in a README then prints, in
/// TypeScript, Python and Rust.
const WITHOUT_GUIDE: [(&str, [&str; 3]); 3] = [
    (
        "params-and-results",
        [
            "{ contents: 'contents' }\n",
            "Hover(contents='contents')\n",
            "Some(Hover { contents: \"contents\" })\n",
        ],
    ),
    (
        "tagged-unions",
        [
            "{ value: { kind: 'point' } }\n",
            "CallResponse(value=ShapePoint())\n",
            "CallResponse { value: Point }\n",
        ],
    ),
    (
        "handles",
        [
            "{ seen: 'seen' }\n",
            "LookDoorResponse(seen='seen')\n",
            "LookDoorResponse { seen: \"seen\" }\n",
        ],
    ),
];

/// Generates the package of a case in a language; gives the folder around it, and the program in its
/// README.
fn shown_program(case: &str, target: &str, language: &str) -> (PathBuf, String) {
    let folder = support::target().join("guides").join(target).join(case);
    let schema = support::root().join("tests/cases").join(case).join("schema.json");
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--quiet", "--name", &format!("x-{case}"), "--target", target]);
    support::run(generate.arg("--schema").arg(schema).arg("--out").arg(&folder));
    let readme = folder.join(target).join("README.md");
    let text = std::fs::read_to_string(&readme).unwrap();
    assert!(text.contains("\n## A program\n"), "{case}");
    let program = programs(&readme, language).remove(0) + "\n";
    (folder, program)
}

#[test]
fn the_typescript_programs_without_a_guide_talk() {
    let Some(node) = support::node() else { return };
    for (case, [said, ..]) in WITHOUT_GUIDE {
        let (folder, program) = shown_program(case, "typescript", "ts");
        let program = program.replace(&format!("\"x-{case}"), "\"acp");
        let own = folder.join("programs");
        let files = [("src/program.ts", &*program)];
        compile_typescript(&node, &folder.join("typescript"), &own, files);
        let mut run = node.node();
        assert_eq!(support::run(run.arg("dist/program.js").current_dir(&own)), said, "{case}");
    }
}

#[test]
fn the_python_programs_without_a_guide_talk() {
    let Some(python) = support::python() else { return };
    for (case, [_, said, _]) in WITHOUT_GUIDE {
        let (folder, program) = shown_program(case, "python", "python");
        let (own, source) = (folder.join("programs"), folder.join("python/src"));
        support::write_files(&own, [("program.py", &*program)]);
        check_python(&python, &source, &own, &["program.py"], 88);
        let mut run = python.python();
        run.args(["-W", "error", "-B", "program.py"]).env("PYTHONPATH", &source);
        assert_eq!(support::run(run.current_dir(&own)), said, "{case}");
    }
}

#[test]
fn the_rust_programs_without_a_guide_talk() {
    // Each is a crate to build.
    for (case, [.., said]) in &WITHOUT_GUIDE[..1] {
        let (folder, program) = shown_program(case, "rust", "rust");
        let readme = folder.join("rust/README.md");
        let depends = programs(&readme, "toml")[0].replace("path/to/this/folder", "../rust");
        let manifest = format!(
            "[package]\nname = \"{case}\"\nedition = \"2024\"\n\n{depends}\n\n[workspace]\n"
        );
        let own = folder.join("programs");
        support::write_files(&own, [("Cargo.toml", &*manifest), ("src/main.rs", &program)]);
        std::fs::copy(support::root().join("Cargo.lock"), own.join("Cargo.lock")).unwrap();
        let mut run = support::cargo_with_packages();
        run.args(["run", "--quiet", "--offline"]).current_dir(&own);
        let target = support::target().join("pages/cargo");
        assert_eq!(support::run(run.env("CARGO_TARGET_DIR", target)), *said, "{case}");
    }
}
