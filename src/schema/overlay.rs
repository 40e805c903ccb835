//! JSON Merge Patch (RFC 7396) over nodes with spans.

use indexmap::IndexMap;

use super::annotations::is_annotation;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::source::{Json, Member, Node, Sources, push_segment};

/// The keywords of definitions, now and in older drafts.
const DEFINITION_KEYWORDS: [&str; 2] = ["$defs", "definitions"];

/// Applies a patch to a schema.
///
/// A definition that the patch only annotates and the schema does not have is left out, since it
/// would otherwise become a type that accepts anything; unless the patch is `builtin` (one patch
/// for many releases of a schema), a warning says so.
pub(super) fn apply(
    root: &mut Node,
    mut patch: Node,
    builtin: bool,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) {
    for keyword in DEFINITION_KEYWORDS {
        let definitions = root.get(keyword).and_then(Node::as_object);
        let known: Vec<String> =
            definitions.into_iter().flat_map(|all| all.keys().cloned()).collect();
        let Json::Object(members) = &mut patch.json else { continue };
        let Some(Member { value: Node { json: Json::Object(patches), .. }, .. }) =
            members.get_mut(keyword)
        else {
            continue;
        };
        patches.retain(|name, member| {
            if known.contains(name) || !only_annotates(&member.value) {
                return true;
            }
            if !builtin {
                let mut pointer = format!("/{keyword}");
                push_segment(&mut pointer, name);
                diagnostics.push(unused(name, &known).at(sources.location(pointer, member.key)));
            }
            false
        });
    }
    merge(root, patch);
}

fn unused(name: &str, known: &[String]) -> Diagnostic {
    Diagnostic::warning(
        "overlay-target-missing",
        format!("the overlay annotates `{name}`, which the schema does not define"),
    )
    .near(
        nearest(name, known.iter().map(String::as_str)),
        "remove it from the overlay, or define the type there in full",
    )
}

/// Tells whether every keyword, at any depth of properties, is an annotation.
fn only_annotates(patch: &Node) -> bool {
    patch.as_object().is_some_and(|members| {
        members.iter().all(|(key, member)| {
            is_annotation(key)
                || (key == "properties"
                    && member.value.as_object().is_some_and(|properties| {
                        properties.values().all(|property| only_annotates(&property.value))
                    }))
        })
    })
}

fn merge(target: &mut Node, patch: Node) {
    let Json::Object(patches) = patch.json else {
        *target = patch;
        return;
    };
    if !matches!(target.json, Json::Object(_)) {
        *target = Node { span: patch.span, json: Json::Object(IndexMap::new()) };
    }
    let Json::Object(members) = &mut target.json else { return };
    for (key, patch) in patches {
        if patch.value.json == Json::Null {
            members.shift_remove(&key);
        } else if let Some(member) = members.get_mut(&key) {
            merge(&mut member.value, patch.value);
        } else {
            let mut member =
                Member { key: patch.key, value: Node { span: patch.value.span, json: Json::Null } };
            merge(&mut member.value, patch.value);
            members.insert(key, member);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::parse;
    use crate::source::SourceText;

    fn merged(target: &str, patch: &str) -> (serde_json::Value, Vec<&'static str>) {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let mut read = |text: &str| {
            let source = sources.add(SourceText::new("t", text));
            parse(&sources, source, &mut Diagnostics::new()).unwrap()
        };
        let (mut target, patch) = (read(target), read(patch));
        apply(&mut target, patch, false, &sources, &mut diagnostics);
        (target.to_value(), diagnostics.iter().map(|d| d.code).collect())
    }

    #[test]
    fn patches_as_in_rfc_7396_appendix_a() {
        for (target, patch, result) in [
            (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
            (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
            (r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"),
            (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
            (r#"{"a":{"b":"c"}}"#, r#"{"a":{"b":"d","c":null}}"#, r#"{"a":{"b":"d"}}"#),
            (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
            ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
        ] {
            let expected: serde_json::Value = serde_json::from_str(result).unwrap();
            assert_eq!(merged(target, patch), (expected, vec![]), "{target} {patch}");
        }
    }

    #[test]
    fn annotating_what_is_not_there_warns_and_defines_nothing() {
        let (value, codes) = merged(
            r#"{"$defs":{"Aa":{}}}"#,
            r#"{"$defs":{"Ab":{"x-optional":true},"C":{"type":"string"}}}"#,
        );
        assert_eq!(value, serde_json::json!({"$defs": {"Aa": {}, "C": {"type": "string"}}}));
        assert_eq!(codes, ["overlay-target-missing"]);
    }
}
