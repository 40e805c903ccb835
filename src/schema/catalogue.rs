//! A catalogue: a saved answer of the request that lists what another request calls by name, as
//! `x-catalogue` says.

use indexmap::IndexMap;

use super::{RootKind, Schema, SchemaText, local, read_object};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{CatalogueEntry, Docs, Name};
use crate::source::{Json, Location, Member, Node, Sources, Span, push_segment};

const CATALOGUE: RootKind = RootKind {
    code: "malformed-catalogue",
    what: "a catalogue",
    help: "save the result of the request that lists the entries",
};

/// The members of `x-catalogue` that say how a catalogue is read.
struct Shape {
    list: String,
    items: String,
    name: String,
    description: String,
    input: String,
    output: String,
}

impl Schema {
    /// Reads a catalogue, as the schema's `x-catalogue` says, and adds what its schemas define.
    pub fn extend(
        &mut self,
        catalogue: SchemaText,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(annotation) = annotation(&self.root) else {
            diagnostics.push(
                Diagnostic::error(
                    "no-catalogue",
                    format!(
                        "the schema does not say how to read the catalogue `{}`",
                        catalogue.label
                    ),
                )
                .at(sources.location("", self.root.span))
                .help("annotate the params of the request that is called with `x-catalogue`"),
            );
            return;
        };
        // Members that are missing or no strings are reported when the schema is read.
        let Some(shape) = Shape::read(annotation) else { return };
        let texts = [self.origin.digest.as_str(), catalogue.text.as_str()];
        self.origin.digest = super::digest_of(texts);
        let Some(root) = read_object(sources, catalogue, &CATALOGUE, diagnostics) else {
            return;
        };
        let mut reader = CatalogueReader { shape, sources, diagnostics };
        let Some(items) = reader.items(root) else { return };
        let mut taken: IndexMap<String, Location> = definitions(&self.root)
            .map(|(name, member)| {
                let mut pointer = String::from("/$defs");
                push_segment(&mut pointer, name);
                (name.clone(), reader.sources.location(pointer, member.key))
            })
            .collect();
        let stems = stems(&items, &taken, reader.diagnostics);
        for (item, stem) in items.into_iter().zip(stems) {
            self.add(item, &stem, &mut taken, reader.sources, reader.diagnostics);
        }
    }

    fn add(
        &mut self,
        item: Item,
        stem: &str,
        taken: &mut IndexMap<String, Location>,
        sources: &Sources,
        diagnostics: &mut Diagnostics,
    ) {
        let mut names = Vec::new();
        for (suffix, schema, pointer) in
            [("Input", item.input, &item.pointers[0]), ("Output", item.output, &item.pointers[1])]
        {
            let name = format!("{stem}{suffix}");
            let all = local::definitions(&name, schema, pointer, sources, diagnostics);
            names.push(name);
            for (name, member) in all {
                if let Some(other) = taken.get(&name) {
                    diagnostics.push(
                        Diagnostic::error(
                            "name-collision",
                            format!("a type of `{}` would be called `{name}`", item.name),
                        )
                        .at(item.location.clone())
                        .related(other.clone(), format!("`{name}` is already here"))
                        .help("save the catalogue with one of the names changed"),
                    );
                    return;
                }
                taken.insert(name.clone(), item.location.clone());
                define(&mut self.root, name, member);
            }
        }
        if let [input, output] = names.as_slice() {
            self.catalogue.push(CatalogueEntry {
                name: Name::new(item.name.as_str()),
                input: input.clone(),
                output: output.clone(),
                docs: Docs { description: item.description, ..Docs::default() },
                location: item.location,
            });
        }
    }
}

/// Decides how the names of each entry's types begin: with the words of its name. Where types are called
/// so already, symbols become words, or a number comes after the name; the order of entries says
/// nothing.
fn stems(
    items: &[Item],
    taken: &IndexMap<String, Location>,
    diagnostics: &mut Diagnostics,
) -> Vec<String> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|index| items.get(*index).map(|item| item.name.as_str()));
    let mut stems: Vec<String> = vec![String::new(); items.len()];
    for index in order {
        let Some(item) = items.get(index) else { continue };
        let plain = Name::new(&*item.name).pascal();
        let spelled = Name::spelled_out(&*item.name).pascal();
        let numbered = (2..).map(|number| format!("{plain}{number}"));
        let ends = ["Input", "Output"];
        let is_free = |stem: &String| {
            let names = ends.map(|end| format!("{stem}{end}"));
            let is_begun = |key: &String| names.iter().any(|name| key.starts_with(name));
            !stems.contains(stem) && !taken.keys().any(is_begun)
        };
        let mut candidates = [plain.clone(), spelled].into_iter().chain(numbered);
        let stem = candidates.find(is_free).unwrap_or_default();
        if stem != plain {
            let message = format!("types of `{}` would be called as others: `{plain}…`", item.name);
            diagnostics.push(
                Diagnostic::warning("name-taken", message)
                    .at(item.location.clone())
                    .label(format!("they are called `{stem}…`"))
                    .help("save the catalogue with one of the names changed"),
            );
        }
        if let Some(place) = stems.get_mut(index) {
            *place = stem;
        }
    }
    stems
}

/// The first `x-catalogue` of a definition. Any other is reported when methods are known.
fn annotation(root: &Node) -> Option<&Node> {
    definitions(root).find_map(|(_, member)| member.value.get("x-catalogue"))
}

