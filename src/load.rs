//! Texts to a protocol: everything before a language is chosen.

use crate::decode::{check_defaults, check_results};
use crate::diagnostic::Diagnostics;
use crate::ir::Protocol;
use crate::lower::{Bindings, Patterns, lower, lower_for_comparison, tolerate};
use crate::schema::{ReferredText, Schema, SchemaText, is_absolute};
use crate::source::{Sources, is_path};

/// The texts that describe a protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// The schema.
    pub schema: SchemaText,
    /// Schemas whose definitions are added to it.
    pub extensions: Vec<SchemaText>,
    /// The overlays, in the order in which they apply.
    pub overlays: Vec<SchemaText>,
    /// The texts that references of these lead to.
    pub referred: Vec<ReferredText>,
    /// The catalogue, if one was chosen: a saved answer of the request that lists entries.
    pub catalogue: Option<SchemaText>,
    /// The list of methods beside a schema that does not bind them. Only comparisons go by it.
    pub methods: Option<SchemaText>,
    /// Whether generated code looks at patterns.
    pub patterns: Patterns,
}

/// The purpose of loading a protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Code or docs are generated from it.
    Generate,
    /// It is compared with another. If it is older than the annotations, what only generated code
    /// could not express is no error, but a note.
    Compare,
}

/// A protocol, or why there is none.
#[derive(Debug)]
pub struct Loaded {
    /// The schema with its overlays, if it could be read.
    pub schema: Option<Schema>,
    /// The protocol, if there is no error.
    pub protocol: Option<Protocol>,
    /// The findings, in order.
    pub diagnostics: Diagnostics,
    /// The texts that findings point into.
    pub sources: Sources,
}

/// Reads and lowers a schema with everything that belongs to it.
///
/// ```
/// use acp_bindgen::{Inputs, Purpose, SchemaText, load};
///
/// let schema = r#"{
///     "title": "Hello Protocol",
///     "$defs": {
///         "WaveNotification": { "type": "object", "x-method": "wave", "x-side": "server" }
///     }
/// }"#;
/// let schema = SchemaText::new("hello.json", schema);
/// let overlay = SchemaText::new("overlay.json", r#"{ "title": "Wave Protocol" }"#);
/// let loaded = load(Inputs::new(schema, vec![overlay]), Purpose::Generate);
///
/// let protocol = loaded.protocol.ok_or("the schema has errors")?;
/// assert_eq!(protocol.title.wire, "Wave Protocol");
/// assert_eq!(protocol.methods[0].name.wire, "wave");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load(inputs: impl Into<Inputs>, purpose: Purpose) -> Loaded {
    let Inputs { schema, extensions, overlays, referred, catalogue, methods, patterns } =
        inputs.into();
    let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
    let is_builtin = schema.builtin;
    let mut schema =
        Schema::read(&mut sources, schema, extensions, overlays, referred, &mut diagnostics);
    let protocol = schema.as_mut().and_then(|schema| {
        if let Some(catalogue) = catalogue {
            schema.extend(catalogue, &mut sources, &mut diagnostics);
        }
        let methods = methods.filter(|_| purpose == Purpose::Compare);
        let bindings = methods.map_or_else(Bindings::default, |methods| {
            Bindings::read(&methods.label, &methods.text, &mut sources, &mut diagnostics)
        });
        let is_older = purpose == Purpose::Compare && bindings.are_wanted(schema);
        let mut protocol = if is_older {
            lower_for_comparison(schema, &bindings, patterns, &sources, &mut diagnostics)?
        } else {
            lower(schema, patterns, &sources, &mut diagnostics)?
        };
        check_defaults(&mut protocol, &mut diagnostics);
        check_results(&protocol, &mut diagnostics);
        if is_older {
            tolerate(&mut diagnostics);
        }
        (!diagnostics.has_errors()).then_some(protocol)
    });
    if is_builtin {
        // What is good to know of a schema is for who writes it.
        diagnostics.drop_notes();
    }
    diagnostics.sort();
    Loaded { schema, protocol, diagnostics, sources }
}

impl Inputs {
    /// A schema with overlays, and nothing else.
    pub fn new(schema: SchemaText, overlays: Vec<SchemaText>) -> Self {
        Self {
            schema,
            extensions: Vec::new(),
            overlays,
            referred: Vec::new(),
            catalogue: None,
            methods: None,
            patterns: Patterns::default(),
        }
    }

    /// Chooses whether generated code looks at patterns.
    #[must_use]
    pub fn patterns(mut self, patterns: Patterns) -> Self {
        self.patterns = patterns;
        self
    }

    /// The files that references lead to, by their paths: those that are not there as well.
    pub fn referred_files(&self) -> impl Iterator<Item = &str> {
        let names = self.referred.iter().map(|it| match &it.text {
            Ok(text) => text.label.as_str(),
            Err(_) => it.uri.as_str(),
        });
        names.filter(|name| is_path(name) && !is_absolute(name))
    }

    /// Adds a catalogue, if there is one.
    #[must_use]
    pub fn catalogue(mut self, catalogue: Option<SchemaText>) -> Self {
        self.catalogue = catalogue;
        self
    }
}

impl From<SchemaText> for Inputs {
    fn from(schema: SchemaText) -> Self {
        Self::new(schema, Vec::new())
    }
}

#[cfg(all(test, feature = "schemars"))]
mod tests {
    use super::*;
    use crate::ir::TypeKind;

    #[derive(schemars::JsonSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    #[schemars(extend("x-method" = "ping", "x-side" = "server"))]
    struct PingNotification {
        /// How often.
        times: u8,
        note: Option<String>,
    }

    #[test]
    fn a_schema_of_schemars_is_a_schema() {
        let mut generator = schemars::SchemaGenerator::default();
        generator.subschema_for::<PingNotification>();
        let schema = schemars::json_schema!({ "$defs": generator.take_definitions(true) });
        let text = SchemaText::from_schemars("derived", &schema);
        let Loaded { protocol, diagnostics, .. } = load(text, Purpose::Generate);
        let protocol = protocol.unwrap();
        assert!(diagnostics.is_empty());
        assert_eq!(protocol.methods[0].name.wire, "ping");
        let TypeKind::Record(record) = &protocol.types["PingNotification"].kind else {
            panic!("a struct is a record");
        };
        let fields: Vec<_> = record.fields.iter().map(|field| field.name.wire.as_str()).collect();
        assert_eq!(fields, ["times", "note"]);
    }
}
