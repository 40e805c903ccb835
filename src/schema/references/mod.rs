//! References of every form, each made one to a definition of the document.
//!
//! The target of a reference may be any schema of the document, by pointer or anchor, or one of
//! another text. It becomes a definition, and where it stood a reference stands.

mod index;
mod positions;
mod rewrite;
#[cfg(test)]
mod tests;
mod uri;

use std::collections::{HashMap, HashSet};

use indexmap::{IndexMap, IndexSet};

use self::index::{Index, Lost, Place};
pub(super) use self::positions::{NAMED, is_nested};
use self::positions::{each_subschema, is_namespace, push_segments, words};
use self::rewrite::Rewrite;
pub(super) use self::uri::percent_decoded;
pub(crate) use self::uri::{is_absolute, resolve_uri};
use super::SchemaText;
use super::dialect::{DEFINITIONS, SourceDialects};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::source::{Location, Node, Sources, push_segment, segments};

/// A text that references lead to: a file beside the schema, or one that stands for a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferredText {
    /// The URL or the path of a file that references to it resolve to.
    pub uri: String,
    /// The text, or why it cannot be read.
    pub text: Result<SchemaText, String>,
}

/// A document in which all references are ones to its own definitions.
pub(super) struct Resolved {
    pub(super) root: Node,
    /// The pointers of the definitions that stood elsewhere, by name.
    pub(super) moved: IndexMap<String, String>,
    pub(super) dialects: SourceDialects,
}

