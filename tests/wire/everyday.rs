//! The schemas of everyday tools, and random values that are valid by them.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::corpus::Entry;
use super::instances::Instances;
use super::support::{self, Random};
use super::{Corpus, Inputs, SchemaText};

/// How many instances are tried of each schema at least, and of each part of it that is named.
const TRIED: (usize, usize) = (120, 4);

/// The corpus, with values of each schema, made once. `None` where the schemas cannot be had.
pub(crate) fn corpus() -> Option<&'static (Corpus, Vec<Entry>)> {
    static MADE: OnceLock<Option<(Corpus, Vec<Entry>)>> = OnceLock::new();
    MADE.get_or_init(made).as_ref()
}

fn made() -> Option<(Corpus, Vec<Entry>)> {
    let everyday = support::everyday_protocol()?;
    let text = everyday.document.to_string();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("everyday.schema.json");
    std::fs::write(&path, &text).expect("it can be written");
    let mut inputs = Inputs::from(SchemaText::new("everyday", &text));
    inputs.referred.clone_from(&everyday.referred);
    let options = everyday.files.iter().flat_map(|it| ["--refs".to_owned(), it.clone()]);
    let corpus = Corpus { options: options.collect(), ..Corpus::of("everyday", &path, inputs) };

    let texts = everyday.referred.iter().map(|it| {
        let text = &it.text.as_ref().expect("it could be read").text;
        (it.uri.clone(), serde_json::from_str(text).expect("it is JSON"))
    });
    let texts: Vec<(String, Value)> = texts.collect();
    let registry = texts.iter().fold(jsonschema::Registry::new(), |registry, (uri, whole)| {
        registry.add(uri, whole).expect("it is a schema")
    });
    let registry = registry.prepare().expect("they are schemas");
    let mut random = Random(67);
    let mut entries = Vec::new();
    for (name, definition) in everyday.document["$defs"].as_object().expect("there are some") {
        let Some(properties) = definition["properties"].as_object() else { continue };
        let validator = jsonschema::options().with_registry(&registry).build(definition);
        let Ok(validator) = validator else { continue };
        let tries = properties.iter().cycle().take(TRIED.0.max(properties.len() * TRIED.1));
        for (property, reference) in tries {
            let (uri, pointer) = reference["$ref"].as_str().map(split).expect("it refers to one");
            let Some((_, root)) = texts.iter().find(|(it, _)| it == uri) else { continue };
            let part = root.pointer(pointer).expect("it is there");
            let mut instances = Instances { root, random: Random(random.number()) };
            let value = json!({ property.as_str(): instances.of(part, 0) });
            if validator.is_valid(&value) {
                entries.push(Entry::accepted(name, value));
            }
        }
    }
    assert!(entries.len() > 1_000, "only {} valid values", entries.len());
    Some((corpus, entries))
}

fn split(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}
