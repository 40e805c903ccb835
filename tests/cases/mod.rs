//! Small schemas and what becomes of them in each language.
//!
//! Every folder here is a case: `schema.json`, and under `expected/` a file for each language with
//! what it makes of it. What most schemas share is shown once, in the case `baseline`: elsewhere
//! `⋮` stands for it. Files that are copied from `templates/` are only named.
//! `expected/diagnostics.txt` is what the tool says about the schema, where it says anything.
//!
//! `.ci/bless cases` rewrites `expected/`; read the diff.

mod case;
mod expected;

use case::{Case, cases};

#[test]
fn diagnostics_are_as_expected() {
    expected::check(&cases(), "diagnostics", |case| case.report.clone());
}

#[test]
fn rust_is_as_expected() {
    expected::check_language(&cases(), "rust");
}

#[test]
fn typescript_is_as_expected() {
    expected::check_language(&cases(), "typescript");
}

#[test]
fn python_is_as_expected() {
    expected::check_language(&cases(), "python");
}

/// The words of the descriptions in `docs-escaping` and `status` that code has no reason to say.
#[test]
fn docs_off_leaves_the_prose_out() {
    let words = ["alert(1)", "${evil}", "indented code", "Not settled.", "Use something else."];
    for case in cases() {
        for (language, files) in case.outputs_without_docs() {
            for (path, contents) in files.iter() {
                for word in words {
                    assert!(!contents.contains(word), "{} {language} {path}: {word}", case.name);
                }
            }
        }
    }
}

/// What hides or reorders text in an editor never appears in a file, nor does a control
/// character.
#[test]
fn no_character_hides_in_the_output() {
    for case in cases() {
        for (language, files) in &case.outputs {
            for (path, contents) in files.iter() {
                let hidden = contents.chars().find(|character| is_hidden(*character));
                assert_eq!(hidden, None, "{} {language} {path}", case.name);
            }
        }
    }
}

fn is_hidden(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}' | '\u{2029}')
}

#[test]
fn the_same_schema_gives_the_same_files() {
    let again = cases();
    for (case, again) in cases().iter().zip(&again) {
        for (language, files) in &case.outputs {
            assert!(files == &again.outputs[language], "{} {language}", case.name);
        }
    }
}

#[test]
fn every_case_but_the_collisions_has_output() {
    for Case { name, outputs, report, .. } in cases() {
        if name == "collisions-functions" {
            assert!(report.contains("bad-function-name"), "{name}: {report}");
        } else {
            assert_eq!(outputs.len(), 3, "{name}: {report}");
        }
    }
}
