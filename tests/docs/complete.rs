//! Everything that the model of a protocol has, is shown, and can be linked to.

use std::collections::HashSet;

use acp_bindgen::backend::DocsMode;
use acp_bindgen::ir::{Docs, Protocol, Record, Selector, Type, TypeKind, Union};

use super::subject::{FORMATS, bundled, docs, protocol};
use super::wellformed::ids;

/// The ids that the page of a protocol without like names has, for all it consists of.
fn wanted(protocol: &Protocol) -> Vec<String> {
    let mut wanted = Vec::new();
    for method in &protocol.methods {
        let mut id = slug(&method.name.wire);
        if wanted.contains(&id) {
            // A request and a notification may have one name.
            id.push_str("-2");
        }
        match method.result() {
            Some(_) => wanted.extend([format!("{id}-request"), format!("{id}-response")]),
            None => wanted.push(format!("{id}-notification")),
        }
        wanted.push(id);
    }
    for (name, def) in &protocol.types {
        let id = slug(name);
        match &def.kind {
            TypeKind::Record(record) => wanted.extend(fields(record, &id)),
            TypeKind::Union(union) => wanted.extend(of_union(protocol, union, &id)),
            TypeKind::Enum(of) => {
                let names = of.values.iter().map(|value| &value.name);
                let names = names.chain(of.open.iter().map(|open| &open.name));
                wanted.extend(names.map(|name| format!("{id}-{}", slug(&name.wire))));
            }
            TypeKind::Tuple(tuple) => {
                wanted.extend((0..tuple.items.len()).map(|at| format!("{id}-{at}")));
            }
            TypeKind::Alias { .. } => {}
        }
        wanted.push(id);
    }
    wanted
}

fn fields(record: &Record, owner: &str) -> Vec<String> {
    record.fields.iter().map(|field| format!("{owner}-{}", slug(&field.name.wire))).collect()
}

/// Shared fields, variants, their tags and what they hold; the open variant, too.
fn of_union(protocol: &Protocol, union: &Union, owner: &str) -> Vec<String> {
    let shared = |union: &Union, owner: &str| -> Vec<String> {
        union.shared.iter().map(|field| format!("{owner}-{}", slug(&field.name.wire))).collect()
    };
    let mut wanted = shared(union, owner);
    let mut variant = |name: &str, has_tag: bool, payload: Option<&Type>| {
        let id = format!("{owner}-{}", slug(name));
        if let (Some(tag), true) = (union.tag(), has_tag) {
            wanted.push(format!("{id}-{}", slug(&tag.wire)));
        }
        if let Some(Type::Named { name }) = payload.map(|payload| protocol.resolve(payload)) {
            match &protocol.types[name].kind {
                TypeKind::Record(record) => wanted.extend(fields(record, &id)),
                TypeKind::Union(inner) => wanted.extend(shared(inner, &id)),
                _ => {}
            }
        }
        wanted.push(id);
    };
    for it in &union.variants {
        match &it.selector {
            Selector::Tag { value } => variant(value, true, it.payload.as_ref()),
            Selector::Untagged => variant(&it.name.wire, false, it.payload.as_ref()),
        }
    }
    if let Some(open) = &union.open {
        variant(&open.name.wire, true, open.payload.as_ref());
    }
    wanted
}

