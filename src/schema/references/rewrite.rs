//! Makes definitions of what references lead to, and rewrites the references.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use indexmap::IndexMap;

use super::index::{Index, Place, Text};
use super::positions::{is_applied, is_namespace};
use super::{Resolved, is_definition};
use crate::schema::annotations::is_annotation;
use crate::schema::dialect::{DEFINITIONS, Dialect, SourceDialects};
use crate::source::{Json, Member, Node, Span, push_segment, segments};

/// Keywords that say nothing of values, and so may stand beside a reference in every draft.
const DESCRIPTIVE: [&str; 8] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
];

/// Keywords of a root that are about the document.
const OF_DOCUMENT: [&str; 3] = ["$anchor", "$vocabulary", "$recursiveAnchor"];

pub(super) struct Rewrite<'a> {
    /// The definitions by place, those that are yet to be made among them.
    names: &'a HashMap<Place, String>,
    /// The keywords and targets, by the place of the schema that has the references.
    references: &'a HashMap<Place, Vec<(&'static str, Place)>>,
    /// The schemas that have a URI of their own.
    with_uri: HashSet<Place>,
    /// Definitions that were made: with the pointers where they stood.
    made: Vec<(String, Node, String)>,
}

/// Where references are rewritten.
#[derive(Clone, Copy)]
struct Dialects {
    /// The keyword of the document's definitions.
    keyword: &'static str,
    /// True if nothing counts beside a `$ref` of the document.
    is_old: bool,
    /// True if nothing counts beside a `$ref` of the text that is being rewritten.
    from_old: bool,
}

impl<'a> Rewrite<'a> {
    pub(super) fn new(
        names: &'a HashMap<Place, String>,
        references: &'a HashMap<Place, Vec<(&'static str, Place)>>,
    ) -> Self {
        Self { names, references, with_uri: HashSet::new(), made: Vec::new() }
    }

    /// Gives the document with its new definitions, their pointers by name, and the dialects of the
    /// texts that they are from.
    pub(super) fn apply(mut self, index: Index) -> Resolved {
        self.with_uri = index.with_uri();
        let document = index.texts.first().map_or(Dialect::Unknown, |text| text.dialect);
        let others = index.texts.iter().skip(1).map(|text| (text.root.span.source, text.dialect));
        let dialects = SourceDialects { document, others: others.collect() };
        let mut texts = index.texts.into_iter();
        let Some(Text { mut root, .. }) = texts.next() else {
            let root = empty(Span::default());
            return Resolved { root, moved: IndexMap::new(), dialects };
        };
        let sources = dialects;
        let is_old = document == Dialect::Old;
        let own = DEFINITIONS.into_iter().find(|keyword| root.get(keyword).is_some());
        let dialects = Dialects { keyword: own.unwrap_or("$defs"), is_old, from_old: is_old };
        let namespaces = remove_namespaces(&mut root);
        let mut place = Place { text: 0, pointer: String::new() };
        self.visit(&mut root, &mut place, dialects);
        for (pointer, mut member) in namespaces {
            self.visit(&mut member.value, &mut Place { text: 0, pointer }, dialects);
        }
        if let Some(name) = self.names.get(&place) {
            self.made.push((name.clone(), of_values(&root), String::new()));
        }
        for (number, mut text) in texts.enumerate() {
            let mut place = Place { text: number + 1, pointer: String::new() };
            self.visit(
                &mut text.root,
                &mut place,
                Dialects { from_old: text.dialect == Dialect::Old, ..dialects },
            );
        }
        let mut moved = IndexMap::new();
        let span = root.span;
        if let Json::Object(members) = &mut root.json {
            let made = || Member { key: span, value: empty(span) };
            let definitions = members.entry(dialects.keyword.to_owned()).or_insert_with(made);
            if let Json::Object(definitions) = &mut definitions.value.json {
                self.made.sort_by(|one, other| one.0.cmp(&other.0));
                for (name, value, pointer) in self.made {
                    definitions.insert(name.clone(), Member { key: value.span, value });
                    moved.insert(name, pointer);
                }
            }
        }
        Resolved { root, moved, dialects: sources }
    }

    /// Rewrites the references within a node, takes definitions out of it, and leaves references in
    /// their place.
    fn visit(&mut self, node: &mut Node, place: &mut Place, dialects: Dialects) {
        let length = place.pointer.len();
        match &mut node.json {
            Json::Object(members) => {
                for (name, member) in members {
                    push_segment(&mut place.pointer, name);
                    self.visit(&mut member.value, place, dialects);
                    place.pointer.truncate(length);
                }
            }
            Json::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    push_segment(&mut place.pointer, &index.to_string());
                    self.visit(item, place, dialects);
                    place.pointer.truncate(length);
                }
            }
            _ => {}
        }
        if let Json::Object(members) = &mut node.json
            && self.with_uri.contains(place)
        {
            members.retain(|keyword, _| !["$id", "id", "$schema"].contains(&keyword.as_str()));
        }
        for (keyword, target) in self.references.get(place).into_iter().flatten() {
            if let Some(name) = self.names.get(target) {
                dialects.refer(node, keyword, name);
            }
        }
        let stays = place.text == 0 && place.pointer.is_empty() || is_definition(place);
        if let Some(name) = self.names.get(place).filter(|_| !stays) {
            let way = segments(&place.pointer).unwrap_or_default();
            let mut definition = leave_description(node, is_applied(&way));
            std::mem::swap(node, &mut definition);
            Dialects { from_old: dialects.is_old, ..dialects }.refer(node, "$ref", name);
            self.made.push((name.clone(), definition, place.pointer.clone()));
        }
    }
}

