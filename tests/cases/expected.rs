//! Compares what comes out with the files under `expected/`, or rewrites them.
//!
//! A snapshot holds what is about its case. What a file has in common with the file of that path in
//! the case `baseline`, with the same runtime, is folded: block by block, where a block is what stands between blank lines.
//! In the baseline, and in files that it lacks, what is copied from `templates/` is folded.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use acp_bindgen::backend::{DocsMode, Runtime};
use acp_bindgen::output::FileSet;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::case::Case;
use crate::support;

/// The case that shows what most schemas share.
const BASELINE: &str = "baseline";

/// Stands for one or more blocks that are shown elsewhere.
const FOLDED: &str = "⋮";

/// The cases about methods and what belongs to them: their types are like those of all others.
const METHODS: &[&str] = &[
    "cancels",
    "catalogue",
    "catalogue-hostile",
    "gates",
    "handles",
    "helpers",
    "methods",
    "negotiation",
    "null-results",
    "one-sided",
    "params-and-results",
    "processes",
    "remote",
    "state",
    "streams",
    "third-side",
];

/// The cases about names and texts: how values are read is shown by all others.
const NAMES: &[&str] = &[
    "aliases",
    "class-names",
    "descriptions",
    "docs-escaping",
    "function-names",
    "hostile-names",
    "keywords",
    "shared-names",
    "status",
];

/// Files that say of everything what others say as well, and the cases that show them.
const SHOWN_IN: [(&[&str], &[&str]); 4] = [
    (
        &["README.md"],
        &[
            BASELINE,
            "docs-escaping",
            "handles",
            "helpers",
            "hostile-names",
            "negotiation",
            "one-sided",
            "only-types",
            "processes",
            "remote",
            "state",
            "status",
            "streams",
            "third-side",
        ],
    ),
    (
        &["src/PACKAGE/__init__.py"],
        &[
            BASELINE,
            "aliases",
            "classes",
            "collisions-languages",
            "collisions-renamed",
            "hostile-names",
            "names-taken",
            "shorthands",
            "state",
            "status",
        ],
    ),
    (&["src/app.ts"], &[BASELINE, "methods", "negotiation"]),
    (
        &["src/payloads.rs", "src/payloads.ts", "src/PACKAGE/payloads.py"],
        &[BASELINE, "hostile-names", "methods", "null-results", "third-side"],
    ),
];

/// Tells whether a file shows what a case is about.
fn is_about(case: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    match name {
        "codecs" | "_decoders" => !METHODS.contains(&case) && !NAMES.contains(&case),
        "types" | "enums" | "table" => !METHODS.contains(&case),
        _ => {
            let shown = SHOWN_IN.iter().find(|(paths, _)| paths.contains(&path));
            shown.is_none_or(|(_, cases)| cases.contains(&case))
        }
    }
}

/// Files by path.
type Files = BTreeMap<String, String>;

/// Checks what a language makes of each case.
pub(crate) fn check_language(cases: &[Case], language: &str) {
    let runtime = runtime(language);
    let baseline = cases.iter().find(|case| case.name == BASELINE).expect("there is a baseline");
    let with_connections = files(baseline, baseline.outputs.get(language));
    let alone = baseline.outputs_with(DocsMode::Full, Runtime::None);
    let alone = files(baseline, alone.get(language));
    check(cases, language, |case| {
        let mut shared = match case.runtime {
            _ if case.name == BASELINE => Files::new(),
            Runtime::None => alone.clone(),
            Runtime::Embedded | Runtime::Package => with_connections.clone(),
        };
        let mut files = files(case, case.outputs.get(language));
        // Whether there is one is shown everywhere.
        shared.retain(|path, _| !files.contains_key(path) || is_about(&case.name, path));
        files.retain(|path, _| is_about(&case.name, path));
        folded(&shared, &files, &runtime)
    });
}

