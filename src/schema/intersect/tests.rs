use serde_json::{Value, json};

use crate::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use crate::ir::{Type, TypeKind};
use crate::load::{Loaded, Purpose, load};
use crate::schema::SchemaText;

fn loaded(definitions: &Value, dialect: &str) -> Loaded {
    let schema = json!({ "$schema": dialect, "title": "T", "$defs": definitions });
    load(SchemaText::from_value("t.json", &schema), Purpose::Generate)
}

/// Which of these values fit the definition `T`, and the codes of what is said.
fn fitting(definitions: &Value, values: Value) -> (Vec<Value>, Vec<&'static str>) {
    let loaded = loaded(definitions, "https://json-schema.org/draft/2020-12/schema");
    let codes = loaded.diagnostics.iter().map(|it| it.code).filter(|it| *it != "no-methods");
    let codes = codes.collect();
    let protocol = loaded.protocol.unwrap();
    let plan = DecodePlan::new(&protocol, UnknownFields::Drop);
    let decoder = Decoder::new(&protocol, &plan, Mode::Strict);
    let ty = Type::Named { name: String::from("T") };
    let Value::Array(values) = values else { panic!("a list of values") };
    (values.into_iter().filter(|value| decoder.decode(&ty, value).is_ok()).collect(), codes)
}

