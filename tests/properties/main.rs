//! What holds for every input.
//!
//! The seed is fixed, so that a failure is the change's own. To dig deeper:
//! `PROPTEST_CASES=100000 PROPTEST_RNG_SEED=7 cargo test --test properties`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod combinations;
mod diffs;
mod everyday;
#[cfg(feature = "bundled")]
#[path = "../fuzz/mod.rs"]
mod fuzz;
mod instances;
mod json;
mod mutations;
mod parsers;
mod patterns;
mod random_patterns;
mod random_schemas;
mod random_unions;
mod schemas;
mod suite;
#[path = "../support/mod.rs"]
mod support;
mod writing;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;

use acp_bindgen::backend::docs::{Docs, Format};
use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::rust::Rust;
use acp_bindgen::backend::typescript::TypeScript;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::{Diagnostics, Style, WIDE, parse, render};
use acp_bindgen::example::Examples;
use acp_bindgen::ir::{Protocol, TypeKind};
use acp_bindgen::output::FileSet;
use acp_bindgen::source::{Json, MAX_DEPTH, Node, SourceText, Sources};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use serde_json::{Map, Value};
use support::Random;

fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(42);
    }
    config
}

fn read(text: &str) -> (Option<Node>, Vec<&'static str>) {
    let mut sources = Sources::default();
    let source = sources.add(SourceText::new("random.json", text));
    let mut diagnostics = Diagnostics::new();
    let node = parse(&sources, source, &mut diagnostics);
    render(&diagnostics, &sources, Style::Colored(WIDE));
    (node, diagnostics.iter().map(|diagnostic| diagnostic.code).collect())
}

proptest! {
    #![proptest_config(config(2500))]

    #[test]
    fn parsing_agrees_with_serde_json(text in json::near_json()) {
        let (node, codes) = read(&text);
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                if codes.is_empty() {
                    prop_assert_eq!(node.map(|node| node.to_value()), Some(value));
                } else {
                    let expected = |code: &&str| ["duplicate-key", "too-deep"].contains(code);
                    prop_assert!(codes.iter().all(expected), "{:?}", codes);
                }
            }
            Err(error) => prop_assert!(!codes.is_empty(), "accepted, though {}", error),
        }
    }

    #[test]
    fn every_span_is_the_text_of_its_value(value in json::value(), pretty: bool) {
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        let (node, codes) = read(&text);
        prop_assert!(codes.is_empty(), "{:?}", codes);
        check_spans(&node.unwrap(), &text);
    }

    #[test]
    fn nesting_is_refused_past_the_limit_only(depth in 0..2 * MAX_DEPTH, object: bool) {
        let (open, close) = if object { ("{\"a\":", "}") } else { ("[", "]") };
        let text = open.repeat(depth) + "1" + &close.repeat(depth);
        let (node, codes) = read(&text);
        prop_assert_eq!(node.is_some(), depth <= MAX_DEPTH);
        prop_assert_eq!(codes.is_empty(), depth <= MAX_DEPTH);
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn lowering_survives_nonsense(document in schemas::nonsense()) {
        survives(&document);
    }

    #[test]
    fn lowering_survives_wild_schemas(document in schemas::wild()) {
        survives(&document);
    }

    #[test]
    fn lowering_survives_schemas(document in schemas::sensible()) {
        survives(&document);
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn docs_are_written_and_their_links_lead_somewhere(document in schemas::sensible()) {
        let Some(protocol) = support::lowered("random.json", &document.to_string()).protocol else {
            return Ok(());
        };
        let options = Options::new("random", DocsMode::Full, Runtime::Embedded);
        for (format, link) in [
            (Format::Html, "<a href=\"#"),
            (Format::Markdown, "](#"),
            (Format::Mdx, "](#"),
        ] {
            let mut diagnostics = Diagnostics::new();
            let files = Docs { format, ..Docs::default() }.emit(&protocol, &options, &mut diagnostics);
            prop_assert!(diagnostics.is_empty(), "{:?}", diagnostics);
            for (_, text) in files.iter() {
                for link in text.split(link).skip(1) {
                    let id = link.split(['"', ')']).next().unwrap_or_default();
                    prop_assert!(text.contains(&format!(" id=\"{id}\"")), "{format:?} {id}");
                }
            }
        }
    }

    #[test]
    fn examples_are_valid(document in schemas::sensible()) {
        let document = without_merging(document);
        let lowered = support::lowered("random.json", &document.to_string());
        let Some(protocol) = &lowered.protocol else { return Ok(()) };
        let examples = Examples::new(protocol);
        for (name, definition) in document["$defs"].as_object().unwrap() {
            let mut schema = definition.clone();
            schema["$defs"] = document["$defs"].clone();
            let Ok(validator) = jsonschema::validator_for(&schema) else { continue };
            for example in [examples.named(name), examples.least(name)] {
                let Some(example) = example else { continue };
                prop_assert!(validator.is_valid(&example), "{name}: {example}\n{document:#}");
            }
        }
    }

    #[test]
    fn the_order_of_keys_changes_no_name(document in schemas::sensible(), seed: u64) {
        same_names(&document, seed);
    }
}

/// The document with plain strings for definitions that merge others: the model takes what `allOf`
/// merges for objects, whatever it is. The validator takes a reference to the definition without a
/// name as one to all of them.
fn without_merging(mut document: Value) -> Value {
    for definition in document["$defs"].as_object_mut().unwrap().values_mut() {
        let text = definition.to_string();
        if text.contains("allOf") || text.contains("$defs/\"") {
            *definition = serde_json::json!({ "type": "string" });
        }
    }
    document
}

#[cfg(feature = "bundled")]
proptest! {
    #![proptest_config(config(3))]

    #[test]
    fn the_order_of_keys_changes_no_name_of_the_real_schemas(seed: u64) {
        for name in ["acp@v1", "acp@v2"] {
            let (schema, _) = acp_bindgen::schema::bundled::text(name).unwrap();
            same_names(&serde_json::from_str(&schema.text).unwrap(), seed);
        }
    }
}

fn with_extension<'a>(
    files: &'a FileSet,
    extension: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let has = move |path: &str| Path::new(path).extension().is_some_and(|it| it == extension);
    files.iter().filter(move |(path, _)| has(path))
}

