//! Whole packages from small schemas.

use serde_json::{Value, json};

use super::Python;
use crate::backend::{Backend, DocsMode, Options, Runtime};
use crate::diagnostic::Diagnostics;
use crate::load::{Purpose, load};
use crate::output::FileSet;
use crate::schema::SchemaText;

fn generate(definitions: &Value) -> (FileSet, Diagnostics) {
    let text = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Test",
        "$defs": definitions,
    });
    let text = SchemaText {
        label: String::from("test"),
        text: text.to_string(),
        version: None,
        builtin: false,
    };
    let protocol = load(text, Purpose::Generate).protocol.unwrap();
    let options = Options::new("test", DocsMode::Full, Runtime::Tokio);
    let mut problems = Diagnostics::new();
    let files = Python.emit(&protocol, &options, &mut problems);
    (files, problems)
}

fn types(definitions: &Value) -> String {
    let (files, problems) = generate(definitions);
    assert!(problems.is_empty(), "{problems:?}");
    files.get("src/test/types.py").unwrap().to_owned()
}

fn position(text: &str, part: &str) -> usize {
    text.find(part).unwrap_or_else(|| panic!("{part} is missing in:\n{text}"))
}

fn record(field: &str, ty: &Value) -> Value {
    json!({ "type": "object", "properties": { field: ty }, "required": [field] })
}

fn tagged(tag: &str, value: &str, payload: &str) -> Value {
    json!({
        "type": "object",
        "properties": { tag: { "const": value } },
        "required": [tag],
        "allOf": [{ "$ref": format!("#/$defs/{payload}") }],
    })
}

#[test]
fn a_variant_is_named_for_union_and_tag_and_never_like_its_payload() {
    let types = types(&json!({
        "Text": record("text", &json!({ "type": "string" })),
        "BlockImage": record("data", &json!({ "type": "string" })),
        "Block": { "oneOf": [tagged("type", "text", "Text"), tagged("type", "image", "BlockImage")] },
    }));
    position(&types, "class BlockText(Text, Block, tag_field=\"type\", tag=\"text\"):");
    position(&types, "class ImageBlock(BlockImage, Block, tag_field=\"type\", tag=\"image\"):");
    position(&types, "    def text(text: str) -> BlockText:");
    position(&types, "    def image(data: str) -> ImageBlock:");
    position(&types, "    _Block = BlockText | ImageBlock\n");
}

#[test]
fn what_is_inherited_or_called_stands_above() {
    let types = types(&json!({
        "First": {
            "type": "object",
            "properties": { "last": { "allOf": [{ "$ref": "#/$defs/Last" }], "default": {} } },
        },
        "Union": { "oneOf": [tagged("t", "a", "Payload"), tagged("t", "b", "Payload")] },
        "Payload": record("x", &json!({ "$ref": "#/$defs/Ids" })),
        "Ids": { "type": "array", "items": { "$ref": "#/$defs/Id" } },
        "Id": { "type": "string" },
        "Last": { "type": "object", "properties": { "y": { "type": "string", "default": "" } } },
    }));
    assert!(position(&types, "Id: TypeAlias = str") < position(&types, "class "));
    assert!(position(&types, "class Last(") < position(&types, "class First("));
    assert!(position(&types, "class Union(") < position(&types, "class UnionA("));
    assert!(position(&types, "class Payload(") < position(&types, "class UnionA("));
    assert!(position(&types, "class UnionB(") < position(&types, "Ids: TypeAlias = list[Id]"));
    position(&types, "    last: Last = field(default_factory=Last)\n");
}

#[test]
fn a_single_tag_and_shapes_alike_are_left_to_generated_code() {
    let types = types(&json!({
        "A": record("a", &json!({ "type": "string" })),
        "B": record("b", &json!({ "type": "string" })),
        "One": { "oneOf": [tagged("t", "a", "A")] },
        "Either": { "anyOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/B" }] },
        "Scalar": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
        "Use": {
            "type": "object",
            "properties": {
                "one": { "$ref": "#/$defs/One" },
                "either": { "$ref": "#/$defs/Either" },
                "scalar": { "$ref": "#/$defs/Scalar" },
            },
        },
    }));
    position(&types, "    one: One | UnsetType = UNSET\n");
    position(&types, "    either: _Either | UnsetType = UNSET\n");
    position(&types, "    scalar: Scalar | UnsetType = UNSET\n");
    position(&types, "    _Either = mark(\"Either\")\n");
    position(&types, "Scalar: TypeAlias = str | Int64\n");
}

