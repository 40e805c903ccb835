//! Classes and functions beside calls, that are called something else or gone.

use acp_bindgen::breaking::{Subject, compare_messages};
use serde_json::{Value, json};

use super::pair::Text;
use crate::support;

/// What is found when the annotation of a case's params becomes another.
fn found_in([case, params]: [&str; 2], edit: impl Fn(&mut Value), is_back: bool) -> Vec<String> {
    let path = support::root().join("tests/cases").join(case).join("schema.json");
    let old: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut new = old.clone();
    edit(&mut new["$defs"][params]);
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

fn found(edit: impl Fn(&mut Value), is_back: bool) -> Vec<String> {
    found_in(["processes", "StartJobRequest"], edit, is_back)
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

#[test]
fn a_function_beside_a_call_that_is_gone_or_means_something_else_is_told() {
    let offered = |edit: fn(&mut Value)| found_in(["helpers", "OfferRequest"], edit, false);
    let told = "`may-go`, which called `offer`, is gone";
    assert_eq!(offered(|it| it["x-choice"]["yes"]["name"] = json!("mayStay")), [told]);
    let told = "`route` and `may-go`, which called `offer`, are gone";
    assert_eq!(offered(|it| _ = it.as_object_mut().unwrap().remove("x-choice")), [told]);
    let told = "what is chosen in the answer to `offer` is found in another way";
    assert_eq!(offered(|it| it["x-choice"]["yes"]["values"] = json!(["go-on"])), [told]);
    let fetched =
        |edit: fn(&mut Value), is_back| found_in(["helpers", "FetchRequest"], edit, is_back);
    let without_line: fn(&mut Value) = |it| {
        it["x-file-access"].as_object_mut().unwrap().remove("line");
    };
    let told = "the file that `fetch` reads or writes is found in another way";
    assert_eq!(fetched(without_line, false), [told]);
    let remove: fn(&mut Value) = |it| _ = it.as_object_mut().unwrap().remove("x-file-access");
    assert!(fetched(remove, true).is_empty());
}
