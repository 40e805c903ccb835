//! Bad schemas, and what is said of them: `tests/diagnostics/NAME.json` with its rendered findings
//! in `NAME.txt`. `.ci/bless diagnostics` rewrites the latter.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use acp_bindgen::breaking::{CompareOptions, Subject, compare_messages, compare_with};
use acp_bindgen::diagnostic::{Diagnostics, Style, render};
use acp_bindgen::schema::SchemaText;
use acp_bindgen::source::MAX_BYTES;
use acp_bindgen::{Inputs, Loaded, Purpose, load};

use crate::support;

fn folder() -> PathBuf {
    support::root().join("tests/diagnostics")
}

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    cases.sort();
    cases
}

fn text(path: &Path) -> SchemaText {
    let label = path.file_name().unwrap().to_string_lossy().into_owned();
    SchemaText::new(label, fs::read_to_string(path).unwrap())
}

/// What comes of a case: its schema, with the files beside it.
fn loaded(case: &Path) -> Loaded {
    loaded_for(case, Purpose::Generate)
}

fn loaded_for(case: &Path, purpose: Purpose) -> Loaded {
    let overlay = case.with_extension("overlay");
    let overlays = if overlay.exists() { vec![text(&overlay)] } else { Vec::new() };
    let catalogue = Some(case.with_extension("catalogue")).filter(|path| path.exists());
    let catalogue = catalogue.map(|path| text(&path));
    let extension = case.with_extension("extension");
    let extensions = if extension.exists() { vec![text(&extension)] } else { Vec::new() };
    let inputs = Inputs::new(text(case), overlays).catalogue(catalogue);
    load(Inputs { extensions, ..inputs }, purpose)
}

#[test]
fn every_bad_schema_is_explained() {
    let mut differing = Vec::new();
    for case in cases() {
        let Loaded { protocol, diagnostics, sources, .. } = loaded(&case);
        assert!(!diagnostics.is_empty(), "{}: nothing was found", case.display());
        assert_eq!(protocol.is_none(), diagnostics.has_errors(), "{}", case.display());
        for diagnostic in diagnostics.iter() {
            assert!(
                diagnostic.help.is_some(),
                "{}: {} has no hint",
                case.display(),
                diagnostic.code
            );
            let location = diagnostic.location.as_ref();
            assert!(
                location.is_some_and(|location| location.line > 0 && location.column > 0),
                "{}",
                case.display()
            );
        }
        let rendered = render(&diagnostics, &sources, Style::Plain);
        let expected = case.with_extension("txt");
        if support::is_blessing() {
            fs::write(&expected, &rendered).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != rendered {
            differing.push(format!("--- {}\n{rendered}", expected.display()));
        }
    }
    assert!(
        differing.is_empty(),
        "`.ci/bless diagnostics` rewrites these if they are right:\n{}",
        differing.join("\n")
    );
}

#[test]
fn a_schema_is_compared_if_code_can_be_generated_from_it() {
    let base = loaded_for(&folder().join("no-methods.json"), Purpose::Compare);
    let base = base.protocol.unwrap();
    let mut compared = 0;
    for case in cases() {
        let wrong = loaded(&case).diagnostics;
        let Loaded { protocol, diagnostics, schema, .. } = loaded_for(&case, Purpose::Compare);
        // One that binds no method is taken for older than the annotations.
        let is_older = diagnostics.iter().any(|it| it.code == "no-methods");
        let Some(protocol) = protocol else {
            let codes = |found: &Diagnostics| found.iter().map(|it| it.code).collect::<Vec<_>>();
            assert!(wrong.has_errors(), "{}", case.display());
            if !is_older {
                assert_eq!(codes(&wrong), codes(&diagnostics), "{}", case.display());
            }
            continue;
        };
        compared += 1;
        assert!(is_older || !wrong.has_errors(), "{}", case.display());
        let subject = Subject { protocol: &protocol, document: schema.as_ref().map(|it| &it.root) };
        assert!(
            compare_with(subject, subject, &CompareOptions::default()).report.is_empty(),
            "{}",
            case.display()
        );
        let other = Subject::from(&base);
        let (there, back) = (compare_messages(subject, other), compare_messages(other, subject));
        assert!(!there.is_empty() || case.ends_with("no-methods.json"), "{}", case.display());
        assert_eq!(there.is_empty(), back.is_empty(), "{}", case.display());
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn every_code_has_a_case_named_for_it_or_that_shows_it() {
    // Not from the expected output, which another test may be writing at this moment.
    let findings = cases().into_iter().map(|case| loaded(&case).diagnostics);
    let shown: BTreeSet<&str> =
        findings.flat_map(|found| found.iter().map(|it| it.code).collect::<Vec<_>>()).collect();
    let mut sources = Vec::new();
    for folder in ["source", "schema", "schema/annotations", "lower", "decode"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        sources.extend(entries.filter(|path| path.is_file()));
    }
    sources.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/diagnostic/parse.rs"));
    for source in sources {
        let text = fs::read_to_string(&source).unwrap();
        for kind in ["Diagnostic::error(", "Diagnostic::warning("] {
            for rest in text.split(kind).skip(1) {
                let code = rest.split('"').nth(1).unwrap_or_default();
                let elsewhere = ["too-large", "too-deep"].contains(&code);
                // A code that is a variable there stands in a literal elsewhere.
                let literal = rest.trim_start().starts_with('"');
                assert!(
                    !literal || elsewhere || shown.contains(code),
                    "no case shows `{code}` of {}",
                    source.display()
                );
            }
        }
    }
}

#[test]
fn what_would_be_too_much_is_refused_before_it_costs_anything() {
    let deep = "[".repeat(100_000);
    assert_eq!(refusal(SchemaText::new("deep.json", deep)), ["too-deep"]);

    let brackets = "[]".repeat((MAX_BYTES / 2) + 1);
    assert_eq!(refusal(SchemaText::new("big.json", brackets)), ["too-large"]);
}

/// The codes of the findings that keep a schema from being read.
fn refusal(schema: SchemaText) -> Vec<&'static str> {
    let loaded = load(schema, Purpose::Generate);
    assert!(loaded.protocol.is_none());
    loaded.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}
