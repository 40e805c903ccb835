//! Where schemas stand within a schema.

use crate::schema::dialect::DEFINITIONS;
use crate::source::{Json, Node, push_segment};

/// Keywords whose value is a schema.
const SINGLE: [&str; 13] = [
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "propertyNames",
    "contains",
    "contentSchema",
    "not",
    "if",
    "then",
    "else",
    "extends",
];

/// Keywords whose value is a list of schemas.
const LISTS: [&str; 5] = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];

/// Keywords whose value holds schemas by name.
pub(in crate::schema) const NAMED: [&str; 4] =
    ["properties", "patternProperties", "dependentSchemas", "dependencies"];

/// Further keywords whose value may be an object.
const OBJECTS: [&str; 7] = [
    "const",
    "default",
    "dependentRequired",
    "discriminator",
    "xml",
    "externalDocs",
    "$vocabulary",
];

/// Calls `visit` for each schema directly within a schema, with the segments that lead to it.
pub(in crate::schema) fn each_subschema<'n>(
    node: &'n Node,
    visit: &mut dyn FnMut(&[&str], &'n Node),
) {
    for (keyword, member) in node.as_object().into_iter().flatten() {
        let keyword = keyword.as_str();
        match &member.value.json {
            Json::Object(schemas) if NAMED.contains(&keyword) || DEFINITIONS.contains(&keyword) => {
                for (name, schema) in schemas {
                    visit(&[keyword, name], &schema.value);
                }
            }
            Json::Array(schemas) if LISTS.contains(&keyword) => {
                for (index, schema) in schemas.iter().enumerate() {
                    visit(&[keyword, &index.to_string()], schema);
                }
            }
            Json::Object(_) | Json::Bool(_) if SINGLE.contains(&keyword) => {
                visit(&[keyword], &member.value);
            }
            _ => {}
        }
    }
}

/// Tells whether the value of a keyword is a schema or a list of schemas.
pub(in crate::schema) fn is_nested(keyword: &str) -> bool {
    SINGLE.contains(&keyword) || LISTS.contains(&keyword)
}

/// Appends what leads to a schema within another to the pointer of that one.
pub(super) fn push_segments(pointer: &mut String, way: &[&str]) {
    for segment in way {
        push_segment(pointer, segment);
    }
}

/// Tells whether what stands among definitions is no schema, but holds definitions by name.
pub(super) fn is_namespace(node: &Node) -> bool {
    let takes_object = |keyword: &str| {
        SINGLE.contains(&keyword)
            || NAMED.contains(&keyword)
            || DEFINITIONS.contains(&keyword)
            || OBJECTS.contains(&keyword)
            || keyword.starts_with("x-")
    };
    node.as_object().is_some_and(|members| {
        !members.is_empty()
            && members.iter().all(|(keyword, member)| {
                member.value.as_object().is_some() && !takes_object(keyword)
            })
    })
}

/// Tells whether a schema at the end of these segments describes values where it stands. One among
/// definitions does not.
pub(super) fn is_applied(segments: &[String]) -> bool {
    match segments {
        [.., keyword, _] if NAMED.contains(&keyword.as_str()) => true,
        [.., keyword, index] if LISTS.contains(&keyword.as_str()) && is_index(index) => true,
        [.., parent, keyword] => {
            SINGLE.contains(&keyword.as_str()) && !DEFINITIONS.contains(&parent.as_str())
        }
        [keyword] => SINGLE.contains(&keyword.as_str()),
        [] => false,
    }
}

/// The words of the name that a schema at the end of these segments has.
pub(super) fn words(segments: &[String]) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = segments.iter().map(String::as_str).peekable();
    while let Some(segment) = rest.next() {
        let next_is_index = rest.peek().is_some_and(|next| is_index(next));
        let holds_named = NAMED.contains(&segment) || DEFINITIONS.contains(&segment);
        if holds_named || LISTS.contains(&segment) && next_is_index {
            words.extend(rest.next());
            continue;
        }
        words.push(match segment {
            "items" => "item",
            "additionalProperties" | "unevaluatedProperties" => "value",
            other => other,
        });
    }
    words
}

fn is_index(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|it| it.is_ascii_digit())
}
