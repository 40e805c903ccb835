//! Edits of schemas that no author makes.

use serde_json::{Map, Value, json};

use super::bases::Bases;
use super::odd;
use crate::support::Random;

/// Makes some edits.
pub(crate) fn edit(schema: &mut Value, bases: &Bases, random: &mut Random) {
    for _ in 0..=random.below(5) {
        // Not every edit finds something to change.
        for _ in 0..20 {
            if edit_once(schema, bases, random) {
                break;
            }
        }
    }
}

/// Makes one edit. False if there is nothing to be edited in this way.
fn edit_once(schema: &mut Value, bases: &Bases, random: &mut Random) -> bool {
    let kind = random.below(18);
    if kind == 0 {
        return rename_definition(schema, random);
    }
    let reference = reference(schema, random);
    let Some(node) = anywhere(schema, random) else { return false };
    match kind {
        1 | 2 => *node = random.pick(&bases.pieces).clone(),
        3 => *node = odd::value(random),
        4 => wrap(node, random),
        5 => nest(node, random),
        6 => *node = json!({ "$ref": reference }),
        7 => match node {
            Value::String(text) => *text = odd::string(random),
            Value::Number(_) => *node = odd::number(random),
            Value::Bool(it) => *it = !*it,
            _ => return false,
        },
        8 => {
            let Value::Array(items) = node else { return false };
            edit_items(items, bases, random);
        }
        _ => {
            let Value::Object(members) = node else { return false };
            return edit_members(members, kind, &reference, bases, random);
        }
    }
    true
}

fn edit_members(
    members: &mut Map<String, Value>,
    kind: usize,
    reference: &str,
    bases: &Bases,
    random: &mut Random,
) -> bool {
    let keys: Vec<String> = members.keys().cloned().collect();
    let key = if keys.is_empty() { String::new() } else { random.pick(&keys).clone() };
    match kind {
        9 => {
            members.shift_remove(&key);
        }
        10 => {
            // One member twice, under another name.
            let Some(member) = members.get(&key).cloned() else { return false };
            members.insert(odd::string(random), member);
        }
        11 => {
            let Some(member) = members.shift_remove(&key) else { return false };
            members.insert(odd::string(random), member);
        }
        12 => {
            // A keyword for another.
            let Some(member) = members.shift_remove(&key) else { return false };
            members.insert(random.pick(&bases.keywords).clone(), member);
        }
        13 => {
            // Two members change places.
            let other = if keys.is_empty() { return false } else { random.pick(&keys).clone() };
            let (one, two) = (members.get(&key).cloned(), members.get(&other).cloned());
            let (Some(one), Some(two)) = (one, two) else { return false };
            members.insert(key, two);
            members.insert(other, one);
        }
        14 => {
            let types =
                ["string", "integer", "number", "boolean", "null", "array", "object", "any"];
            let one = json!(*random.pick(&types));
            let several = json!([one, *random.pick(&types), *random.pick(&types)]);
            members.insert("type".to_owned(), if random.once_in(3) { several } else { one });
        }
        15 => {
            members.insert("$ref".to_owned(), json!(reference));
        }
        16 => {
            members.insert(random.pick(&bases.keywords).clone(), odd::value(random));
        }
        _ => {
            // A keyword with a value that it has somewhere.
            let (keyword, value) = random.pick(&bases.members).clone();
            members.insert(keyword, value);
        }
    }
    true
}

fn edit_items(items: &mut Vec<Value>, bases: &Bases, random: &mut Random) {
    let (one, other) = (random.below(items.len()), random.below(items.len()));
    match random.below(4) {
        0 if !items.is_empty() => drop(items.remove(one)),
        1 if !items.is_empty() => items.push(items[one].clone()),
        2 if !items.is_empty() => items.swap(one, other),
        _ => items.push(random.pick(&bases.pieces).clone()),
    }
}

/// A value anywhere in a document.
fn anywhere<'v>(value: &'v mut Value, random: &mut Random) -> Option<&'v mut Value> {
    let mut pointers = Vec::new();
    pointers_of(value, &mut String::new(), &mut pointers);
    let pointer = random.pick(&pointers).clone();
    value.pointer_mut(&pointer)
}

