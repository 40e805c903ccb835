//! The examples of the official Python package. Their handlers take fields and ours a request, so
//! that they need more than other imports: `python/official.py`, in place of the package.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::support;

/// The examples that need nothing but standard streams, as they are started, and what comes of it.
const RUNS: [(&[&str], &str); 3] = [
    (&["client.py", "agent.py"], "| Agent: hello"),
    (&["client.py", "echo_agent.py"], "| Agent: hello"),
    (&["duet.py"], "| Agent: Client sent:"),
];

#[test]
fn examples_of_the_official_python_package_run_with_a_module_in_its_place() {
    let (Some(examples), Some(python)) = (support::python_examples(), support::python()) else {
        return;
    };
    let Some(package) = package() else { return };
    let folder = support::scratch("ports-python-examples");
    let programs: Vec<PathBuf> =
        fs::read_dir(&examples).unwrap().map(|entry| entry.unwrap().path()).collect();
    for program in &programs {
        let text = fs::read_to_string(program).unwrap();
        let text: String = text.lines().map(|line| imported(line) + "\n").collect();
        let name = program.file_name().unwrap().to_str().unwrap();
        support::write_files(&folder, [(name, text.as_str())]);
    }
    let own = support::root().join("tests/ports/python");
    let module = fs::read_to_string(own.join("official.py")).unwrap();
    support::write_files(&folder, [("official.py", module.as_str()), ("said", "hello\n")]);
    let run = |arguments: &[&str]| {
        let path = std::env::join_paths([&package, &folder]).unwrap();
        let mut command = python.python();
        command.args(arguments).current_dir(&folder).env("PYTHONPATH", path);
        command.stdin(Stdio::from(fs::File::open(folder.join("said")).unwrap()));
        support::run(&mut command)
    };
    for (arguments, line) in RUNS {
        let said = run(arguments);
        assert!(said.contains(line), "{arguments:?}: {said}");
    }
    let names = |programs: &[PathBuf]| {
        let mut names = python.python();
        names.arg(own.join("names.py")).args(programs).env("PYTHONPATH", &package);
        support::run(&mut names)
    };
    for program in &programs {
        let said = names(std::slice::from_ref(program));
        assert!(said.split_whitespace().count() > 3, "{}: {said}", program.display());
    }
    let names = names(&programs);
    let page = fs::read_to_string(support::root().join("docs/coming-from-python.md")).unwrap();
    let known = names.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    assert!(page.contains(&format!("{known} names")), "the page does not say: {names}");
    let lines = module.lines().filter(|line| !line.trim().is_empty()).count();
    assert!(page.contains(&format!("{lines} lines")), "the page does not say: {lines} lines");
    assert_eq!(programs.len(), 8, "the page says eight");
}

#[test]
fn models_of_pydantic_take_classes_of_the_generated_package() {
    let (Some(official), Some(python)) = (official(), support::python()) else { return };
    let folder = support::scratch("ports-python-models");
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--quiet", "--target", "python", "--out"]).arg(&folder);
    support::run(&mut generate);
    // The official package needs pydantic: it is beside that.
    let path = [folder.join("python/src"), official.parent().unwrap().to_owned()];
    let mut program = python.python();
    program.arg(support::root().join("tests/ports/python/models.py"));
    support::run(program.env("PYTHONPATH", std::env::join_paths(path).unwrap()));
}

/// A line that imports from the package, with the module in its place.
fn imported(line: &str) -> String {
    let from = line.strip_prefix("from acp").and_then(|rest| rest.split_once(" import"));
    match from {
        Some((module, names)) if module.is_empty() || module.starts_with('.') => {
            format!("from official import{names}")
        }
        _ => line.to_owned(),
    }
}

/// The folder of the official package.
fn official() -> Option<PathBuf> {
    let mut python = Command::new(support::python_peer()?);
    let find = "import acp, os; print(os.path.dirname(acp.__file__))";
    let folder = support::run(python.args(["-c", find]));
    Some(PathBuf::from(folder.trim()))
}

/// The generated package, with the names of the official one.
fn package() -> Option<PathBuf> {
    let official = official()?;
    let folder = support::scratch("ports-python");
    let bindgen = || Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    // The package has what is unstable in the protocol, too.
    let schema = ["--schema", "bundled:acp@v1-unstable"];
    let overlay =
        support::run(bindgen().args(["names", "--from", "pypi"]).arg(&official).args(schema));
    support::write_files(&folder, [("names.json", overlay.as_str())]);
    let mut generate = bindgen();
    generate.args(["generate", "--quiet", "--target", "python"]).args(schema);
    generate.arg("--overlay").arg(folder.join("names.json")).arg("--out").arg(folder.join("sdk"));
    support::run(&mut generate);
    Some(folder.join("sdk/python/src"))
}
