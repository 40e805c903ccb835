//! The schemas that edits begin with.

use std::path::Path;

use serde_json::Value;

use crate::support;

/// Schemas, and what is in them.
pub(crate) struct Bases {
    /// Small schemas: those of the cases, and others of the tests.
    pub(crate) small: Vec<Value>,
    /// The bundled schemas.
    pub(crate) large: Vec<Value>,
    /// Schemas that are parts of small ones.
    pub(crate) pieces: Vec<Value>,
    /// Keywords and other names of members.
    pub(crate) keywords: Vec<String>,
    /// Members of schemas, of each keyword a few.
    pub(crate) members: Vec<(String, Value)>,
}

/// The most members that are kept of a keyword.
const FEW: usize = 6;

impl Bases {
    pub(crate) fn read() -> Self {
        let tests = support::root().join("tests");
        let mut paths = Vec::new();
        find(&tests.join("cases"), &mut paths);
        find(&tests.join("diagnostics"), &mut paths);
        find(&tests.join("breaking"), &mut paths);
        paths.push(tests.join("wire/shapes.schema.json"));
        paths.sort();
        let read = |path: &Path| -> Option<Value> {
            let text = std::fs::read_to_string(path).ok()?;
            serde_json::from_str(&text).ok().filter(|it: &Value| it.get("$defs").is_some())
        };
        let small: Vec<Value> = paths.iter().filter_map(|path| read(path)).collect();
        let bundled = ["acp@v1", "acp@v2", "acp@v1-unstable", "acp@v2-unstable"];
        let large = bundled.iter().map(|name| {
            let (schema, _) = acp_bindgen::schema::bundled::text(name).unwrap();
            serde_json::from_str(&schema.text).unwrap()
        });
        let mut bases = Self {
            large: large.collect(),
            pieces: Vec::new(),
            keywords: Vec::new(),
            members: Vec::new(),
            small: Vec::new(),
        };
        for schema in &small {
            bases.take_apart(schema);
        }
        bases.small = small;
        assert!(bases.small.len() > 100, "{} schemas", bases.small.len());
        bases
    }

    fn take_apart(&mut self, value: &Value) {
        match value {
            Value::Object(members) => {
                if !members.contains_key("$defs") {
                    self.pieces.push(value.clone());
                }
                for (key, member) in members {
                    if !self.keywords.contains(key) {
                        self.keywords.push(key.clone());
                    }
                    let known = self.members.iter().filter(|(known, _)| known == key).count();
                    if known < FEW && !["$defs", "definitions"].contains(&key.as_str()) {
                        self.members.push((key.clone(), member.clone()));
                    }
                    self.take_apart(member);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.take_apart(item);
                }
            }
            _ => {}
        }
    }
}

/// Finds all JSON files below a folder.
fn find(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, found);
        } else if path.extension().is_some_and(|it| it == "json") {
            found.push(path);
        }
    }
}
