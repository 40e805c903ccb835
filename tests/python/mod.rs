//! Generated Python packages in use: the programs beside this file run on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use acp_bindgen::aliases::add_aliases;
use acp_bindgen::backend::moves::Move;
use acp_bindgen::backend::python::Python as Backend;
use acp_bindgen::backend::{Backend as _, DocsMode, Options, Runtime};
use acp_bindgen::output::FileSet;
use acp_bindgen::schema::{SchemaText, bundled};
use acp_bindgen::source::SourceText;
use acp_bindgen::{Inputs, Loaded, Purpose, load};

use crate::generated::packages::read;
use crate::support;

/// Generates a package into a folder for it alone; gives what to add to the search path.
fn package(name: &str, schema: SchemaText, overlays: Vec<SchemaText>) -> PathBuf {
    package_with(Runtime::Embedded, name, schema, overlays)
}

fn package_with(
    runtime: Runtime,
    name: &str,
    schema: SchemaText,
    overlays: Vec<SchemaText>,
) -> PathBuf {
    let Loaded { protocol, mut diagnostics, .. } =
        load(Inputs::new(schema, overlays), Purpose::Generate);
    let options = Options::new(name, DocsMode::Full, runtime);
    let files = Backend.emit(&protocol.unwrap(), &options, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    support::synced(&format!("python-{name}"), &files).join("src")
}

fn acp(name: &str, schema: &str) -> PathBuf {
    let (text, overlay) = bundled::text(schema).unwrap();
    package(name, text, vec![overlay])
}

fn program(name: &str) -> PathBuf {
    support::root().join("tests/python").join(name)
}

/// The package of ACP v1, made once for all tests.
fn acp_one() -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| acp("acp", "acp@v1")).clone()
}

/// The package of ACP v2, with the name of the other one after it.
fn acp_two() -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| acp("acp_two", "acp@v2")).clone()
}

/// The package of the wire corpus's own schema.
fn shapes() -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let text = support::root().join("tests/wire/shapes.schema.json");
        let text = SchemaText::new("shapes.schema.json", fs::read_to_string(text).unwrap());
        package("shapes", text, Vec::new())
    };
    MADE.get_or_init(make).clone()
}

/// The package of a schema that is all about what is deprecated.
fn status() -> PathBuf {
    let text = program("status.schema.json");
    let text = SchemaText::new("status.schema.json", fs::read_to_string(text).unwrap());
    package("status", text, Vec::new())
}

/// The package of a schema some of whose types had other names, with files moved.
fn renamed(name: &str, moves: Vec<Move>) -> PathBuf {
    let case = support::root().join("tests/cases/aliases");
    let text = |name: &str| fs::read_to_string(case.join(name)).unwrap();
    let schema = SchemaText::new("schema.json", text("schema.json"));
    let loaded = load(Inputs::new(schema, Vec::new()), Purpose::Generate);
    let Loaded { protocol, mut diagnostics, mut sources, .. } = loaded;
    let mut protocol = protocol.unwrap();
    let aliases = SourceText::new("aliases.toml", text("aliases.toml"));
    add_aliases(&mut protocol, aliases, Some("2.1.0"), &mut sources, &mut diagnostics);
    let options = Options { moves, ..Options::new(name, DocsMode::Off, Runtime::None) };
    let files = Backend.emit(&protocol, &options, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    support::synced(&format!("python-{name}"), &files).join("src")
}

/// Runs a program of this folder with packages on the search path, and lets the type checkers judge
/// it.
fn use_packages(name: &str, search: &[PathBuf]) {
    run_program(&program(name), search);
}

/// The same for any program.
pub(crate) fn run_program(program: &Path, search: &[PathBuf]) {
    let Some(python) = support::python() else { return };
    let paths = std::env::join_paths(search).unwrap();
    let mut run = python.python();
    run.args(["-W", "error", "-B"]).arg(program).env("PYTHONPATH", &paths);
    support::run(run.current_dir(&search[0]));
    let mut check = python.mypy();
    check.args(["--strict", "--no-error-summary", "--python-version", "3.10"]);
    check.arg("--python-executable").arg(python.interpreter()).arg(program);
    support::run(check.env("MYPYPATH", &paths).current_dir(&search[0]));
    let name = program.file_name().unwrap();
    let folder = support::scratch(&format!("python-program-{}", name.display()));
    fs::copy(program, folder.join(name)).unwrap();
    if let Some(mut check) = support::pyright(&python, &folder, search, &[]) {
        support::run(&mut check);
    }
}

/// What the cases and the committed package do not show: whole protocols, with all their prose.
#[test]
fn whole_packages_are_clean() {
    let Some(python) = support::python() else { return };
    let mut files = FileSet::new();
    for search in [acp_one(), acp_two(), shapes()] {
        let project = search.parent().unwrap();
        read(project, project.file_name().unwrap().to_str().unwrap(), &mut files);
    }
    let folder = support::synced("python-whole", &files);
    let names = ["python-acp", "python-acp_two", "python-shapes"];
    support::check_python(&python, &folder, &names.map(|name| folder.join(name)));
}

#[test]
fn a_package_without_a_runtime_has_types_and_methods() {
    let (text, overlay) = bundled::text("acp@v1").unwrap();
    let search = package_with(Runtime::None, "acp_data", text, vec![overlay]);
    for file in ["connections.py", "remote.py", "rpc.py", "runtime/remote", "runtime/rpc"] {
        assert!(!search.join("acp_data").join(file).exists(), "{file}");
    }
    use_packages("data.py", &[search]);
}

#[test]
fn it_feels_as_it_should() {
    use_packages("feel.py", &[acp_one()]);
}

#[test]
fn it_is_easy_to_use() {
    use_packages("eased.py", &[acp_one()]);
}

#[test]
fn what_is_deprecated_warns() {
    use_packages("warned.py", &[status()]);
}

#[test]
fn old_names_warn() {
    let search = renamed("renamed", Vec::new());
    let types = fs::read_to_string(search.join("renamed/types.py")).unwrap();
    // Without the schema's docs, too.
    assert!(types.contains("Called `Level` since 2.0.0. This name goes in 3.0.0."), "{types}");
    use_packages("old_names.py", &[search]);
}

/// Warnings are about who asks, wherever the module is that gives the type.
#[test]
fn old_names_warn_from_another_module() {
    let Some(python) = support::python() else { return };
    let from = String::from("src/moved/types.py");
    let to = String::from("src/moved/deep/of_the_schema_that_has_a_very_long_name_indeed.py");
    let search = renamed("moved", vec![Move { from, to, locations: None }]);
    let program = "import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    from moved import Location
assert [it.filename for it in caught] == ['<string>'], caught
";
    support::run(python.python().args(["-B", "-c", program]).env("PYTHONPATH", &search));
    let project = search.parent().unwrap();
    support::check_python(&python, project, &[project.to_owned()]);
}

#[test]
fn codecs_keep_their_word() {
    use_packages("values.py", &[acp_one(), shapes()]);
}

#[test]
fn what_msgspec_decodes_by_itself_is_right() {
    let Some(python) = support::python() else { return };
    for (name, folder, search) in [
        ("acp", "acp-v1", acp_one()),
        ("acp_two", "acp-v2", acp_two()),
        ("shapes", "shapes", shapes()),
    ] {
        let corpus = support::root().join("tests/wire").join(folder);
        let mut command = python.python();
        command.arg("-B").arg(program("fast_path.py")).arg(name).arg(corpus);
        support::run(command.env("PYTHONPATH", &search).current_dir(&search));
    }
}