/// Makes all references of a document ones to its own definitions. References that lead nowhere are
/// reported.
pub(super) fn resolve_references(
    root: Node,
    referred: Vec<ReferredText>,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Resolved {
    if is_plain(&root) {
        let dialects = SourceDialects::of_document(&root);
        return Resolved { root, moved: IndexMap::new(), dialects };
    }
    let label = label(sources, &root);
    let mut resolver = Resolver {
        index: Index::new(root, &label, referred),
        references: HashMap::new(),
        targets: IndexSet::new(),
        walked: HashSet::new(),
        uses: Vec::new(),
        sources,
        diagnostics,
    };
    resolver.follow();
    let names = resolver.names();
    Rewrite::new(&names, &resolver.references).apply(resolver.index)
}

/// Tells whether all references are ones to definitions already, so that there is nothing to do.
fn is_plain(root: &Node) -> bool {
    let mut is_plain = has_plain(root);
    each_subschema(root, &mut |way, part| {
        is_plain = is_plain && !(DEFINITIONS.contains(&way[0]) && is_namespace(part));
    });
    is_plain
}

/// Tells the same of a schema and those within it, whatever the URI of the whole is.
fn has_plain(node: &Node) -> bool {
    let mut all = node.get("$ref").and_then(Node::as_str).is_none_or(is_to_definition)
        && node.get("$dynamicRef").is_none()
        && node.get("$recursiveRef").is_none();
    each_subschema(node, &mut |_, part| {
        let has_uri = ["$id", "id"].iter().any(|it| part.get(it).and_then(Node::as_str).is_some());
        all = all && !has_uri && has_plain(part);
    });
    all
}

/// Tells whether a reference is written as one to a definition: `#/$defs/NAME`.
fn is_to_definition(reference: &str) -> bool {
    let name = DEFINITIONS
        .iter()
        .find_map(|keyword| reference.strip_prefix("#/")?.strip_prefix(keyword)?.strip_prefix('/'));
    name.is_some_and(|name| !name.contains('/'))
}

/// The name of the text that a node stands in.
fn label(sources: &Sources, node: &Node) -> String {
    sources.get(node.span.source).map(|it| it.label.clone()).unwrap_or_default()
}

/// A reference that is to be followed.
struct Use {
    place: Place,
    keyword: &'static str,
    reference: String,
    location: Location,
    label: String,
}

/// Keywords of references.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

struct Resolver<'a> {
    index: Index,
    /// The keywords and targets, by the place of the schema that has the references.
    references: HashMap<Place, Vec<(&'static str, Place)>>,
    /// The places of schemas that become definitions.
    targets: IndexSet<Place>,
    walked: HashSet<Place>,
    /// The references that are still to be followed, the last one first.
    uses: Vec<Use>,
    sources: &'a mut Sources,
    diagnostics: &'a mut Diagnostics,
}

impl Resolver<'_> {
    /// Follows all references of the document, and those of what they lead to.
    fn follow(&mut self) {
        let root = Place { text: 0, pointer: String::new() };
        for place in self.collect(&root) {
            self.add_target(place);
        }
        while let Some(it) = self.uses.pop() {
            let is_certain = self.index.is_certain(it.keyword, &it.reference);
            if it.keyword != "$ref" && !is_certain {
                continue;
            }
            match self.target(&it.place, &it.reference, &it.label) {
                Ok(target) => {
                    let target = self.end_of_chain(target);
                    let node = self.index.node(&target);
                    if let Some(node) =
                        node.filter(|it| it.as_object().is_none() && it.as_bool().is_none())
                    {
                        let message = format!("`{}` leads to {}", it.reference, node.describe());
                        let error = Diagnostic::error("unsupported-ref", message).at(it.location);
                        let help = "refer to a schema: an object, `true` or `false`";
                        self.diagnostics.push(error.help(help));
                        continue;
                    }
                    self.add_target(target.clone());
                    self.references.entry(it.place).or_default().push((it.keyword, target));
                }
                // Missing definitions are reported where they are used.
                Err(_) if it.place.text == 0 && is_to_definition(&it.reference) => {}
                Err(lost) => self.diagnostics.push(lost.say(&it.reference).at(it.location)),
            }
        }
    }

    fn target(&mut self, from: &Place, reference: &str, label: &str) -> Result<Place, Lost> {
        self.index.target(from, reference, label, self.sources, self.diagnostics)
    }

    /// Where a reference leads to in the end, if it leads to what only refers to something else and
    /// has no name.
    fn end_of_chain(&mut self, mut target: Place) -> Place {
        let mut seen = HashSet::new();
        while !is_definition(&target) && seen.insert(target.clone()) {
            let only = self.index.node(&target).filter(|it| rewrite::is_only_reference(it));
            let Some(reference) = only.and_then(|it| it.get("$ref")) else { break };
            let label = label(self.sources, reference);
            let text = reference.as_str().unwrap_or_default().to_owned();
            let Ok(next) = self.target(&target, &text, &label) else { break };
            target = next;
        }
        target
    }

    fn add_target(&mut self, place: Place) {
        if !is_definition(&place) {
            for place in self.collect(&place) {
                self.add_target(place);
            }
            self.targets.insert(place);
        }
    }

    /// Collects the references of a schema and of those within it, and gives the definitions that
    /// stand within others of the document, which need not be schemas.
    fn collect(&mut self, place: &Place) -> Vec<Place> {
        let mut found = Vec::new();
        let Some(node) = self.index.node(place) else { return found };
        let mut collected = Collected {
            sources: self.sources,
            walked: &mut self.walked,
            uses: &mut self.uses,
            namespaces: &mut found,
        };
        collected.visit(node, &mut place.clone());
        found
    }

    /// The names of what becomes a definition.
    fn names(&mut self) -> HashMap<Place, String> {
        let mut taken: HashSet<String> = HashSet::new();
        let mut names = HashMap::new();
        if let Some(root) = self.index.texts.first().map(|it| &it.root) {
            each_subschema(root, &mut |way, part| {
                if let [keyword, name] = way
                    && DEFINITIONS.contains(keyword)
                    && !is_namespace(part)
                {
                    taken.insert((*name).to_owned());
                    let mut pointer = String::new();
                    push_segments(&mut pointer, way);
                    names.insert(Place { text: 0, pointer }, (*name).to_owned());
                }
            });
        }
        let mut targets: Vec<(&str, &str, &Place)> = Vec::new();
        for place in &self.targets {
            let (uri, way) = self.index.within_resource(place);
            targets.push((uri, way, place));
        }
        targets.sort_by_key(|(uri, way, place)| (place.text > 0, *uri, *way));
        for (uri, way, place) in targets {
            let title = || self.index.texts.first()?.root.get("title")?.as_str();
            let is_main = place.text == 0 && place.pointer.len() == way.len();
            let stem = if is_main { title().unwrap_or("Root") } else { stem(uri) };
            let way = segments(way).unwrap_or_default();
            let mut words = words(&way);
            if way.first().is_none_or(|first| !DEFINITIONS.contains(&first.as_str())) {
                words.insert(0, stem);
            }
            let plain = words.join("_");
            let longer = format!("{stem}_{plain}");
            let numbered = (2_usize..).map(|number| format!("{plain}_{number}"));
            let mut all =
                std::iter::once(plain.clone()).chain(std::iter::once(longer)).chain(numbered);
            let Some(name) = all.find(|name| !taken.contains(name)) else { continue };
            if name != plain {
                let node = self.index.node(place).map(|it| it.span).unwrap_or_default();
                let location = self.sources.location(place.pointer.clone(), node);
                self.diagnostics.push(
                    Diagnostic::warning(
                        "name-taken",
                        format!(
                            "the definition that references lead to here would be called `{plain}`"
                        ),
                    )
                    .at(location)
                    .label(format!("it is called `{name}`"))
                    .help("give one of the two another name with `x-name`"),
                );
            }
            taken.insert(name.clone());
            names.insert(place.clone(), name);
        }
        names
    }
}