#[test]
fn absent_null_and_value_are_three_things() {
    let types = types(&json!({
        "R": {
            "type": "object",
            "properties": {
                "required": { "type": "string" },
                "nullable": { "type": ["string", "null"] },
                "optional": { "type": "string" },
                "both": { "type": ["string", "null"] },
                "filled": { "type": "string", "default": "x" },
                "list": { "type": "array", "items": { "type": "string" }, "default": ["x"] },
            },
            "required": ["required", "nullable"],
        },
    }));
    position(&types, "    required: str\n");
    position(&types, "    nullable: str | None\n");
    position(&types, "    optional: str | UnsetType = UNSET\n");
    position(&types, "    both: str | UnsetType | None = UNSET\n");
    position(&types, "    filled: str = \"x\"\n");
    position(
        &types,
        "    list_: list[str] = field(default_factory=lambda: [\"x\"], name=\"list\")\n",
    );
}

#[test]
fn a_name_that_msgspec_cannot_write_is_no_struct() {
    let types = types(&json!({ "R": record("a\"b", &json!({ "type": "string" })) }));
    position(&types, "class R(PlainObject):");
    position(&types, "    def __init__(self, *, a_b: str) -> None:");
}

#[test]
fn an_alias_made_of_itself_is_quoted() {
    let types = types(&json!({
        "Json": {
            "anyOf": [
                { "type": "string" },
                { "type": "array", "items": { "$ref": "#/$defs/Json" } },
            ],
        },
    }));
    position(&types, "if TYPE_CHECKING:\n    Json: TypeAlias = \"str | list[Json]\"\n");
    position(&types, "else:\n    Json = mark(\"Json\")\n");
}

#[test]
fn colliding_names_are_reported_with_both_places() {
    let (_, problems) = generate(&json!({
        "R": {
            "type": "object",
            "properties": { "a-b": { "type": "string" }, "a_b": { "type": "string" } },
        },
    }));
    let problem = problems.iter().next().unwrap();
    assert_eq!(problem.code, "name-collision");
    assert!(problem.message.contains("`a-b` and `a_b` are both `a_b`"), "{}", problem.message);
    assert_eq!(problem.related.len(), 1);
}

#[test]
fn unions_within_unions_are_taken_apart_only_so_far() {
    let mut definitions = serde_json::Map::new();
    for level in 0..12 {
        let payload = format!("U{}", level + 1);
        definitions.insert(
            format!("U{level}"),
            json!({ "oneOf": [tagged("t", "a", &payload), tagged("t", "b", &payload)] }),
        );
    }
    definitions.insert(String::from("U12"), record("x", &json!({ "type": "string" })));
    let (files, problems) = generate(&Value::Object(definitions));
    assert!(!problems.has_errors());
    assert!(problems.iter().all(|problem| problem.code == "python-raw-variant"));
    assert!(files.lines() < 5_000, "{}", files.lines());
}

#[test]
fn a_union_that_holds_itself_is_decoded_by_its_own_function() {
    let inner = json!({
        "type": "object",
        "properties": { "t": { "const": "a" } },
        "required": ["t"],
        "oneOf": [{ "$ref": "#/$defs/Outer" }, { "$ref": "#/$defs/End" }],
    });
    let (files, problems) = generate(&json!({
        "Outer": { "oneOf": [inner, tagged("t", "b", "End")] },
        "End": record("x", &json!({ "type": "string" })),
    }));
    assert!(!problems.has_errors(), "{problems:?}");
    let decoders = files.get("src/test/_decoders.py").unwrap();
    position(decoders, "Plain(_decode_outer), Plain(_decode_end)");
    position(decoders, "\"b\": Leaf(types.OuterB, _END)");
}

#[test]
fn an_inline_union_that_is_a_variant_of_itself_comes_to_an_end() {
    let again = json!({
        "type": "object",
        "properties": { "t": { "const": "a" } },
        "required": ["t"],
        "allOf": [{ "allOf": [{ "$ref": "#/$defs/Outer" }, { "type": ["object", "null"] }] }],
    });
    let (files, problems) = generate(&json!({
        "Outer": { "oneOf": [again, tagged("t", "b", "End")] },
        "End": record("x", &json!({ "type": "string" })),
    }));
    assert!(!problems.has_errors(), "{problems:?}");
    let decoders = files.get("src/test/_decoders.py").unwrap();
    position(decoders, "shaped(Union())");
}
