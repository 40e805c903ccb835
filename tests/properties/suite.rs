//! JSON-Schema-Test-Suite: what is made of each keyword, and whether values are judged as it says.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use acp_bindgen::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use acp_bindgen::ir::Type;
use acp_bindgen::{Inputs, Patterns, ReferredText, SchemaText};
use serde_json::{Map, Value, json};

use super::support;

/// The drafts that are tried: the folder of each, and the `$schema` of its documents.
const DRAFTS: [(&str, &str); 2] = [
    ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ("draft7", "http://json-schema.org/draft-07/schema#"),
];

/// What the table of the page stands between.
const BEGIN: &str = "<!-- made by tests/properties/suite.rs -->";
const END: &str = "<!-- end -->";

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
fn judge(keyword: &str, dialect: &str, group: &Value, remotes: &[ReferredText], tally: &mut Tally) {
    let mut schema = group["schema"].clone();
    if let Value::Object(members) = &mut schema
        && !members.contains_key("$id")
    {
        // The pointers in it count from itself.
        let id = json!("https://example.org/suite.json");
        let first = std::iter::once(("$id".to_owned(), id));
        *members = first.chain(members.clone()).collect::<Map<_, _>>();
    }
    let definitions = if dialect.contains("draft-07") { "definitions" } else { "$defs" };
    let document = json!({ "title": "Suite", "$schema": dialect, definitions: { "It": schema } });
    let mut inputs = Inputs::from(SchemaText::from_value("suite.json", &document));
    inputs.referred = remotes.to_vec();
    let lowered = support::lowered_from(inputs.patterns(Patterns::Check));
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
    let remotes = remotes(&suite.join("remotes"), "http://localhost:1234");
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (draft, dialect) in DRAFTS {
        for (keyword, groups) in files(&suite.join("tests").join(draft)) {
            let tally = tallies.entry(keyword.clone()).or_default();
            for group in groups.as_array().unwrap() {
                judge(&format!("{draft} {keyword}"), dialect, group, &remotes, tally);
            }
        }
    }
    let mut table = String::from(
        "| keyword | schemas | exact | wider, said | wider, not said | narrower | nothing |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let mut sums = [0; 6];
    let mut departures = String::new();
    for (keyword, tally) in &tallies {
        let Tally { exact, wider, silent, narrower, refused } = tally;
        let counts = [*exact, *wider, silent.len(), narrower.len(), refused.len()];
        let all = counts.iter().sum();
        let row = [all, counts[0], counts[1], counts[2], counts[3], counts[4]];
        let cells = |row: [usize; 6]| row.map(|it| it.to_string()).join(" | ");
        let _ = writeln!(table, "| `{keyword}` | {} |", cells(row));
        for (sum, count) in sums.iter_mut().zip(row) {
            *sum += count;
        }
        for (what, list) in [("silent", silent), ("narrower", narrower), ("nothing", refused)] {
            for it in list {
                let _ = writeln!(departures, "{what}: {it}");
            }
        }
    }
    let cells = sums.map(|it| it.to_string()).join(" | ");
    let _ = writeln!(table, "| all | {cells} |");
    let page = support::root().join("docs/json-schema.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let expected = format!("{before}{BEGIN}\n{table}{END}{after}");
    if support::is_blessing() {
        std::fs::write(&page, expected).unwrap();
        return;
    }
    assert!(text == expected, "{}: .ci/bless properties\n{departures}", page.display());
}

/// The texts that the suite refers to by URL.
fn remotes(folder: &Path, url: &str) -> Vec<ReferredText> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let uri = format!("{url}/{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            found.extend(remotes(&path, &uri));
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push(ReferredText { uri: uri.clone(), text: Ok(SchemaText::new(uri, text)) });
        }
    }
    found
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