fn definitions(root: &Node) -> impl Iterator<Item = (&String, &Member)> {
    ["$defs", "definitions"]
        .into_iter()
        .filter_map(|keyword| root.get(keyword)?.as_object())
        .flatten()
}

fn define(root: &mut Node, name: String, member: Member) {
    let Json::Object(members) = &mut root.json else { return };
    let keyword = if members.contains_key("$defs") { "$defs" } else { "definitions" };
    let Some(Member { value: Node { json: Json::Object(definitions), .. }, .. }) =
        members.get_mut(keyword)
    else {
        return;
    };
    definitions.insert(name, member);
}

impl Shape {
    fn read(annotation: &Node) -> Option<Self> {
        let member = |name: &str| annotation.get(name)?.as_str().map(str::to_owned);
        Some(Self {
            list: member("list")?,
            items: member("items")?,
            name: member("name")?,
            description: member("description")?,
            input: member("input")?,
            output: member("output")?,
        })
    }
}

/// An entry, as it stands in the catalogue.
struct Item {
    name: String,
    description: Option<String>,
    input: Member,
    output: Member,
    pointers: [String; 2],
    location: Location,
}

struct CatalogueReader<'a> {
    shape: Shape,
    sources: &'a Sources,
    diagnostics: &'a mut Diagnostics,
}

impl CatalogueReader<'_> {
    /// Reads all entries. There are none if any is not as it should be.
    fn items(&mut self, mut root: Node) -> Option<Vec<Item>> {
        let key = self.shape.items.clone();
        let mut pointer = String::new();
        push_segment(&mut pointer, &key);
        let Some(member) = take(&mut root, &key) else {
            self.wrong(&format!("the catalogue lacks `{key}`"), "", root.span);
            return None;
        };
        let span = member.value.span;
        let Json::Array(nodes) = member.value.json else {
            self.wrong(&format!("`{key}` is not an array"), &pointer, span);
            return None;
        };
        let count = nodes.len();
        let mut items: Vec<Item> = Vec::with_capacity(count);
        let mut names: IndexMap<String, Location> = IndexMap::new();
        for (index, node) in nodes.into_iter().enumerate() {
            let Some(item) = self.item(node, &format!("{pointer}/{index}")) else { continue };
            if let Some(other) = names.get(&item.name) {
                self.diagnostics.push(
                    Diagnostic::error("name-collision", format!("`{}` is there twice", item.name))
                        .at(item.location.clone())
                        .related(other.clone(), "the other one")
                        .help("save a catalogue in which each name is there once"),
                );
                continue;
            }
            names.insert(item.name.clone(), item.location.clone());
            items.push(item);
        }
        (items.len() == count).then_some(items)
    }

    fn item(&mut self, mut node: Node, pointer: &str) -> Option<Item> {
        if node.as_object().is_none() {
            let message = format!("an entry is an object, not {}", node.describe());
            self.wrong(&message, pointer, node.span);
            return None;
        }
        let (name_key, input_key) = (self.shape.name.clone(), self.shape.input.clone());
        let output_key = self.shape.output.clone();
        let description = node.get(&self.shape.description).and_then(Node::as_str);
        let description = description.map(str::to_owned);
        let name = node.get(&name_key).map(|name| (name.as_str().map(str::to_owned), name.span));
        let at = |key: &str| {
            let mut at = pointer.to_owned();
            push_segment(&mut at, key);
            at
        };
        let (name, span) = match name {
            Some((Some(name), span)) => (name, span),
            Some((None, span)) => {
                self.wrong(&format!("`{name_key}` is not a string"), &at(&name_key), span);
                return None;
            }
            None => {
                self.wrong(&format!("an entry lacks `{name_key}`"), pointer, node.span);
                return None;
            }
        };
        let location = self.sources.location(at(&name_key), span);
        let input = self.schema(&mut node, &input_key, pointer, &at(&input_key))?;
        let output = self.schema(&mut node, &output_key, pointer, &at(&output_key))?;
        let pointers = [at(&input_key), at(&output_key)];
        Some(Item { name, description, input, output, pointers, location })
    }

    fn schema(&mut self, node: &mut Node, key: &str, entry: &str, at: &str) -> Option<Member> {
        let Some(member) = take(node, key) else {
            self.wrong(&format!("an entry lacks `{key}`"), entry, node.span);
            return None;
        };
        if matches!(member.value.json, Json::Object(_) | Json::Bool(_)) {
            return Some(member);
        }
        let message = format!("`{key}` is {}, not a schema", member.value.describe());
        self.wrong(&message, at, member.value.span);
        None
    }

    fn wrong(&mut self, message: &str, pointer: &str, span: Span) {
        let Shape { list, items, name, input, output, .. } = &self.shape;
        self.diagnostics.push(
            Diagnostic::error("malformed-catalogue", message)
                .at(self.sources.location(pointer, span))
                .help(format!(
                    "save the result of `{list}`: an object whose `{items}` are objects with \
                     `{name}`, `{input}` and `{output}`"
                )),
        );
    }
}

fn take(node: &mut Node, key: &str) -> Option<Member> {
    match &mut node.json {
        Json::Object(members) => members.shift_remove(key),
        _ => None,
    }
}
