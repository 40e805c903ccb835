//! What `diff` says of edits, whatever they are: it says the opposite of their undoing, and proves
//! nothing that is not so.

#[path = "../breaking/judge.rs"]
mod judge;
#[allow(dead_code, reason = "the suite in `fast` uses all of it")]
#[path = "../breaking/mirror.rs"]
mod mirror;
#[allow(dead_code, reason = "the suite in `fast` uses all of it")]
#[path = "../breaking/pair.rs"]
mod pair;
#[path = "../breaking/shown.rs"]
mod shown;
#[allow(dead_code, reason = "the suite in `fast` uses all of it")]
#[path = "../breaking/witnesses.rs"]
mod witnesses;

use std::panic::catch_unwind;

use acp_bindgen::breaking::{Subject, compare_messages};
use acp_bindgen::schema::SchemaText;
use acp_bindgen::{Purpose, load};
use serde_json::Value;

use super::mutations::mutated;
use super::support::{self, Random};
use mirror::assert_mirrored;
use pair::{Pair, Text};
use witnesses::assert_proven_by;

/// How often each schema is edited, unless `PROPTEST_CASES` says otherwise.
const EDITED: u64 = 12;

/// The small schemas of `tests/cases`, by name.
fn schemas() -> Vec<(String, Value)> {
    let folder = support::root().join("tests/cases");
    let cases = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<(String, Value)> = cases
        .filter_map(|case| {
            let text = std::fs::read_to_string(case.join("schema.json")).ok()?;
            let name = case.file_name()?.to_str()?.to_owned();
            Some((name, serde_json::from_str(&text).ok()?))
        })
        .filter(|(_, schema): &(_, Value)| schema.to_string().len() < 10_000)
        .collect();
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found
}

/// Says what is wrong with what `diff` says of an edit. `None`: one of the two is no schema.
pub(crate) fn judged(name: &str, old: &Value, new: &Value) -> Option<()> {
    let text = |schema: &Value| Text { schema: schema.to_string(), overlay: None, methods: None };
    let read = |schema: &Value| {
        let loaded = load(SchemaText::from_value("schema.json", schema), Purpose::Compare);
        Some((loaded.protocol?, loaded.schema?))
    };
    let (before, after) = (read(old)?, read(new)?);
    let old_subject = Subject { protocol: &before.0, document: Some(&before.1.root) };
    let new_subject = Subject { protocol: &after.0, document: Some(&after.1.root) };
    let there = compare_messages(old_subject, new_subject);
    let back = compare_messages(new_subject, old_subject);
    assert_proven_by(&Pair::between(name, text(old), text(new)), &there);
    assert_proven_by(&Pair::between(name, text(new), text(old)), &back);
    assert_mirrored(name, &there, &back);
    Some(())
}

#[test]
fn an_edit_says_the_opposite_of_its_undoing_and_proves_what_it_says() {
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(42);
    let times =
        std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(EDITED);
    let (mut compared, mut wrong) = (0, Vec::new());
    for (name, schema) in schemas() {
        for round in 0..times {
            let mut random = Random(seed + round * 1000);
            let new = mutated(&schema, &mut random);
            let name = format!("{name} {round}");
            match catch_unwind(|| judged(&name, &schema, &new)) {
                Ok(Some(())) => compared += 1,
                Ok(None) => {}
                Err(_) => wrong.push(name),
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}: {wrong:?}", wrong.len());
    assert!(compared > times * 30, "{compared} compared");
}
