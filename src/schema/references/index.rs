//! The texts that references lead into, and what in them has a URI or an anchor.

use std::collections::{HashMap, HashSet};

use super::ReferredText;
use super::positions::{each_subschema, push_segments};
use super::uri::{percent_decoded, resolve_uri};
use crate::diagnostic::Diagnostics;
use crate::schema::dialect::{DEFINITIONS, Dialect};
use crate::schema::{SCHEMA, read_object};
use crate::source::{Json, Node, Sources, Span, push_segment, segments};

/// A schema in one of the texts: the number of the text, and the pointer in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) text: usize,
    pub(super) pointer: String,
}

/// A text with schemas.
pub(super) struct Text {
    pub(super) root: Node,
    /// Its dialect.
    pub(super) dialect: Dialect,
}

/// A schema with a URI of its own: the root of a text, or what has an `$id`.
struct Resource {
    place: Place,
    uri: String,
}

/// Why a reference leads nowhere.
pub(super) enum Lost {
    /// No text has this URI. It could not be read for this reason, if it is a file.
    NoText(String, Option<String>),
    /// The text has nothing there: an anchor, or the first segments of a pointer lead to a schema
    /// that has no such member.
    Nothing { wanted: String, near: Vec<String> },
}

/// The texts, and their schemas by URI and anchor.
pub(super) struct Index {
    pub(super) texts: Vec<Text>,
    resources: Vec<Resource>,
    /// By the number of the resource and the name.
    anchors: HashMap<(usize, String), Place>,
    /// `$dynamicAnchor`: how many have the name.
    dynamic: HashMap<String, Vec<Place>>,
    /// `$recursiveAnchor: true`: how many there are.
    recursive: usize,
    /// Texts that no reference has led to.
    unread: Vec<ReferredText>,
}

impl Index {
    /// Takes the document, and the texts that its references may lead to.
    pub(super) fn new(root: Node, label: &str, unread: Vec<ReferredText>) -> Self {
        let mut index = Self {
            texts: Vec::new(),
            resources: Vec::new(),
            anchors: HashMap::new(),
            dynamic: HashMap::new(),
            recursive: 0,
            unread,
        };
        index.add(root, label.to_owned());
        index
    }

    fn add(&mut self, root: Node, uri: String) {
        let place = Place { text: self.texts.len(), pointer: String::new() };
        let dialect = Dialect::declared_by(&root);
        let is_old = dialect == Dialect::Old;
        self.resources.push(Resource { place: place.clone(), uri });
        let resource = self.resources.len() - 1;
        self.visit(&root, &place, resource, is_old);
        self.texts.push(Text { root, dialect });
    }

    fn visit(&mut self, node: &Node, place: &Place, mut resource: usize, is_old: bool) {
        let text = |keyword| node.get(keyword).and_then(Node::as_str);
        // In older drafts nothing counts beside a reference.
        if !is_old || node.get("$ref").is_none() {
            let id = text("$id").or_else(|| text("id").filter(|_| is_old)).unwrap_or_default();
            let (uri, anchor) = id.split_once('#').unwrap_or((id, ""));
            if !uri.is_empty() {
                let base = self.resources.get(resource).map_or("", |it| it.uri.as_str());
                let uri = resolve_uri(base, uri);
                self.resources.push(Resource { place: place.clone(), uri });
                resource = self.resources.len() - 1;
            }
            let dynamic = text("$dynamicAnchor");
            for name in
                [Some(anchor).filter(|it| is_old && !it.is_empty()), text("$anchor"), dynamic]
            {
                let Some(name) = name else { continue };
                self.anchors.entry((resource, name.to_owned())).or_insert_with(|| place.clone());
            }
            if let Some(name) = dynamic {
                self.dynamic.entry(name.to_owned()).or_default().push(place.clone());
            }
            if node.get("$recursiveAnchor").and_then(Node::as_bool) == Some(true) {
                self.recursive += 1;
            }
        }
        let mut below = place.clone();
        each_subschema(node, &mut |way, part| {
            let length = below.pointer.len();
            push_segments(&mut below.pointer, way);
            self.visit(part, &below, resource, is_old);
            below.pointer.truncate(length);
        });
    }

    /// The schema at a place.
    pub(super) fn node(&self, place: &Place) -> Option<&Node> {
        let mut node = &self.texts.get(place.text)?.root;
        for segment in segments(&place.pointer)? {
            node = child(node, &segment)?;
        }
        Some(node)
    }

