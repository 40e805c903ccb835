//! The schema document: its text, its overlays, and its keywords as typed values.

mod annotations;
#[cfg(feature = "bundled")]
pub mod bundled;
mod catalogue;
mod conditions;
mod described;
mod dialect;
mod document;
mod equal;
mod extend;
mod formats;
mod impossible;
mod intersect;
mod items;
mod keys;
mod keywords;
mod listed;
mod local;
mod merged;
mod negation;
mod overlay;
mod rare;
mod reader;
mod references;
mod split;
mod unevaluated;
mod untyped;
mod values;
mod vocabulary;

pub use annotations::{
    ANNOTATIONS, Annotations, AppendAnnotation, CancelsAnnotation, CapabilityAnnotation,
    CatalogueAnnotation, ChoiceAnnotation, ChosenName, ErrorData, FileAnnotation, HandleAnnotation,
    KeyAnnotation, ProcessAnnotation, RemoteAnnotation, RemoteSessionAnnotation, RemoveAnnotation,
    SideAnnotation, StatusAnnotation, StreamAnnotation, ValueAnnotation, YesAnnotation,
};
pub use document::{Additional, Bounds, Document, JsonType, Keys, Reference, SchemaObject};
pub(crate) use formats::without_types;
pub use rare::{Lacking, Rare};
pub use references::ReferredText;
pub(crate) use references::{is_absolute, resolve_uri};
pub(crate) use values::fits;

use indexmap::IndexMap;

use self::references::{Resolved, resolve_references};
use crate::diagnostic::{Diagnostic, Diagnostics, parse};
use crate::ir::{CatalogueEntry, Origin};
use crate::source::{MAX_BYTES, Node, SourceText, Sources, Span};

/// The text of a schema or an overlay, and what to call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaText {
    /// A path as the user gave it, `<stdin>`, `bundled:…`: shown in messages. Its last path
    /// segment names the schema in generated headers.
    pub label: String,
    /// The JSON text.
    pub text: String,
    /// The version of the schema's release, where one is known.
    pub version: Option<String>,
    /// True if the tool itself supplies the text: then an overlay that does not fit is not the
    /// user's concern.
    pub builtin: bool,
}

impl SchemaText {
    /// A text of the user, without a known version.
    pub fn new(label: impl Into<String>, text: impl Into<String>) -> Self {
        Self { label: label.into(), text: text.into(), version: None, builtin: false }
    }

    /// A schema that is already a JSON value. It is printed to have locations to point at.
    pub fn from_value(label: impl Into<String>, value: &serde_json::Value) -> Self {
        Self::new(label, format!("{value:#}"))
    }

    /// A schema made by the `schemars` crate.
    #[cfg(feature = "schemars")]
    pub fn from_schemars(label: impl Into<String>, schema: &schemars::Schema) -> Self {
        Self::from_value(label, schema.as_value())
    }
}

/// A schema with its overlays applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// The document; parts that an overlay supplied have spans in the overlay's text.
    pub root: Node,
    /// Its origin.
    pub origin: Origin,
    /// The pointers where definitions stood that references into other schemas made, by name.
    pub moved: IndexMap<String, String>,
    /// The dialects of the texts that it is of.
    dialects: dialect::SourceDialects,
    /// The entries of the catalogue, if one was read.
    pub catalogue: Vec<CatalogueEntry>,
}

