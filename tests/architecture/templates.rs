//! Who imports whom in the runtimes and templates of TypeScript and Python: no circle. Imports of
//! types alone do not count, nor those within functions: nothing is loaded by them. In Rust, modules
//! are compiled together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{circles, files};
use crate::support;

type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn typescript_has_no_circle() {
    let folders = ["typescript/src", "typescript/runtime/src"];
    let imports = imports(&folders, &["ts", "ts.jinja"], |text, folder| {
        statements(text).filter_map(|statement| imported(statement, folder)).collect()
    });
    assert!(imports["connection/link"].contains("connection/calls"), "{imports:#?}");
    assert_eq!(circles(&imports), BTreeSet::new());
}

#[test]
fn python_has_no_circle() {
    let folders = ["python/runtime/src/acp_bindgen_runtime"];
    let imports = imports(&folders, &["py"], |text, folder| {
        let lines = text.lines().filter_map(|line| line.strip_prefix("from ."));
        lines.flat_map(|line| modules(line, folder)).collect()
    });
    assert!(imports["rpc/link"].contains("rpc/calls"), "{imports:#?}");
    assert_eq!(circles(&imports), BTreeSet::new());
}

/// The modules of folders of `templates/`, which end up in one, each with those that it imports.
/// `read` finds these in the text of a file in a folder.
fn imports(
    folders: &[&str],
    extensions: &[&str],
    read: impl Fn(&str, &Path) -> BTreeSet<String>,
) -> Imports {
    let mut found = Imports::new();
    for folder in folders {
        let root = support::root().join("templates").join(folder);
        for path in files(&root) {
            let within = path.strip_prefix(&root).unwrap();
            let name = within.to_str().unwrap();
            let module = extensions.iter().find_map(|it| name.strip_suffix(&format!(".{it}")));
            let Some(module) = module else { continue };
            let text = fs::read_to_string(&path).unwrap();
            found.insert(module.to_owned(), read(&text, within.parent().unwrap()));
        }
    }
    let known: BTreeSet<String> = found.keys().cloned().collect();
    for it in found.values_mut() {
        it.retain(|module| known.contains(module));
    }
    found
}

/// The statements of a TypeScript module that import or export what another has.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices('\n').map(|(at, _)| at + 1);
    let rests = std::iter::once(0).chain(starts).filter_map(|at| text.get(at..));
    let rests = rests.filter(|rest| ["import ", "export "].iter().any(|it| rest.starts_with(it)));
    rests.filter_map(|rest| rest.split_once(';').map(|(statement, _)| statement))
}

/// The module that a statement loads.
fn imported(statement: &str, folder: &Path) -> Option<String> {
    let (names, specifier) = statement.rsplit_once(" from \"")?;
    let (_, names) = names.split_once(' ')?;
    let listed = names.trim().strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let is_type = |name: &str| name.trim().is_empty() || name.trim().starts_with("type ");
    let only_types =
        names.starts_with("type ") || listed.is_some_and(|it| it.split(',').all(is_type));
    // Templates ask where a module is: `{{ module("types") }}`.
    let asked = specifier.strip_prefix("{{ ").and_then(|call| call.split('"').nth(1));
    let path = specifier.strip_suffix(".js\"").filter(|path| path.starts_with('.'));
    let module = asked.map(str::to_owned).or(path.map(|path| normal(&folder.join(path))))?;
    (!only_types).then_some(module)
}

/// The modules that a line imports, from what follows `from .`.
fn modules(line: &str, folder: &Path) -> Vec<String> {
    let Some((from, names)) = line.split_once(" import ") else { return Vec::new() };
    let up = from.len() - from.trim_start_matches('.').len();
    let mut base = folder.to_owned();
    (0..up).for_each(|_| _ = base.pop());
    match from.trim_start_matches('.') {
        "" => names.split([',', '(', ' ']).map(|name| normal(&base.join(name))).collect(),
        module => vec![normal(&base.join(module.replace('.', "/")))],
    }
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> String {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = normal.pop(),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal.to_string_lossy().into_owned()
}
