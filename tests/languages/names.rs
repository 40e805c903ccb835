//! Names that a language or a package keeps for itself, as those of everything that a schema names:
//! definitions, properties, values, variants, methods, sides.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::rust::Rust;
use acp_bindgen::backend::typescript::TypeScript;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::{Severity, nearest};
use acp_bindgen::output::FileSet;
use serde_json::{Map, Value, json};

use crate::support;

/// The cases whose packages have all that a package can have by itself.
const CASES: [&str; 6] = ["baseline", "handles", "helpers", "processes", "state", "streams"];

const RUST: &str = "abstract as async await auto become box break const continue crate default do dyn else \
    enum extern false final fn for gen if impl in let loop macro macro_rules match mod move mut override priv \
    pub raw ref return safe self Self static struct super trait true try type typeof union unsafe unsized use \
    virtual where while yield \
    AsMut AsRef AsyncFn Box Clone Copy Default DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn \
    FnMut FnOnce From FromIterator Future Into IntoFuture IntoIterator Iterator None Ok Option Ord PartialEq \
    PartialOrd Result ResultType Send Sized Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec Debug \
    Display Hash Error Item Output Target T E Value Map Cow Arc Rc Pin bool u8 i64 f64 str usize char std core \
    alloc tokio serde serde_json vec format panic drop clone deref from into new fmt eq hash additional kind";

const TYPESCRIPT: &str = "any arguments asserts async await bigint boolean break caller case catch class const \
    constructor continue debugger declare default delete do else enum eval export extends false finally for \
    function get global hasOwnProperty if implements import in infer instanceof interface is keyof length let \
    module name namespace never new null number object of package private protected prototype __proto__ public \
    readonly require return satisfies set static string super switch symbol then this throw toJSON toString true \
    try type typeof undefined unique unknown valueOf var void while with yield \
    Awaited Exclude Extract InstanceType Iterable NonNullable Omit Parameters Partial Pick PromiseLike Readonly \
    ReadonlyArray Record Required ReturnType ThisType Uppercase";

const ODD: &str = "+1 -1 < <= > * ! 2d n2d value_2d class_ Foo foo FOO foo-bar foo_bar fooBar FooBar default_x x \
    as_x mro cls __init__ __class__ __dict__";

/// What Python keeps for itself, and its modules for types.
const PYTHON: &str = "import builtins, keyword, typing, collections.abc as abc; \
    print(*keyword.kwlist, *keyword.softkwlist, *typing.__all__, *abc.__all__, \
    *[name for name in dir(builtins) if name[0] != '_'])";

/// What JavaScript has in every module.
const JAVASCRIPT: &str = "console.log(Object.getOwnPropertyNames(globalThis).join(' '))";

fn languages() -> [&'static dyn Backend; 3] {
    [&Rust, &TypeScript, &Python]
}

/// The words that languages keep for themselves.
fn reserved() -> BTreeSet<String> {
    let printed = |command: Option<Command>, code: &str, flag: &str| {
        let output = command.and_then(|mut command| command.args([flag, code]).output().ok());
        output.map(|it| String::from_utf8_lossy(&it.stdout).into_owned()).unwrap_or_default()
    };
    let python = printed(support::python().map(|it| it.python()), PYTHON, "-c");
    let javascript = printed(support::node().map(|it| it.node()), JAVASCRIPT, "-e");
    let texts = [RUST, TYPESCRIPT, ODD, &python, &javascript];
    texts.iter().flat_map(|text| text.split_whitespace()).map(String::from).collect()
}

/// The names that the files of a package declare or import, at the top and one step further in.
fn declared(files: &FileSet) -> BTreeSet<String> {
    const KEYWORDS: [&str; 16] = [
        "async",
        "class",
        "const",
        "def",
        "enum",
        "export",
        "fn",
        "function",
        "get",
        "interface",
        "mod",
        "pub",
        "readonly",
        "static",
        "struct",
        "trait",
    ];
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut names = BTreeSet::new();
    for (_, text) in files.iter().filter(|(path, _)| *path != "README.md") {
        for line in text.lines() {
            let bare = line.trim_start();
            let words = || bare.split(|it| !is_word(it)).filter(|word| !word.is_empty());
            if ["use ", "from ", "import "].iter().any(|start| line.starts_with(start)) {
                names.extend(words().map(String::from));
            }
            let is_member = KEYWORDS.iter().any(|it| bare.starts_with(&format!("{it} ")))
                || bare.starts_with("type ")
                || line.len() - bare.len() == 2 && bare.contains('(') && bare.ends_with('{');
            if is_member && line.len() - bare.len() <= 4 {
                names.extend(words().find(|it| !KEYWORDS.contains(it)).map(String::from));
            }
        }
    }
    names.retain(|name| !name.starts_with(|first: char| first == '_' || first.is_ascii_digit()));
    names
}

