//! Values so deep that their time shows if parts of them are decoded anew at each level: if variants
//! that have refused a value are tried for it again, or if what one way of decoding refuses is
//! decoded in another. JSON Schema validators take too long for them.

use serde_json::{Value, json};

use super::corpus::Entry;

/// The number of levels: with two ways to decode each, more than a test could wait for.
const LEVELS: usize = 40;

/// Deep values of types of `shapes.schema.json`.
pub(crate) fn entries() -> Vec<Entry> {
    let named = |next: Value, _: usize| json!({ "next": next, "value": "x" });
    let mixed = |next: Value, level: usize| match level % 2 {
        0 => json!({ "next": next, "value": "x" }),
        _ => json!({ "next": next, "value": 1 }),
    };
    let noted = json!({ "value": "x", "note": "y" });
    let thick =
        |next: Value, _: usize| json!({ "length": 2, "ends": [next], "width": 1, "colour": "x" });
    let soft = |next: Value, _: usize| json!({ "ends": [next], "width": 1, "sound": "x" });
    let soft_with_length =
        |next: Value, _: usize| json!({ "length": 1, "ends": [next], "width": 1, "sound": "x" });
    let bough = |next: Value, _: usize| json!({ "leaves": 1, "twigs": { "left": next } });
    let leafless = "twigs.left.".repeat(LEVELS) + "leaves";
    [
        json!({ "type": "Bough", "value": nested(bough, json!({ "leaves": 1 })) }),
        json!({ "type": "Bough", "value": nested(bough, json!({})), "reject": leafless }),
        json!({
            "type": "Bough",
            "value": nested(bough, json!({ "leaves": 1, "note": "x" })),
            "encoded": nested(bough, json!({ "leaves": 1 })),
            "strict": { "reject": "twigs.left.".repeat(LEVELS) + "note" },
        }),
        json!({ "type": "Link", "value": nested(named, json!({ "value": "x" })) }),
        json!({ "type": "Link", "value": nested(mixed, json!({ "value": 1 })) }),
        json!({ "type": "Link", "value": nested(mixed, json!({ "value": true })), "reject": "" }),
        json!({
            "type": "Link",
            "value": nested(mixed, noted),
            "encoded": nested(mixed, json!({ "value": "x" })),
            "strict": { "reject": "" },
        }),
        json!({ "type": "Rope", "value": nested(thick, json!({ "length": 1, "ends": [] })) }),
        json!({ "type": "Rope", "value": nested(thick, json!({ "length": 1 })), "reject": "" }),
        json!({ "type": "Rope", "value": nested(soft, json!({ "width": {} })), "reject": "" }),
        json!({
            "type": "Rope",
            "value": nested(soft, json!({ "ends": [] })),
            "encoded": nested(soft_with_length, json!({ "length": 1, "ends": [] })),
        }),
    ]
    .iter()
    .enumerate()
    .map(|(index, row)| Entry::of_row(&format!("deep {index}"), row))
    .collect()
}

/// A value inside as many others as there are levels.
fn nested(level: impl Fn(Value, usize) -> Value, innermost: Value) -> Value {
    (0..LEVELS).fold(innermost, level)
}
