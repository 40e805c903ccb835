//! [`Node`] to [`SchemaObject`]: every keyword checked for its type.

use indexmap::{IndexMap, IndexSet};
use serde_json::Value;

use super::annotations::is_annotation;
use super::dialect::{DEFINITIONS, Dialect};
use super::equal::{forget_all_types, join_branches, matches_all, plain};
use super::impossible::drop_impossible;
use super::intersect::{drop_beside_references, intersect};
use super::listed::ask_listed;
use super::negation::resolve_not;
use super::reader::Reader;
use super::references::percent_decoded;
use super::split::split_types;
use super::unevaluated::allow_conditional;
use super::untyped::name_types;
use super::vocabulary::{DESCRIPTIVE, STRUCTURAL, UNMODELLED};
use super::{Additional, Document, JsonType, Reference, Schema, SchemaObject};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Docs, Stability};
use crate::source::{Json, Location, Node, Sources, Span, push_segment, segments};

impl Document {
    /// Reads all keywords of a schema. Wrong ones are reported, all of them, and left out.
    pub fn read(schema: &Schema, sources: &Sources, diagnostics: &mut Diagnostics) -> Self {
        let (root, moved) = (&schema.root, &schema.moved);
        let dialects = &schema.dialects;
        let mut reader =
            Reader { sources, diagnostics, pointer: String::new(), key: Span::default(), dialects };
        let mut definitions = IndexMap::new();
        for keyword in DEFINITIONS {
            if let Some(node) = root.get(keyword) {
                definitions.extend(reader.definitions(keyword, node, moved));
            }
        }
        let mut document = Self { root: reader.schema(root), definitions };
        if dialects.document == Dialect::Old {
            document.definitions.values_mut().for_each(drop_beside_references);
            drop_beside_references(&mut document.root);
        }
        allow_conditional(&mut document);
        ask_listed(&mut document, diagnostics);
        drop_impossible(&mut document, diagnostics);
        split_types(&mut document, diagnostics);
        intersect(&mut document, diagnostics);
        drop_impossible(&mut document, diagnostics);
        if !diagnostics.has_errors() {
            name_types(&mut document, diagnostics);
        }
        document
    }
}