/// The last segment of a URI or path, without what says that it is a schema.
fn stem(uri: &str) -> &str {
    let name = uri.trim_end_matches('/').rsplit(['/', '\\', ':']).next().unwrap_or(uri);
    name.split('.').next().filter(|it| !it.is_empty()).unwrap_or("Root")
}

/// Tells whether a place is that of a definition of the document.
fn is_definition(place: &Place) -> bool {
    let way = segments(&place.pointer).unwrap_or_default();
    place.text == 0 && way.len() == 2 && DEFINITIONS.contains(&way[0].as_str())
}

impl Lost {
    /// The finding about a reference.
    fn say(self, reference: &str) -> Diagnostic {
        match self {
            Self::NoText(uri, Some(why)) => {
                let message = format!("`{reference}` cannot be followed: {why}");
                Diagnostic::error("unreadable", message).help(if is_absolute(&uri) {
                    "`refs` says which file stands for the URL"
                } else {
                    "a path counts from the folder of the text that the reference stands in"
                })
            }
            Self::NoText(uri, None) if is_absolute(&uri) || uri.starts_with('/') => {
                let message = format!("`{reference}` leads to a schema that is not here");
                let file = stem(&uri);
                Diagnostic::error("unmapped-ref", message).help(format!(
                    "nothing is read from the network: save it, and say where it is, in \
                     `acp-bindgen.toml`: `[refs]` with `\"{uri}\" = \"{file}.json\"`"
                ))
            }
            Self::NoText(uri, None) => {
                let message = format!("`{reference}` leads to `{uri}`, which was not given");
                Diagnostic::error("unmapped-ref", message)
                    .help("give the schema by its path, so that files beside it are found")
            }
            Self::Nothing { wanted, near } => {
                let message = format!("`{reference}` leads nowhere: there is no `{wanted}`");
                let near = nearest(&wanted, near.iter().map(String::as_str));
                let near = near.map(|near| format!("did you mean `{near}`?"));
                let help = near.unwrap_or_else(|| {
                    "a pointer leads to a schema by keywords and names, an anchor by `$anchor`"
                        .into()
                });
                Diagnostic::error("dangling-ref", message).help(help)
            }
        }
    }
}

/// The references of a schema, as they are collected.
struct Collected<'a> {
    sources: &'a Sources,
    walked: &'a mut HashSet<Place>,
    uses: &'a mut Vec<Use>,
    namespaces: &'a mut Vec<Place>,
}

impl Collected<'_> {
    fn visit(&mut self, node: &Node, place: &mut Place) {
        if !self.walked.insert(place.clone()) {
            return;
        }
        for keyword in REFERENCES {
            let Some(reference) = node.get(keyword) else { continue };
            let Some(text) = reference.as_str() else { continue };
            self.uses.push(Use {
                place: place.clone(),
                keyword,
                reference: text.to_owned(),
                location: self
                    .sources
                    .location(format!("{}/{keyword}", place.pointer), reference.span),
                label: label(self.sources, reference),
            });
        }
        each_subschema(node, &mut |way, part| {
            let length = place.pointer.len();
            push_segments(&mut place.pointer, way);
            if DEFINITIONS.contains(&way[0]) && place.text == 0 && length == 0 && is_namespace(part)
            {
                self.namespace(part, place);
            } else {
                self.visit(part, place);
            }
            place.pointer.truncate(length);
        });
    }

    /// Collects the definitions that stand within one that is no schema.
    fn namespace(&mut self, node: &Node, place: &mut Place) {
        for (name, member) in node.as_object().into_iter().flatten() {
            let length = place.pointer.len();
            push_segment(&mut place.pointer, name);
            if is_namespace(&member.value) {
                self.namespace(&member.value, place);
            } else {
                self.namespaces.push(place.clone());
            }
            place.pointer.truncate(length);
        }
    }
}
