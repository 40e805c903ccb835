//! The published versions of the protocol this tool was first made for, each against the others.

mod code;
mod judge;
mod mirror;
#[allow(dead_code, reason = "the suite in `fast` uses all of it")]
mod pair;
mod shown;
mod witnesses;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use acp_bindgen::breaking::{Subject, Verdict, compare_messages};
use acp_bindgen::schema::bundled;

use code::assert_agrees;
use mirror::{assert_mirrored, assert_mirrors};
use pair::{Pair, Text};
use witnesses::assert_proven;

use crate::support;

/// Published schemas, each to be compared with the next.
const LINES: [&[(&str, &str)]; 4] = [
    &[
        ("0.4.9", "schema/schema.json"),
        ("0.5.1", "schema/schema.json"),
        ("0.8.0", "schema/schema.json"),
        ("0.12.0", "schema/schema.json"),
        ("0.16.1", "schema/schema.json"),
        ("0.21.1", "schema/schema.json"),
        ("0.29.0", "schema/schema.json"),
        ("1.9.0", "schema/schema.json"),
        ("2.0.2", "schema/v1/schema.unstable.json"),
        ("2.4.0", "schema/v1/schema.unstable.json"),
    ],
    &[("2.0.2", "schema/v1/schema.json"), ("2.4.0", "schema/v1/schema.json")],
    &[("2.0.2", "schema/v2/schema.json"), ("2.4.0", "schema/v2/schema.json")],
    &[("2.0.2", "schema/v2/schema.unstable.json"), ("2.4.0", "schema/v2/schema.unstable.json")],
];

fn text(schema: String) -> Text {
    Text { schema, overlay: None, methods: None }
}

fn published() -> Option<Vec<Pair>> {
    let mut pairs = Vec::new();
    for line in LINES {
        for pair in line.windows(2) {
            let [(old, old_path), (new, new_path)] = pair else { continue };
            let name = format!("{old} {old_path} → {new} {new_path}");
            let old = text(support::npm_schema(old, old_path)?);
            let new = text(support::npm_schema(new, new_path)?);
            pairs.push(Pair::between(&name, old, new));
        }
    }
    Some(pairs)
}

fn bundled_pair() -> Pair {
    let text = |name: &str| {
        let (schema, overlay) = bundled::text(name).unwrap();
        Text { schema: schema.text, overlay: Some(overlay.text), methods: None }
    };
    Pair::between("bundled", text("acp@v1"), text("acp@v2"))
}

#[test]
fn published_versions_mirror() {
    let Some(pairs) = published() else { return };
    for pair in &pairs {
        assert_mirrors(pair);
    }
}

#[test]
fn published_versions_say_what_their_code_shows() {
    assert_agrees(&bundled_pair());
    for pair in published().iter().flatten() {
        assert_agrees(pair);
    }
}

/// One of them became a union of one alternative, with the same messages.
#[test]
fn published_versions_explain_what_their_code_loses() {
    let Some(pairs) = published() else { return };
    let mut unexplained = Vec::new();
    for pair in &pairs {
        let changes = pair.report().changes;
        let changes = changes.into_iter().filter(|it| it.rule.id == "generated-api-changed");
        unexplained.extend(changes.map(|change| change.summary));
    }
    let text = "`pub struct AuthMethod {` is now `pub enum AuthMethod {`";
    assert!(unexplained.iter().all(|summary| summary == text), "{unexplained:?}");
}

#[test]
fn published_versions_are_what_they_were() {
    let Some(pairs) = published() else { return };
    for pair in pairs {
        let same = Pair::between(&pair.name, pair.new.clone(), pair.new.clone()).report();
        assert!(same.is_empty(), "{}", pair.name);
    }
}

#[test]
fn what_breaks_between_published_versions_is_proven() {
    let Some(pairs) = published() else { return };
    let (mut proven, mut missing) = (0, 0);
    for pair in &pairs {
        let counts = assert_proven(pair);
        proven += counts.0;
        missing += counts.1;
    }
    assert!(proven > 60 && missing * 4 < proven, "{proven} proven, {missing} missing");
}

#[test]
fn the_bundled_versions_mirror_and_are_proven() {
    let pair = bundled_pair();
    assert_mirrors(&pair);
    let (proven, missing) = assert_proven(&pair);
    assert!(proven > 60 && missing < 30, "{proven} proven, {missing} missing");
}

/// Between which versions every pair is compared: all of them in CI, else each with the next and
/// the first with the last.
fn pairs(count: usize) -> Vec<(usize, usize)> {
    let all = (0..count).flat_map(|old| (old + 1..count).map(move |new| (old, new)));
    let is_all = std::env::var_os("ACP_BINDGEN_ALL").is_some_and(|value| value == "1");
    all.filter(|(old, new)| is_all || new - old == 1 || new - old == count - 1).collect()
}

#[test]
fn every_pair_of_published_versions_is_answered() {
    let Some(versions) = support::npm_history() else { return };
    assert!(versions.len() > 30, "{} versions", versions.len());
    let read: Vec<_> = versions
        .into_iter()
        .map(|(label, schema)| {
            let (protocol, schema) = text(schema).read(&label);
            (label, protocol, schema)
        })
        .collect();
    let pairs = pairs(read.len());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(&(old, new)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let subject = |at: usize| {
                let (_, protocol, schema) = &read[at];
                Subject { protocol, document: Some(&schema.root) }
            };
            let name = format!("{} → {}", read[old].0, read[new].0);
            let there = compare_messages(subject(old), subject(new));
            // They are others: what they say differs.
            assert!(!there.is_empty(), "{name}");
            assert_mirrored(&name, &there, &compare_messages(subject(new), subject(old)));
            for change in &there.changes {
                let breaks = change.wire.worst() == Verdict::Break;
                assert_eq!(breaks, !change.witness.is_empty(), "{name}: {}", change.id);
            }
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
}
