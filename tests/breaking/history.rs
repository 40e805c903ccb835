//! The published versions of the protocol this tool was first made for, each against the next.

mod code;
mod judge;
mod mirror;
#[allow(dead_code, reason = "the suite in `fast` uses all of it")]
mod pair;
mod shown;
mod witnesses;

use acp_bindgen::schema::bundled;

use code::assert_agrees;
use mirror::assert_mirrors;
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
        ("0.20.0", "schema/schema.json"),
        ("0.29.0", "schema/schema.json"),
        ("1.9.0", "schema/schema.json"),
        ("2.0.0", "schema/v1/schema.unstable.json"),
        ("2.4.0", "schema/v1/schema.unstable.json"),
    ],
    &[("2.0.0", "schema/v1/schema.json"), ("2.4.0", "schema/v1/schema.json")],
    &[("2.0.0", "schema/v2/schema.json"), ("2.4.0", "schema/v2/schema.json")],
    &[("2.0.0", "schema/v2/schema.unstable.json"), ("2.4.0", "schema/v2/schema.unstable.json")],
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