impl Reader<'_> {
    pub(super) fn schema(&mut self, node: &Node) -> SchemaObject {
        let mut schema =
            SchemaObject { location: self.location(node.span), ..SchemaObject::default() };
        let members = match &node.json {
            Json::Object(members) => members,
            Json::Bool(value) => {
                schema.boolean = Some(*value);
                schema.denied = !value;
                return schema;
            }
            _ => {
                self.wrong("a schema", "an object or a boolean", node);
                return schema;
            }
        };
        for (keyword, member) in members {
            self.inside(keyword, |reader| {
                reader.key = member.key;
                reader.keyword(&mut schema, keyword, &member.value);
            });
        }
        if let Some(patterned) = node.get("patternProperties") {
            self.inside("patternProperties", |reader| reader.patterned(&mut schema, patterned));
        }
        self.finish_items(&mut schema, node);
        self.finish_bounds(&mut schema, node);
        self.conditions(&mut schema, node);
        self.choices(&mut schema, node);
        resolve_not(&mut schema);
        forget_all_types(&mut schema);
        join_branches(&mut schema);
        schema.docs.hidden = schema.annotations.docs_ignore;
        if let Some(unstable) = schema.annotations.unstable {
            schema.docs.stability = if unstable { Stability::Unstable } else { Stability::Stable };
        }
        if schema.annotations.name.as_deref() == Some("") {
            schema.annotations.name = None;
        }
        schema
    }

    #[allow(clippy::too_many_lines, reason = "one line a keyword")]
    fn keyword(&mut self, schema: &mut SchemaObject, keyword: &str, value: &Node) {
        if let Some(help) = self.dialects.at(self.key).instead_of(keyword) {
            return self.without_effect(keyword, help);
        }
        match keyword {
            "$ref" => schema.reference = self.reference(value).map(Box::new),
            "type" => schema.types = self.types(value),
            "properties" => schema.properties = self.schemas(keyword, value),
            "required" => schema.required = self.required(value),
            "additionalProperties" => {
                (schema.additional, schema.unevaluated) = (self.additional(value), false);
            }
            "unevaluatedProperties" => {
                if schema.additional == Additional::Unspecified {
                    (schema.additional, schema.unevaluated) = (self.additional(value), true);
                }
            }
            "items" | "prefixItems" | "additionalItems" => self.items(schema, keyword, value),
            "anyOf" => schema.any_of = self.branches(keyword, value),
            "oneOf" => schema.one_of = self.branches(keyword, value),
            "allOf" => schema.all_of = self.branches(keyword, value),
            "not" => schema.not = Some(Box::new(self.schema(value))),
            "const" => schema.constant = Some(plain(value.to_value())),
            "enum" => match self.enumeration(value) {
                Some(values) if values.is_empty() => schema.boolean = Some(false),
                values => schema.enumeration = values,
            },
            "default" => {
                schema.default = Some((plain(value.to_value()), self.location(value.span)).into());
            }
            "examples" => schema.examples = self.examples(value),
            "title" => schema.title = self.string(keyword, value).filter(|title| !title.is_empty()),
            "description" => {
                schema.docs = Docs { deprecated: schema.docs.deprecated, ..self.docs(value) };
            }
            "deprecated" => schema.docs.deprecated = self.flag(keyword, value),
            "format" => schema.format = self.string(keyword, value),
            "contentEncoding" => schema.encoding = self.string(keyword, value),
            "pattern" => {
                schema.pattern = self.pattern(keyword, value).filter(|it| !matches_all(it));
            }
            "minimum" => schema.bounds.minimum = self.number(keyword, value),
            "maximum" => schema.bounds.maximum = self.number(keyword, value),
            // Read last: it says of another keyword what it means.
            "exclusiveMinimum" | "exclusiveMaximum"
                if value.as_bool().is_some() && self.has_flags(value.span) => {}
            "exclusiveMinimum" => schema.bounds.exclusive_minimum = self.number(keyword, value),
            "exclusiveMaximum" => schema.bounds.exclusive_maximum = self.number(keyword, value),
            "minLength" => schema.min_length = self.count(keyword, value).filter(|it| *it > 0),
            "maxLength" => schema.max_length = self.most(keyword, value),
            "minItems" => schema.min_items = self.count(keyword, value).filter(|it| *it > 0),
            "maxItems" => schema.max_items = self.most(keyword, value),
            "uniqueItems" => schema.unique_items = self.flag(keyword, value),
            "multipleOf" => schema.multiple_of = self.step(keyword, value),
            "minProperties" | "maxProperties" | "propertyNames" | "dependentRequired"
            | "dependencies" | "dependentSchemas" => self.key_rule(schema, keyword, value),
            "discriminator" => {
                schema.discriminator =
                    value.get("propertyName").and_then(Node::as_str).map(str::to_owned);
            }
            // Read last: it depends on what is beside it.
            "patternProperties" => {}
            annotation if is_annotation(annotation) => {
                schema.annotations.take(annotation, value, self);
            }
            descriptive if DESCRIPTIVE.contains(&descriptive) => {}
            unmodelled if UNMODELLED.contains(&unmodelled) => {
                schema.unmodelled.push((unmodelled.to_owned(), self.location(value.span)));
            }
            _ => self.unknown_keyword(keyword),
        }
    }

    fn unknown_keyword(&mut self, keyword: &str) {
        if let Some(near) = nearest(keyword, STRUCTURAL.iter().copied()) {
            self.report(
                Diagnostic::warning(
                    "unknown-keyword",
                    format!("`{keyword}` is not a keyword of JSON Schema and has no effect"),
                )
                .at(self.key_location())
                .help(format!("did you mean `{near}`?")),
            );
        }
    }

    /// The definition that a reference names. One that leads elsewhere was reported when references
    /// were resolved.
    fn reference(&mut self, value: &Node) -> Option<Reference> {
        let text = self.string("$ref", value)?;
        let path = text.strip_prefix('#').map(percent_decoded).and_then(|path| segments(&path))?;
        match path.as_slice() {
            [keyword, name] if DEFINITIONS.contains(&keyword.as_str()) => {
                Some(Reference { name: name.clone(), text, location: self.location(value.span) })
            }
            _ => None,
        }
    }

    fn types(&mut self, value: &Node) -> IndexSet<JsonType> {
        let nodes = match &value.json {
            Json::Array(items) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        let mut types = IndexSet::new();
        for node in nodes {
            match node.as_str().map(|name| (name, JsonType::from_name(name))) {
                Some((_, Some(json_type))) => {
                    if !types.insert(json_type) {
                        self.twice("type", node);
                    }
                }
                Some((name, None)) => {
                    let near = nearest(name, JsonType::ALL.map(JsonType::name));
                    self.report(
                        Diagnostic::error("unknown-type", format!("`{name}` is not a JSON type"))
                            .at(self.location(node.span))
                            .near(
                                near,
                                "use null, boolean, integer, number, string, array or object",
                            ),
                    );
                }
                None => self.wrong("`type`", "a name or an array of names", node),
            }
        }
        types
    }

    pub(super) fn schemas(
        &mut self,
        keyword: &str,
        value: &Node,
    ) -> IndexMap<String, SchemaObject> {
        let Some(members) = value.as_object() else {
            self.wrong(&format!("`{keyword}`"), "an object", value);
            return IndexMap::new();
        };
        let schemas = members.iter().map(|(name, member)| {
            (name.clone(), self.inside(name, |reader| reader.schema(&member.value)))
        });
        schemas.collect()
    }

    /// The definitions of a document. Those that stood elsewhere are located there.
    fn definitions(
        &mut self,
        keyword: &str,
        value: &Node,
        moved: &IndexMap<String, String>,
    ) -> IndexMap<String, SchemaObject> {
        if moved.is_empty() {
            return self.inside(keyword, |reader| reader.schemas(keyword, value));
        }
        let mut definitions = IndexMap::new();
        for (name, member) in value.as_object().into_iter().flatten() {
            let mut pointer = moved.get(name).cloned().unwrap_or_else(|| {
                let mut pointer = format!("/{keyword}");
                push_segment(&mut pointer, name);
                pointer
            });
            std::mem::swap(&mut self.pointer, &mut pointer);
            definitions.insert(name.clone(), self.schema(&member.value));
            std::mem::swap(&mut self.pointer, &mut pointer);
        }
        definitions
    }

    pub(super) fn branches(&mut self, keyword: &str, value: &Node) -> Vec<SchemaObject> {
        let Some(items) = value.as_array() else {
            self.wrong(&format!("`{keyword}`"), "an array of schemas", value);
            return Vec::new();
        };
        let schemas = items
            .iter()
            .enumerate()
            .map(|(index, item)| self.inside(&index.to_string(), |reader| reader.schema(item)))
            .collect();
        if items.is_empty() {
            self.wrong(&format!("`{keyword}`"), "an array of at least one schema", value);
        }
        schemas
    }

    fn required(&mut self, value: &Node) -> IndexSet<String> {
        let Some(items) = value.as_array() else {
            self.wrong("`required`", "an array of names", value);
            return IndexSet::new();
        };
        let mut names = IndexSet::new();
        for item in items {
            match item.as_str() {
                Some(name) if !names.insert(name.to_owned()) => self.twice("required", item),
                Some(_) => {}
                None => self.wrong("a name in `required`", "a string", item),
            }
        }
        names
    }

    pub(super) fn additional(&mut self, value: &Node) -> Additional {
        match value.as_bool() {
            Some(true) => Additional::Allowed,
            Some(false) => Additional::Denied,
            None => match self.schema(value) {
                schema
                    if schema.is_unrestricted()
                        && !schema.has_bounds()
                        && schema.keys.keywords.is_empty() =>
                {
                    Additional::Allowed
                }
                schema if schema.denied => Additional::Denied,
                schema => Additional::Schema(Box::new(schema)),
            },
        }
    }

    fn enumeration(&mut self, value: &Node) -> Option<Vec<(Value, Location)>> {
        let Some(items) = value.as_array() else {
            self.wrong("`enum`", "an array of values", value);
            return None;
        };
        let values = items.iter().enumerate().map(|(index, item)| {
            let location = self.inside(&index.to_string(), |reader| reader.location(item.span));
            (plain(item.to_value()), location)
        });
        Some(values.collect())
    }

    /// The examples. Where they are no array there are none: they only describe.
    fn examples(&mut self, value: &Node) -> Vec<(Value, Location)> {
        let items = value.as_array().unwrap_or_default().iter().enumerate();
        items
            .map(|(index, item)| {
                let location = self.inside(&index.to_string(), |reader| reader.location(item.span));
                (item.to_value(), location)
            })
            .collect()
    }

    fn docs(&mut self, value: &Node) -> Docs {
        let description = self.string("description", value).filter(|text| !text.trim().is_empty());
        let text = description.as_deref().unwrap_or_default();
        let is_unstable = text.trim_start_matches([' ', '*', '\n']).starts_with("UNSTABLE");
        let stability = if is_unstable { Stability::Unstable } else { Stability::Stable };
        Docs { description, stability, ..Docs::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::SchemaText;

    fn read(text: &str) -> (Document, Vec<(&'static str, String)>) {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let (text, none) = (SchemaText::new("t", text), Vec::new());
        let schema =
            Schema::read(&mut sources, text, none.clone(), none, Vec::new(), &mut diagnostics);
        let document = Document::read(&schema.unwrap(), &sources, &mut diagnostics);
        let found = diagnostics
            .into_iter()
            .map(|d| (d.code, d.location.map(|location| location.pointer).unwrap_or_default()))
            .collect();
        (document, found)
    }

    #[test]
    fn all_malformed_keywords_are_reported_with_their_pointers() {
        let (_, found) = read(
            r#"{"$defs": {"A/b": {"type": ["strng", 1], "required": "x", "anyOf": [],
                "properties": {"p": 3}, "minLength": -1, "$ref": "other.json"}}}"#,
        );
        let expected = [
            ("unmapped-ref", "/$defs/A~1b/$ref"),
            ("unknown-type", "/$defs/A~1b/type"),
            ("malformed-keyword", "/$defs/A~1b/type"),
            ("malformed-keyword", "/$defs/A~1b/required"),
            ("malformed-keyword", "/$defs/A~1b/anyOf"),
            ("malformed-keyword", "/$defs/A~1b/properties/p"),
            ("malformed-keyword", "/$defs/A~1b/minLength"),
        ];
        assert_eq!(found, expected.map(|(code, at)| (code, at.to_owned())));
    }

    #[test]
    fn a_wrapped_reference_is_an_alias_and_a_restricted_one_is_not() {
        let (document, found) = read(
            r##"{"$defs": {
                "A": {"description": "d", "allOf": [{"$ref": "#/$defs/B%20c"}], "default": 1},
                "B c": {"type": "object", "allOf": [{"$ref": "#/$defs/A"}], "properties": {"x": true}}
            }}"##,
        );
        assert!(found.is_empty());
        let target = document.definitions["A"].alias_target().map(|r| r.name.as_str());
        assert_eq!(target, Some("B c"));
        assert!(document.definitions["B c"].alias_target().is_none());
    }
}
