//! Compares what comes out with the files under `expected/`, or rewrites them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::case::Case;

/// The case that shows the files which most schemas share.
const BASELINE: &str = "empty";

/// Checks the files of one language in all cases.
///
/// A file that is the same in every case is a template, tested elsewhere; one that a case shares
/// with the baseline is shown there only.
pub(crate) fn check_language(cases: &[Case], language: &str) {
    let all: Vec<BTreeMap<String, String>> =
        cases.iter().map(|case| anonymous(case, language)).collect();
    let baseline = cases.iter().zip(&all).find(|(case, _)| case.name == BASELINE);
    let (_, baseline) = baseline.expect("there is a baseline");
    let is_template = |path: &str| {
        let mut versions = all.iter().filter_map(|files| files.get(path));
        let first = versions.next();
        versions.all(|version| Some(version) == first)
    };
    check(cases, language, |case| {
        let shown = |path: &str, contents: &str| {
            let (path, contents) = (case.anonymous(path), case.anonymous(contents));
            let is_shared = baseline.get(&path) == Some(&contents);
            !is_template(&path) && (case.name == BASELINE || !is_shared)
        };
        let files = files(case, language).into_iter();
        files
            .filter(|(path, contents)| shown(path, contents))
            .map(|(path, contents)| (format!("{language}/{path}"), contents))
            .collect()
    });
}

/// The files of a case without what only its name changes.
fn anonymous(case: &Case, language: &str) -> BTreeMap<String, String> {
    let files = files(case, language).into_iter();
    files.map(|(path, contents)| (case.anonymous(&path), case.anonymous(&contents))).collect()
}

/// Checks one file or folder of `expected/` in all cases: `actual` gives what belongs there, by
/// path under `expected/`.
pub(crate) fn check(cases: &[Case], scope: &str, actual: impl Fn(&Case) -> Vec<(String, String)>) {
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let mut differences = Vec::new();
    for case in cases {
        let folder = case.folder.join("expected");
        let actual: BTreeMap<String, String> =
            actual(case).into_iter().filter(|(_, contents)| !contents.is_empty()).collect();
        let stale = stale_files(&folder, scope, &actual);
        for (path, contents) in &actual {
            let file = folder.join(path);
            if fs::read_to_string(&file).is_ok_and(|expected| &expected == contents) {
                continue;
            }
            if bless {
                fs::create_dir_all(file.parent().expect("a file has a folder")).expect("made");
                fs::write(&file, contents).expect("an expected file can be written");
            } else {
                differences.push(format!(
                    "{}/{path}{}",
                    case.name,
                    first_difference(&file, contents)
                ));
            }
        }
        for path in stale {
            if bless {
                fs::remove_file(folder.join(&path)).expect("a stale file can be removed");
            } else {
                differences.push(format!("{}/{path}: no longer comes out", case.name));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} files are not as expected (BLESS=1 rewrites them):\n{}",
        differences.len(),
        differences.join("\n")
    );
}

fn files(case: &Case, language: &str) -> BTreeMap<String, String> {
    let (Some(protocol), Some(files)) = (&case.protocol, case.outputs.get(language)) else {
        return BTreeMap::new();
    };
    let version = format!("acp-bindgen {}", env!("CARGO_PKG_VERSION"));
    files
        .iter()
        .map(|(path, contents)| {
            let stable = contents
                .replace(&protocol.origin.digest, "0000000000000000")
                .replace(&version, "acp-bindgen VERSION");
            (path.to_owned(), stable)
        })
        .collect()
}

fn stale_files(folder: &Path, scope: &str, actual: &BTreeMap<String, String>) -> Vec<String> {
    let mut found = Vec::new();
    if folder.join(scope).is_file() {
        found.push(scope.to_owned());
    }
    let mut folders = vec![folder.join(scope)];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(relative) = path.strip_prefix(folder) {
                found.push(relative.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.retain(|path| !actual.contains_key(path));
    found.sort();
    found
}

fn first_difference(file: &Path, actual: &str) -> String {
    let Ok(expected) = fs::read_to_string(file) else { return ": is new".to_owned() };
    let mut lines = expected.lines().zip(actual.lines()).enumerate();
    match lines.find(|(_, (expected, actual))| expected != actual) {
        Some((index, (expected, actual))) => {
            format!(":{}\n  expected {expected}\n  actual   {actual}", index + 1)
        }
        None => ": one is longer".to_owned(),
    }
}