fn pointers_of(value: &Value, at: &mut String, found: &mut Vec<String>) {
    found.push(at.clone());
    let length = at.len();
    let mut inner = |segment: &str, value: &Value| {
        at.push('/');
        at.push_str(&segment.replace('~', "~0").replace('/', "~1"));
        pointers_of(value, at, found);
        at.truncate(length);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(key, member)| inner(key, member)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| inner(&index.to_string(), item));
        }
        _ => {}
    }
}

/// A reference to one of the definitions, to the whole document, or to nothing.
fn reference(schema: &Value, random: &mut Random) -> String {
    let keyword = if schema.get("definitions").is_some() { "definitions" } else { "$defs" };
    let names: Vec<&String> =
        schema.get(keyword).and_then(Value::as_object).into_iter().flat_map(Map::keys).collect();
    match random.below(8) {
        0 => String::from("#"),
        1 => format!("#/{keyword}/{}", odd::string(random)),
        _ if names.is_empty() => String::from("#/$defs"),
        _ => format!("#/{keyword}/{}", random.pick(&names).replace('~', "~0").replace('/', "~1")),
    }
}

/// Puts a schema into one of the keywords that hold schemas.
fn wrap(node: &mut Value, random: &mut Random) {
    let inner = node.take();
    *node = match random.below(7) {
        0 => json!({ "allOf": [inner] }),
        1 => json!({ "anyOf": [inner, { "type": "null" }] }),
        2 => json!({ "oneOf": [inner.clone(), inner] }),
        3 => json!({ "not": inner }),
        4 => json!({ "type": "array", "items": inner }),
        5 => json!({ "type": "object", "additionalProperties": inner }),
        _ => json!({ "type": "object", "properties": { "inner": inner }, "required": ["inner"] }),
    };
}

/// Puts a schema into itself many times over.
fn nest(node: &mut Value, random: &mut Random) {
    let keyword = *random.pick(&["allOf", "anyOf", "items", "properties"]);
    for _ in 0..random.below(60) {
        let inner = node.take();
        *node = match keyword {
            "items" => json!({ "type": "array", "items": inner }),
            "properties" => json!({ "type": "object", "properties": { "a": inner } }),
            _ => json!({ keyword: [inner, { "type": "null" }] }),
        };
    }
}

/// Gives a definition an odd name, and what refers to it as well.
fn rename_definition(schema: &mut Value, random: &mut Random) -> bool {
    let keyword = if schema.get("definitions").is_some() { "definitions" } else { "$defs" };
    let Some(definitions) = schema.get_mut(keyword).and_then(Value::as_object_mut) else {
        return false;
    };
    let names: Vec<String> = definitions.keys().cloned().collect();
    if names.is_empty() {
        return false;
    }
    let (name, new) = (random.pick(&names).clone(), odd::string(random));
    let Some(definition) = definitions.shift_remove(&name) else { return false };
    definitions.insert(new.clone(), definition);
    let escaped = new.replace('~', "~0").replace('/', "~1");
    let to = [format!("#/{keyword}/{name}"), format!("#/{keyword}/{escaped}")];
    redirect(schema, &to);
    true
}

fn redirect(value: &mut Value, to: &[String; 2]) {
    match value {
        Value::String(text) if *text == to[0] => text.clone_from(&to[1]),
        Value::Array(items) => items.iter_mut().for_each(|item| redirect(item, to)),
        Value::Object(members) => members.values_mut().for_each(|item| redirect(item, to)),
        _ => {}
    }
}

/// Breaks the text of a document: cuts it, doubles a part, puts in what is odd.
pub(crate) fn garble(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let (one, other) = (random.below(characters.len()), random.below(characters.len()));
        let (from, to) = (one.min(other), one.max(other));
        let to = to.min(from + 40);
        match random.below(5) {
            0 => drop(characters.drain(from..to)),
            1 => {
                let part = characters[from..to].to_vec();
                characters.splice(from..from, part);
            }
            2 => {
                let part: Vec<char> = odd::string(random).chars().collect();
                characters.splice(from..from, part);
            }
            3 => {
                let deep = *random.pick(&["[", "{\"a\":", "[{\"not\":"]);
                let part: Vec<char> = deep.repeat(random.below(2000)).chars().collect();
                characters.splice(from..from, part);
            }
            _ => characters.truncate(from.max(1)),
        }
    }
    characters.into_iter().collect()
}
