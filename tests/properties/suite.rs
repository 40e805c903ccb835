//! JSON-Schema-Test-Suite: what is made of each keyword, and whether values are judged as it says.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use acp_bindgen::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use acp_bindgen::ir::Type;
use serde_json::{Map, Value, json};

use super::support;

/// The drafts that are tried: the folder of each, and the `$schema` of its documents.
const DRAFTS: [(&str, &str); 2] = [
    ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ("draft7", "http://json-schema.org/draft-07/schema#"),
];

/// What there is to say of a keyword.
#[derive(Debug, Default)]
struct Tally {
    /// Schemas of which all values are judged as the suite says.
    exact: usize,
    /// Schemas that take more, and a warning says so.
    wider: usize,
    /// Schemas from which nothing is generated, and why.
    refused: Vec<String>,
    /// Schemas that take more without a word.
    silent: Vec<String>,
    /// Schemas that refuse what is valid.
    narrower: Vec<String>,
}

/// Judges a group of the suite: a schema with instances.
fn judge(keyword: &str, dialect: &str, group: &Value, tally: &mut Tally) {
    let mut schema = group["schema"].clone();
    if let Value::Object(members) = &mut schema
        && !members.contains_key("$id")
    {
        // The pointers in it count from itself.
        let id = json!("https://example.org/suite.json");
        *members = Map::from_iter([("$id".to_owned(), id)].into_iter().chain(members.clone()));
    }
    let definitions = if dialect.contains("draft-07") { "definitions" } else { "$defs" };
    let document = json!({ "title": "Suite", "$schema": dialect, definitions: { "It": schema } });
    let lowered = support::lowered("suite.json", &document.to_string());
    let shown = format!("{keyword}: {}: {}", group["description"], group["schema"]);
    let codes = lowered.codes();
    let Some(protocol) = &lowered.protocol else {
        tally.refused.push(format!("{shown} {codes:?}"));
        return;
    };
    let plan = DecodePlan::new(protocol, UnknownFields::Drop);
    let decoder = Decoder::new(protocol, &plan, Mode::Strict);
    let ty = Type::Named { name: String::from("It") };
    let tests = group["tests"].as_array().unwrap();
    let (mut narrower, mut wider) = (Vec::new(), Vec::new());
    for test in tests {
        let value = &test["data"];
        match (test["valid"].as_bool().unwrap(), decoder.decode(&ty, value).is_ok()) {
            (true, false) => narrower.push(value.to_string()),
            (false, true) => wider.push(value.to_string()),
            _ => {}
        }
    }
    let told = codes.iter().any(|code| ["unenforced-keyword", "unmodelled"].contains(code));
    match (narrower.is_empty(), wider.is_empty()) {
        (false, _) => tally.narrower.push(format!("{shown} {narrower:?}")),
        (true, true) => tally.exact += 1,
        (true, false) if told => tally.wider += 1,
        (true, false) => tally.silent.push(format!("{shown} {wider:?}")),
    }
}

#[test]
fn values_are_judged_as_the_suite_says() {
    let Some(suite) = support::schema_suite() else { return };
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (draft, dialect) in DRAFTS {
        for (keyword, groups) in files(&suite.join("tests").join(draft)) {
            let tally = tallies.entry(keyword.clone()).or_default();
            for group in groups.as_array().unwrap() {
                judge(&format!("{draft} {keyword}"), dialect, group, tally);
            }
        }
    }
    let all = |list: fn(&Tally) -> &Vec<String>| {
        tallies.values().flat_map(list).cloned().collect::<Vec<_>>()
    };
    let (refused, silent, narrower) =
        (all(|it| &it.refused), all(|it| &it.silent), all(|it| &it.narrower));
    let exact: usize = tallies.values().map(|it| it.exact).sum();
    let wider: usize = tallies.values().map(|it| it.wider).sum();
    let counts = [exact, wider, silent.len(), narrower.len(), refused.len()];
    let mut text = format!("exact, wider, silent, narrower, refused: {counts:?}\n");
    for (what, list) in [("silent", silent), ("narrower", narrower), ("refused", refused)] {
        let _ = writeln!(text, "\n{what}\n{}", list.join("\n"));
    }
    std::fs::write(support::target().join("suite.txt"), &text).unwrap();
    eprintln!("{text}");
}

/// The files of a folder, by the keyword that each is about.
fn files(folder: &Path) -> Vec<(String, Value)> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "json"));
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let keyword = path.file_stem().unwrap().to_string_lossy().into_owned();
        (keyword, serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    };
    files.iter().map(read).collect()
}