impl Schema {
    /// Parses a schema, those that add to it, and its overlays (RFC 7396), applied in this order,
    /// and adds their texts to `sources`. What references lead to, in `referred` or in the schema
    /// itself, becomes a definition.
    ///
    /// Gives `None` if any of them is not a JSON object; `diagnostics` says why.
    pub fn read(
        sources: &mut Sources,
        schema: SchemaText,
        extensions: Vec<SchemaText>,
        overlays: Vec<SchemaText>,
        referred: Vec<ReferredText>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let others = referred.iter().filter_map(|it| it.text.as_ref().ok());
        let origin = Origin {
            label: file_name(&schema.label).to_owned(),
            version: schema.version.clone(),
            digest: digest(&schema, extensions.iter().chain(&overlays).chain(others)),
        };
        let mut root = read_object(sources, schema, &SCHEMA, diagnostics);
        for extension in extensions {
            let extension = read_object(sources, extension, &SCHEMA, diagnostics);
            if let (Some(root), Some(extension)) = (&mut root, extension) {
                extend::extend(root, extension, sources, diagnostics);
            }
        }
        for overlay in overlays {
            let builtin = overlay.builtin;
            let patch = read_object(sources, overlay, &SCHEMA, diagnostics);
            if let (Some(root), Some(patch)) = (&mut root, patch) {
                overlay::apply(root, patch, builtin, sources, diagnostics);
            }
        }
        if diagnostics.has_errors() {
            return None;
        }
        let resolved = resolve_references(root?, referred, sources, diagnostics);
        let Resolved { root, moved, dialects } = resolved;
        let stated = || root.get("version").and_then(Node::as_str).filter(|it| is_version(it));
        let version = origin.version.or_else(|| stated().map(str::to_owned));
        let origin = Origin { version, ..origin };
        Some(Self { origin, root, moved, dialects, catalogue: Vec::new() })
    }
}

/// The kind of a document, with the finding for one that is no object.
struct RootKind {
    code: &'static str,
    what: &'static str,
    help: &'static str,
}

const SCHEMA: RootKind = RootKind {
    code: "not-a-schema",
    what: "a schema",
    help: "give the JSON Schema document of a protocol",
};

/// Tells whether a text is a version (semver.org) that can stand anywhere.
fn is_version(text: &str) -> bool {
    let (numbers, rest) = text.split_once(['-', '+']).unwrap_or((text, "0"));
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-+".contains(&byte);
    text.len() <= 64
        && numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && !rest.is_empty()
        && rest.bytes().all(is_plain)
}

fn read_object(
    sources: &mut Sources,
    schema: SchemaText,
    kind: &RootKind,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    if schema.text.len() > MAX_BYTES {
        let source = sources.add(SourceText::new(schema.label, ""));
        let span = Span { source, start: 0, end: 0 };
        diagnostics.push(too_large().at(sources.location("", span)));
        return None;
    }
    let source = sources.add(SourceText::new(schema.label, schema.text));
    let node = parse(sources, source, diagnostics)?;
    if node.as_object().is_some() {
        return Some(node);
    }
    diagnostics.push(
        Diagnostic::error(
            kind.code,
            format!("{} is an object, not {}", kind.what, node.describe()),
        )
        .at(sources.location("", node.span))
        .help(kind.help),
    );
    None
}

/// The finding about a text of more than [`MAX_BYTES`]. It is not even searched for lines.
pub fn too_large() -> Diagnostic {
    Diagnostic::error("too-large", format!("the text is larger than {} MiB", MAX_BYTES >> 20))
        .help("no schema of a protocol is that large; is this the right file?")
}

/// The last segment of a path. The file is the same whichever revision of git it is read from,
/// if any: what differs is in the digest.
fn file_name(label: &str) -> &str {
    let object = label.strip_prefix("git:").and_then(|object| object.split_once(':'));
    let path = object.map_or(label, |(_, path)| path);
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn digest<'a>(schema: &'a SchemaText, others: impl Iterator<Item = &'a SchemaText>) -> String {
    digest_of(std::iter::once(schema).chain(others).map(|text| text.text.as_str()))
}

/// The first digits of the hash of several texts.
fn digest_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = hmac_sha256::Hash::new();
    for text in texts {
        hash.update(text.as_bytes());
        hash.update([0]);
    }
    let mut digits = String::with_capacity(16);
    for byte in hash.finalize().iter().take(8) {
        digits.extend(format!("{byte:02x}").chars());
    }
    digits
}
