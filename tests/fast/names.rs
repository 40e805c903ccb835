//! Names made distinct: by what rule, and what a user can do about it.

use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::rust::Rust;
use acp_bindgen::backend::typescript::TypeScript;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::ir::{Name, Protocol, TypeKind};
use acp_bindgen::schema::SchemaText;
use acp_bindgen::{Inputs, Loaded, Purpose, load};
use serde_json::{Value, json};

use crate::support;

/// A diagnostics fixture, or a case.
fn schema(path: &str) -> Value {
    let text = std::fs::read_to_string(support::root().join("tests").join(path)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The codes of all findings about names, from the schema and from every language.
fn findings(schema: &Value, overlay: Option<&Value>) -> Vec<&'static str> {
    let overlays =
        overlay.map(|it| SchemaText::from_value("overlay.json", it)).into_iter().collect();
    let inputs = Inputs::new(SchemaText::from_value("schema.json", schema), overlays);
    let Loaded { protocol, mut diagnostics, .. } = load(inputs, Purpose::Generate);
    let options = Options::new("names", DocsMode::Full, Runtime::Embedded);
    if let Some(protocol) = &protocol {
        for language in [&Rust as &dyn Backend, &TypeScript, &Python] {
            language.emit(protocol, &options, &mut diagnostics);
        }
    }
    let about_names = ["name-taken", "name-collision", "bad-function-name"];
    let codes = diagnostics.iter().map(|it| it.code);
    codes.filter(|code| about_names.contains(code)).collect()
}

/// Each remedy is what a hint says: `x-name`, `x-names` or `x-function-name`.
#[test]
fn what_a_hint_says_cures() {
    let cases = [
        (
            "diagnostics/names-made-distinct.json",
            json!({
                "SetModeNotification": { "x-function-name": "mode_changed", "x-name": "ModeNotification" },
                "TypeName": { "properties": {
                    "foo_bar": { "x-name": "second bar" }, "foo-bar": { "x-name": "third bar" }
                } },
                "Type_name": { "x-name": "OtherType" },
                "Kind": { "x-names": { "a_b": "under", "a": "small" } },
                "Shape": { "oneOf": [
                    { "properties": { "t": { "const": "x y" } }, "required": ["t"], "x-name": "spaced" },
                    { "properties": { "t": { "const": "x.y" } }, "required": ["t"] }
                ] }
            }),
        ),
        (
            "diagnostics/function-name-collision.json",
            json!({ "TwoRequest": { "x-function-name": "other" } }),
        ),
        (
            "diagnostics/chosen-names.json",
            json!({
                "First": { "properties": { "b": { "x-name": "that" } } },
                "Second": { "x-name": "Other" },
                "Kind": { "x-names": { "b": "Two" } }
            }),
        ),
        (
            "diagnostics/chosen-name-collision.json",
            json!({ "Session": { "properties": { "mode": { "x-name": "Mode" } } } }),
        ),
        (
            "cases/names-taken/schema.json",
            json!({
                "SetModeNotification": { "x-function-name": "mode_changed", "x-name": "ModeNotification" },
                "Reaction": { "x-names": { "a": "small" } },
                "Result": { "x-name": "Outcome" },
                "ChangeState": { "x-name": "Changing" },
                "Light": { "properties": { "value_2d": { "x-name": "flat" } } }
            }),
        ),
    ];
    for (path, definitions) in cases {
        let schema = schema(path);
        assert_ne!(findings(&schema, None), Vec::<&str>::new(), "{path}: nothing to cure");
        let overlay = json!({ "$defs": definitions });
        assert_eq!(findings(&schema, Some(&overlay)), Vec::<&str>::new(), "{path}");
    }
}

/// A JSON value with the keys of all its objects the other way round.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().rev().map(|(key, value)| (key.clone(), reversed(value)));
            Value::Object(members.collect())
        }
        Value::Array(items) => items.iter().map(reversed).collect(),
        other => other.clone(),
    }
}

/// The names of all that has one.
fn all_names(protocol: &Protocol) -> Vec<(String, String, String)> {
    let mut names = Vec::new();
    let mut add =
        |of: &str, name: &Name| names.push((of.to_owned(), name.wire.clone(), name.snake()));
    for (key, def) in &protocol.types {
        add("types", &def.name);
        match &def.kind {
            TypeKind::Record(record) => record.fields.iter().for_each(|it| add(key, &it.name)),
            TypeKind::Union(union) => union.variants.iter().for_each(|it| add(key, &it.name)),
            TypeKind::Enum(of) => of.values.iter().for_each(|it| add(key, &it.name)),
            TypeKind::Alias { .. } | TypeKind::Tuple(_) => {}
        }
    }
    protocol.methods.iter().for_each(|it| add("methods", &it.name));
    protocol.sides.iter().for_each(|it| add("sides", &it.name));
    names.sort();
    names
}

#[test]
fn names_do_not_depend_on_the_order_of_keys() {
    for path in ["diagnostics/names-made-distinct.json", "cases/collisions-languages/schema.json"] {
        let schema = schema(path);
        let names = |schema: &Value| {
            let loaded = load(SchemaText::from_value("schema.json", schema), Purpose::Generate);
            all_names(&loaded.protocol.unwrap())
        };
        assert_eq!(names(&schema), names(&reversed(&schema)), "{path}");
    }
}

#[test]
fn many_names_with_numbers_leave_room_for_one_more() {
    let text = json!({ "type": "string" });
    let numbered = (2..60).map(|number| (format!("Required{number}"), text.clone()));
    let properties: serde_json::Map<String, Value> =
        [("required".to_owned(), text.clone())].into_iter().chain(numbered.clone()).collect();
    let mut definitions: serde_json::Map<String, Value> = numbered.collect();
    definitions.insert("required".to_owned(), text.clone());
    definitions.insert("Required".to_owned(), text);
    let params = json!({
        "type": "object", "x-side": "lamp", "x-method": "set", "properties": properties
    });
    definitions.insert("SetNotification".to_owned(), params);
    let found = findings(&json!({ "title": "T", "$defs": definitions }), None);
    assert_eq!(found, ["name-taken"]);
}

#[test]
fn a_name_that_gives_way_to_a_new_one_is_a_change_of_code() {
    let folder = support::scratch("names-diff");
    let schema = |properties: Value| {
        let lamp = json!({ "type": "object", "properties": properties });
        json!({ "title": "T", "$defs": { "Lamp": lamp } }).to_string()
    };
    let text = json!({ "type": "string" });
    let old = schema(json!({ "foo-bar": text }));
    let new = schema(json!({ "foo-bar": text, "fooBar": text }));
    support::write_files(&folder, [("old.json", old.as_str()), ("new.json", new.as_str())]);
    let mut diff = support::acp_bindgen(&folder);
    let output =
        diff.args(["diff", "old.json", "new.json", "--fail-on", "never"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("`foo dash bar` instead of `foo bar`"), "{said}");
}
