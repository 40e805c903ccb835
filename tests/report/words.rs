//! `explain` knows every word that is printed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::report::outcome;
use crate::support;

/// The files of a folder and of those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The codes of all diagnostics in the sources, each with a file that has it.
fn codes() -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    for path in files(&support::root().join("src")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        for start in ["Diagnostic::error(", "Diagnostic::warning(", "Diagnostic::new(", "code: "] {
            for rest in text.split(start).skip(1) {
                let code =
                    rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
                found.extend(code.map(|code| (code.to_owned(), path.clone())));
            }
        }
    }
    found
}

fn explained(word: &str) -> (String, String, i32) {
    let mut command = support::acp_bindgen(support::root());
    outcome(command.args(["explain", "--", word]))
}

#[test]
fn every_code_is_explained() {
    let codes = codes();
    assert!(codes.len() > 80, "{}", codes.len());
    let listed = outcome(support::acp_bindgen(support::root()).arg("explain")).0;
    let listed: BTreeSet<&str> =
        listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for (code, path) in &codes {
        assert!(listed.contains(code.as_str()), "`{code}` of {} is not explained", path.display());
    }
    let (text, errors, code) = explained("no-schema");
    assert_eq!((errors.as_str(), code), ("", 0));
    assert!(text.starts_with("no-schema (no schema is named): "), "{text}");
    assert_eq!(explained("error[no-schema]").0, text);
}

#[test]
fn every_explained_code_exists() {
    let codes = codes();
    // Codes that are chosen where they are used.
    let elsewhere = support::root().join("src");
    let all: String = files(&elsewhere)
        .into_iter()
        .filter(|path| !path.ends_with("policy/codes.rs"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    for word in acp_bindgen::policy::CODES {
        let is_there = codes.contains_key(word.word) || all.contains(&format!("\"{}\"", word.word));
        assert!(is_there, "`{}`", word.word);
        assert!(word.meaning.ends_with('.') && !word.subject.ends_with('.'), "`{}`", word.word);
    }
}

#[test]
fn the_words_of_reports_are_explained() {
    for word in [
        "breaking",
        "risky",
        "safe",
        "info",
        "old→new",
        "new-to-old",
        "rejected",
        "proof",
        "recv",
        "send",
        "name",
        "cond:lost-trait",
        "softened",
        "waived",
        "suggested",
        "error",
        "warning",
        "note",
        "Added",
        "Fixed wording",
        "~",
        "x",
        ".",
        "strict",
    ] {
        let (text, errors, code) = explained(word);
        assert_eq!((errors.as_str(), code), ("", 0), "{word}");
        assert!(text.contains(": "), "{word}: {text}");
    }
}