    /// The resource that a place is in: the number, the URI, and the pointer within it.
    fn resource(&self, place: &Place) -> Option<(usize, &Resource)> {
        let holds = |it: &(usize, &Resource)| {
            let rest = place.pointer.strip_prefix(&it.1.place.pointer);
            it.1.place.text == place.text
                && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        // Of two at one place, the later one is what it calls itself.
        self.resources
            .iter()
            .enumerate()
            .filter(holds)
            .max_by_key(|(index, it)| (it.place.pointer.len(), *index))
    }

    /// The schemas that have a URI of their own, but for the document's root.
    pub(super) fn with_uri(&self) -> HashSet<Place> {
        let is_root = |it: &&Place| it.text == 0 && it.pointer.is_empty();
        self.resources.iter().map(|it| &it.place).filter(|it| !is_root(it)).cloned().collect()
    }

    /// The URI of the resource that a place is in, and the pointer within it.
    pub(super) fn within_resource<'p>(&self, place: &'p Place) -> (&str, &'p str) {
        match self.resource(place) {
            Some((_, it)) => (&it.uri, place.pointer.get(it.place.pointer.len()..).unwrap_or("")),
            None => ("", &place.pointer),
        }
    }

    /// Finds the schema that a reference at a place leads to. `label`: the name of the text that it is written in.
    pub(super) fn target(
        &mut self,
        from: &Place,
        reference: &str,
        label: &str,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Result<Place, Lost> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let own = self.resource(from).map_or(0, |(number, _)| number);
        let resource = if uri.is_empty() {
            own
        } else {
            let base = self.resources.get(own).map_or("", |it| it.uri.as_str());
            let (absolute, path) = (resolve_uri(base, uri), resolve_uri(label, uri));
            self.named(&absolute)
                .map_or_else(|| self.named(&path), Some)
                .map_or_else(|| self.read([absolute, path], sources, diagnostics), Ok)?
        };
        let start =
            self.resources.get(resource).map_or_else(|| from.clone(), |it| it.place.clone());
        let fragment = percent_decoded(fragment);
        let Some(way) = segments(&fragment) else {
            let found = self.anchors.get(&(resource, fragment.clone()));
            return found.cloned().ok_or_else(|| Lost::Nothing {
                wanted: fragment,
                near: self
                    .anchors
                    .keys()
                    .filter(|it| it.0 == resource)
                    .map(|it| it.1.clone())
                    .collect(),
            });
        };
        let mut place = start;
        let mut node = self.node(&place);
        for mut segment in way {
            let here = node;
            // Either keyword is understood; a document has just one of them.
            if DEFINITIONS.contains(&segment.as_str())
                && here.is_some_and(|it| it.get(&segment).is_none())
            {
                let other = DEFINITIONS
                    .into_iter()
                    .find(|other| here.is_some_and(|it| it.get(other).is_some()));
                segment = other.map_or(segment, str::to_owned);
            }
            node = here.and_then(|it| child(it, &segment));
            if node.is_none() {
                let names = here.and_then(Node::as_object).into_iter().flat_map(|it| it.keys());
                return Err(Lost::Nothing { wanted: segment, near: names.cloned().collect() });
            }
            push_segment(&mut place.pointer, &segment);
        }
        Ok(place)
    }

    /// Tells whether a `$dynamicRef` or `$recursiveRef` leads to the same schema from everywhere.
    pub(super) fn is_certain(&self, keyword: &str, reference: &str) -> bool {
        match keyword {
            "$dynamicRef" => {
                let name = reference.rsplit('#').next().unwrap_or_default();
                self.dynamic.get(name).is_none_or(|all| all.len() == 1)
            }
            _ => self.recursive <= 1,
        }
    }

    fn named(&self, uri: &str) -> Option<usize> {
        let uri = uri.trim_end_matches('#');
        self.resources.iter().position(|it| it.uri == uri)
    }

    /// Reads a text that nothing has led to yet.
    fn read(
        &mut self,
        uris: [String; 2],
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Result<usize, Lost> {
        let [uri, path] = uris;
        let found = self.unread.iter().position(|it| it.uri == uri || it.uri == path);
        let Some(found) = found else { return Err(Lost::NoText(uri, None)) };
        let ReferredText { uri, text } = self.unread.remove(found);
        match text {
            Ok(text) => {
                let number = self.resources.len();
                let root = read_object(sources, text, &SCHEMA, diagnostics);
                let empty = Node { span: Span::default(), json: Json::Bool(true) };
                self.add(root.unwrap_or(empty), uri);
                Ok(number)
            }
            Err(why) => {
                self.unread.push(ReferredText { uri: uri.clone(), text: Err(why.clone()) });
                Err(Lost::NoText(uri, Some(why)))
            }
        }
    }
}

/// The member or item of this name.
fn child<'n>(node: &'n Node, segment: &str) -> Option<&'n Node> {
    match node.as_array() {
        Some(items) => items.get(segment.parse::<usize>().ok()?),
        None => node.get(segment),
    }
}
