//! What changes of a tuple break: its items, how many there are, and those after them.

use serde_json::{Value, json};

use super::mirror::assert_mirrors;
use super::pair::{Pair, Text};
use super::witnesses::assert_proven;

/// A protocol of one notification, whose `spot` is of this type.
fn text(spot: &Value) -> Text {
    let schema = json!({ "title": "Map", "$defs": {
        "MoveNotification": {
            "type": "object", "properties": { "spot": { "$ref": "#/$defs/Spot" } },
            "required": ["spot"], "x-side": "map", "x-method": "move",
        },
        "Spot": spot,
    } });
    Text { schema: schema.to_string(), overlay: None, methods: None }
}

fn tuple(prefix: &Value, more: &Value) -> Value {
    let mut spot = json!({ "type": "array", "prefixItems": prefix });
    for (keyword, value) in more.as_object().unwrap() {
        spot[keyword] = value.clone();
    }
    spot
}

#[test]
fn each_change_of_a_tuple_is_told_where_it_is_and_proven() {
    let (x, y) = (json!({ "type": "integer" }), json!({ "type": "string" }));
    let pair = tuple(&json!([x, y]), &json!({ "minItems": 2, "items": false }));
    let cases = [
        (
            tuple(&json!([x, x]), &json!({ "minItems": 2, "items": false })),
            vec!["type-changed:Spot[1]"],
        ),
        (
            tuple(
                &json!([{ "type": "integer", "minimum": 0 }, y]),
                &json!({ "minItems": 2, "items": false }),
            ),
            vec!["constraint-tightened:Spot[0]"],
        ),
        // An item more, which has to be there.
        (
            tuple(&json!([x, y, x]), &json!({ "minItems": 3, "items": false })),
            vec!["constraint-loosened:Spot", "constraint-tightened:Spot"],
        ),
        // An item more, which may be missing.
        (
            tuple(&json!([x, y, x]), &json!({ "minItems": 2, "items": false })),
            vec!["constraint-loosened:Spot"],
        ),
        // An item less.
        (
            tuple(&json!([x]), &json!({ "minItems": 1, "items": false })),
            vec!["constraint-loosened:Spot", "constraint-tightened:Spot"],
        ),
        // Others may follow.
        (tuple(&json!([x, y]), &json!({ "minItems": 2 })), vec!["constraint-loosened:Spot"]),
        // None has to be there.
        (tuple(&json!([x, y]), &json!({ "items": false })), vec!["constraint-loosened:Spot"]),
        // Of one type, whatever the place.
        (json!({ "type": "array", "items": x }), vec!["type-changed:Spot"]),
        (
            json!({ "type": "array", "items": { "type": ["integer", "string"] } }),
            vec!["type-widened:Spot"],
        ),
    ];
    for (new, expected) in cases {
        let pair = Pair::between(&new.to_string(), text(&pair), text(&new));
        let mut ids: Vec<String> = pair
            .report()
            .changes
            .iter()
            .filter(|it| it.wire.worst() > acp_bindgen::breaking::Verdict::Ok)
            .map(|it| format!("{}:{}{}", it.rule.id, it.ty, it.path))
            .collect();
        ids.sort();
        assert_eq!(ids, expected, "{}", pair.name);
        let (proven, missing) = assert_proven(&pair);
        assert!(proven > 0 && missing == 0, "{}: {proven} {missing}", pair.name);
        assert_mirrors(&pair);
    }
}

#[test]
fn the_same_tuple_written_in_another_way_is_the_same() {
    let (x, y) = (json!({ "type": "integer" }), json!({ "type": "string" }));
    let pair = tuple(&json!([x, y]), &json!({ "minItems": 2, "items": false }));
    let same = [
        tuple(&json!([x, y]), &json!({ "minItems": 2, "maxItems": 2 })),
        tuple(&json!([x, y, x]), &json!({ "minItems": 2, "maxItems": 2 })),
        tuple(&json!([x, y, false]), &json!({ "minItems": 2 })),
        json!({ "type": "array", "items": [x, y], "additionalItems": false, "minItems": 2 }),
        json!({ "allOf": [tuple(&json!([x]), &json!({ "minItems": 2 })), tuple(&json!([true, y]), &json!({ "items": false }))] }),
    ];
    for other in same {
        let pair = Pair::between(&other.to_string(), text(&pair), text(&other));
        let report = pair.report();
        let told: Vec<&str> = report.changes.iter().map(|it| it.rule.id).collect();
        assert!(told.iter().all(|id| *id == "structure-only"), "{}: {told:?}", pair.name);
    }
}