#[test]
fn what_is_emitted_parses_in_rust() {
    let config = config(300);
    let (cases, files) = (config.cases, Cell::new(0));
    let outcome = TestRunner::new(config).run(&schemas::sensible(), |document| {
        let Some(protocol) = support::lowered("random.json", &document.to_string()).protocol else {
            return Ok(());
        };
        for docs in [DocsMode::Full, DocsMode::Off] {
            let options = Options::new("random", docs, Runtime::Embedded);
            let mut diagnostics = Diagnostics::new();
            let emitted = Rust.emit(&protocol, &options, &mut diagnostics);
            if !diagnostics.has_errors() {
                for (path, contents) in with_extension(&emitted, "rs") {
                    let parsed = syn::parse_file(contents);
                    prop_assert!(parsed.is_ok(), "{}: {:?}\n{}", path, parsed.err(), contents);
                    files.set(files.get() + 1);
                }
            }
        }
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
    assert!(files.get() > cases, "only {} files", files.get());
}

/// How many random schemas are given to the other languages' parsers.
const EMITTED: usize = 300;

#[test]
fn what_is_emitted_parses_in_typescript() {
    let Some(node) = support::node() else { return };
    let complaints = parsers::typescript(&node, &emitted(&TypeScript, "ts"));
    assert!(complaints.is_empty(), "{complaints}");
}

#[test]
fn what_is_emitted_parses_in_python() {
    let Some(python) = support::python() else { return };
    let complaints = parsers::python(&python, &emitted(&Python, "py"));
    assert!(complaints.is_empty(), "{complaints}");
}

/// The files with this extension that a language makes of random schemas, by path.
fn emitted(language: &dyn Backend, extension: &str) -> Value {
    let mut runner = TestRunner::new(config(1));
    let mut all = Map::new();
    for index in 0..EMITTED {
        let document = schemas::sensible().new_tree(&mut runner).unwrap().current();
        let lowered = support::lowered("random.json", &document.to_string());
        let Some(protocol) = lowered.protocol else { continue };
        let options = Options::new("random", DocsMode::Full, Runtime::Embedded);
        let mut diagnostics = Diagnostics::new();
        let files = language.emit(&protocol, &options, &mut diagnostics);
        if !diagnostics.has_errors() {
            for (path, contents) in with_extension(&files, extension) {
                all.insert(format!("{index}/{path}"), contents.into());
            }
        }
    }
    assert!(all.len() > EMITTED, "only {} files", all.len());
    Value::Object(all)
}

fn check_spans(node: &Node, text: &str) {
    let spelled = &text[node.span.start as usize..node.span.end as usize];
    assert_eq!(serde_json::from_str::<Value>(spelled).unwrap(), node.to_value());
    match &node.json {
        Json::Array(items) => items.iter().for_each(|item| check_spans(item, text)),
        Json::Object(members) => {
            for (key, member) in members {
                let spelled = &text[member.key.start as usize..member.key.end as usize];
                assert_eq!(&serde_json::from_str::<String>(spelled).unwrap(), key);
                check_spans(&member.value, text);
            }
        }
        _ => {}
    }
}

/// Lowering says what is wrong, or gives a protocol whose references all lead somewhere.
fn survives(document: &Value) {
    let lowered = support::lowered("random.json", &document.to_string());
    let report = lowered.report();
    match &lowered.protocol {
        None => assert!(lowered.diagnostics.has_errors(), "no protocol, and no error\n{report}"),
        Some(protocol) => {
            assert!(!lowered.diagnostics.has_errors(), "{report}");
            let json = serde_json::to_value(protocol).unwrap();
            check_references(&json, protocol);
            let again: Protocol = serde_json::from_value(json).unwrap();
            assert!(&again == protocol, "the JSON form loses something\n{document:#}");
        }
    }
}

fn check_references(json: &Value, protocol: &Protocol) {
    match json {
        Value::Object(members) => {
            if members.get("kind").is_some_and(|kind| kind == "named")
                && let Some(name) = members.get("name").and_then(Value::as_str)
            {
                assert!(protocol.types.contains_key(name), "`{name}` is referred to, not defined");
            }
            members.values().for_each(|member| check_references(member, protocol));
        }
        Value::Array(items) => items.iter().for_each(|item| check_references(item, protocol)),
        _ => {}
    }
}

fn same_names(document: &Value, seed: u64) {
    let before = support::lowered("a.json", &document.to_string());
    let shuffled = shuffle(document, &mut Random(seed));
    let after = support::lowered("b.json", &shuffled.to_string());
    match (&before.protocol, &after.protocol) {
        (Some(before), Some(after)) => assert_eq!(names(before), names(after)),
        (None, None) => {}
        _ => panic!("accepted in one order only\n{}{}", before.report(), after.report()),
    }
}

/// The same value with the keys of every object in another order.
fn shuffle(value: &Value, random: &mut Random) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(u64, &String, Value)> = members
                .iter()
                .map(|(key, member)| (random.number(), key, shuffle(member, random)))
                .collect();
            members.sort_by_key(|(order, ..)| *order);
            members
                .into_iter()
                .map(|(_, key, value)| (key.clone(), value))
                .collect::<Map<_, _>>()
                .into()
        }
        Value::Array(items) => items.iter().map(|item| shuffle(item, random)).collect(),
        other => other.clone(),
    }
}

/// Every name in a protocol: types, fields, variants, values, methods.
fn names(protocol: &Protocol) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for method in &protocol.methods {
        names.insert(format!("method {} {}", method.name.wire, method.name.snake()));
    }
    for (key, definition) in &protocol.types {
        names.insert(format!("type {key} {}", definition.name.pascal()));
        let mut member = |wire: &str, name: String| {
            names.insert(format!("member {key} {wire} {name}"));
        };
        match &definition.kind {
            TypeKind::Record(record) => {
                for field in &record.fields {
                    member(&field.name.wire, field.name.snake());
                }
            }
            TypeKind::Union(union) => {
                for field in &union.shared {
                    member(&field.name.wire, field.name.snake());
                }
                for variant in &union.variants {
                    member(&variant.name.wire, variant.name.pascal());
                }
                if let Some(open) = &union.open {
                    member("open", open.name.pascal());
                }
            }
            TypeKind::Enum(kind) => {
                for value in &kind.values {
                    member(&value.name.wire, value.name.pascal());
                }
                if let Some(open) = &kind.open {
                    member("open", open.name.pascal());
                }
            }
            TypeKind::Tuple(_) | TypeKind::Alias { .. } => {}
        }
    }
    names
}
