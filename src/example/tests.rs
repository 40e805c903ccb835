use serde_json::{Value, json};

use super::{Examples, scalar};
use crate::ir::{Name, Protocol, StringType, TypeKind};
use crate::load::{Purpose, load};
use crate::schema::SchemaText;

fn protocol(definitions: &Value) -> Protocol {
    let schema = json!({ "title": "T", "$defs": definitions });
    let loaded = load(SchemaText::from_value("s.json", &schema), Purpose::Generate);
    loaded.protocol.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn pattern(pattern: &str, least: Option<u64>, most: Option<u64>) -> String {
    let ty = StringType {
        pattern: Some(pattern.into()),
        min_length: least,
        max_length: most,
        ..StringType::default()
    };
    scalar::string(&ty, &Name::new("name"))
}

#[test]
fn strings_match_their_pattern() {
    assert_eq!(pattern("^[a-z]{3}-\\d+$", None, None), "aaa-0");
    assert_eq!(pattern("^[a-z]{3}-\\d+$", Some(8), None), "aaa-0000");
    assert_eq!(pattern("^(x|y)\\.(json|toml)$", None, None), "x.json");
    assert_eq!(pattern("^\\p{Greek}$", None, None), "\u{370}");
    assert_eq!(pattern("(((^){99}){99}){99}$", Some(1), None), "name", "nor has one so deep");
    assert_eq!(pattern("^é[α-ω]$", None, None), "éα");
    assert_eq!(pattern("^(?=a)", None, None), "name", "look-around has no simple answer");
    assert_eq!(pattern("((a{9}){9}){9}", None, Some(4)), "name", "nor has one so long");
}

#[test]
fn strings_keep_their_lengths() {
    let of = |least, most| {
        let ty = StringType { min_length: least, max_length: most, ..StringType::default() };
        scalar::string(&ty, &Name::new("roomName"))
    };
    assert_eq!(of(None, None), "room name");
    assert_eq!(of(Some(12), None), "room name room name");
    assert_eq!(of(Some(12), Some(12)), "room name ro");
    assert_eq!(of(None, Some(4)), "room");
    assert_eq!(of(None, Some(0)), "");
}

#[test]
fn recursion_ends() {
    let protocol = protocol(&json!({
        "Tree": {
            "type": "object",
            "properties": { "left": { "$ref": "#/$defs/Branch" }, "more": { "$ref": "#/$defs/Tree" } },
            "required": ["left"]
        },
        "Branch": {
            "oneOf": [
                {
                    "type": "object",
                    "properties": { "kind": { "const": "tree" }, "tree": { "$ref": "#/$defs/Tree" } },
                    "required": ["kind", "tree"]
                },
                {
                    "type": "object",
                    "properties": { "kind": { "const": "leaf" } },
                    "required": ["kind"]
                }
            ]
        }
    }));
    let examples = Examples::new(&protocol);
    assert_eq!(examples.least("Tree"), Some(json!({ "left": { "kind": "leaf" } })));
    let told = examples.named("Tree").unwrap();
    assert_eq!(told["left"]["kind"], "tree");
    assert_eq!(told["more"]["left"]["tree"]["left"]["kind"], "leaf");
    let TypeKind::Union(union) = &protocol.types["Branch"].kind else { panic!("a union") };
    assert_eq!(examples.variant(union, 1), Some(json!({ "kind": "leaf" })));
    assert_eq!(examples.variant(union, 2), None);
}

#[test]
fn what_cannot_be_small_has_no_example() {
    let mut definitions = json!({ "T0": { "type": "object" } });
    for index in 1..20 {
        let part = json!({ "$ref": format!("#/$defs/T{}", index - 1) });
        definitions[format!("T{index}")] = json!({
            "type": "object",
            "properties": { "a": part, "b": part, "c": part },
            "required": ["a", "b", "c"]
        });
    }
    let protocol = protocol(&definitions);
    let examples = Examples::new(&protocol);
    assert!(examples.named("T4").is_some());
    assert_eq!(examples.named("T19"), None);
}
