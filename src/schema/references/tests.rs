use serde_json::{Value, json};

use super::super::{ReferredText, Schema, SchemaText};
use crate::diagnostic::Diagnostics;
use crate::source::Sources;

/// The document that is made of a schema, and what there is to say: codes and pointers.
fn resolved(schema: &Value, referred: &[(&str, Value)]) -> (Value, Vec<(&'static str, String)>) {
    let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
    let text = SchemaText::from_value("folder/main.json", schema);
    let referred = referred.iter().map(|(uri, value)| ReferredText {
        uri: (*uri).to_owned(),
        text: Ok(SchemaText::from_value(*uri, value)),
    });
    let (none, referred) = (Vec::new(), referred.collect());
    let schema = Schema::read(&mut sources, text, none.clone(), none, referred, &mut diagnostics);
    let found = diagnostics
        .into_iter()
        .map(|it| (it.code, it.location.map(|location| location.pointer).unwrap_or_default()));
    (schema.map_or(Value::Null, |it| it.root.to_value()), found.collect())
}

#[test]
fn a_schema_within_another_becomes_a_definition() {
    let (document, found) = resolved(
        &json!({"$defs": {
            "T": {"properties": {
                "a": {"type": "string", "description": "d", "x-keep": 1},
                "b": {"$ref": "#/$defs/T/properties/a"},
                "c": {"items": {"anyOf": [{"type": "null"}, {"properties": {
                    "d": {"$ref": "#/$defs/T/properties/c/items/anyOf/1"}
                }}]}}
            }}
        }}),
        &[],
    );
    assert_eq!(found, []);
    assert_eq!(
        document,
        json!({"$defs": {
            "T": {"properties": {
                "a": {"description": "d", "x-keep": 1, "$ref": "#/$defs/T_a"},
                "b": {"$ref": "#/$defs/T_a"},
                "c": {"items": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/T_c_item_1"}]}}
            }},
            "T_a": {"type": "string", "description": "d"},
            "T_c_item_1": {"properties": {"d": {"$ref": "#/$defs/T_c_item_1"}}}
        }})
    );
}

#[test]
fn one_schema_is_within_another_that_is_referred_to() {
    let (document, found) = resolved(
        &json!({"$defs": {
            "T": {"properties": {"a": {"properties": {"b": {"type": "string"}}}}},
            "U": {"items": {"$ref": "#/$defs/T/properties/a"}},
            "V": {"items": {"$ref": "#/$defs/T/properties/a/properties/b"}}
        }}),
        &[],
    );
    assert_eq!(found, []);
    assert_eq!(document["$defs"]["T_a"], json!({"properties": {"b": {"$ref": "#/$defs/T_a_b"}}}));
    assert_eq!(document["$defs"]["T_a_b"], json!({"type": "string"}));
    assert_eq!(document["$defs"]["V"], json!({"items": {"$ref": "#/$defs/T_a_b"}}));
}

#[test]
fn the_document_itself_is_a_definition_where_it_is_referred_to() {
    let (document, found) = resolved(
        &json!({
            "title": "Tree", "$schema": "https://json-schema.org/draft/2020-12/schema",
            "properties": {"child": {"$ref": "#"}},
            "$defs": {"Root": {"$ref": "#"}}
        }),
        &[],
    );
    assert_eq!(found, []);
    let tree = json!({"title": "Tree", "properties": {"child": {"$ref": "#/$defs/Tree"}}});
    assert_eq!(document["$defs"], json!({"Root": {"$ref": "#/$defs/Tree"}, "Tree": tree}));
    assert_eq!(document["properties"], tree["properties"]);
}

#[test]
fn definitions_stand_within_definitions_and_in_folders_of_these() {
    let (document, found) = resolved(
        &json!({"definitions": {
            "X": {"type": "string"},
            "T": {"$defs": {"X": {"type": "boolean"}}, "items": {"$ref": "#/definitions/T/$defs/X"}},
            "v2": {
                "X": {"type": "integer"},
                "Y": {"items": {"$ref": "#/definitions/v2/X"}},
                "deep": {"Z": {"$ref": "#/definitions/X"}}
            }
        }}),
        &[],
    );
    assert_eq!(found, []);
    let definitions = &document["definitions"];
    let names: Vec<&String> = definitions.as_object().unwrap().keys().collect();
    assert_eq!(names, ["X", "T", "T_X", "v2_X", "v2_Y", "v2_deep_Z"]);
    assert_eq!(definitions["T_X"], json!({"type": "boolean"}));
    assert_eq!(definitions["v2_Y"], json!({"items": {"$ref": "#/definitions/v2_X"}}));
    assert_eq!(definitions["v2_deep_Z"], json!({"$ref": "#/definitions/X"}));
}

#[test]
fn anchors_and_identifiers_lead_to_schemas() {
    let (document, found) = resolved(
        &json!({
            "$id": "https://example.org/main.json",
            "$defs": {
                "A": {"$anchor": "here", "type": "string"},
                "B": {"$ref": "#here"},
                "C": {"$ref": "main.json#/$defs/A"},
                "D": {"$ref": "https://example.org/other.json#/$defs/E"},
                "other": {
                    "$id": "other.json", "$schema": "https://json-schema.org/draft/2020-12/schema",
                    "$defs": {"E": {"$ref": "#there"}, "F": {"$anchor": "there", "items": {"$ref": "#"}}}
                }
            }
        }),
        &[],
    );
    assert_eq!(found, []);
    let definitions = &document["$defs"];
    assert_eq!(definitions["B"], json!({"$ref": "#/$defs/A"}));
    assert_eq!(definitions["C"], json!({"$ref": "#/$defs/A"}));
    assert_eq!(definitions["D"], json!({"$ref": "#/$defs/F"}));
    assert_eq!(definitions["F"], json!({"$anchor": "there", "items": {"$ref": "#/$defs/other"}}));
    assert_eq!(definitions["other"].get("$id"), None);
}

#[test]
fn other_texts_are_read_by_path_and_by_url() {
    let (document, found) = resolved(
        &json!({"$defs": {
            "A": {"$ref": "types.json#/$defs/A"},
            "B": {"$ref": "types.json#/$defs/B"},
            "C": {"$ref": "../point.schema.json"},
            "D": {"$ref": "https://example.org/d.json#/properties/e"}
        }}),
        &[
            (
                "folder/types.json",
                json!({"$defs": {
                    "A": {"items": {"$ref": "#/$defs/Unused"}}, "B": {"$ref": "../point.schema.json"},
                    "Unused": {"type": "string"}, "Wrong": {"$ref": "nowhere.json"}
                }}),
            ),
            (
                "point.schema.json",
                json!({"$id": "urn:point", "properties": {"next": {"$ref": "#"}}}),
            ),
            ("https://example.org/d.json", json!({"properties": {"e": {"type": "null"}}})),
        ],
    );
    assert_eq!(found, [("name-taken", "/$defs/A".into())]);
    let definitions = &document["$defs"];
    assert_eq!(definitions["A"], json!({"$ref": "#/$defs/types_A"}));
    assert_eq!(definitions["types_A"], json!({"items": {"$ref": "#/$defs/Unused"}}));
    assert_eq!(definitions["B"], json!({"$ref": "#/$defs/point"}));
    assert_eq!(definitions["C"], json!({"$ref": "#/$defs/point"}));
    assert_eq!(definitions["point"], json!({"properties": {"next": {"$ref": "#/$defs/point"}}}));
    assert_eq!(definitions["D"], json!({"$ref": "#/$defs/d_e"}));
    assert_eq!(definitions["d_e"], json!({"type": "null"}));
}

/// A keyword beside a reference counts as the draft of its text says, wherever the reference leads.
#[test]
fn texts_of_several_drafts_keep_their_meaning() {
    let old = "http://json-schema.org/draft-07/schema#";
    let beside = json!({"$ref": "#/definitions/S", "description": "d", "maxLength": 3});
    let types = json!({
        "$schema": old,
        "definitions": {"S": {"type": "string"}, "T": beside}
    });
    let main = json!({"$defs": {"A": {"$ref": "types.json#/definitions/T"}}});
    let (document, _) = resolved(&main, &[("folder/types.json", types)]);
    let expected = json!({"$ref": "#/$defs/S", "description": "d"});
    assert_eq!(document["$defs"]["T"], expected);

    let new =
        json!({"$defs": {"S": {"type": "string"}, "T": {"$ref": "#/$defs/S", "maxLength": 3}}});
    let main = json!({
        "$schema": old, "definitions": {"A": {"$ref": "types.json#/$defs/T"}}
    });
    let (document, _) = resolved(&main, &[("folder/types.json", new)]);
    let expected = json!({"maxLength": 3, "allOf": [{"$ref": "#/definitions/S"}]});
    assert_eq!(document["definitions"]["T"], expected);
}

#[test]
fn references_that_are_the_same_from_everywhere_are_followed() {
    let (document, found) = resolved(
        &json!({"$defs": {
            "A": {"$dynamicAnchor": "node", "items": {"$dynamicRef": "#node"}},
            "B": {"items": {"$recursiveRef": "#"}}
        }}),
        &[],
    );
    assert_eq!(found, []);
    assert_eq!(document["$defs"]["A"]["items"], json!({"$ref": "#/$defs/A"}));
    assert_eq!(document["$defs"]["B"]["items"], json!({"$ref": "#/$defs/Root"}));
}

#[test]
fn names_that_no_pointer_may_have_are_escaped() {
    let (document, found) = resolved(
        &json!({"$defs": {
            "a/b %c": {"items": {"$ref": "#/$defs/a~1b%20%25c/properties/ü"}, "properties": {"ü": true}}
        }}),
        &[],
    );
    assert_eq!(found, []);
    let items = &document["$defs"]["a/b %c"]["items"]["$ref"];
    assert_eq!(items, "#/$defs/a~1b%20%25c_%C3%BC");
    assert_eq!(document["$defs"]["a/b %c_ü"], json!(true));
}

#[test]
fn what_leads_nowhere_is_all_reported() {
    let (_, found) = resolved(
        &json!({"$defs": {
            "A": {"$ref": "#/$defs/B/properties/c"},
            "B": {"properties": {"a": {"const": "#x"}}},
            "C": {"$ref": "https://example.org/c.json"},
            "D": {"$ref": "d.json"},
            "E": {"$ref": "#nowhere"},
            "F": {"$ref": "#/$defs/B/properties/a/const"},
            "G": {"default": {"$ref": "g.json"}}
        }}),
        &[],
    );
    let at = |code, name| (code, format!("/$defs/{name}/$ref"));
    let expected = [
        at("unsupported-ref", "F"),
        at("dangling-ref", "E"),
        at("unmapped-ref", "D"),
        at("unmapped-ref", "C"),
        at("dangling-ref", "A"),
    ];
    assert_eq!(found, expected);
}
