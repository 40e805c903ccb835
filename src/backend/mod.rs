//! Targets, languages and docs: each turns the IR into an in-memory set of files and never touches
//! the disk.

#[cfg(feature = "cli")]
pub mod api;
#[cfg(feature = "cli")]
pub mod custom;
#[cfg(feature = "cli")]
mod doc;
#[cfg(feature = "cli")]
pub mod docs;
pub mod folder;
#[cfg(feature = "cli")]
pub mod license;
pub mod metadata;
#[cfg(feature = "cli")]
pub mod moves;
pub mod names;
#[cfg(feature = "cli")]
pub mod python;
pub mod rust;
#[cfg(feature = "cli")]
mod sentences;
#[cfg(feature = "cli")]
mod sides;
#[cfg(feature = "cli")]
mod syntax;
#[cfg(feature = "cli")]
pub mod template;
#[cfg(feature = "cli")]
pub mod typescript;

#[cfg(feature = "cli")]
use std::borrow::Cow;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

#[cfg(feature = "cli")]
use self::api::Api;
use self::folder::TemplateFolder;
use self::metadata::Metadata;
#[cfg(feature = "cli")]
use self::moves::Move;
use crate::decode::UnknownFields;
use crate::diagnostic::Diagnostics;
use crate::ir::{Origin, Protocol, TypeDef};
use crate::output::FileSet;

/// A target of generation.
///
/// ```
/// use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
/// use acp_bindgen::diagnostic::Diagnostics;
/// use acp_bindgen::output::FileSet;
/// use acp_bindgen::{Protocol, Purpose, SchemaText, load};
///
/// /// Writes a list of all methods.
/// struct MethodList;
///
/// impl Backend for MethodList {
///     fn id(&self) -> &str {
///         "method-list"
///     }
///
///     fn emit(&self, protocol: &Protocol, _: &Options, _: &mut Diagnostics) -> FileSet {
///         let names = protocol.methods.iter().map(|method| method.name.wire.as_str());
///         let mut files = FileSet::new();
///         files.insert("methods.txt", names.collect::<Vec<_>>().join("\n"));
///         files
///     }
/// }
///
/// let schema = serde_json::json!({ "$defs": {
///     "NodNotification": { "type": "object", "x-method": "nod", "x-side": "client" },
///     "WaveNotification": { "type": "object", "x-method": "wave", "x-side": "server" },
/// } });
/// let schema = SchemaText::from_value("hello.json", &schema);
/// let protocol = load(schema, Purpose::Generate).protocol.ok_or("the schema has errors")?;
/// let options = Options::new(protocol.package_name(), DocsMode::Full, Runtime::None);
/// let files = MethodList.emit(&protocol, &options, &mut Diagnostics::new());
/// assert_eq!(files.get("methods.txt"), Some("nod\nwave"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Backend {
    /// Its name on the command line and in the configuration: `rust`.
    fn id(&self) -> &str;

    /// Writes a whole package for the protocol.
    ///
    /// Paths are relative to the package's folder. Findings go to `diagnostics`; if any of them
    /// is an error, the files are not used.
    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet;

    /// The public declarations of the package that it writes for the protocol, to compare with
    /// those of another. Empty for a target whose users name nothing.
    #[cfg(feature = "cli")]
    fn api(&self, _protocol: &Protocol, _options: &Options) -> Api {
        Api::default()
    }

    /// The runtime, as a package: its files. Empty for a target that has none.
    #[cfg(feature = "cli")]
    fn runtime(&self) -> FileSet {
        FileSet::new()
    }

    /// The templates it prints with, by name, for a user to start from and replace.
    fn templates(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
}

/// The user's choices about generated code, the same for every language.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Options {
    /// The package's name, as code imports it: crate, npm package, Python package.
    pub package: String,
    /// The name under which a Rust or Python package is published, if that is another.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub published: Option<String>,
    /// The use of the schema's descriptions in comments and docs.
    pub docs: DocsMode,
    /// The runtime: within the package, a package of its own, or without connections.
    pub runtime: Runtime,
    /// The name of the file, without its ending, if a Rust package is one file to be included in
    /// another crate.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub single_file: Option<String>,
    /// The treatment of members of objects that the schema does not mention.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unknown_fields: UnknownFields,
    /// The metadata in the manifest of the package.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub metadata: Metadata,
    /// The text of the licence, which the package carries as `LICENSE`, if it does.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub license: Option<String>,
    /// True if modules of TypeScript import each other by the names of their sources.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub imports_sources: bool,
    /// The files of TypeScript or Python that are to have other paths.
    #[cfg(feature = "cli")]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub moves: Vec<Move>,
    /// The user's templates: they replace those of the same name, or make up a custom target.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub templates: TemplateFolder,
}

impl Options {
    /// The part of a protocol that a package without a runtime is about, or all of it.
    #[cfg(feature = "cli")]
    fn narrowed<'p>(&self, protocol: &'p Protocol) -> Cow<'p, Protocol> {
        match self.runtime {
            Runtime::Embedded | Runtime::Package => Cow::Borrowed(protocol),
            Runtime::None => Cow::Owned(protocol.data_only()),
        }
    }

    /// The name that a manifest gives to the package.
    fn published(&self) -> &str {
        self.published.as_deref().unwrap_or(&self.package)
    }

    /// Options without templates of the user.
    pub fn new(package: impl Into<String>, docs: DocsMode, runtime: Runtime) -> Self {
        Self {
            package: package.into(),
            published: None,
            docs,
            runtime,
            single_file: None,
            unknown_fields: UnknownFields::default(),
            metadata: Metadata::default(),
            license: None,
            imports_sources: false,
            #[cfg(feature = "cli")]
            moves: Vec::new(),
            templates: TemplateFolder::default(),
        }
    }
}

/// The runtime: what generated code stands on, the same for every protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Runtime {
    /// A copy of it is in the package. In Rust, connections are driven by the `tokio` crate.
    #[default]
    Embedded,
    /// It is a package of its own, `acp-bindgen-runtime`, which the protocols of a program share.
    Package,
    /// Connections are left out: the package has types, codecs and the names of methods; in Rust,
    /// also the parts of a connection that do no input or output.
    None,
}

/// The use of the schema's descriptions in comments and docs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum DocsMode {
    /// All descriptions.
    #[default]
    Full,
    /// No descriptions: only what this tool adds, such as wire names and defaults.
    Off,
}

impl DocsMode {
    /// The mode for the description of a type: that of an old name is not the schema's.
    fn for_type(self, def: &TypeDef) -> Self {
        if def.old_name { Self::Full } else { self }
    }
}

/// The treatment of what the schema marks as unstable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum StabilityMode {
    /// It is there, and marked as what may still change.
    #[default]
    Mark,
    /// It is left out.
    Stable,
}

/// The lines that begin every generated file, without comment marks: the tool and the schema. No
/// time and no path.
pub fn header_lines(origin: &Origin) -> [String; 2] {
    let version = origin.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    [
        format!("@generated by acp-bindgen {}. Do not edit.", env!("CARGO_PKG_VERSION")),
        format!("Schema: {}{version}, sha256 {}.", one_line(&origin.label), origin.digest),
    ]
}

/// A label as harmless text for a comment of any language: printable ASCII without quotes,
/// backslashes, `*` and `/` runs that could end it.
fn one_line(label: &str) -> String {
    label
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() || "._-:@+".contains(character) {
                character
            } else {
                '_'
            }
        })
        .collect()
}
