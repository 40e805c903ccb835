//! The bundled schemas: exported from the crate that defines the protocol, so that upgrading the
//! protocol is `cargo update`. The only module that names it.
//!
//! The schemas of the crate depend on its features, and a program has one set of them: the stable
//! schemas are exported here, when they are asked for; the unstable ones by the build script, whose
//! dependencies have features of their own.

mod export;

use serde_json::{Map, Value};

use super::SchemaText;

export::root!(v1);
export::root!(v2);

/// The prefix of a bundled schema's name on the command line.
pub const PREFIX: &str = "bundled:";

/// The names of the bundled schemas; the first is the default.
pub const NAMES: [&str; 4] = ["acp@v1", "acp@v2", "acp@v1-unstable", "acp@v2-unstable"];

/// The release of the crate that the schemas are exported from. A test compares it with
/// `Cargo.lock`.
pub const VERSION: &str = "1.15.1";

/// The schema of this name, as JSON text, and the overlay that supplies what it lacks.
pub fn text(name: &str) -> Option<(SchemaText, SchemaText)> {
    let (schema, overlays, guides) = match name {
        "acp@v1" => (export::export::<v1::Root>(), &[V1][..], V1_GUIDES),
        "acp@v2" => (export::export::<v2::Root>(), &[V2][..], V2_GUIDES),
        "acp@v1-unstable" => {
            let schema = include_str!(concat!(env!("OUT_DIR"), "/v1-unstable.json"));
            (schema.to_owned(), &[V1, V1_UNSTABLE][..], V1_GUIDES)
        }
        "acp@v2-unstable" => {
            let schema = include_str!(concat!(env!("OUT_DIR"), "/v2-unstable.json"));
            (schema.to_owned(), &[V2, V2_UNSTABLE][..], V2_GUIDES)
        }
        _ => return None,
    };
    let text = SchemaText {
        label: format!("{PREFIX}{name}"),
        text: schema,
        version: Some(VERSION.to_owned()),
        builtin: true,
    };
    let overlay = SchemaText {
        label: format!("{PREFIX}{name}.overlay"),
        text: overlay(overlays, guides),
        version: None,
        builtin: true,
    };
    Some((text, overlay))
}

/// Examples for users of the packages, by target.
type Guides = &'static [(&'static str, &'static str)];
const V1_GUIDES: Guides = &[
    ("python", include_str!("../../../schema/acp.v1.guide.python.md")),
    ("rust", include_str!("../../../schema/acp.v1.guide.rust.md")),
    ("typescript", include_str!("../../../schema/acp.v1.guide.typescript.md")),
];
const V2_GUIDES: Guides = &[
    ("python", include_str!("../../../schema/acp.v2.guide.python.md")),
    ("rust", include_str!("../../../schema/acp.v2.guide.rust.md")),
    ("typescript", include_str!("../../../schema/acp.v2.guide.typescript.md")),
];

const V1: &str = include_str!("../../../schema/acp.overlay.json");
const V2: &str = include_str!("../../../schema/acp.v2.overlay.json");
const V1_UNSTABLE: &str = include_str!("../../../schema/acp.v1-unstable.overlay.json");
const V2_UNSTABLE: &str = include_str!("../../../schema/acp.v2-unstable.overlay.json");

/// The overlays as one, with the annotation that holds the guides.
fn overlay(overlays: &[&str], guides: Guides) -> String {
    let guides: Map<_, _> =
        guides.iter().map(|(target, text)| ((*target).to_owned(), (*text).into())).collect();
    let mut whole = Map::from_iter([("x-guides".to_owned(), guides.into())]);
    for overlay in overlays {
        if let Ok(members) = serde_json::from_str(overlay) {
            merge(&mut whole, members);
        }
    }
    format!("{:#}", Value::from(whole))
}

fn merge(into: &mut Map<String, Value>, members: Map<String, Value>) {
    for (key, value) in members {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(into)), Value::Object(members)) => merge(into, members),
            (_, value) => drop(into.insert(key, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NAMES, VERSION, text};

    #[test]
    fn every_name_has_a_schema() {
        for name in NAMES {
            let (schema, _) = text(name).unwrap();
            assert!(schema.text.contains("\"x-method\""), "{name}");
        }
        assert!(text("acp@v0").is_none());
    }

    #[test]
    fn the_version_is_the_locked_one() {
        let lock = include_str!("../../../Cargo.lock");
        let entry = lock
            .split("[[package]]")
            .find(|entry| entry.contains("name = \"agent-client-protocol-schema\""));
        assert!(entry.unwrap().contains(&format!("version = \"{VERSION}\"")));
    }
}