/// A schema with what a case has, and everything called by these names.
fn corpus(case: &str, names: &BTreeSet<String>, with_sides: bool) -> Value {
    let path = support::root().join("tests/cases").join(case).join("schema.json");
    let text = fs::read_to_string(path).unwrap();
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    schema["title"] = json!(format!("Names {case}"));
    let side = schema["$defs"].as_object().unwrap().values().find_map(|it| it["x-side"].as_str());
    let side = side.unwrap().to_owned();
    let defs = schema["$defs"].as_object_mut().unwrap();
    let mut own: BTreeSet<String> = defs.keys().cloned().collect();
    // The schema's author has chosen the names of handles and hosts.
    for keyword in ["x-handle", "x-process"] {
        own.extend(defs.values().filter_map(|it| Some(it[keyword]["name"].as_str()?.to_owned())));
    }
    let text = json!({ "type": "string" });
    for (index, name) in names.iter().enumerate() {
        if !own.contains(name) {
            defs.insert(
                name.clone(),
                match index % 3 {
                    0 => json!({ "type": "object", "properties": { (name.clone()): text } }),
                    1 => text.clone(),
                    _ => json!({ "enum": ["a", name] }),
                },
            );
        }
        let message = format!("{name}Notification");
        if !own.contains(&message) && !names.contains(&message) {
            // A side that looks like a slip for another is an error.
            let is_side = with_sides && index % 40 == 0 && nearest(name, [side.as_str()]).is_none();
            let side = if is_side { name } else { &side };
            let params = json!({ "type": "object", "x-method": name, "x-side": side });
            defs.insert(message, params);
        }
    }
    defs.insert("EveryValue".into(), json!({ "enum": names }));
    let names: Vec<&String> = names.iter().collect();
    for (index, some) in names.chunks(200).enumerate() {
        let properties: Map<_, _> = some.iter().map(|it| ((*it).clone(), text.clone())).collect();
        defs.insert(format!("Some{index}"), json!({ "type": "object", "properties": properties }));
    }
    for (index, some) in names.chunks(50).enumerate() {
        let properties: Map<_, _> = some.iter().map(|it| ((*it).clone(), text.clone())).collect();
        let required = json!({ "type": "object", "properties": properties, "required": some });
        let variants = some.iter().map(|name| {
            let properties = json!({ "kind": { "const": name }, "of": text });
            json!({ "type": "object", "properties": properties, "required": ["kind", "of"] })
        });
        let tagged = json!({ "oneOf": variants.collect::<Vec<_>>() });
        defs.insert(format!("EachRequired{index}"), required);
        defs.insert(format!("Tagged{index}"), tagged);
    }
    schema
}

/// Of how many names one is compiled: all of them would take a quarter of an hour.
const COMPILED: usize = 8;

/// The packages of all cases with hostile names in them, by language: with all names, or with one of
/// so many and what languages reserve.
fn packages(one_of: usize) -> BTreeMap<&'static str, FileSet> {
    let mut packages: BTreeMap<&str, FileSet> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for case in CASES {
        let path = support::root().join("tests/cases").join(case).join("schema.json");
        let lowered = support::lowered(case, &fs::read_to_string(path).unwrap());
        let protocol = lowered.protocol.unwrap();
        let options = Options::new("plain", DocsMode::Full, Runtime::Embedded);
        let mut diagnostics = acp_bindgen::diagnostic::Diagnostics::new();
        let mut names: BTreeSet<String> = languages()
            .iter()
            .flat_map(|it| declared(&it.emit(&protocol, &options, &mut diagnostics)))
            .collect();
        if case == "baseline" {
            names.extend(reserved());
        }
        // What every package has is tried once.
        names.retain(|name| !known.contains(name));
        known.extend(names.iter().cloned());
        let words: Vec<&str> =
            [RUST, TYPESCRIPT, ODD].iter().flat_map(|it| it.split(' ')).collect();
        let mut index = 0;
        names.retain(|name| {
            index += 1;
            index % one_of == 0 || words.contains(&name.as_str())
        });
        let schema = corpus(case, &names, case == "baseline");
        let mut lowered = support::lowered(case, &schema.to_string());
        let Some(protocol) = &lowered.protocol else { panic!("{}", lowered.report()) };
        let package = format!("names_{case}");
        let options = Options::new(&package, DocsMode::Full, Runtime::Embedded);
        for language in languages() {
            let files = language.emit(protocol, &options, &mut lowered.diagnostics);
            packages.entry(language.id()).or_default().insert_under(&package, files);
        }
        lowered.diagnostics.retain(Severity::Error);
        assert!(lowered.diagnostics.is_empty(), "{case}: {}", lowered.report());
    }
    packages
}

/// None of them stops a run.
#[test]
fn every_reserved_name_is_generated() {
    let packages = packages(1);
    for language in languages() {
        let files = &packages[language.id()];
        for case in CASES {
            let start = format!("names_{case}/");
            let count = files.iter().filter(|(path, _)| path.starts_with(&start)).count();
            assert!(count > 20, "{} {case}: {count} files", language.id());
        }
    }
}

/// The folder with the packages of a language that are compiled.
fn written(language: &str) -> std::path::PathBuf {
    static PACKAGES: OnceLock<BTreeMap<&'static str, FileSet>> = OnceLock::new();
    let packages = PACKAGES.get_or_init(|| packages(COMPILED));
    support::synced(&format!("names-{language}"), &packages[language])
}

#[test]
fn rust_compiles() {
    let folder = written("rust");
    let members = CASES.map(|case| format!("\"names_{case}\""));
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", "));
    support::write_files(&folder, [("Cargo.toml", manifest.as_str())]);
    support::compile_rust(&folder);
}

#[test]
fn typescript_compiles() {
    let Some(node) = support::node() else { return };
    support::compile_typescript(&node, &written("typescript"));
}

#[test]
fn python_compiles() {
    let Some(python) = support::python() else { return };
    let folder = written("python");
    let projects = CASES.map(|case| folder.join(format!("names_{case}")));
    support::compile_python(&python, &folder, &projects);
}
