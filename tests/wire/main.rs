//! What generated code does with messages: the corpus beside this file, judged by a JSON Schema
//! validator, then run in every language.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod cases;
mod corpus;
mod deep;
mod everyday;
mod fitted;
mod generate;
#[path = "../properties/instances.rs"]
mod instances;
mod interpret;
mod judge;
mod mutate;
#[path = "../properties/random_patterns.rs"]
mod random_patterns;
#[path = "../properties/random_schemas.rs"]
#[allow(dead_code, reason = "another suite uses all of it")]
mod random_schemas;
#[path = "../properties/random_unions.rs"]
mod random_unions;
mod run;
mod suite;
#[path = "../support/mod.rs"]
mod support;
mod validate;

use std::collections::HashSet;
use std::path::Path;

use acp_bindgen::schema::{SchemaText, bundled};
use acp_bindgen::{Inputs, Patterns, Protocol};
use corpus::{Entry, Verdict, same};
use judge::Judge;
use run::Language;
use serde_json::Value;

/// Messages in a folder, and the schema they are about.
pub(crate) struct Corpus {
    /// The folder here, and the name of the SDK.
    pub(crate) name: String,
    /// The schema, as the command line takes it.
    pub(crate) argument: String,
    /// The schema's text.
    pub(crate) schema: String,
    /// What the schema describes.
    pub(crate) protocol: Protocol,
    /// Options of `generate`.
    options: Vec<String>,
}

impl Corpus {
    fn new(name: &str, argument: &str, schema: Option<String>) -> Option<Self> {
        let schema = schema?;
        // What is bundled is generated with its overlay.
        let bundled = argument.strip_prefix("bundled:").and_then(bundled::text);
        let overlays = bundled.into_iter().map(|(_, overlay)| overlay).collect();
        let inputs = Inputs::new(SchemaText::new(name, &schema), overlays);
        Some(Self::of(name, Path::new(argument), inputs))
    }

    /// A schema in a file, with what belongs to it.
    fn of(name: &str, path: &Path, inputs: Inputs) -> Self {
        let (name, argument) = (name.to_owned(), path.to_string_lossy().into_owned());
        let (schema, patterns) = (inputs.schema.text.clone(), inputs.patterns);
        let lowered = support::lowered_from(inputs);
        let report = lowered.report();
        let protocol = lowered.protocol.unwrap_or_else(|| panic!("{report}"));
        let options = match patterns {
            Patterns::Ignore => Vec::new(),
            Patterns::Check => vec!["--patterns".to_owned(), "check".to_owned()],
        };
        Self { name, argument, schema, protocol, options }
    }

    /// Builds the programs that speak of it.
    fn build(&self) {
        support::build_harness_with(&self.name, &self.argument, &self.options);
    }
}

/// The corpora that can be had.
fn corpora() -> Vec<Corpus> {
    let bundled =
        |version: &str| support::npm_schema("2.4.0", &format!("schema/{version}/schema.json"));
    let shapes = "tests/wire/shapes.schema.json";
    let text = std::fs::read_to_string(support::root().join(shapes)).expect("the schema is there");
    let corpora = [
        Corpus::new("acp-v1", "bundled:acp@v1", bundled("v1")),
        Corpus::new("acp-v2", "bundled:acp@v2", bundled("v2")),
        Corpus::new("shapes", shapes, Some(text)),
    ];
    corpora.into_iter().flatten().collect()
}

/// The schemas of the tests that have no corpus: messages for them are only generated.
fn without_corpus() -> Vec<Corpus> {
    let second = "schema/agent-communication.json";
    let text = std::fs::read_to_string(support::root().join(second)).expect("the schema is there");
    let merged = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cases.schema.json");
    let cases = cases::merged();
    std::fs::write(&merged, &cases).expect("it can be written");
    let corpora = [
        Corpus::new("agent-communication", second, Some(text)),
        Corpus::new("cases", &merged.to_string_lossy(), Some(cases)),
    ];
    corpora.into_iter().flatten().collect()
}