/// Checks `expected/NAME.txt` in all cases: `actual` gives its text. An empty text has no file.
pub(crate) fn check(cases: &[Case], name: &str, actual: impl Fn(&Case) -> String) {
    let mut differences = Vec::new();
    for case in cases {
        let file = case.folder.join("expected").join(name).with_extension("txt");
        let actual = actual(case);
        let expected = fs::read_to_string(&file).unwrap_or_default();
        if expected == actual {
            continue;
        }
        if !support::is_blessing() {
            differences.push(format!("{}{}", case.name, first_difference(&expected, &actual)));
        } else if actual.is_empty() {
            fs::remove_file(file).expect("a stale file can be removed");
        } else {
            support::write_files(&case.folder, [(&*format!("expected/{name}.txt"), &*actual)]);
        }
    }
    assert!(
        differences.is_empty(),
        "{name} is not as expected in {} cases (`.ci/bless cases` accepts it):\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// What is about this case in its files.
fn folded(baseline: &Files, files: &Files, runtime: &BTreeSet<String>) -> String {
    let mut text = String::new();
    for path in baseline.keys().filter(|_| !files.is_empty()) {
        if !files.contains_key(path) {
            text += &section(path, "(does not come out)\n");
        }
    }
    let mut copied = String::new();
    for (path, contents) in files {
        match baseline.get(path) {
            Some(shared) if shared == contents || is_runtime(path) => {}
            Some(shared) => text += &section(path, &difference(shared, contents, runtime)),
            None if is_runtime(path) || is_copied(contents, runtime) => {
                copied.extend(["==> ", path, "\n"]);
            }
            None => text += &section(path, &without_runtime(contents, runtime)),
        }
    }
    if copied.is_empty() { text } else { format!("{copied}(copied)\n\n{text}") }
}

/// Tells whether a file is one of the package's copy of the runtime.
fn is_runtime(path: &str) -> bool {
    path.split('/').any(|folder| folder == "runtime")
}

/// Tells whether a file is a header, and then copied from `templates/`.
fn is_copied(contents: &str, runtime: &BTreeSet<String>) -> bool {
    let blocks = blocks(contents);
    let rest = blocks.split_first().filter(|(header, _)| header.contains("@generated"));
    rest.is_some_and(|(header, rest)| {
        // In Python, the first block goes on with the file's own.
        let own = header.lines().skip_while(|line| line.starts_with(['#', '/']));
        let own: Vec<&str> = own.collect();
        let is_own_copied = own.is_empty() || runtime.contains(own.join("\n").trim());
        is_own_copied && !rest.is_empty() && rest.iter().all(|it| runtime.contains(it.trim()))
    })
}

fn section(path: &str, contents: &str) -> String {
    let end = if contents.ends_with('\n') { "" } else { "\n(no newline at the end)\n" };
    format!("==> {path}\n{contents}{end}\n")
}

/// A text with the blocks that are copied from `templates/` folded.
fn without_runtime(contents: &str, runtime: &BTreeSet<String>) -> String {
    let mut text = String::new();
    let mut is_folded = false;
    for block in blocks(contents) {
        let is_runtime = runtime.contains(block.trim());
        if !is_runtime {
            text += &block;
        } else if !is_folded {
            let _ = writeln!(text, "{FOLDED}");
        }
        is_folded = is_runtime;
    }
    text
}

/// The blocks that only the new text has. A block that only the old one has is named by its first
/// line, so that nothing can get lost unseen, and so is a long one that is copied from
/// `templates/`.
fn difference(old: &str, new: &str, runtime: &BTreeSet<String>) -> String {
    let (old, new) = (blocks(old), blocks(new));
    let mut text = String::new();
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if let DiffOp::Equal { .. } = operation {
            let _ = writeln!(text, "{FOLDED}");
            continue;
        }
        for block in &old[operation.old_range()] {
            let _ = writeln!(text, "{FOLDED} without: {}", first_line(block));
        }
        for block in &new[operation.new_range()] {
            // A short one may be the same by chance.
            let is_long = block.lines().count() > 5;
            if is_long && runtime.contains(block.trim()) {
                let _ = writeln!(text, "{FOLDED} with: {}", first_line(block));
            } else {
                text += block;
            }
        }
    }
    text
}

fn first_line(block: &str) -> &str {
    block.lines().find(|line| !line.is_empty()).unwrap_or_default()
}

/// A text in blocks: the lines up to the next blank one, with the blank ones before them.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut after_blank = true;
    for line in text.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        match blocks.last_mut() {
            Some(block) if is_blank == after_blank || !is_blank => block.push_str(line),
            _ => blocks.push(line.to_owned()),
        }
        after_blank = is_blank;
    }
    blocks
}

/// The files of a case without what only its name changes.
fn files(case: &Case, files: Option<&FileSet>) -> Files {
    let (Some(protocol), Some(files)) = (&case.protocol, files) else {
        return Files::new();
    };
    let version = format!("acp-bindgen {}", env!("CARGO_PKG_VERSION"));
    files
        .iter()
        .map(|(path, contents)| {
            let stable = contents
                .replace(&protocol.origin.digest, "0000000000000000")
                .replace(&version, "acp-bindgen VERSION");
            (case.anonymous(path), case.anonymous(&stable))
        })
        .collect()
}

/// The blocks of the files under `templates/LANGUAGE` that are copied as they are.
fn runtime(language: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![support::root().join("templates").join(language)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("templates can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension != "jinja") {
                let text = fs::read_to_string(path).expect("a template can be read");
                found.extend(blocks(&text).iter().map(|block| block.trim().to_owned()));
            }
        }
    }
    found
}

fn first_difference(expected: &str, actual: &str) -> String {
    if expected.is_empty() {
        return ": is new".to_owned();
    }
    let mut location = "";
    let (mut expected, mut actual) = (expected.lines(), actual.lines());
    for line in 1.. {
        match (expected.next(), actual.next()) {
            (Some(old), Some(new)) if old == new => {
                location = old.strip_prefix("==> ").unwrap_or(location);
            }
            (old, new) => {
                let (old, new) = (old.unwrap_or("(the end)"), new.unwrap_or("(the end)"));
                return format!(":{line}: {location}\n  expected {old}\n  actual   {new}");
            }
        }
    }
    String::new()
}
