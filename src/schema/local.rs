//! Schemas within a document that is not a schema: made definitions of the protocol's.

use indexmap::IndexMap;

use super::annotations::is_annotation;
use super::dialect::DEFINITIONS;
use super::references::{NAMED, is_nested};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::Name;
use crate::source::{Json, Member, Node, Sources, push_segment, segments};

/// Takes a schema apart: itself, under its name, and its own definitions, each under that name
/// and its own. References among them follow; annotations are dropped, for the schema is of
/// someone who does not write this protocol.
///
/// A reference to anything else cannot be modelled: a warning says that it stands for any JSON.
pub(super) fn definitions(
    name: &str,
    mut schema: Member,
    pointer: &str,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Vec<(String, Member)> {
    let mut local = Local { names: IndexMap::new(), root: name, sources, diagnostics };
    let mut own = Vec::new();
    for keyword in DEFINITIONS {
        let Json::Object(members) = &mut schema.value.json else { break };
        let Some(Member { value: Node { json: Json::Object(defined), .. }, .. }) =
            members.shift_remove(keyword)
        else {
            continue;
        };
        for (key, member) in defined {
            let full = local.fresh(name, &key);
            let mut at = format!("{pointer}/{keyword}");
            push_segment(&mut at, &key);
            local.names.insert((keyword, key), full.clone());
            own.push((full, member, at));
        }
    }
    local.schema(&mut schema.value, &mut pointer.to_owned());
    let mut all = vec![(name.to_owned(), schema)];
    for (name, mut member, mut at) in own {
        local.schema(&mut member.value, &mut at);
        all.push((name, member));
    }
    all
}

struct Local<'a> {
    /// The name of each own definition in the protocol's schema.
    names: IndexMap<(&'static str, String), String>,
    root: &'a str,
    sources: &'a Sources,
    diagnostics: &'a mut Diagnostics,
}

impl Local<'_> {
    /// The name of an own definition; two that are spelt alike are numbered.
    fn fresh(&self, root: &str, key: &str) -> String {
        let plain = format!("{root}{}", Name::new(key).pascal());
        let is_taken = |name: &String| self.names.values().any(|other| other == name);
        if !is_taken(&plain) {
            return plain;
        }
        let numbered = (2_usize..).map(|number| format!("{plain}{number}"));
        numbered.into_iter().find(|name| !is_taken(name)).unwrap_or(plain)
    }

    fn schema(&mut self, node: &mut Node, pointer: &mut String) {
        let Json::Object(members) = &mut node.json else { return };
        members.retain(|keyword, _| {
            !is_annotation(keyword) && !DEFINITIONS.contains(&keyword.as_str())
        });
        if let Some(reference) = members.get("$ref").and_then(|member| member.value.as_str()) {
            let Some(target) = self.target(reference) else {
                self.unmodelled(node, pointer);
                return;
            };
            let mut text = String::from("#/$defs");
            push_segment(&mut text, target);
            if let Some(member) = members.get_mut("$ref") {
                member.value.json = Json::String(text);
            }
        }
        let Json::Object(members) = &mut node.json else { return };
        for (keyword, member) in members {
            let length = pointer.len();
            push_segment(pointer, keyword);
            let (is_named, is_nested) = (NAMED.contains(&keyword.as_str()), is_nested(keyword));
            match &mut member.value.json {
                Json::Object(schemas) if is_named => {
                    for (name, schema) in schemas {
                        self.below(name, &mut schema.value, pointer);
                    }
                }
                Json::Array(schemas) if is_nested => {
                    for (index, schema) in schemas.iter_mut().enumerate() {
                        self.below(&index.to_string(), schema, pointer);
                    }
                }
                _ if is_nested => self.schema(&mut member.value, pointer),
                _ => {}
            }
            pointer.truncate(length);
        }
    }

    fn below(&mut self, segment: &str, schema: &mut Node, pointer: &mut String) {
        let length = pointer.len();
        push_segment(pointer, segment);
        self.schema(schema, pointer);
        pointer.truncate(length);
    }

    /// The name of a reference's target in the protocol's schema.
    fn target(&self, reference: &str) -> Option<&str> {
        if reference == "#" {
            return Some(self.root);
        }
        let path = segments(&super::references::percent_decoded(reference.strip_prefix('#')?))?;
        let [keyword, name] = path.as_slice() else { return None };
        let keyword = DEFINITIONS.into_iter().find(|known| known == keyword)?;
        self.names.get(&(keyword, name.clone())).map(String::as_str)
    }

    fn unmodelled(&mut self, node: &mut Node, pointer: &str) {
        let member = node.get("$ref");
        let span = member.map_or(node.span, |member| member.span);
        let text = member.and_then(Node::as_str).unwrap_or_default();
        self.diagnostics.push(
            Diagnostic::warning(
                "unmodelled",
                format!("`{text}` does not refer to a definition of the schema it stands in"),
            )
            .at(self.sources.location(format!("{pointer}/$ref"), span))
            .label("generated code takes any JSON here")
            .help("define it in `$defs` of that schema if it should be typed"),
        );
        node.json = Json::Object(IndexMap::new());
    }
}
