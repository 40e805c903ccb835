//! A class that runs programs for the other end, and is called something else or gone.

use acp_bindgen::breaking::{Subject, compare_messages};
use serde_json::{Value, json};

use super::pair::Text;
use crate::support;

/// What is found when the annotation of the case `processes` becomes another.
fn found(edit: impl Fn(&mut Value), is_back: bool) -> Vec<String> {
    let text = std::fs::read_to_string(support::root().join("tests/cases/processes/schema.json"));
    let old: Value = serde_json::from_str(&text.unwrap()).unwrap();
    let mut new = old.clone();
    edit(&mut new["$defs"]["StartJobRequest"]);
    let [old, new] = if is_back { [new, old] } else { [old, new] };
    let read = |schema: &Value| {
        let text = Text { schema: schema.to_string(), overlay: None, methods: None };
        text.read("yard.json").0
    };
    let (old, new) = (read(&old), read(&new));
    let report = compare_messages(Subject::from(&old), Subject::from(&new));
    let changes = report.changes.iter().filter(|change| change.rule.id == "handle-changed");
    changes.map(|change| change.summary.clone()).collect()
}

#[test]
fn a_class_that_is_called_something_else_or_gone_is_told() {
    let rename = |params: &mut Value| params["x-process"]["name"] = json!("JobHost");
    let told = "the class that runs what `job/start` starts was `JobRunner` and is now `JobHost`";
    assert_eq!(found(rename, false), [told]);
    let remove = |params: &mut Value| _ = params.as_object_mut().unwrap().remove("x-process");
    let told = "the class that runs what `job/start` starts was `JobRunner` and is now nothing";
    assert_eq!(found(remove, false), [told]);
    // A new one takes nothing away.
    assert!(found(remove, true).is_empty());
}
