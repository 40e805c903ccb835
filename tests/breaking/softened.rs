//! What is milder in effect than by the letter, and who is hurt.

use acp_bindgen::Patterns;
use acp_bindgen::breaking::policy::{FailOn, Policy};
use acp_bindgen::breaking::report::{Bump, headline};
use acp_bindgen::breaking::{Change, Direction, Level, Verdict};
use acp_bindgen::policy::day_of;
use serde_json::{Value, json};

use super::edits::edited;
use super::pair::{Pair, Text};

/// The change of this rule.
fn change(pair: &Pair, rule: &str) -> Change {
    let changes = pair.report().changes;
    let found = changes.into_iter().find(|change| change.rule.id == rule);
    found.unwrap_or_else(|| panic!("{}: no {rule}", pair.name))
}

/// One more item, which needs this capability.
fn door(capability: &str) -> Value {
    json!({
        "type": "object", "properties": { "type": { "const": "door" } }, "required": ["type"],
        "x-capability": { "house": capability }
    })
}

/// A schema with one more item, if the other side has told a capability that only it has.
fn gated() -> Pair {
    let doors = ("/$defs/HouseCan/properties/doors", json!({ "type": "boolean" }));
    edited("gated", &[("/$defs/Item/oneOf/2", door("doors")), doors])
}

#[test]
fn a_variant_that_needs_a_capability_disturbs_no_old_peer() {
    let added = change(&gated(), "union-variant-added-closed");
    assert_eq!(added.wire.new_to_old, Verdict::Break);
    assert_eq!(added.effective_wire.map(|wire| wire.new_to_old), Some(Verdict::Ok));
    assert_eq!(added.gated_by.as_deref(), Some("can.doors"));
    assert!(added.softened_by.unwrap().contains("no old peer does"));
    let known = edited("known", &[("/$defs/Item/oneOf/2", door("pictures"))]);
    let added = change(&known, "union-variant-added-closed");
    assert_eq!(added.effective_wire, None, "an old peer may have told this one for something else");
}

#[test]
fn a_variant_that_needs_a_capability_is_not_missed() {
    let removed = change(&gated().reversed(), "union-variant-removed");
    assert_eq!(removed.wire.old_to_new, Verdict::Break);
    assert_eq!(removed.effective_wire.map(|wire| wire.old_to_new), Some(Verdict::Ok));
    assert!(removed.softened_by.unwrap().contains("no longer does"));
}

#[test]
fn what_was_deprecated_may_go() {
    let announced =
        edited("deprecated", &[("/$defs/Picture/properties/size/deprecated", json!(true))]);
    let gone = edited("gone", &[("/$defs/Picture/properties/size", json!(null))]);
    let pair = Pair::between("announced", announced.new, gone.new);
    let removed = change(&pair, "property-removed-optional");
    assert_eq!(removed.wire.old_to_new, Verdict::Risk);
    assert_eq!(removed.effective_wire.map(|wire| wire.old_to_new), Some(Verdict::Ok));
    assert!(removed.summary.ends_with("as its deprecation had announced"), "{}", removed.summary);
    assert_ne!(removed.remedy, removed.rule.remedy);
}

#[test]
fn a_method_that_moves_is_sent_by_the_other_side() {
    let sides = |ty: &str| format!("/$defs/{ty}/x-side");
    let (params, result) = (sides("ShutRequest"), sides("ShutResponse"));
    let pair = edited(
        "moved",
        &[
            (params.as_str(), json!("guest")),
            (result.as_str(), json!("guest")),
            ("/$defs/OpenRequest/x-handle", json!(null)),
        ],
    );
    let moved = change(&pair, "method-side-moved");
    let senders = |direction| -> Vec<String> {
        let hurt = moved.affected.iter().filter(|it| it.direction == direction);
        hurt.map(|it| format!("{} to {}", it.sender, it.receiver)).collect()
    };
    assert_eq!(senders(Direction::OldToNew), ["guest to house"]);
    assert_eq!(senders(Direction::NewToOld), ["house to guest"]);
}

#[test]
fn descriptions_are_shown_as_they_were_and_are() {
    let pair = edited(
        "described",
        &[
            ("/$defs/Picture/description", json!("What is seen.")),
            ("/$defs/Picture/properties/size/description", json!("In bytes.")),
            ("/$defs/Picture/properties/size/maximum", json!(9)),
        ],
    );
    let prose = change(&pair, "annotation-only");
    let texts: Vec<(&str, Option<&str>, Option<&str>)> = prose
        .texts
        .iter()
        .map(|text| (text.path.as_str(), text.old.as_deref(), text.new.as_deref()))
        .collect();
    let expected = [("", None, Some("What is seen.")), ("size", None, Some("In bytes."))];
    assert_eq!(texts, expected);
}