fn slug(wire: &str) -> String {
    let dashed: String = wire
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect();
    dashed.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[test]
fn every_method_type_field_variant_and_value_has_its_location() {
    for subject in bundled() {
        let wanted = wanted(&subject.protocol);
        let different: HashSet<&String> = wanted.iter().collect();
        assert_eq!(different.len(), wanted.len(), "no two of these names are alike");
        assert!(wanted.len() > 900, "{}: {}", subject.name, wanted.len());
        for format in FORMATS {
            let text = docs(&subject.protocol, format, DocsMode::Full);
            let ids: HashSet<String> = ids(&text).into_iter().collect();
            let missing: Vec<_> = wanted.iter().filter(|id| !ids.contains(*id)).collect();
            assert!(missing.is_empty(), "{} {format:?}: {missing:?}", subject.name);
        }
    }
}

/// Every paragraph that the model has of the schema is on the page: of sides, methods, their
/// payloads, types, fields, variants and values.
#[test]
fn no_paragraph_is_lost() {
    let subjects = bundled().into_iter();
    for subject in subjects.filter(|it| ["acp@v1", "acp@v2-unstable"].contains(&&*it.name)) {
        let protocol = &subject.protocol;
        let mut all: Vec<&Docs> = protocol.sides.iter().map(|side| &side.docs).collect();
        all.extend(protocol.methods.iter().map(|method| &method.docs));
        for def in protocol.types.values() {
            // An inline type has the description of where it stands.
            all.extend(Some(&def.docs).filter(|_| !def.inline));
            all.extend(def.kind.fields().iter().map(|field| &field.docs));
            match &def.kind {
                TypeKind::Union(union) => {
                    all.extend(union.variants.iter().map(|variant| &variant.docs));
                    all.extend(union.open.iter().map(|open| &open.docs));
                    all.extend(union.variants.iter().map(|variant| &variant.tag_docs));
                    all.extend(union.open.iter().map(|open| &open.tag_docs));
                }
                TypeKind::Enum(of) => all.extend(of.values.iter().map(|value| &value.docs)),
                TypeKind::Tuple(tuple) => all.extend(tuple.items.iter().map(|item| &item.docs)),
                TypeKind::Record(_) | TypeKind::Alias { .. } => {}
            }
        }
        let shown = all.iter().filter(|docs| !docs.hidden);
        let paragraphs = shown.filter_map(|docs| docs.description.as_deref());
        let paragraphs: HashSet<&str> =
            paragraphs.flat_map(|text| text.split("\n\n")).map(str::trim).collect();
        assert!(paragraphs.len() > 300, "{}: {}", subject.name, paragraphs.len());
        for format in FORMATS {
            let page = letters(&plain(&docs(protocol, format, DocsMode::Full)));
            let windows: HashSet<&[u8]> = page.as_bytes().windows(WINDOW).collect();
            let is_shown = |text: &&&str| {
                let text = letters(&plain(text));
                let mut parts = text.as_bytes().windows(WINDOW);
                let (first, last) = (parts.next(), parts.next_back());
                let mut ends = first.into_iter().chain(last);
                if first.is_none() {
                    page.contains(&text)
                } else {
                    ends.all(|it| windows.contains(it))
                }
            };
            let lost: Vec<&&str> = paragraphs.iter().filter(|text| !is_shown(text)).collect();
            assert!(lost.is_empty(), "{} {format:?}: {} {lost:#?}", subject.name, lost.len());
        }
    }
}

/// The letters by whose first and last run a paragraph is found.
const WINDOW: usize = 24;

/// A text without tags, targets of links and numbers of list items, with the characters that
/// numeric entities stand for.
fn plain(text: &str) -> String {
    let unnumbered = |line: &str| {
        let item = line.trim_start().split_once(". ");
        let item = item.filter(|(number, _)| number.bytes().all(|it| it.is_ascii_digit()));
        item.map_or(line, |(_, text)| text).to_owned()
    };
    let text = text.lines().map(unnumbered).collect::<Vec<_>>().join("\n");
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['<', ']', '&']) {
        plain.push_str(&rest[..at]);
        let after = &rest[at..];
        let end = match after.as_bytes() {
            [b'<', ..] => Some('>'),
            [b'&', ..] => Some(';'),
            [_, b'(', ..] => Some(')'),
            _ => None,
        };
        let code = after.strip_prefix("&#").and_then(|code| code.split(';').next()?.parse().ok());
        plain.extend(code.and_then(char::from_u32));
        let end = end.map_or(Some(0), |end| after.find(end));
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    plain + rest
}

fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[test]
fn what_is_not_for_docs_is_left_out() {
    let protocol = protocol(&serde_json::json!({
        "Shown": {
            "type": "object",
            "properties": {
                "open": { "$ref": "#/$defs/Secret" },
                "quiet": { "type": "string", "x-docs-ignore": true }
            },
            "required": ["open"]
        },
        "Secret": { "type": "object", "description": "Whispered.", "x-docs-ignore": true },
        "HushRequest": {
            "type": "object", "x-method": "hush", "x-side": "server", "x-docs-ignore": true
        },
        "HushResponse": {
            "type": "object", "x-method": "hush", "x-side": "server", "x-docs-ignore": true
        }
    }));
    for format in FORMATS {
        let text = docs(&protocol, format, DocsMode::Full);
        let ids = ids(&text);
        assert!(ids.contains(&"shown-open".to_owned()));
        for hidden in ["secret", "shown-quiet", "hush", "hushrequest"] {
            assert!(!ids.contains(&hidden.to_owned()), "{format:?} {hidden}");
        }
        assert!(!text.contains("Whispered"));
        assert!(text.contains("Secret"), "the name of a field's type is no secret");
    }
}

#[test]
fn docs_off_leaves_the_prose_out() {
    for subject in bundled() {
        for format in FORMATS {
            let text = docs(&subject.protocol, format, DocsMode::Off);
            assert!(!text.contains("https://agentclientprotocol.com"), "{format:?}");
            for def in subject.protocol.types.values() {
                let line = def.docs.description.as_deref().and_then(|text| text.lines().next());
                let words = line.unwrap_or_default().split('`').next().unwrap_or_default();
                assert!(words.len() < 30 || !text.contains(words), "{format:?}: {words}");
            }
        }
    }
}

/// A payload that many variants share is not written out for each without end.
#[test]
fn docs_grow_with_the_schema_and_no_faster() {
    let size = |count: usize| {
        let fields: serde_json::Map<String, serde_json::Value> = (0..count)
            .map(|index| (format!("f{index}"), serde_json::json!({ "type": "string" })))
            .collect();
        let variants: Vec<serde_json::Value> = (0..count)
            .map(|index| {
                serde_json::json!({
                    "type": "object",
                    "properties": { "t": { "const": format!("v{index}") } },
                    "required": ["t"],
                    "allOf": [{ "$ref": "#/$defs/Wide" }]
                })
            })
            .collect();
        let protocol = protocol(&serde_json::json!({
            "Wide": { "type": "object", "properties": fields },
            "Many": { "oneOf": variants }
        }));
        FORMATS.map(|format| docs(&protocol, format, DocsMode::Full).len())
    };
    let (small, large) = (size(100), size(400));
    for (small, large) in small.iter().zip(large) {
        assert!(large < small * 5, "{small} {large}");
    }
}
