//! Two schemas to compare.

use std::path::Path;

use acp_bindgen::breaking::{CompareOptions, Comparison, Report, Subject, compare_with};
use acp_bindgen::diagnostic::{Style, render};
use acp_bindgen::ir::Protocol;
use acp_bindgen::schema::{Schema, SchemaText};
use acp_bindgen::{Inputs, Patterns, Purpose, load};

use crate::support;

/// A schema, its overlays, and the list of methods beside it.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) schema: String,
    pub(crate) overlay: Option<String>,
    pub(crate) methods: Option<String>,
}

impl Text {
    /// The model, and the document it was read from.
    pub(crate) fn read(&self, label: &str) -> (Protocol, Schema) {
        self.read_with(label, Patterns::Ignore)
    }

    fn read_with(&self, label: &str, patterns: Patterns) -> (Protocol, Schema) {
        let schema = SchemaText::new(label, self.schema.as_str());
        let overlays =
            self.overlay.iter().map(|text| SchemaText::new("overlay", text.as_str())).collect();
        let methods = self.methods.as_ref().map(|text| SchemaText::new("meta.json", text.as_str()));
        let inputs = Inputs { methods, ..Inputs::new(schema, overlays) };
        let loaded = load(inputs.patterns(patterns), Purpose::Compare);
        let findings = render(&loaded.diagnostics, &loaded.sources, Style::Plain);
        let read = loaded.protocol.zip(loaded.schema);
        read.unwrap_or_else(|| panic!("{label} does not lower:\n{findings}"))
    }
}

/// Two schemas to compare.
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) old: Text,
    pub(crate) new: Text,
    /// Whether generated code looks at patterns.
    pub(crate) patterns: Patterns,
}

impl Pair {
    pub(crate) fn between(name: &str, old: Text, new: Text) -> Self {
        Self { name: name.to_owned(), old, new, patterns: Patterns::Ignore }
    }

    /// Whether one of the schemas binds no method itself.
    pub(crate) fn is_unbound(&self) -> bool {
        [&self.old, &self.new].iter().any(|text| !text.schema.contains("x-method"))
    }

    /// The case of this name.
    pub(crate) fn read(name: &str) -> Self {
        let folder = support::root().join("tests/breaking").join(name);
        let text = |which: &str| Text {
            methods: std::fs::read_to_string(folder.join(format!("{which}.meta.json"))).ok(),
            overlay: None,
            schema: std::fs::read_to_string(folder.join(format!("{which}.json"))).unwrap(),
        };
        Self::between(name, text("old"), text("new"))
    }

    pub(crate) fn reversed(&self) -> Self {
        let patterns = self.patterns;
        Self { patterns, ..Self::between(&self.name, self.new.clone(), self.old.clone()) }
    }

    pub(crate) fn report(&self) -> Report {
        self.comparison().report
    }

    pub(crate) fn comparison(&self) -> Comparison {
        let (old, before) = self.old.read_with("old.json", self.patterns);
        let (new, after) = self.new.read_with("new.json", self.patterns);
        compare_with(
            Subject { protocol: &old, document: Some(&before.root) },
            Subject { protocol: &new, document: Some(&after.root) },
            &CompareOptions::default(),
        )
    }
}

/// Every case: those of the rules, then the near-misses.
pub(crate) fn cases() -> Vec<Pair> {
    let folder = support::root().join("tests/breaking");
    let near = names(&folder.join("near-misses"));
    let mut all = names(&folder);
    all.extend(near.into_iter().map(|name| format!("near-misses/{name}")));
    all.iter().map(|name| Pair::read(name)).collect()
}

/// The folders that hold a pair.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("old.json").is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