/// What is said of a property of `Picture` that has become another.
fn property(name: &str, schema: Value, patterns: Patterns) -> [Option<Verdict>; 2] {
    let pointer = format!("/$defs/Picture/properties/{name}");
    let pair = Pair { patterns, ..edited("unchecked", &[(pointer.as_str(), schema)]) };
    let tightened = change(&pair, "constraint-tightened");
    assert_eq!(tightened.wire.old_to_new, Verdict::Break);
    let loosened = change(&pair.reversed(), "constraint-loosened");
    assert_eq!(loosened.wire.new_to_old, Verdict::Break);
    [
        tightened.effective_wire.map(|wire| wire.old_to_new),
        loosened.effective_wire.map(|wire| wire.new_to_old),
    ]
}

#[test]
fn what_generated_receivers_do_not_look_at_is_a_risk() {
    let risk = [Some(Verdict::Risk); 2];
    let pattern = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    assert_eq!(property("data", pattern("^[a-z]+$"), Patterns::Ignore), risk);
    assert_eq!(property("data", pattern("^[a-z]+$"), Patterns::Check), [None; 2]);
    assert_eq!(property("data", pattern("^(?!a)"), Patterns::Check), risk);
    let long = json!({ "type": "string", "minLength": 3 });
    assert_eq!(property("data", long, Patterns::Ignore), [None; 2]);
    let closed = ("/$defs/Picture/additionalProperties", json!(false));
    let pair = edited("closed", &[closed]);
    let tightened = change(&pair, "constraint-tightened");
    assert_eq!(tightened.effective_wire.map(|wire| wire.old_to_new), Some(Verdict::Risk));
    assert!(tightened.softened_by.unwrap().contains("do not look at it"));
    // What a closed object does not list is not looked at either.
    let gone = edited(
        "gone",
        &[
            ("/$defs/Picture/additionalProperties", json!(false)),
            ("/$defs/Picture/properties/size", json!(null)),
        ],
    );
    let removed = change(&gone, "property-removed-optional");
    assert_eq!(removed.wire.old_to_new, Verdict::Break);
    assert_eq!(removed.effective_wire.map(|wire| wire.old_to_new), Some(Verdict::Risk));
}

#[test]
fn generated_receivers_look_at_all_bounds() {
    let number = |bounds: Value| {
        let mut schema = json!({ "type": "number" });
        schema.as_object_mut().unwrap().extend(bounds.as_object().unwrap().clone());
        edited("number", &[("/$defs/Picture/properties/scale", schema)]).new
    };
    let effective = |old: Value, new: Value| {
        let pair = Pair::between("bounds", number(old), number(new));
        let tightened = change(&pair, "constraint-tightened");
        assert_eq!(tightened.wire.old_to_new, Verdict::Break);
        tightened.effective_wire.map(|wire| wire.old_to_new)
    };
    assert_eq!(effective(json!({}), json!({ "minimum": 1.5 })), None);
    assert_eq!(effective(json!({}), json!({ "exclusiveMinimum": 1.5 })), None);
    assert_eq!(effective(json!({}), json!({ "exclusiveMaximum": 1.5 })), None);
    let both = json!({ "minimum": 1.5, "exclusiveMinimum": 2.5 });
    assert_eq!(effective(json!({}), both.clone()), None);
    assert_eq!(effective(json!({ "minimum": 1.5 }), both), None);
}

#[test]
fn malformed_items_are_left_out_while_the_array_may_be_empty() {
    let items = |least: u64, item: &str| {
        let mut array = json!({
            "type": "array", "items": { "type": item }, "x-deserialize-skip-invalid-items": true
        });
        if least > 0 {
            array["minItems"] = json!(least);
        }
        edited("items", &[("/$defs/Picture/properties/notes", array)]).new
    };
    let effective = |least| {
        let pair = Pair::between("items", items(least, "string"), items(least, "integer"));
        let changed = change(&pair, "type-changed");
        assert_eq!(changed.wire.old_to_new, Verdict::Break);
        changed.effective_wire.map(|wire| wire.old_to_new)
    };
    assert_eq!(effective(0), Some(Verdict::Risk));
    assert_eq!(effective(1), None, "too few may be left");
}