#[test]
fn the_corpus_agrees_with_the_schema() {
    for corpus in corpora() {
        let folder = &corpus.name;
        let judge = Judge::new(&corpus.schema);
        let mut complaints = Vec::new();
        let mut names = HashSet::new();
        for entry in corpus::entries(&corpus.name) {
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

/// How many random messages are made of each schema at least, and of each definition.
const GENERATED: (usize, usize) = (1500, 6);

/// Definitions with keywords that are not enforced, so that what is made of them may be invalid.
const UNENFORCED: [&str; 2] = ["Few", "Tags"];

/// Names of plain arrays and maps: in Rust they are plain, and what the names ask for is looked at
/// where they stand in something.
const PLAIN: [&str; 4] = ["Colours", "Few", "Labels", "Patterned"];

#[test]
fn the_schema_accepts_what_is_generated_from_it() {
    for corpus in corpora() {
        let judge = Judge::new(&corpus.schema);
        let is_enforced = |entry: &Entry| !UNENFORCED.contains(&entry.type_name.as_str());
        for entry in generated(&corpus.protocol).into_iter().filter(is_enforced) {
            if let Err(error) = judge.check(&entry.type_name, &entry.value) {
                panic!("{}, {}: {error}\n{}", corpus.name, entry.type_name, entry.value);
            }
        }
    }
}

/// Unions of so many classes that Python keeps their values as they come, unlisted members too; it
/// warns of it.
const KEPT_WHOLE: [&str; 1] = ["Classes21"];

/// Random valid messages, each of which encodes to itself.
fn generated(protocol: &Protocol) -> Vec<Entry> {
    let types = protocol.types.values().filter(|it| !it.inline);
    let types = types.map(|it| it.name.wire.as_str()).filter(|it| !KEPT_WHOLE.contains(it));
    let types: Vec<&str> = types.collect();
    let mut generator = generate::Generator::new(protocol, 7);
    (0..GENERATED.0.max(types.len() * GENERATED.1))
        .map(|index| {
            let type_name = types[index % types.len()];
            Entry::accepted(type_name, generator.named(type_name, 0))
        })
        .collect()
}

#[test]
fn the_interpreter_does_what_the_corpus_says() {
    for preserves_unknown in [false, true] {
        follows_the_corpus(Language {
            name: "interpreter",
            preserves_unknown,
            has_doubles_only: false,
        });
    }
}

#[test]
fn rust_does_what_the_corpus_says() {
    follows_the_corpus(Language {
        name: "rust",
        preserves_unknown: false,
        has_doubles_only: false,
    });
}

#[test]
fn typescript_does_what_the_corpus_says() {
    if support::node().is_none() {
        return;
    }
    follows_the_corpus(Language {
        name: "typescript",
        preserves_unknown: true,
        has_doubles_only: true,
    });
}

#[test]
fn python_does_what_the_corpus_says() {
    if support::python().is_none() {
        return;
    }
    follows_the_corpus(Language {
        name: "python",
        preserves_unknown: false,
        has_doubles_only: false,
    });
}

fn follows_the_corpus(language: Language) {
    let mut departures = Vec::new();
    // For work on one corpus: its name.
    let only = std::env::var("WIRE_CORPUS").ok();
    let is_wanted = |corpus: &Corpus| only.as_ref().is_none_or(|only| *only == corpus.name);
    let with_corpus = corpora().into_iter().map(|corpus| {
        let deep = if corpus.name == "shapes" { deep::entries() } else { Vec::new() };
        (corpus::entries(&corpus.name).into_iter().chain(deep).collect(), corpus)
    });
    let without_corpus = without_corpus().into_iter().map(|corpus| (Vec::new(), corpus));
    let all = with_corpus.chain(without_corpus);
    for (entries, corpus) in all.filter(|(_, corpus)| is_wanted(corpus)) {
        if language.name != "interpreter" {
            corpus.build();
        }
        for strict in [false, true] {
            let found = run::departures(language, &corpus, strict, &entries);
            let mode = if strict { "strict " } else { "" };
            departures
                .extend(found.into_iter().map(|text| format!("{mode}{}: {text}", corpus.name)));
        }
        departures.extend(run::departures(language, &corpus, true, &generated(&corpus.protocol)));
        let (entries, is_single) = mutations(&corpus.protocol);
        let entries: Vec<&Entry> = entries.iter().collect();
        departures.extend(differences(language, &corpus, &entries, &is_single));
    }
    let judged = suite::corpora().iter().chain(everyday::corpus());
    for (corpus, entries) in judged.filter(|(corpus, _)| is_wanted(corpus)) {
        if language.name != "interpreter" {
            corpus.build();
        }
        let entries: Vec<&Entry> = entries.iter().collect();
        departures.extend(differences(language, corpus, &entries, &vec![false; entries.len()]));
    }
    assert!(
        departures.is_empty(),
        "{} departures of {}:\n{}",
        departures.len(),
        language.name,
        departures.join("\n")
    );
}

/// How many differences are shown of each schema and mode.
const SHOWN: usize = 12;

/// What a language makes otherwise than the interpreter of messages, of which some are wrong. With
/// each message stands whether only one thing can be wrong with it.
fn differences(
    language: Language,
    corpus: &Corpus,
    all: &[&Entry],
    is_single: &[bool],
) -> Vec<String> {
    let interpreter = Language { name: "interpreter", ..language };
    if language.name == interpreter.name {
        return Vec::new();
    }
    let mut found = Vec::new();
    for strict in [false, true] {
        let expected = run::ask(interpreter, corpus, strict, all);
        let actual = run::ask(language, corpus, strict, all);
        let mode = if strict { "strict" } else { "lenient" };
        let answers = expected.iter().zip(&actual).zip(all.iter().zip(is_single));
        let differ = answers.filter_map(|((expected, actual), (entry, is_single))| {
            if language.name == "rust" && PLAIN.contains(&entry.type_name.as_str()) {
                return None;
            }
            let difference = expected.difference(actual, *is_single)?;
            let (name, ty, raw) = (&corpus.name, &entry.type_name, &entry.raw);
            Some(format!("{mode} {name} ({ty} {raw}): {difference}"))
        });
        let differ: Vec<String> = differ.collect();
        let count = differ.len();
        found.extend(differ.into_iter().take(SHOWN));
        if count > SHOWN {
            found.push(format!("… {count} differences in {} {mode}", corpus.name));
        }
    }
    found
}

/// Changed messages, and for each whether only one thing can be wrong with it.
fn mutations(protocol: &Protocol) -> (Vec<Entry>, Vec<bool>) {
    let mut random = support::Random(11);
    let texts = generate::texts(protocol);
    let valid = generated(protocol).into_iter().map(|entry| (entry.type_name, entry.value));
    let valid: Vec<(String, Value)> = valid.collect();
    let twice = valid.iter().chain(&valid).cloned();
    let mut other = support::Random(13);
    let edits = valid.iter().map(|(type_name, value)| {
        let text = mutate::edited(value, &mut other);
        // Where the text is no JSON, no language says where.
        (Entry::of_text(type_name, text), false)
    });
    let edits: Vec<(Entry, bool)> = edits.collect();
    let change = |(type_name, value): (String, Value)| {
        let mutated = mutate::mutated(&value, &texts, &mut random);
        (Entry::accepted(&type_name, mutated.value), mutated.is_single)
    };
    twice.map(change).chain(edits).unzip()
}

/// What is wrong with an entry.
fn complaint(judge: &Judge, entry: &Entry) -> Option<String> {
    if entry.is_contradictory() {
        return Some("it contradicts itself".to_owned());
    }
    if entry.is_text() && serde_json::from_str::<Value>(&entry.raw).is_err() {
        // There is nothing that JSON Schema could judge.
        let is_rejected = matches!(entry.verdict(true), Verdict::Reject(_));
        return (!is_rejected && entry.schema_disagrees.is_none())
            .then(|| "strict mode accepts what is no JSON".to_owned());
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
    let mut is_passed_on = false;
    for verdict in [entry.verdict(false), entry.verdict(true), entry.verdict_preserving(false)] {
        if let Verdict::Accept(encoded) = verdict
            && !(entry.schema_disagrees.is_some() && same(encoded, &entry.value))
            && let Err(error) = judge.check(&entry.type_name, encoded)
        {
            if by_entry || entry.passed_on.is_none() || !same(encoded, &entry.value) {
                return Some(format!("what it encodes to is not valid: {error}"));
            }
            is_passed_on = true;
        }
    }
    (entry.passed_on.is_some() && !is_passed_on)
        .then(|| "what it encodes to is valid, or is another message".to_owned())
}
