//! Examples are valid: the schema itself says so.

use acp_bindgen::example::Examples;
use acp_bindgen::ir::{Method, StringType, Type, TypeKind};
use serde_json::{Value, json};

use super::judge::Judge;
use super::subject::{Subject, bundled, cases, protocol};
use crate::support;

/// Complains about every invalid or missing example, and says how many there are.
fn judge_all(subject: &Subject, complaints: &mut Vec<String>) -> usize {
    let judge = Judge::new(&subject.schema);
    let protocol = &subject.protocol;
    let examples = Examples::new(protocol);
    let mut count = 0;
    let mut check = |name: &str, what: &str, example: Option<Value>| {
        count += 1;
        let verdict = match example {
            Some(example) => {
                judge.check(name, &example).map_err(|error| format!("{error}\n{example}"))
            }
            None => Err("there is none".to_owned()),
        };
        if let Err(error) = verdict {
            complaints.push(format!("{} {name} {what}: {error}", subject.name));
        }
    };
    for (name, def) in protocol.types.iter().filter(|(_, def)| !def.inline) {
        check(name, "named", examples.named(name));
        check(name, "least", examples.least(name));
        if let TypeKind::Union(union) = &def.kind {
            for index in 0..union.variants.len() {
                check(name, "variant", examples.variant(name, index));
            }
            if union.open.is_some() && union.tag().is_some() {
                check(name, "unknown", examples.unknown(name));
            }
        }
    }
    for method in &protocol.methods {
        for (ty, message, member) in payloads(method, &examples) {
            let message = message.unwrap_or_else(|| panic!("{} has no example", method.name.wire));
            assert_eq!(message["jsonrpc"], "2.0");
            let payload = message.get(member).cloned().unwrap_or(Value::Null);
            if let Type::Named { name } = ty
                && judge.knows(name)
            {
                check(name, &method.name.wire, Some(payload));
            }
        }
    }
    count
}

fn payloads<'a>(
    method: &'a Method,
    examples: &Examples<'_>,
) -> Vec<(&'a Type, Option<Value>, &'static str)> {
    let call = (method.params(), examples.call(method), "params");
    let answer = method.result().map(|result| (result, examples.answer(method), "result"));
    std::iter::once(call).chain(answer).collect()
}

