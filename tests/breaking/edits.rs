//! What is said of code when a schema is edited in one place, language by language.

use acp_bindgen::breaking::report::headline;
use acp_bindgen::breaking::{Level, Report, Verdict};
use serde_json::{Value, json};

use super::code::assert_agrees;
use super::pair::{Pair, Text};
use super::shown::shown;
use super::witnesses::assert_proven;

/// A protocol in which there is something of everything.
const BEFORE: &str = include_str!("edits.json");

/// An edit, what it does to code in Rust, TypeScript and Python, and the version that follows.
struct Edit {
    name: &'static str,
    /// The pointers of what is replaced, with what replaces it: `null` takes it away.
    parts: Vec<(&'static str, Value)>,
    code: [&'static str; 3],
    suggested: &'static str,
}

fn edit(
    name: &'static str,
    parts: Vec<(&'static str, Value)>,
    code: [&'static str; 3],
    suggested: &'static str,
) -> Edit {
    Edit { name, parts, code, suggested }
}

#[allow(clippy::too_many_lines, reason = "a few lines an edit")]
fn edits() -> Vec<Edit> {
    let method = |name: &str| json!({ "type": "object", "x-method": name, "x-side": "house" });
    vec![
        edit(
            "required properties in another order swap parameters of one type",
            vec![("/$defs/OpenRequest/required", json!(["second", "first", "level"]))],
            ["send", "ok", "send"],
            "major",
        ),
        edit(
            "properties in another order do not",
            vec![(
                "/$defs/Place/properties",
                json!({ "y": { "type": "integer" }, "x": { "type": "integer" } }),
            )],
            ["ok", "ok", "ok"],
            "patch",
        ),
        edit(
            "the title of a variant names it",
            vec![("/$defs/Show/oneOf/1/title", json!("Number"))],
            ["name", "name", "name"],
            "major",
        ),
        edit(
            "the title of a constant names it",
            vec![("/$defs/Code/anyOf/0/title", json!("Occupied"))],
            ["name", "name", "name"],
            "major",
        ),
        edit(
            "the title of a definition names nothing",
            vec![("/$defs/Kind/title", json!("Sort"))],
            ["ok", "ok", "ok"],
            "patch",
        ),
        edit(
            "a tag names a variant",
            vec![("/$defs/Item/oneOf/0/properties/type/const", json!("light"))],
            ["name", "name", "name"],
            "major",
        ),
        edit(
            "a default makes an optional nullable property always there",
            vec![("/$defs/OpenRequest/properties/label/default", json!("door"))],
            ["break", "ok", "send"],
            "major",
        ),
        edit(
            "a narrower integer is another type in Rust",
            vec![("/$defs/OpenRequest/properties/level/format", json!("uint16"))],
            ["break", "ok", "ok"],
            "major",
        ),
        edit(
            "a named string is another type in Rust",
            vec![
                ("/$defs/Id", json!({ "type": "string" })),
                ("/$defs/Picture/properties/data", json!({ "$ref": "#/$defs/Id" })),
            ],
            ["break", "ok", "ok"],
            "major",
        ),
        edit(
            "an optional property is given by name",
            vec![("/$defs/Place/properties/w", json!({ "type": "string" }))],
            ["ok", "ok", "ok"],
            "minor",
        ),
        edit(
            "a handler must have a new request",
            vec![
                ("/$defs/KnockRequest", method("door/knock")),
                ("/$defs/KnockResponse", method("door/knock")),
            ],
            ["send", "send", "send"],
            "major",
        ),
        edit(
            "a handler need not have a new notification in Rust",
            vec![("/$defs/KnockNotification", method("door/knock"))],
            ["ok", "send", "send"],
            "major",
        ),
        edit(
            "a handler may leave out a method",
            vec![("/$defs/LookRequest/x-optional", json!(true))],
            ["ok", "ok", "ok"],
            "minor",
        ),
        edit(
            "a handler may no longer leave out a method",
            vec![("/$defs/PeekRequest/x-optional", json!(null))],
            ["send", "send", "send"],
            "major",
        ),
        edit(
            "a name for code is a name",
            vec![("/$defs/Picture/properties/data/x-name", json!("bytes"))],
            ["break", "ok", "break"],
            "major",
        ),
        edit(
            "a name for a variant's class is one in Python",
            vec![("/$defs/Item/x-class-names", json!({"fan": "CeilingFan"}))],
            ["ok", "ok", "name"],
            "major",
        ),
        edit(
            "a name for a function is one in handlers and calls",
            vec![("/$defs/PeekRequest/x-function-name", json!("glance"))],
            ["name", "name", "name"],
            "major",
        ),
        edit(
            "what is no longer stable is behind a feature in Rust",
            vec![("/$defs/PeekRequest/x-unstable", json!(true))],
            ["name", "ok", "ok"],
            "major",
        ),
        edit(
            "a property that is no longer stable is, too",
            vec![("/$defs/Picture/properties/size/x-unstable", json!(true))],
            ["break", "ok", "ok"],
            "major",
        ),
        edit(
            "connections no longer know the version",
            vec![
                ("/$defs/HelloRequest/properties/speak/x-protocol-version", json!(null)),
                ("/$defs/HelloResponse/properties/speaking/x-protocol-version", json!(null)),
            ],
            ["name", "break", "break"],
            "major",
        ),
        edit(
            "connections over HTTP are gone",
            vec![("/x-remote", json!(null))],
            ["name", "break", "send"],
            "major",
        ),
        edit(
            "a bound is no type",
            vec![("/$defs/OpenRequest/properties/count/minimum", json!(1))],
            ["ok", "ok", "ok"],
            "major",
        ),
        edit(
            "the methods of a handle are called by name",
            vec![("/$defs/OpenRequest/x-handle/methods", json!({ "door/look": "peek" }))],
            ["name", "name", "name"],
            "major",
        ),
    ]
}

/// Edits of constraints, each of which a message shows in one direction at least.
fn constraints() -> Vec<Edit> {
    let of = |name, pointer: &'static str, value| {
        edit(name, vec![(pointer, value)], ["ok", "ok", "ok"], "major")
    };
    vec![
        of("pattern", "/$defs/OpenRequest/properties/first/pattern", json!("^[a-z]{2,}-\\d+$")),
        of("another pattern", "/$defs/Ticket/properties/code/pattern", json!("^[A-Z]{2}\\d{3}$")),
        of("a wider pattern", "/$defs/Ticket/properties/code/pattern", json!("^[A-Z]\\d+$")),
        of("least length", "/$defs/OpenRequest/properties/first/minLength", json!(3)),
        of("most length", "/$defs/OpenRequest/properties/first/maxLength", json!(3)),
        of("more length", "/$defs/OpenRequest/properties/first/maxLength", json!(50)),
        of("items that differ", "/$defs/Ticket/properties/marks/uniqueItems", json!(true)),
        of("most items", "/$defs/Ticket/properties/marks/maxItems", json!(1)),
        of("more items", "/$defs/Ticket/properties/marks/maxItems", json!(7)),
        of("above", "/$defs/Ticket/properties/price/exclusiveMinimum", json!(0)),
        of("below", "/$defs/Ticket/properties/price/exclusiveMaximum", json!(7.5)),
        of("at least", "/$defs/OpenRequest/properties/count/exclusiveMinimum", json!(4)),
        of("nothing else", "/$defs/Ticket/additionalProperties", json!(false)),
        of("a step", "/$defs/OpenRequest/properties/count/multipleOf", json!(5)),
        of("a step of a fraction", "/$defs/Ticket/properties/price/multipleOf", json!(0.25)),
        of("fewest properties", "/$defs/Ticket/minProperties", json!(2)),
        of("most properties", "/$defs/Ticket/maxProperties", json!(2)),
        of("short keys", "/$defs/Ticket/propertyNames", json!({ "maxLength": 5 })),
        of(
            "one of two",
            "/$defs/Ticket/anyOf",
            json!([{ "required": ["marks"] }, { "required": ["price"] }]),
        ),
        of(
            "exactly one of two",
            "/$defs/Ticket/oneOf",
            json!([{ "required": ["marks"] }, { "required": ["price"] }]),
        ),
        of("one with another", "/$defs/Ticket/dependentRequired", json!({ "marks": ["price"] })),
    ]
}

#[test]
fn constraints_are_proven_in_both_directions() {
    for edit in constraints() {
        let pair = edit.pair();
        let report = pair.report();
        assert_eq!(code(&report), edit.code, "{}:\n{}", edit.name, shown(&report));
        for pair in [&pair, &pair.reversed()] {
            let (proven, missing) = assert_proven(pair);
            let said = shown(&pair.report());
            assert!(proven > 0 && missing == 0, "{}:\n{said}", edit.name);
        }
    }
}

/// Enums of many values are looked up, and not gone through: each value is still shown by a message
/// that holds it.
#[test]
fn every_value_of_a_long_enum_is_proven() {
    let text = |word: &str| {
        let values: Vec<String> = (0..40).map(|at| format!("{word}-{at}")).collect();
        let payload = |property: Value| {
            json!({ "type": "object", "properties": property, "required": ["word"],
                    "x-side": "server", "x-method": "say" })
        };
        let schema = json!({ "title": "Words", "$defs": {
            "SayRequest": payload(json!({ "word": { "$ref": "#/$defs/Alias" } })),
            "SayResponse": payload(json!({ "word": { "type": "boolean" } })),
            "Alias": { "$ref": "#/$defs/Word" },
            "Word": { "type": "string", "enum": values },
        } });
        Text { schema: schema.to_string(), overlay: None, methods: None }
    };
    let pair = Pair::between("long", text("early"), text("late"));
    assert_eq!(assert_proven(&pair), (80, 0));
    for change in pair.report().changes {
        let value = change.id.rsplit(['=', '.']).next().unwrap_or_default();
        for witness in change.witness {
            assert!(witness.message.unwrap().to_string().contains(value), "{}", change.id);
        }
    }
}

/// Edits of what the model does not follow: what becomes of it is not made up.
#[test]
fn what_is_not_modelled_is_not_judged() {
    let not_judged = [
        ("/$defs/Place/if", json!({ "required": ["w"] })),
        ("/$defs/Ticket/properties/marks/contains", json!({ "const": "x" })),
        ("/$defs/Fixture/allOf/1/oneOf/1/properties/fix/const", json!("roof")),
    ];
    for (pointer, value) in not_judged {
        let edit = edit(pointer, vec![(pointer, value)], ["ok", "ok", "ok"], "minor");
        let pair = edit.pair();
        for pair in [&pair, &pair.reversed()] {
            let report = pair.report();
            let rules: Vec<&str> = report.changes.iter().map(|change| change.rule.id).collect();
            assert!(rules.contains(&"not-judged"), "{pointer}:\n{}", shown(&report));
            let breaks = report.verdict.wire.worst() == Verdict::Break;
            assert!(!breaks, "{pointer}:\n{}", shown(&report));
            assert_agrees(pair);
        }
    }
}

/// The effect on code of all changes together.
fn code(report: &Report) -> [String; 3] {
    let all = report.changes.iter().map(|change| change.source.languages());
    let mut found = [const { String::new() }; 3];
    for (at, joined) in found.iter_mut().enumerate() {
        let effects = all.clone().map(|languages| languages[at].1);
        *joined = effects
            .reduce(acp_bindgen::breaking::Effect::and)
            .map_or_else(|| String::from("ok"), acp_bindgen::breaking::Effect::text);
    }
    found
}

/// Asserts that level, verdict, headline and suggestion say one thing.
pub(crate) fn assert_consistent(name: &str, report: &Report) {
    let said = || format!("{name}: {}\n{}", headline(report), shown(report));
    for change in &report.changes {
        let wire = change.counted_wire();
        let breaks = wire.worst() == Verdict::Break || change.source.is_breaking();
        assert_eq!(change.breaking, breaks, "{}", said());
        assert_eq!(change.level == Level::Breaking, breaks, "{}", said());
    }
    let breaks = report.changes.iter().any(|change| change.breaking);
    assert_eq!(report.verdict.breaking, breaks, "{}", said());
    assert_eq!(report.tally.levels.count(Level::Breaking) > 0, breaks, "{}", said());
    let headline = headline(report);
    assert_eq!(headline.contains("suggested: major"), breaks, "{}", said());
    let wire = headline.starts_with("breaking on the wire");
    assert_eq!(wire, report.verdict.counted_wire.worst() == Verdict::Break, "{}", said());
    let source = headline.contains("breaking for code");
    let broken = report.changes.iter().any(|change| change.source.is_breaking());
    assert_eq!(source, broken, "{}", said());
}

#[test]
fn an_edit_does_to_code_what_is_said() {
    for edit in edits() {
        let pair = edit.pair();
        let report = pair.report();
        assert_eq!(code(&report), edit.code, "{}:\n{}", edit.name, shown(&report));
        let suggested = report.verdict.suggested.name();
        assert_eq!(suggested, edit.suggested, "{}:\n{}", edit.name, shown(&report));
        assert_agrees(&pair);
        assert_consistent(edit.name, &report);
    }
}

#[test]
fn a_name_for_any_class_of_a_variant_is_one_in_python() {
    let named: Value =
        serde_json::from_str(include_str!("../cases/class-names/schema.json")).unwrap();
    let mut plain = named.clone();
    for def in plain["$defs"].as_object_mut().unwrap().values_mut() {
        def.as_object_mut().unwrap().remove("x-class-names");
    }
    let text = |schema: &Value| Text { schema: schema.to_string(), overlay: None, methods: None };
    let pair = Pair::between("class names", text(&plain), text(&named));
    for pair in [&pair, &pair.reversed()] {
        let report = pair.report();
        assert_eq!(code(&report), ["ok", "ok", "name"], "{}", shown(&report));
        assert_eq!(report.changes.len(), 5, "{}", shown(&report));
        assert!(report.changes.iter().all(|it| it.rule.id == "code-name-changed"));
        assert_agrees(pair);
    }
}

#[test]
fn every_report_says_one_thing() {
    for case in super::cases() {
        assert_consistent(&case.name, &case.report());
        assert_consistent(&case.name, &case.reversed().report());
    }
}

/// The protocol and the same with parts replaced, or taken away by `null`.
pub(crate) fn edited(name: &str, parts: &[(&str, Value)]) -> Pair {
    let mut after: Value = serde_json::from_str(BEFORE).unwrap();
    for (pointer, value) in parts {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = after.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}"));
        match parent {
            Value::Array(items) => items.insert(key.parse().unwrap(), value.clone()),
            Value::Object(members) if value.is_null() => {
                assert!(members.shift_remove(key).is_some(), "{pointer}");
            }
            Value::Object(members) => {
                members.insert(key.to_owned(), value.clone());
            }
            _ => panic!("{pointer}"),
        }
    }
    let text = |schema: String| Text { schema, overlay: None, methods: None };
    Pair::between(name, text(BEFORE.to_owned()), text(format!("{after:#}")))
}

impl Edit {
    fn pair(&self) -> Pair {
        edited(self.name, &self.parts)
    }
}
