//! Schema → IR. One file per construct; every shape is recognised by its structure.

mod aliases;
mod beside;
mod bindings;
mod cancels;
mod capabilities;
mod catalogue;
mod chosen_names;
mod definitions;
mod depth;
mod distinct;
mod doubled;
mod enums;
mod envelope;
mod fields;
mod finite;
mod handles;
mod helpers;
mod keywords;
mod methods;
mod negotiation;
mod objects;
mod patterns;
mod processes;
mod progress;
mod properties;
mod remote;
mod scalars;
mod shorthands;
mod sides;
mod state;
mod streams;
mod tolerated;
mod tuples;
mod types;
mod unions;
mod unsaid;

use std::collections::HashMap;

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Field, IR_VERSION, Kind, Name, Protocol, Type, TypeDef, Unmodelled};
use crate::schema::{Document, Reference, Schema, SchemaObject, without_types};
use crate::source::{Location, Sources};

pub use bindings::Bindings;
use capabilities::CapabilityMark;
use keywords::UniqueItems;
use negotiation::VersionMark;
pub use patterns::Patterns;
use patterns::Unchecked;
#[cfg(feature = "cli")]
pub(crate) use scalars::integer_format;
pub(crate) use tolerated::tolerate;

/// Lowers a schema to the IR.
///
/// All findings go to `diagnostics`; `None` if any of them, now or before, is an error.
pub fn lower(
    schema: &Schema,
    patterns: Patterns,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Protocol> {
    lower_with(schema, None, patterns, sources, diagnostics)
}

/// Lowers a schema that is older than the annotations, only to compare it with another.
///
/// Errors that only keep code from being generated are none here: methods that no annotation binds
/// are found out from `bindings` and the message unions, a request without a known result is
/// answered with any JSON, and half of an annotation is none.
pub fn lower_for_comparison(
    schema: &Schema,
    bindings: &Bindings,
    patterns: Patterns,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Protocol> {
    lower_with(schema, Some(bindings), patterns, sources, diagnostics)
}

fn lower_with(
    schema: &Schema,
    bindings: Option<&Bindings>,
    patterns: Patterns,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Protocol> {
    let document = Document::read(schema, sources, diagnostics);
    if document.definitions.is_empty() {
        diagnostics.push(without_types(&schema.root).at(document.root.location.clone()));
        return None;
    }
    let is_compared = bindings.is_some();
    if is_compared {
        tolerate(diagnostics);
    }
    let mut lowerer = Lowerer { patterns, ..Lowerer::new(&document, bindings, diagnostics) };
    lowerer.reject_cyclic_aliases();
    if lowerer.diagnostics.has_errors() {
        // References that lead nowhere would only repeat themselves in every other finding.
        lowerer.report_dangling_references();
        return None;
    }
    let envelope = lowerer.envelope();
    lowerer.define_all(&envelope, &schema.catalogue);
    let methods = lowerer.methods(&envelope);
    let types = std::mem::take(&mut lowerer.types);
    let marks = std::mem::take(&mut lowerer.capability_marks);
    let versions = std::mem::take(&mut lowerer.version_marks);
    let unmodelled = std::mem::take(&mut lowerer.lost);
    let unique = std::mem::take(&mut lowerer.unique);
    let unchecked = std::mem::take(&mut lowerer.unchecked);
    let extension_docs = envelope.extension_docs;
    let envelope_only = envelope.definitions.into_iter().filter(|name| !types.contains_key(name));
    let envelope_only = envelope_only.collect();
    let title = title(&document, schema);
    let protocol = Protocol {
        ir_version: IR_VERSION,
        short_name: short_name(&title),
        title,
        origin: schema.origin.clone(),
        docs: document.root.docs.clone(),
        version: document.root.annotations.version.clone(),
        negotiation: None,
        remote: None,
        guides: document.root.annotations.guides.clone(),
        sides: envelope.sides,
        methods,
        extensions: envelope.extensions,
        types,
        envelope: envelope_only,
        transport: envelope.transport,
        unmodelled,
        catalogue: None,
    };
    // What follows takes names to lead somewhere.
    if depth::is_too_deep(&protocol, diagnostics) || finite::is_cyclic(&protocol, diagnostics) {
        return None;
    }
    let mut protocol = distinct::resolve(protocol, diagnostics);
    capabilities::locate(&mut protocol, &marks, diagnostics);
    sides::describe(&mut protocol, &document, diagnostics);
    sides::describe_extensions(&mut protocol, &extension_docs);
    negotiation::resolve(&mut protocol, &document, &versions, diagnostics);
    remote::resolve(&mut protocol, &document, diagnostics);
    cancels::resolve(&mut protocol, &document, diagnostics);
    handles::resolve(&mut protocol, &document, diagnostics);
    processes::resolve(&mut protocol, &document, diagnostics);
    helpers::resolve(&mut protocol, &document, diagnostics);
    chosen_names::check(&protocol, &document, diagnostics);
    shorthands::resolve(&mut protocol, &document, diagnostics);
    state::resolve(&mut protocol, &document, diagnostics);
    progress::resolve(&mut protocol, &document, diagnostics);
    streams::resolve(&mut protocol, &document, diagnostics);
    catalogue::resolve(&mut protocol, &document, &schema.catalogue, diagnostics);
    keywords::drop_beside_defaults(&mut protocol, diagnostics);
    keywords::check(&protocol, &unique, diagnostics);
    patterns::tell(&unchecked, diagnostics);
    doubled::check(&protocol, diagnostics);
    if is_compared {
        tolerate(diagnostics);
    }
    (!diagnostics.has_errors()).then_some(protocol)
}

/// The state of lowering.
struct Lowerer<'a> {
    document: &'a Document,
    /// The list of methods to go by where the schema binds none, if it is only to be compared.
    bindings: Option<&'a Bindings>,
    diagnostics: &'a mut Diagnostics,
    types: IndexMap<String, TypeDef>,
    /// Types hoisted out of the definition being lowered, to follow it.
    hoisted: Vec<TypeDef>,
    /// Every type's name, and where it is defined.
    names: HashMap<String, Location>,
    /// The schemas of inline types by their names.
    inline: HashMap<String, &'a SchemaObject>,
    capability_marks: Vec<CapabilityMark>,
    version_marks: Vec<VersionMark>,
    /// The parts of which the types do not say all.
    lost: Vec<Unmodelled>,
    /// References already reported, so that each is reported once.
    dangling: IndexSet<Location>,
    /// Methods of which some type names a side that is none.
    misplaced: IndexSet<String>,
    patterns: Patterns,
    /// The places with patterns that decoders do not look at.
    unchecked: IndexMap<Location, Unchecked>,
    /// The arrays of items that have to differ.
    unique: Vec<UniqueItems>,
    /// True once objects were found that are merged of too many others, one in the other.
    is_too_deep: bool,
}

/// A location in the schema, in words of the schema's author.
#[derive(Clone, Debug)]
struct Path {
    /// The name of a type that is hoisted from here: `NewSessionResponseModes`.
    type_name: String,
    /// Its name in messages: `NewSessionResponse.modes`.
    label: String,
}

impl Path {
    fn definition(name: &str) -> Self {
        Self { type_name: name.to_owned(), label: name.to_owned() }
    }

    fn child(&self, segment: &str) -> Self {
        self.child_named(&Name::new(segment))
    }

    fn child_named(&self, name: &Name) -> Self {
        Self {
            type_name: format!("{}{}", self.type_name, name.pascal()),
            label: format!("{}.{}", self.label, name.wire),
        }
    }
}

impl<'a> Lowerer<'a> {
    fn new(
        document: &'a Document,
        bindings: Option<&'a Bindings>,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        let names = document
            .definitions
            .iter()
            .map(|(name, schema)| (name.clone(), schema.location.clone()))
            .collect();
        Self {
            document,
            bindings,
            diagnostics,
            types: IndexMap::new(),
            hoisted: Vec::new(),
            names,
            inline: HashMap::new(),
            capability_marks: Vec::new(),
            version_marks: Vec::new(),
            lost: Vec::new(),
            dangling: IndexSet::new(),
            misplaced: IndexSet::new(),
            is_too_deep: false,
            patterns: Patterns::default(),
            unchecked: IndexMap::new(),
            unique: Vec::new(),
        }
    }

    /// The definition that a reference names. Reports one that does not exist.
    fn definition(&mut self, reference: &Reference, user: &str) -> Option<&'a SchemaObject> {
        let document = self.document;
        let found = document.definitions.get(&reference.name);
        if found.is_none() && self.dangling.insert(reference.location.clone()) {
            let error =
                Diagnostic::error("dangling-ref", format!("`{}` is not defined", reference.text))
                    .at(reference.location.clone())
                    .label(format!("used by {user}"));
            // Each suggestion looks at every definition; nobody reads them by the thousand.
            let is_worth_it = self.dangling.len() <= 100;
            let known = document.definitions.keys().map(String::as_str);
            let near = is_worth_it.then(|| nearest(&reference.name, known)).flatten();
            let near = near.map(|near| format!("#/$defs/{near}"));
            let otherwise = "define it in `$defs`, or correct the reference";
            self.diagnostics.push(error.near(near.as_deref(), otherwise));
        }
        found
    }

    /// The definition at the end of a chain of plain references, and its name. Cycles have been
    /// rejected before.
    fn resolve(&mut self, reference: &Reference, user: &str) -> Option<(String, &'a SchemaObject)> {
        let mut name = reference.name.clone();
        let mut schema = self.definition(reference, user)?;
        while let Some(next) = schema.alias_target() {
            schema = self.definition(next, &name)?;
            name.clone_from(&next.name);
        }
        Some((name, schema))
    }

    /// Says that nothing can be sent there.
    fn unsatisfiable(&mut self, location: &Location, path: &Path) {
        self.diagnostics.push(
            Diagnostic::error("unsatisfiable", format!("no value fits {}", path.label))
                .at(location.clone())
                .help("`false` accepts nothing; say what the type is, or remove it"),
        );
    }

    /// Says that a keyword beside an object's properties is left to whoever uses the object.
    fn unenforced(&mut self, keyword: &str, location: &Location, path: &Path) {
        self.diagnostics.push(
            Diagnostic::warning(
                "unenforced-keyword",
                format!("`{keyword}` of {} is not enforced by generated code", path.label),
            )
            .at(location.clone())
            .help("say it in the description, and check it where the value is used"),
        );
    }

    /// Says that a keyword cannot be modelled and what happens instead.
    fn unmodelled(&mut self, keyword: &str, location: &Location, path: &Path) {
        self.lost.push(Unmodelled { path: path.label.clone(), is_any: true });
        self.diagnostics.push(
            Diagnostic::warning(
                "unmodelled",
                format!("`{keyword}` in {} cannot be modelled", path.label),
            )
            .at(location.clone())
            .label("generated code takes any JSON here")
            .help("describe the values with properties, unions and enums if they should be typed"),
        );
    }
}

/// The fields of a record behind a name. None for other types.
fn named_fields<'a>(protocol: &'a Protocol, ty: &'a Type) -> &'a [Field] {
    match protocol.resolved(ty).kind {
        Kind::Record(record) => &record.fields,
        _ => &[],
    }
}

fn title(document: &Document, schema: &Schema) -> Name {
    let stem = schema.origin.label.split('.').next().unwrap_or_default();
    Name::new(document.root.title.as_deref().unwrap_or(stem))
}

/// The initials of a title of several words, else the title itself: `Agent Client Protocol` is
/// `acp`.
fn short_name(title: &Name) -> String {
    if title.words.len() > 1 && title.wire.contains(' ') {
        title.words.iter().filter_map(|word| word.chars().next()).collect()
    } else {
        title.kebab()
    }
}