impl Dialects {
    /// Puts a reference to a definition into a schema, in the place of one with this keyword.
    fn refer(self, node: &mut Node, keyword: &str, name: &str) {
        let span = node.get(keyword).map_or(node.span, |it| it.span);
        let text = format!("#/{}/{}", self.keyword, fragment_segment(name));
        let reference = Node { span, json: Json::String(text) };
        let Json::Object(members) = &mut node.json else { return };
        let describes = |keyword: &str| {
            DESCRIPTIVE.contains(&keyword) || is_annotation(keyword) || keyword == "$schema"
        };
        if self.from_old && !self.is_old {
            members.retain(|it, _| it == keyword || describes(it) || DEFINITIONS.contains(&&**it));
        }
        let restricts =
            |it: &String| it != keyword && !describes(it) && !DEFINITIONS.contains(&it.as_str());
        let is_beside = self.is_old && !self.from_old && members.keys().any(restricts);
        if !is_beside && (keyword == "$ref" || !members.contains_key("$ref")) {
            if keyword != "$ref" {
                members.shift_remove(keyword);
            }
            let member = Member { key: span, value: reference };
            let place = members.entry("$ref".to_owned()).or_insert_with(|| member.clone());
            place.value = member.value;
            return;
        }
        members.shift_remove(keyword);
        let only = Member { key: span, value: reference };
        let json = Json::Object(IndexMap::from([("$ref".to_owned(), only)]));
        let list = || Member { key: span, value: Node { span, json: Json::Array(Vec::new()) } };
        let all = members.entry("allOf".to_owned()).or_insert_with(list);
        if let Json::Array(all) = &mut all.value.json {
            all.push(Node { span, json });
        }
    }
}

/// Tells whether a schema refers to another and says nothing else of values.
pub(super) fn is_only_reference(node: &Node) -> bool {
    let describes = |it: &String| DESCRIPTIVE.contains(&it.as_str()) || is_annotation(it);
    node.get("$ref").and_then(Node::as_str).is_some()
        && node.as_object().is_some_and(|it| it.keys().all(|it| it == "$ref" || describes(it)))
}

/// Takes what holds definitions, and is no schema itself, out of the definitions of a document,
/// with the pointers to it.
fn remove_namespaces(root: &mut Node) -> Vec<(String, Member)> {
    let mut found = Vec::new();
    let Json::Object(members) = &mut root.json else { return found };
    for keyword in DEFINITIONS {
        let definitions = members.get_mut(keyword).map(|member| &mut member.value.json);
        let Some(Json::Object(definitions)) = definitions else { continue };
        let is_one = |(_, member): &(&String, &Member)| is_namespace(&member.value);
        let names: Vec<String> = definitions.iter().filter(is_one).map(|it| it.0.clone()).collect();
        for name in names {
            let mut pointer = format!("/{keyword}");
            push_segment(&mut pointer, &name);
            found.extend(definitions.shift_remove(&name).map(|member| (pointer, member)));
        }
    }
    found
}

/// Makes the schema that stays where another becomes a definition: the keywords that describe the
/// place, and if it describes values there, its annotations, which the definition loses.
fn leave_description(node: &mut Node, is_applied: bool) -> Node {
    let mut left = empty(node.span);
    if let (Json::Object(members), Json::Object(left)) = (&mut node.json, &mut left.json) {
        let describes = |it: &&String| DESCRIPTIVE.contains(&it.as_str());
        let kept = members.iter().filter(|(keyword, _)| describes(keyword));
        left.extend(kept.map(|(keyword, member)| (keyword.clone(), member.clone())));
        if is_applied {
            let annotations: Vec<String> =
                members.keys().filter(|it| is_annotation(it)).cloned().collect();
            for keyword in annotations {
                left.extend(members.shift_remove(&keyword).map(|member| (keyword, member)));
            }
        }
    }
    left
}

/// Copies the root of a document, without the keywords that are about the document.
fn of_values(root: &Node) -> Node {
    let mut schema = root.clone();
    if let Json::Object(members) = &mut schema.json {
        members.retain(|keyword, _| {
            let keyword = keyword.as_str();
            let is_of_document = OF_DOCUMENT.contains(&keyword)
                || ["$schema", "$id", "id"].contains(&keyword)
                || DEFINITIONS.contains(&keyword);
            !is_of_document && !is_annotation(keyword)
        });
    }
    schema
}

fn empty(span: Span) -> Node {
    Node { span, json: Json::Object(IndexMap::new()) }
}

/// A segment of a pointer as a fragment has it (RFC 6901, section 6).
fn fragment_segment(name: &str) -> String {
    let mut pointer = String::new();
    push_segment(&mut pointer, name);
    let mut text = String::new();
    for byte in pointer.bytes().skip(1) {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}