#[test]
fn a_property_that_another_branch_narrows_keeps_its_type() {
    let definitions = json!({
        "Base": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
        "T": {"allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"n": {"minimum": 1}}}]},
    });
    let (fits, codes) = fitting(&definitions, json!([{"n": 1}, {"n": 0}, {"n": "x"}, {}]));
    assert_eq!((fits, codes), (vec![json!({"n": 1})], vec![]));
}

#[test]
fn two_parents_may_have_one_grandparent() {
    let parent = |name: &str| json!({"allOf": [{"$ref": "#/$defs/Base"}, {"properties": {name: {"type": "integer"}}}]});
    let definitions = json!({
        "Base": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        "A": parent("a"),
        "B": parent("b"),
        "T": {"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
    });
    let whole = json!({"id": "x", "a": 1, "b": 2});
    let (fits, codes) = fitting(&definitions, json!([whole, {"a": 1, "b": 2}]));
    assert_eq!((fits, codes), (vec![whole], vec![]));
}

#[test]
fn a_name_stays_where_nothing_beside_it_counts() {
    let definitions = json!({
        "Name": {"type": "string"},
        "T": {"type": "object", "properties": {
            "same": {"$ref": "#/$defs/Name", "type": "string", "description": "The name."},
            "less": {"$ref": "#/$defs/Name", "minLength": 2},
        }},
    });
    let loaded = loaded(&definitions, "https://json-schema.org/draft/2020-12/schema");
    let protocol = loaded.protocol.unwrap();
    let TypeKind::Record(record) = &protocol.type_def("T").unwrap().kind else { panic!() };
    let [same, less] = &record.fields[..] else { panic!("two fields") };
    assert_eq!(same.ty, Type::Named { name: String::from("Name") });
    assert_eq!(same.docs.description.as_deref(), Some("The name."));
    assert!(matches!(&less.ty, Type::String(text) if text.min_length == Some(2)));
}

#[test]
fn nothing_counts_beside_a_reference_of_an_older_draft() {
    for (dialect, minimum) in [
        ("http://json-schema.org/draft-07/schema#", None),
        ("https://json-schema.org/draft/2019-09/schema", Some(1)),
    ] {
        let definitions = json!({
            "N": {"type": "integer"},
            "T": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N", "minimum": 1}}},
        });
        let protocol = loaded(&definitions, dialect).protocol.unwrap();
        let owner = Type::Named { name: String::from("T") };
        let field = protocol.field(&owner, "n").unwrap();
        let Type::Integer(found) = protocol.resolve(&field.ty) else { panic!("an integer") };
        assert_eq!(found.minimum, minimum, "{dialect}");
    }
}

#[test]
fn what_cannot_be_kept_is_said() {
    let twice = json!({"T": {"type": "string", "pattern": "a", "allOf": [{"pattern": "b"}]}});
    assert_eq!(fitting(&twice, json!(["ab"])).1, ["unenforced-keyword"; 2]);
    let untyped = json!({"T": {"allOf": [{"minimum": 20}, {"maximum": 30}]}});
    let (fits, codes) = fitting(&untyped, json!([25, "x", null]));
    assert_eq!(fits.len(), 3);
    assert_eq!(codes, ["unenforced-keyword"; 2]);
}

#[test]
fn zero_is_zero_whatever_its_sign() {
    let signed = json!({"T": {"type": "number", "minimum": 0, "enum": [-0.0, 1]}});
    assert_eq!(fitting(&signed, json!([0, 1, 2])).0, [json!(0), json!(1)]);
}

/// Where one value may fit two alternatives of `oneOf`, it is taken, and that is said.
#[test]
fn alternatives_that_may_both_fit_are_said() {
    let record = |tag: Value, required: Value| json!({"type": "object", "properties": {"tag": tag, "id": {"type": "string"}}, "required": required});
    let told = |one: Value, two: Value| {
        let definitions = json!({
            "A": {"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind"]},
            "B": {"allOf": [{"$ref": "#/$defs/A"}], "properties": {"b": {"type": "string"}}},
            "T": {"oneOf": [one, two]},
        });
        fitting(&definitions, json!([])).1.contains(&"unenforced-keyword")
    };
    let plain = |text: &str| json!({ "type": text });
    assert!(!told(plain("string"), plain("integer")));
    assert!(told(plain("number"), plain("integer")));
    assert!(!told(
        json!({"type": "integer", "maximum": 0}),
        json!({"type": "integer", "minimum": 1})
    ));
    assert!(told(
        json!({"type": "integer", "maximum": 1}),
        json!({"type": "integer", "minimum": 1})
    ));
    assert!(!told(json!({"type": "string", "maxLength": 2}), json!({"enum": ["abc", "abcd"]})));
    assert!(told(json!({"enum": ["a", "b"]}), json!({"enum": ["b", "c"]})));
    assert!(!told(
        record(json!({"const": "x"}), json!(["tag"])),
        record(json!({"const": "y"}), json!(["tag"]))
    ));
    assert!(told(
        record(json!({"const": "x"}), json!(["id"])),
        record(json!({"const": "y"}), json!(["tag"]))
    ));
    let closed = json!({"type": "object", "properties": {"id": {}}, "additionalProperties": false});
    assert!(!told(closed, record(json!({}), json!(["tag"]))));
    let with_kind =
        json!({"type": "object", "properties": {"kind": {"const": "c"}}, "required": ["kind"]});
    assert!(!told(json!({"$ref": "#/$defs/B"}), with_kind));
}

#[test]
fn what_needs_itself_or_only_all_parts_exclude_is_left_out() {
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let needing = |name: &str, it: Value| json!({"type": "object", "properties": {name: it}, "required": [name]});
    let definitions = json!({
        "Loop": needing("a", json!({"$ref": "#/$defs/Loop"})),
        "Queue": {"type": "array", "items": {"$ref": "#/$defs/Queue"}, "minItems": 1},
        "T": object(json!({
            "loop": {"$ref": "#/$defs/Loop"},
            "queue": {"$ref": "#/$defs/Queue"},
            "both": {"allOf": [needing("t", json!({"const": "x"})), object(json!({"t": {"const": "y"}}))]},
            "either": {"anyOf": [{"$ref": "#/$defs/Loop"}, {"type": "string"}]},
        })),
    });
    let fine = json!([{}, {"either": "x"}]);
    let mut values = fine.as_array().unwrap().clone();
    let wrong = json!([{"loop": {}}, {"queue": []}, {"both": {"t": "x"}}, {"either": {}}]);
    values.extend(wrong.as_array().unwrap().clone());
    let (fits, codes) = fitting(&definitions, Value::Array(values));
    assert_eq!(Value::Array(fits), fine);
    assert_eq!(codes, ["unsatisfiable"; 5]);
}

#[test]
fn what_conditions_say_of_properties_counts_for_others() {
    let closed = |keyword: &str, value: Value| {
        json!({"T": {
            "type": "object", "unevaluatedProperties": false, "properties": {"a": {}},
            "allOf": [{"if": {"required": ["a"]}, "then": {}}], keyword: value
        }})
    };
    for definitions in [
        closed("then", json!({"properties": {"b": {}}})),
        closed("dependentSchemas", json!({"a": {"properties": {"b": {}}}})),
    ] {
        let value = json!({"a": 1, "b": 2});
        let (fits, codes) = fitting(&definitions, json!([value]));
        assert_eq!(fits, [value]);
        assert!(codes.contains(&"unenforced-keyword"), "{codes:?}");
    }
}

#[test]
fn what_parts_say_of_properties_is_split_by_type_too() {
    let object_or = |more: Value| {
        let mut property = more;
        property["properties"] = json!({"u": {"type": "string"}});
        json!({
            "type": ["object", "string"],
            "allOf": [{"properties": {"t": property}}, {"minLength": 1}],
        })
    };
    for (property, fine) in [
        (json!({"anyOf": [{"type": "string"}, {"type": "object"}]}), json!("x")),
        (json!({"oneOf": [{"type": "null"}, {"type": "object"}]}), json!(null)),
        (json!({"type": "array"}), json!([])),
    ] {
        let (whole, given) = (object_or(property.clone()), json!({"t": fine}));
        let definitions = json!({"T": whole.clone()});
        let (fits, _) = fitting(&definitions, json!([given, {"t": {"u": 1}}, "", "a"]));
        assert_eq!(fits, [given.clone(), json!("a")], "{definitions}");
        let definitions = json!({"T": {"$ref": "#/$defs/Whole", "minLength": 2}, "Whole": whole});
        let (fits, _) = fitting(&definitions, json!([given, {"t": {"u": 1}}, "a", "ab"]));
        assert_eq!(fits, [given, json!("ab")], "{definitions}");
    }
}

#[test]
fn definitions_of_several_types_may_lead_to_themselves_beside_bounds() {
    let definitions = json!({
        "T": {"type": "object", "properties": {"t": {"$ref": "#/$defs/B", "minLength": 2}}},
        "B": {
            "type": ["object", "string"], "minLength": 1,
            "properties": {"u": {"$ref": "#/$defs/B", "minLength": 3}},
        },
    });
    let fine = json!({"t": {"u": "abc"}});
    let (fits, _) = fitting(&definitions, json!([fine, {"t": "a"}, {"t": {"u": []}}]));
    assert_eq!(fits, [fine]);
}

#[test]
fn rules_for_keys_of_other_properties_are_kept_or_said() {
    let definitions =
        json!({"T": {"type": "object", "additionalProperties": {"minProperties": 2}}});
    let (_, codes) = fitting(&definitions, json!([{"a": {}}]));
    assert_eq!(codes, ["unenforced-keyword"]);
    let definitions = json!({"T": {
        "type": "object", "patternProperties": {"^a": false}, "additionalProperties": false
    }});
    let (fits, _) = fitting(&definitions, json!([{}, {"a": 1}, {"b": 1}]));
    assert_eq!(fits, [json!({})]);
}

#[test]
fn what_stands_beside_listed_values_is_asked_of_them() {
    for (beside, fine, wrong) in [
        (json!({"minProperties": 2}), json!({"a": 1, "b": 2}), json!({"a": 1})),
        (json!({"required": ["b"]}), json!({"b": 2}), json!({"a": 1})),
        (json!({"dependentRequired": {"a": ["b"]}}), json!({"c": 1}), json!({"a": 1})),
        (json!({"propertyNames": {"const": "a"}}), json!({"a": 1}), json!({"b": 1})),
        (
            json!({"properties": {"a": {"type": "string"}}, "additionalProperties": false}),
            json!({"a": "x"}),
            json!({"b": "x"}),
        ),
        (json!({"not": {"required": ["b"]}, "type": "object"}), json!({"a": 1}), json!({"b": 1})),
        (json!({"items": {"type": "integer"}}), json!([1, 2]), json!([1, "x"])),
        (json!({"prefixItems": [{}, {"type": "string"}]}), json!([1, "x"]), json!([1, 2])),
        (json!({"uniqueItems": true}), json!([1, 2, {}]), json!([1, 2, 1])),
        (json!({"anyOf": [{"required": ["b"]}, {"maxProperties": 0}]}), json!({}), json!({"a": 1})),
        (json!({"not": {"const": "b"}}), json!("a"), json!("b")),
        (json!({"not": {"maximum": 0}, "type": "number"}), json!(1), json!(0)),
    ] {
        let of = |value: &Value| {
            let listed = json!({"const": value});
            let both = |mut schema: Value, more: &Value| {
                schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                schema
            };
            let definitions = [
                json!({"T": {"type": "object", "properties": {"p": both(listed.clone(), &beside)}}}),
                json!({"T": {"type": "object", "properties": {"p": {"allOf": [listed, beside]}}}}),
                json!({
                    "T": {"type": "object", "properties": {
                        "p": both(json!({"$ref": "#/$defs/L"}), &beside), "l": {"$ref": "#/$defs/L"}
                    }},
                    "L": listed,
                }),
            ];
            definitions.map(|definitions| fitting(&definitions, json!([{"p": value}])))
        };
        for (fits, codes) in of(&fine) {
            assert_eq!((fits, codes), (vec![json!({"p": fine})], vec![]), "{beside}");
        }
        for (fits, codes) in of(&wrong) {
            assert_eq!((fits, codes), (vec![], vec!["unsatisfiable"]), "{beside}");
        }
    }
    let definitions = json!({
        "T": {"$ref": "#/$defs/L", "not": {"enum": ["b", "d"]}}, "L": {"enum": ["a", "b", "c"]}
    });
    let (fits, codes) = fitting(&definitions, json!(["a", "b", "c", "d"]));
    assert_eq!((fits, codes), (vec![json!("a"), json!("c")], vec![]));
    let definitions = json!({"T": {"const": {"a": 1}, "dependentSchemas": {"a": {}}}});
    let (_, codes) = fitting(&definitions, json!([]));
    assert_eq!(codes, ["unenforced-keyword"]);
}
