//! The schema validator: what the whole of JSON Schema says of a value. The model of a protocol
//! says less than some schemas do; this asks the schema itself.

mod format;
mod violation;
mod ways;

use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error;
use std::rc::Rc;

use jsonschema::{Draft, PatternOptions, Registry, Retrieve, Uri, Validator};
use serde_json::{Value, json};

use crate::source::{Node, push_segment};
pub(crate) use violation::{Problem, Violation};
use ways::Ways;

/// The name that the schema has among the documents that references lead to.
const DOCUMENT: &str = "schema:///document";

/// The most steps back that are taken to match a pattern.
const STEPS: usize = 100_000;

/// The media types and encodings that older drafts would check. Generated code does not.
const ENCODINGS: [&str; 5] = ["base64", "base64url", "base32", "base32hex", "base16"];
const MEDIA_TYPE: &str = "application/json";

/// A schema, to ask which values its definitions take.
///
/// Its dialect is what `$schema` says, 2020-12 if it says nothing. A definition is compiled when it
/// is first asked for. Neither the network nor a file is ever read: what refers to them cannot be
/// judged, and neither can what the dialect does not know, a pattern that is none, or a definition
/// with too many ways to try a value.
#[derive(Debug)]
pub(crate) struct SchemaValidator {
    /// The schema, ready to be referred to. `None`: it cannot be judged at all.
    registry: Option<Registry<'static>>,
    /// The dialect.
    draft: Draft,
    /// The pointers of definitions, by name.
    definitions: HashMap<String, String>,
    ways: Ways,
    /// The definitions that were compiled so far. `None`: it cannot be judged.
    compiled: RefCell<HashMap<String, Option<Rc<Validator>>>>,
}

impl SchemaValidator {
    /// Prepares a schema document, which has all that it refers to.
    pub(crate) fn new(root: &Node) -> Self {
        let document = root.to_value();
        let draft = Draft::default().detect(&document);
        let mut definitions = HashMap::new();
        let mut counted = Vec::new();
        for keyword in ["definitions", "$defs"] {
            for (name, member) in root.get(keyword).and_then(Node::as_object).into_iter().flatten()
            {
                let pointer = pointer(keyword, name);
                counted.push((
                    name.as_str(),
                    vec![encoded(&pointer), pointer.clone()],
                    &member.value,
                ));
                definitions.insert(name.clone(), pointer);
            }
        }
        let is_known = draft != Draft::Unknown;
        let registry = is_known.then(|| registry(document, draft)).flatten();
        let ways = Ways::new(&counted);
        Self { registry, draft, definitions, ways, compiled: RefCell::default() }
    }

    /// Tells whether a definition takes a value. `None`: there is no such definition, or it cannot
    /// be judged.
    pub(crate) fn takes(&self, definition: &str, value: &Value) -> Option<bool> {
        let definition = Some(definition).filter(|it| self.ways.allow(it, value))?;
        Some(self.compiled(definition)?.is_valid(value))
    }

    /// Lists the keywords of a definition that a value violates; where single ones would take too
    /// long to tell, the definition as a whole. Empty if the value is valid, or cannot be judged.
    pub(crate) fn violations(&self, definition: &str, value: &Value) -> Vec<Violation> {
        if self.takes(definition, value) != Some(false) {
            return Vec::new();
        }
        if !self.ways.allow_errors(definition, value) {
            let pointer = self.definitions.get(definition);
            return pointer.into_iter().map(|it| Violation::somewhere(it)).collect();
        }
        let validator = self.compiled(definition);
        let errors = validator.iter().flat_map(|validator| validator.iter_errors(value));
        errors.flat_map(|error| Violation::from_error(&error, value)).collect()
    }

    fn compiled(&self, definition: &str) -> Option<Rc<Validator>> {
        if let Some(known) = self.compiled.borrow().get(definition) {
            return known.clone();
        }
        let validator = self.compile(definition).map(Rc::new);
        self.compiled.borrow_mut().insert(definition.to_owned(), validator.clone());
        validator
    }

    fn compile(&self, definition: &str) -> Option<Validator> {
        let pointer = self.definitions.get(definition)?;
        let mut options = jsonschema::options()
            .with_registry(self.registry.as_ref()?)
            .with_retriever(Offline)
            .with_draft(self.draft)
            .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(STEPS))
            .with_keyword("format", format::keyword)
            .without_content_media_type_support(MEDIA_TYPE);
        for encoding in ENCODINGS {
            options = options.without_content_encoding_support(encoding);
        }
        options.build(&json!({ "$ref": format!("{DOCUMENT}#{}", encoded(pointer)) })).ok()
    }
}

fn registry(document: Value, draft: Draft) -> Option<Registry<'static>> {
    let registry = Registry::new().retriever(Offline).draft(draft);
    registry.add(DOCUMENT, document).ok()?.prepare().ok()
}

fn pointer(keyword: &str, name: &str) -> String {
    let mut pointer = String::new();
    push_segment(&mut pointer, keyword);
    push_segment(&mut pointer, name);
    pointer
}

/// A pointer as a part of a URI: what has a meaning there, or is not ASCII, is encoded.
fn encoded(pointer: &str) -> String {
    let mut encoded = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/$-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(format!("%{byte:02X}").chars());
        }
    }
    encoded
}

/// The way to documents that the schema does not hold: there is none. In the place of each stands
/// one that cannot be compiled, so that only what refers to it cannot be judged.
struct Offline;

impl Retrieve for Offline {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        Ok(json!({ "$ref": "#/missing" }))
    }
}

#[cfg(test)]
mod tests;
