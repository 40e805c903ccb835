//! JSON Merge Patch (RFC 7396) over nodes with spans.

use indexmap::IndexMap;

use super::annotations::is_annotation;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::source::{Json, Member, Node, Sources, Span, push_segment};

/// The keywords of definitions, now and in older drafts.
const DEFINITION_KEYWORDS: [&str; 2] = ["$defs", "definitions"];

/// Applies a patch to a schema.
///
/// A definition or property that the patch only annotates and the schema does not have is left out,
/// since it would otherwise become one that accepts anything; unless the patch is `builtin` (one
/// patch for many releases of a schema), a warning says so.
pub(super) fn apply(
    root: &mut Node,
    mut patch: Node,
    builtin: bool,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) {
    for keyword in DEFINITION_KEYWORDS {
        let definitions = root.get(keyword).and_then(Node::as_object);
        let known: Vec<&str> =
            definitions.into_iter().flat_map(|all| all.keys().map(String::as_str)).collect();
        let Json::Object(members) = &mut patch.json else { continue };
        let Some(Member { value: Node { json: Json::Object(patches), .. }, .. }) =
            members.get_mut(keyword)
        else {
            continue;
        };
        patches.retain(|name, member| {
            let mut pointer = format!("/{keyword}");
            push_segment(&mut pointer, name);
            let mut unused = |names: &[&str], known: &[&str], pointer: String, key: Span| {
                if !builtin {
                    let location = sources.location(pointer, key);
                    diagnostics.push(missing(names, known).at(location));
                }
            };
            if let Some(definition) = definitions.and_then(|all| all.get(name)) {
                let names = &mut vec![name.as_str()];
                keep_known(&definition.value, &mut member.value, names, &pointer, &mut unused);
                return true;
            }
            if only_annotates(&member.value) {
                unused(&[name], &known, pointer, member.key);
                return false;
            }
            true
        });
    }
    merge(root, patch);
}

/// Leaves out of a patch the properties that it only annotates and the type does not have.
///
/// Tells of each: its name after those that it stands in, its neighbours, and its place. A type that
/// takes properties from others may have any.
fn keep_known<'a>(
    target: &'a Node,
    patch: &mut Node,
    names: &mut Vec<&'a str>,
    pointer: &str,
    unused: &mut impl FnMut(&[&str], &[&str], String, Span),
) {
    const OTHERS: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];
    let Some(known) = target.get("properties").and_then(Node::as_object) else { return };
    let Json::Object(members) = &mut patch.json else { return };
    let Some(Member { value: Node { json: Json::Object(patches), .. }, .. }) =
        members.get_mut("properties")
    else {
        return;
    };
    let is_whole = OTHERS.iter().all(|keyword| target.get(keyword).is_none());
    patches.retain(|name, member| {
        let mut pointer = format!("{pointer}/properties");
        push_segment(&mut pointer, name);
        if let Some((name, property)) = known.get_key_value(name) {
            names.push(name);
            keep_known(&property.value, &mut member.value, names, &pointer, unused);
            names.pop();
            return true;
        }
        let is_empty = member.value.as_object().is_some_and(IndexMap::is_empty);
        if !is_whole || is_empty || !only_annotates(&member.value) {
            return true;
        }
        let beside: Vec<&str> = known.keys().map(String::as_str).collect();
        unused(&[names.as_slice(), &[name]].concat(), &beside, pointer, member.key);
        false
    });
}

/// Warns of a name in an overlay that the schema does not have. `names`: the way to it. `known`:
/// the names that stand there.
fn missing(names: &[&str], known: &[&str]) -> Diagnostic {
    let name = names.last().copied().unwrap_or_default();
    let what = if names.len() == 1 { "type" } else { "property" };
    Diagnostic::warning(
        "overlay-target-missing",
        format!("the overlay annotates `{}`, which the schema does not define", names.join(".")),
    )
    .near(
        nearest(name, known.iter().copied()),
        format!("remove it from the overlay, or define the {what} there in full"),
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

    #[test]
    fn a_property_that_is_not_there_is_not_made_by_an_annotation() {
        let patch = r#"{"$defs":{"A":{"properties":{
            "b": {"x-name": "c", "properties": {"d": {"x-name": "e"}}},
            "f": {"type": "string", "x-name": "g"},
            "h": {}
        }}}}"#;
        let (value, codes) =
            merged(r#"{"$defs":{"A":{"properties":{"b":{"properties":{}}}}}}"#, patch);
        let b = serde_json::json!({"properties": {}, "x-name": "c"});
        let f = serde_json::json!({"type": "string", "x-name": "g"});
        let expected =
            serde_json::json!({"$defs": {"A": {"properties": {"b": b, "f": f, "h": {}}}}});
        assert_eq!(value, expected);
        assert_eq!(codes, ["overlay-target-missing"]);
        // It may come from elsewhere.
        let (value, codes) =
            merged(r##"{"$defs":{"A":{"properties":{},"allOf":[{"$ref":"#/$defs/B"}]}}}"##, patch);
        assert!(value["$defs"]["A"]["properties"]["b"].is_object());
        assert!(codes.is_empty());
    }
}
