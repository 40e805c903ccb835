//! Who imports whom in `src/`: one way between folders, and within a folder no circle but those
//! argued for in `ARCHITECTURE.md`.

mod imports;
mod templates;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use imports::{Module, imports};

use crate::support;

/// Pairs of a file and another one that it refers to.
static IMPORTS: LazyLock<BTreeSet<(Module, Module)>> = LazyLock::new(imports);

/// The modules of the crate, from left to right: each imports those before it. A stage's place is
/// that of its data, so `ir` stands before `lower`, which makes it, and `output`, which has the set
/// of files, before `backend`, which fills it.
const PIPELINE: [&str; 28] = [
    "parallel",
    "source",
    "diagnostic",
    "policy",
    "pattern",
    "ir",
    "schema",
    "lower",
    "decode",
    "schema_validator",
    "example",
    "output",
    "sdk",
    "backend",
    "breaking",
    "history",
    "published",
    "lint",
    "validate",
    "load",
    "aliases",
    "input",
    "config",
    "generator",
    "builder",
    "lib",
    "cli",
    "main",
];

/// Circles between files of one folder that are meant, each with the reason. `ARCHITECTURE.md` has
/// them, too.
const MEANT: [(&[&str], &str); 1] =
    [(&["ir::method", "ir::record", "ir::types", "ir::union"], "one recursive type in five files")];

#[test]
fn stages_import_what_is_before_them() {
    let mut upward = BTreeSet::new();
    for (from, to) in &*IMPORTS {
        let (before, after) = (location(to), location(from));
        if before > after {
            upward.insert(format!("{} imports {}", from.join("::"), to.join("::")));
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
}

fn location(module: &Module) -> usize {
    let stage = &module[0];
    let location = PIPELINE.iter().position(|name| name == stage);
    location.unwrap_or_else(|| panic!("`{stage}` has no place in the pipeline"))
}

#[test]
fn there_is_no_circle() {
    let imports = &*IMPORTS;
    let mut folders: BTreeSet<&[String]> = BTreeSet::new();
    for (from, to) in imports {
        for module in [from, to] {
            folders.extend((0..module.len()).map(|depth| &module[..depth]));
        }
    }
    let mut found = BTreeSet::new();
    for folder in folders {
        for circle in circles(&children(imports, folder)) {
            let names: Vec<String> = circle
                .iter()
                .map(|name| [folder, std::slice::from_ref(name)].concat().join("::"))
                .collect();
            found.insert(names);
        }
    }
    let meant: BTreeSet<Vec<String>> = MEANT
        .iter()
        .map(|(circle, _)| circle.iter().map(|name| (*name).to_owned()).collect())
        .collect();
    assert_eq!(found, meant);
}

/// What imports what among the files and folders of a folder. Its own `mod.rs` is left out: that it
/// puts together what refers to it is what it is for.
fn children(
    imports: &BTreeSet<(Module, Module)>,
    folder: &[String],
) -> BTreeMap<String, BTreeSet<String>> {
    let mut children: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in imports {
        let (Some(from), Some(to)) = (child(from, folder), child(to, folder)) else { continue };
        if from != to {
            children.entry(from.clone()).or_default().insert(to.clone());
        }
    }
    children
}

fn child<'a>(module: &'a Module, folder: &[String]) -> Option<&'a String> {
    module.strip_prefix(folder)?.first()
}

/// The groups in which each imports each, by whatever way.
fn circles(imports: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|name| (name, reach(imports, name))).collect();
    let mut circles = BTreeSet::new();
    for (name, reach) in &reached {
        let circle: Vec<String> = reach
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|reach| reach.contains(name)))
            .map(|other| (*other).clone())
            .collect();
        if !circle.is_empty() {
            circles.insert(circle);
        }
    }
    circles
}

fn reach<'a>(
    imports: &'a BTreeMap<String, BTreeSet<String>>,
    from: &String,
) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&String> = imports.get(from).into_iter().flatten().collect();
    while let Some(name) = next.pop() {
        if reached.insert(name) {
            next.extend(imports.get(name).into_iter().flatten());
        }
    }
    reached
}

#[test]
fn no_function_is_called_of() {
    let mut found = Vec::new();
    for path in files(&support::root().join("src")) {
        let text = fs::read_to_string(&path).unwrap();
        let is_called_of = |line: &str| {
            let (_, code) = line.trim_start().split_once("fn of").unwrap_or_default();
            code.starts_with(['(', '<']) && !code.contains("{{")
        };
        let lines = text.lines().enumerate().filter(|(_, line)| is_called_of(line));
        found.extend(lines.map(|(at, _)| format!("{}:{}", path.display(), at + 1)));
    }
    assert_eq!(found, Vec::<String>::new());
}

/// The files of a folder and of those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}
