//! What generated code does with messages: the corpus beside this file, judged by a JSON Schema
//! validator, then run in every language.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod corpus;
mod generate;
mod judge;
mod run;
#[path = "../support/mod.rs"]
mod support;

use std::collections::HashSet;

use corpus::{Entry, Verdict, same};
use judge::Judge;
use run::Language;

/// The corpora: a folder here, and the schema it is about.
fn corpora() -> Vec<(&'static str, String)> {
    let shapes = support::root().join("tests/wire/shapes.schema.json");
    let shapes = std::fs::read_to_string(shapes).expect("the schema is there");
    [
        ("acp-v1", support::npm_schema("2.4.0", "schema/v1/schema.json")),
        ("acp-v2", support::npm_schema("2.4.0", "schema/v2/schema.json")),
        ("shapes", Some(shapes)),
    ]
    .into_iter()
    .filter_map(|(folder, schema)| Some((folder, schema?)))
    .collect()
}

#[test]
fn the_corpus_agrees_with_the_schema() {
    for (folder, schema) in corpora() {
        let judge = Judge::new(&schema);
        let mut complaints = Vec::new();
        let mut names = HashSet::new();
        for entry in corpus::entries(folder) {
            if !judge.knows(&entry.type_name) {
                complaints.push(format!("{}: no type `{}`", entry.name, entry.type_name));
                continue;
            }
            if !names.insert(entry.name.clone()) {
                complaints.push(format!("{}: the name is taken", entry.name));
            }
            complaints
                .extend(complaint(&judge, &entry).map(|text| format!("{}: {text}", entry.name)));
        }
        assert!(complaints.is_empty(), "{folder}:\n{}", complaints.join("\n"));
        assert!(names.len() >= 30, "{folder} has only {} entries", names.len());
    }
}

/// How many random messages are made of each schema.
const GENERATED: usize = 1500;

#[test]
fn the_schema_accepts_what_is_generated_from_it() {
    for (folder, schema) in corpora() {
        let judge = Judge::new(&schema);
        for entry in generated(folder, &schema) {
            if let Err(error) = judge.check(&entry.type_name, &entry.value) {
                panic!("{folder}, {}: {error}\n{}", entry.type_name, entry.value);
            }
        }
    }
}

/// Random valid messages, each of which encodes to itself.
fn generated(folder: &str, schema: &str) -> Vec<Entry> {
    let lowered = support::lowered(folder, schema);
    let protocol = lowered.protocol.as_ref().unwrap_or_else(|| panic!("{}", lowered.report()));
    let types: Vec<&str> =
        protocol.types.values().filter(|it| !it.inline).map(|it| it.name.wire.as_str()).collect();
    let mut generator = generate::Generator { protocol, random: support::Random(7) };
    (0..GENERATED)
        .map(|index| {
            let type_name = types[index % types.len()];
            Entry::accepted(type_name, generator.named(type_name, 0))
        })
        .collect()
}

#[test]
fn rust_does_what_the_corpus_says() {
    follows_the_corpus(Language { name: "rust", preserves_unknown: false });
}

#[test]
fn typescript_does_what_the_corpus_says() {
    if support::node().is_none() {
        return;
    }
    follows_the_corpus(Language { name: "typescript", preserves_unknown: true });
}

#[test]
fn python_does_what_the_corpus_says() {
    if support::python().is_none() {
        return;
    }
    follows_the_corpus(Language { name: "python", preserves_unknown: false });
}

fn follows_the_corpus(language: Language) {
    let mut departures = Vec::new();
    for (folder, schema) in corpora() {
        let argument = match folder {
            "acp-v1" => "bundled:acp@v1",
            "acp-v2" => "bundled:acp@v2",
            _ => "tests/wire/shapes.schema.json",
        };
        support::build_harness(folder, argument);
        let mut entries = corpus::entries(folder);
        for strict in [false, true] {
            let of_folder = run::departures(language, folder, strict, &entries);
            let mode = if strict { "strict " } else { "" };
            departures.extend(of_folder.into_iter().map(|text| format!("{mode}{folder}: {text}")));
        }
        entries = generated(folder, &schema);
        departures.extend(run::departures(language, folder, true, &entries));
    }
    assert!(
        departures.is_empty(),
        "{} departures of {}:\n{}",
        departures.len(),
        language.name,
        departures.join("\n")
    );
}

/// What is wrong with an entry.
fn complaint(judge: &Judge, entry: &Entry) -> Option<String> {
    if entry.is_contradictory() {
        return Some("it says what a rejected value encodes to".to_owned());
    }
    let by_schema = judge.check(&entry.type_name, &entry.value);
    let by_entry = matches!(entry.verdict(true), Verdict::Accept(_));
    match (&entry.schema_disagrees, by_schema.is_ok() == by_entry) {
        (None, false) => {
            let opinion = by_schema.err().unwrap_or_else(|| "valid".to_owned());
            return Some(format!(
                "strict mode and JSON Schema disagree; the schema says {opinion}"
            ));
        }
        (Some(_), true) => return Some("JSON Schema does agree".to_owned()),
        _ => {}
    }
    for verdict in [entry.verdict(false), entry.verdict(true), entry.verdict_preserving(false)] {
        if let Verdict::Accept(encoded) = verdict
            && !(entry.schema_disagrees.is_some() && same(encoded, &entry.value))
            && let Err(error) = judge.check(&entry.type_name, encoded)
        {
            return Some(format!("what it encodes to is not valid: {error}"));
        }
    }
    None
}
