//! Schemas of all kinds, each with values: those of JSON-Schema-Test-Suite, and random ones. What the
//! interpreter makes of them stands in `docs/json-schema.md`; here each language makes the same.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use super::corpus::Entry;
use super::random_patterns;
use super::random_schemas::{anything, container, containers, values};
use super::random_unions::{nested, value};
use super::support::{self, Random};
use super::{Corpus, Inputs, Patterns, SchemaText};

/// The drafts: the name of the corpus, the folder of the suite, `$schema`, and the word for
/// definitions.
const DRAFTS: [(&str, &str, &str, &str); 2] = [
    ("suite", "draft2020-12", "https://json-schema.org/draft/2020-12/schema", "$defs"),
    ("suite-7", "draft7", "http://json-schema.org/draft-07/schema#", "definitions"),
];

/// How many random schemas of each kind there are.
const RANDOM: usize = 60;

/// A schema, and values of which some fit.
struct Group {
    schema: Value,
    values: Vec<Value>,
}

/// A corpus for each draft, with the values of each definition, made once. Empty where the suite
/// cannot be had.
pub(crate) fn corpora() -> &'static [(Corpus, Vec<Entry>)] {
    static MADE: OnceLock<Vec<(Corpus, Vec<Entry>)>> = OnceLock::new();
    MADE.get_or_init(made)
}

fn made() -> Vec<(Corpus, Vec<Entry>)> {
    let Some(suite) = support::schema_suite() else { return Vec::new() };
    let mut seen = Vec::new();
    let corpora = DRAFTS.map(|(name, folder, dialect, definitions)| {
        let mut groups = groups(&suite.join("tests").join(folder));
        groups.retain(|group| !seen.contains(&group.schema));
        seen.extend(groups.iter().map(|group| group.schema.clone()));
        if name == "suite" {
            groups.extend(random());
            groups.extend(found());
            groups.extend(unions());
            groups.extend(patterns());
        }
        let document = |members: Map<String, Value>| {
            json!({ "title": "Suite", "$schema": dialect, definitions: members })
        };
        let mut members = Map::new();
        let mut entries = Vec::new();
        for (at, group) in groups.into_iter().enumerate() {
            let (type_name, definition) = (format!("It{at}"), definition(at, group.schema));
            let alone = document([(type_name.clone(), definition.clone())].into_iter().collect());
            let inputs = Inputs::from(SchemaText::from_value(name, &alone));
            if support::lowered_from(inputs.patterns(Patterns::Check)).protocol.is_none() {
                continue;
            }
            members.insert(type_name.clone(), definition);
            let wrapped = group.values.into_iter().map(|value| json!({ "value": value }));
            entries.extend(wrapped.map(|value| Entry::accepted(&type_name, value)));
        }
        let text = document(members).to_string();
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.schema.json"));
        std::fs::write(&path, &text).expect("it can be written");
        let inputs = Inputs::from(SchemaText::new(name, &text)).patterns(Patterns::Check);
        (Corpus::of(name, &path, inputs), entries)
    });
    corpora.into()
}

/// An object with a value of this schema, whose pointers count from itself.
fn definition(at: usize, schema: Value) -> Value {
    let schema = match schema {
        Value::Object(members) => {
            let id = json!(format!("https://example.org/{at}.json"));
            let first = std::iter::once(("$id".to_owned(), id));
            Value::from(first.chain(members).collect::<Map<_, _>>())
        }
        schema => schema,
    };
    json!({ "type": "object", "properties": { "value": schema } })
}

/// The schemas of a folder of the suite that refer to nothing outside of themselves.
fn groups(folder: &Path) -> Vec<Group> {
    let files = std::fs::read_dir(folder).expect("the suite is there");
    let mut files: Vec<_> = files.map(|it| it.expect("it can be listed").path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "json"));
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file of the suite can be read");
        let groups: Vec<Value> = serde_json::from_str(&text).expect("it is a list");
        for mut group in groups {
            let schema = group["schema"].take();
            let text = schema.to_string();
            if ["$id", "localhost", "json-schema.org/draft-"].iter().any(|it| text.contains(it)) {
                continue;
            }
            let tests = group["tests"].as_array().expect("a group has tests");
            let values = tests.iter().map(|test| test["data"].clone()).collect();
            found.push(Group { schema, values });
        }
    }
    assert!(found.len() > 200, "{}: {} schemas", folder.display(), found.len());
    found
}

fn random() -> impl Iterator<Item = Group> {
    let mut random = Random(53);
    (0..2 * RANDOM).map(move |at| {
        if at % 2 == 0 {
            return Group { schema: container(&mut random, 1), values: containers() };
        }
        let mut schema = anything(&mut random, 2);
        schema["$defs"] = json!({ "Other": anything(&mut random, 0) });
        Group { schema, values: values().into_iter().chain(containers()).collect() }
    })
}

/// Schemas that once came out wrong.
fn found() -> impl Iterator<Item = Group> {
    let mut random = Random(61);
    include_str!("../properties/found.txt").lines().map(move |line| {
        let schema = serde_json::from_str(&line.replace("#/$defs/It", "#"));
        let nested = (0..12).map(|_| value(&mut random, 3)).collect::<Vec<_>>();
        let values = values().into_iter().chain(containers()).chain(nested).collect();
        Group { schema: schema.expect("it is JSON"), values }
    })
}

/// Random unions in each other, which may lead to themselves.
fn unions() -> impl Iterator<Item = Group> {
    let mut random = Random(67);
    (0..RANDOM).map(move |_| {
        let (it, other) = (nested(&mut random, 2), nested(&mut random, 1));
        let document = json!({ "it": it, "other": other }).to_string();
        let mut document: Value =
            serde_json::from_str(&document.replace("#/$defs/It", "#")).expect("it is JSON");
        let mut schema = document["it"].take();
        schema["$defs"] = json!({ "Other": document["other"].take() });
        Group { schema, values: (0..30).map(|_| value(&mut random, 3)).collect() }
    })
}

/// Strings, open enums and keys with patterns, and texts.
fn patterns() -> impl Iterator<Item = Group> {
    let mut random = Random(59);
    let patterns = random_patterns::patterns(&mut random, RANDOM);
    patterns.into_iter().enumerate().map(move |(at, pattern)| {
        let texts = random_patterns::texts(&mut random, 12);
        let text = json!({ "type": "string", "pattern": pattern });
        match at % 4 {
            0 => {
                let known = json!({ "enum": ["a", "other"] });
                let schema =
                    json!({ "type": "string", "pattern": pattern, "anyOf": [known, text] });
                Group { schema, values: texts.into_iter().map(Value::from).collect() }
            }
            1 => Group {
                schema: json!({ "type": "object", "propertyNames": text }),
                values: texts.into_iter().map(|text| json!({ text: 1 })).collect(),
            },
            _ => Group { schema: text, values: texts.into_iter().map(Value::from).collect() },
        }
    })
}
