//! What generated code stands on, whatever the protocol: a package by itself, built and tested by
//! the tools of its language alone.

use std::path::PathBuf;
use std::sync::OnceLock;

use acp_bindgen::output::FileSet;

use crate::generated::packages::read;
use crate::support::{self, Node};

/// The runtime of TypeScript, built: the folder of its package.
pub(crate) fn built_typescript(node: &Node) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let mut files = FileSet::new();
        read(&support::root().join("templates/typescript/runtime"), "runtime", &mut files);
        let package = support::synced("runtime-typescript", &files).join("runtime");
        for module in ["@types", "tough-cookie", "ws"] {
            node.link(module, &package);
        }
        support::run(node.tsc().arg("--project").arg(&package));
        package
    };
    BUILT.get_or_init(build).clone()
}

#[test]
fn typescript_stands_alone() {
    let Some(node) = support::node() else { return };
    let package = built_typescript(&node);
    let mut files = FileSet::new();
    read(&package.join("src"), "src", &mut files);
    let tests = files.iter().filter_map(|(path, _)| path.strip_suffix(".test.ts"));
    let tests: Vec<String> =
        tests.map(|path| format!("{path}.test.js").replacen("src/", "dist/", 1)).collect();
    assert!(!tests.is_empty());
    support::run(node.node().arg("--test").args(tests).current_dir(&package));
    support::check_typescript(&node, package.parent().unwrap());
}

#[test]
fn python_stands_alone() {
    let Some(python) = support::python() else { return };
    let runtime = support::root().join("templates/python/runtime");
    let mut files = FileSet::new();
    read(&runtime.join("src"), "runtime/src", &mut files);
    let folder = support::synced("runtime-python", &files);
    let package = folder.join("runtime");
    let tests = ["-B", "-W", "error", "-m", "unittest", "discover", "--start-directory"];
    let sources = package.join("src");
    support::run(python.python().args(tests).arg(runtime.join("tests")).env("PYTHONPATH", sources));
    let projects = [package];
    support::check_python_types(&python, &folder, &projects);
    support::lint_python(&python, &folder, &projects);
}