#[test]
fn examples_of_the_bundled_schemas_are_valid() {
    let mut complaints = Vec::new();
    let counts: Vec<usize> =
        bundled().iter().map(|subject| judge_all(subject, &mut complaints)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(counts.iter().all(|count| *count > 400), "{counts:?}");
}

#[test]
fn whole_messages_are_valid() {
    for Subject { name, schema, protocol } in bundled() {
        let schema: Value = serde_json::from_str(&schema).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let examples = Examples::new(&protocol);
        for method in &protocol.methods {
            let messages = [examples.call(method), examples.answer(method)];
            for message in messages.into_iter().flatten() {
                assert!(validator.is_valid(&message), "{name}: {message}");
            }
        }
        assert!(!validator.is_valid(&json!({ "jsonrpc": "1.0" })));
    }
}

#[test]
fn examples_of_the_cases_are_valid() {
    let mut complaints = Vec::new();
    // The names of the one are no references that a validator could follow; of the other, the
    // tool says itself that it does not know all constraints.
    let left_out = ["hostile-names", "unmodelled"];
    let path = support::root().join("tests/wire/shapes.schema.json");
    // The tool says itself that it does not know these constraints.
    let schema = std::fs::read_to_string(path).unwrap();
    let schema = schema.replace(r#""minProperties": 1, "#, "");
    let protocol = support::lowered("shapes.schema.json", &schema).protocol.unwrap();
    let shapes = Subject { name: "shapes".into(), schema, protocol };
    let subjects = cases().into_iter().chain([shapes]);
    for subject in subjects.filter(|subject| !left_out.contains(&subject.name.as_str())) {
        judge_all(&subject, &mut complaints);
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The validator knows these formats, if it is asked to look at them.
#[test]
fn strings_are_of_their_format_and_pattern() {
    let formats = [
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "iri",
        "uri-reference",
        "iri-reference",
        "uri-template",
        "uuid",
        "json-pointer",
        "relative-json-pointer",
        "regex",
    ];
    let of_format = formats.map(|format| json!({ "type": "string", "format": format }));
    let patterns = [
        r"^[a-z]+(-[a-z]+)*$",
        r"^v?\d+\.\d+(\.\d+)?$",
        r"^[^\s/]+/[^\s/]+$",
        r"^#[0-9A-Fa-f]{6}$",
        r"^(GET|POST) /",
        r"^\w{3,8}\W$",
        r"\.json$",
        r"^(?:a|b)?c{2}[xyz]*$",
        r"^\p{Lu}\p{Ll}+$",
    ];
    let of_pattern = patterns.map(|pattern| json!({ "type": "string", "pattern": pattern }));
    let long = json!({ "type": "string", "pattern": "^[a-z]+$", "minLength": 12, "maxLength": 14 });
    let encoded = json!({ "type": "string", "contentEncoding": "base64", "minLength": 4 });
    let schemas = of_format.into_iter().chain(of_pattern).chain([long, encoded]);
    let definitions: serde_json::Map<String, Value> =
        schemas.enumerate().map(|(index, schema)| (format!("S{index}"), schema)).collect();
    let protocol = protocol(&definitions.clone().into());
    let examples = Examples::new(&protocol);
    for (name, schema) in &definitions {
        let options = jsonschema::options().should_validate_formats(true);
        let validator = options.build(schema).unwrap();
        let example = examples.named(name).unwrap();
        assert!(validator.is_valid(&example), "{schema}: {example}");
    }
}

/// The example of a string type, in which its own name is "value".
fn text(string: StringType) -> String {
    let protocol = protocol(&json!({ "A": {} }));
    let example = Examples::new(&protocol).example(&Type::String(string)).unwrap();
    example.as_str().unwrap().to_owned()
}

fn pattern(pattern: &str, least: Option<u64>, most: Option<u64>) -> String {
    let pattern = Some(pattern.to_owned());
    text(StringType { pattern, min_length: least, max_length: most, ..StringType::default() })
}

#[test]
fn strings_match_their_pattern() {
    assert_eq!(pattern("^[a-z]{3}-\\d+$", None, None), "aaa-0");
    assert_eq!(pattern("^[a-z]{3}-\\d+$", Some(8), None), "aaa-0000");
    assert_eq!(pattern("^(x|y)\\.(json|toml)$", None, None), "x.json");
    assert_eq!(pattern("^\\p{Greek}$", None, None), "\u{370}");
    assert_eq!(pattern("(((^){99}){99}){99}$", Some(1), None), "value", "nor has one so deep");
    assert_eq!(pattern("^é[α-ω]$", None, None), "éα");
    assert_eq!(pattern("^(?=a)", None, None), "value", "look-around has no simple answer");
    assert_eq!(pattern("((a{9}){9}){9}", None, Some(4)), "valu", "nor has one so long");
}

#[test]
fn strings_keep_their_lengths() {
    let of = |least, most| {
        text(StringType { min_length: least, max_length: most, ..StringType::default() })
    };
    assert_eq!(of(None, None), "value");
    assert_eq!(of(Some(9), None), "value value");
    assert_eq!(of(Some(9), Some(9)), "value val");
    assert_eq!(of(None, Some(4)), "valu");
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
    assert_eq!(examples.variant("Branch", 1), Some(json!({ "kind": "leaf" })));
    assert_eq!(examples.variant("Branch", 2), None);
}

/// The map has the tag among its values, and that is no object: the schema fits no `Form`. Decoders
/// do not look at that, as a warning says, and the example is what they take.
#[test]
fn what_decoders_take_has_an_example() {
    let protocol = protocol(&json!({
        "Form": {
            "type": "object",
            "properties": { "mode": { "const": "form" } },
            "required": ["mode"],
            "anyOf": [{ "additionalProperties": { "$ref": "#/$defs/Scope" } }]
        },
        "Scope": { "type": "object", "properties": { "id": { "type": "string" } } }
    }));
    let examples = Examples::new(&protocol);
    assert_eq!(examples.named("Form"), Some(json!({ "mode": "form" })));
    assert_eq!(examples.least("Form"), Some(json!({ "mode": "form" })));
    assert_eq!(examples.named("Scope"), Some(json!({ "id": "id" })));
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