/// What a comparison comes to: the next version, that by the schemas alone, and whether it fails by
/// default and where only the schemas count.
fn outcome(pair: &Pair) -> (Bump, Bump, [bool; 2]) {
    let report = pair.report();
    let fails = [FailOn::Any, FailOn::Wire].map(|fail_on| {
        let policy = Policy { fail_on, ..Policy::default() };
        policy.apply(&report.changes, report.ignored, day_of(0)).fails
    });
    (report.verdict.suggested, report.verdict.strictly_suggested, fails)
}

#[test]
fn what_nobody_can_receive_breaks_nobody() {
    let pair = gated();
    assert_eq!(outcome(&pair), (Bump::Minor, Bump::Major, [false, true]));
    let added = change(&pair, "union-variant-added-closed");
    assert_eq!((added.level, added.breaking), (Level::Safe, false));
    assert_eq!(added.counted_wire().worst(), Verdict::Ok);
    assert!(added.affected.is_empty());
    assert_eq!(
        headline(&pair.report()),
        "nothing breaks on the wire (by the schemas alone: old→new 0, new→old 1); no code breaks; \
         suggested: minor (by the schemas alone: major)"
    );
    let known = edited("known", &[("/$defs/Item/oneOf/2", door("pictures"))]);
    assert_eq!(outcome(&known), (Bump::Major, Bump::Major, [true, true]));
}

#[test]
fn a_property_or_method_that_needs_a_capability_is_a_minor_change() {
    let doors = ("/$defs/HouseCan/properties/doors", json!({ "type": "boolean" }));
    let property = json!({ "type": "string", "x-capability": { "house": "doors" } });
    let parts = [("/$defs/Picture/properties/door", property), doors.clone()];
    let minor = (Bump::Minor, Bump::Minor, [false, false]);
    assert_eq!(outcome(&edited("property", &parts)), minor);
    let method = json!({
        "type": "object", "x-method": "door/knock", "x-side": "house", "x-capability": "doors",
        "x-optional": true
    });
    let parts = [("/$defs/KnockRequest", method.clone()), ("/$defs/KnockResponse", method), doors];
    assert_eq!(outcome(&edited("method", &parts)), minor);
}

#[test]
fn what_the_schema_lets_receivers_forgive_breaks_nobody() {
    let moods = |values: Value| {
        let mood = json!({ "type": "string", "enum": values });
        let property = json!({ "$ref": "#/$defs/Mood", "x-deserialize-default-on-error": true });
        let parts = [("/$defs/Mood", mood), ("/$defs/Picture/properties/mood", property)];
        edited("moods", &parts).new
    };
    let pair = Pair::between(
        "moods",
        moods(json!(["good", "fair"])),
        moods(json!(["good", "fair", "bad"])),
    );
    let added = change(&pair, "enum-value-added-closed");
    assert_eq!(added.wire.new_to_old, Verdict::Break);
    assert_eq!(added.level, Level::Risky);
    assert_eq!(outcome(&pair), (Bump::Minor, Bump::Major, [false, true]));
}

#[test]
fn what_only_some_receivers_take_breaks_the_others() {
    let pattern = json!({ "type": "string", "pattern": "^[a-z]+$" });
    let pair = edited("pattern", &[("/$defs/Picture/properties/data", pattern)]);
    let tightened = change(&pair, "constraint-tightened");
    assert_eq!(tightened.effective_wire.map(|wire| wire.old_to_new), Some(Verdict::Risk));
    assert_eq!(tightened.level, Level::Breaking);
    assert_eq!(outcome(&pair), (Bump::Major, Bump::Major, [true, true]));
}

#[test]
fn what_opens_sessions_is_said_with_the_method_that_is_new() {
    let before = Pair::read("remote-changed").old;
    let joined = |result: &[&str]| {
        let mut schema: Value = serde_json::from_str(&before.schema).unwrap();
        let def = |names: &[&str]| {
            let string = |name: &&str| ((*name).to_owned(), json!({ "type": "string" }));
            let properties: serde_json::Map<String, Value> = names.iter().map(string).collect();
            json!({
                "type": "object", "properties": properties, "required": names,
                "x-method": "room/join", "x-side": "house"
            })
        };
        schema["$defs"]["JoinRequest"] = def(&[]);
        schema["$defs"]["JoinResponse"] = def(result);
        Text { schema: schema.to_string(), ..before.clone() }
    };
    let is_told =
        |pair: &Pair| pair.report().changes.iter().any(|change| change.rule.id == "remote-changed");
    // A method whose result names a session opens it.
    let added = Pair::between("added", before.clone(), joined(&["room"]));
    assert!(!is_told(&added) && !is_told(&added.reversed()));
    assert!(is_told(&Pair::between("began", joined(&[]), joined(&["room"]))));
}
