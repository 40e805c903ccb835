//! Unions that are variants of themselves: no value of some variants can be, but the generator
//! comes to an end.

use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use serde_json::{Value, json};

use crate::support;

#[test]
fn a_union_that_holds_itself_is_decoded_by_its_own_function() {
    let inner = tagged_a("oneOf", &json!([{ "$ref": "#/$defs/Outer" }, { "$ref": "#/$defs/End" }]));
    let decoders = decoders(&inner);
    assert!(decoders.contains("Plain(_decode_outer), Plain(_decode_end)"), "{decoders}");
    assert!(decoders.contains("\"b\": Leaf(types.OuterB, _END)"), "{decoders}");
}

#[test]
fn an_inline_union_that_is_a_variant_of_itself_comes_to_an_end() {
    let again = json!([{ "$ref": "#/$defs/Outer" }, { "type": ["object", "null"] }]);
    let decoders = decoders(&tagged_a("allOf", &json!([{ "allOf": again }])));
    assert!(decoders.contains("shaped(Union())"), "{decoders}");
}

fn tagged_a(keyword: &str, payload: &Value) -> Value {
    json!({
        "type": "object",
        "properties": { "t": { "const": "a" } },
        "required": ["t"],
        keyword: payload,
    })
}

/// The decoders of a union with this variant and another one.
fn decoders(variant: &Value) -> String {
    let mut other = tagged_a("allOf", &json!([{ "$ref": "#/$defs/End" }]));
    other["properties"]["t"]["const"] = json!("b");
    let schema = json!({
        "title": "Test",
        "$defs": {
            "Outer": { "oneOf": [variant, other] },
            "End": { "type": "object", "properties": { "x": { "type": "string" } }, "required": ["x"] },
        },
    });
    let mut lowered = support::lowered("schema.json", &schema.to_string());
    let options = Options::new("test", DocsMode::Full, Runtime::Tokio);
    let protocol = lowered.protocol.unwrap();
    let files = Python.emit(&protocol, &options, &mut lowered.diagnostics);
    assert!(!lowered.diagnostics.has_errors());
    files.get("src/test/_decoders.py").unwrap().to_owned()
}
