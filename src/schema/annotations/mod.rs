//! The `x-` annotations: what a schema says beyond JSON Schema.

mod capability;
mod error_data;
mod helpers;
mod meaning;
mod members;
mod names;
mod pieces;
mod process;
mod remote;
mod state;

pub use capability::CapabilityAnnotation;
pub use error_data::ErrorData;
pub use helpers::{ChoiceAnnotation, FileAnnotation, YesAnnotation};
pub use meaning::{CancelsAnnotation, HandleAnnotation, SideAnnotation};
pub use names::ChosenName;
pub use pieces::{CatalogueAnnotation, StreamAnnotation};
pub use process::ProcessAnnotation;
pub use remote::{RemoteAnnotation, RemoteSessionAnnotation};
pub use state::{
    AppendAnnotation, KeyAnnotation, RemoveAnnotation, StatusAnnotation, ValueAnnotation,
};

use indexmap::IndexMap;
use serde_json::Value;

use super::reader::Reader;
use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Node;

/// Every annotation this tool knows. `schema/annotations.schema.json` describes them.
pub const ANNOTATIONS: &[&str] = &[
    "x-side",
    "x-method",
    "x-docs-ignore",
    "x-deserialize-default-on-error",
    "x-deserialize-default-on-null",
    "x-deserialize-skip-invalid-items",
    "x-optional",
    "x-capability",
    "x-capabilities",
    "x-lifecycle",
    "x-cancels",
    "x-handle",
    "x-process",
    "x-choice",
    "x-file-access",
    "x-shorthand",
    "x-key",
    "x-patch-of",
    "x-status",
    "x-value",
    "x-merge",
    "x-appends",
    "x-removes",
    "x-stream",
    "x-catalogue",
    "x-name",
    "x-names",
    "x-class-names",
    "x-function-name",
    "x-error-data",
    "x-version",
    "x-versions",
    "x-protocol-version",
    "x-sides",
    "x-remote",
    "x-unstable",
    "x-guides",
];

/// The annotations of one schema object.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a keyword of its own")]
pub struct Annotations {
    /// `x-side`: which side handles the method (a side's name, `both` or `protocol`).
    pub side: Option<String>,
    /// `x-method`: the method whose payload this is.
    pub method: Option<String>,
    /// `x-docs-ignore`: not for reference docs.
    pub docs_ignore: bool,
    /// `x-deserialize-default-on-error`
    pub default_on_error: bool,
    /// `x-deserialize-default-on-null`
    pub default_on_null: bool,
    /// `x-deserialize-skip-invalid-items`
    pub skip_invalid_items: bool,
    /// `x-optional`: a handler may leave the method out.
    pub optional: bool,
    /// `x-capability`: the capability that allows it.
    pub capability: Option<CapabilityAnnotation>,
    /// `x-capabilities`: the property holds the capabilities of the side it names.
    pub capabilities: Option<String>,
    /// `x-lifecycle`: the method must not be sent in a batch.
    pub lifecycle: bool,
    /// `x-cancels`: the requests that the method cancels.
    pub cancels: Vec<CancelsAnnotation>,
    /// `x-handle`: what the request opens is an object with methods.
    pub handle: Option<Box<HandleAnnotation>>,
    /// `x-process`: what the request opens is a program that runs.
    pub process: Option<Box<ProcessAnnotation>>,
    /// `x-choice`: the request is answered with one of the options that it offers.
    pub choice: Option<Box<ChoiceAnnotation>>,
    /// `x-file-access`: the request reads or writes a file of text.
    pub file: Option<Box<FileAnnotation>>,
    /// `x-shorthand`: the tag of the variant whose one value can be given alone.
    pub shorthand: Option<String>,
    /// `x-key`: what tells values of the type apart in a state.
    pub key: Option<KeyAnnotation>,
    /// `x-patch-of`: the type whose values this one changes.
    pub patch_of: Option<String>,
    /// `x-status`: the property that says whether what the value describes still goes on.
    pub status: Option<Box<StatusAnnotation>>,
    /// `x-value`: the property that a state can be asked for by itself.
    pub value: Option<ValueAnnotation>,
    /// `x-merge`: in a patch, an object here changes the members of the one that is there.
    pub merge: bool,
    /// `x-appends`: the variants of a union that add to an item of its state, by tag.
    pub appends: IndexMap<String, AppendAnnotation>,
    /// `x-removes`: the variants of a union that remove an item of its state, by tag.
    pub removes: IndexMap<String, RemoveAnnotation>,
    /// `x-stream`: what comes of the method piece by piece, before it is answered.
    pub stream: Option<Box<StreamAnnotation>>,
    /// `x-catalogue`: the request calls catalogue entries by name.
    pub catalogue: Option<Box<CatalogueAnnotation>>,
    /// `x-name`: another name for generated code; the wire keeps its own.
    pub name: Option<String>,
    /// `x-names`: the same for the constants of an enum, by the value that each has on the wire.
    pub names: IndexMap<String, ChosenName>,
    /// `x-class-names`: on a union, names for the classes of its variants, by tag.
    pub class_names: IndexMap<String, ChosenName>,
    /// `x-function-name`: on a method's params, the name of its function in generated code.
    pub function_name: Option<ChosenName>,
    /// `x-error-data`: on an enum of error codes, the strings in the data of an error, by its code.
    pub error_data: IndexMap<String, ErrorData>,
    /// `x-version`: the version of the protocol, a string or a whole number.
    pub version: Option<Value>,
    /// `x-versions`: older versions that an end of this schema speaks too.
    pub versions: Vec<Value>,
    /// `x-protocol-version`: the property holds the version of the protocol.
    pub protocol_version: bool,
    /// `x-sides`: what is to be said of sides, by name.
    pub sides: IndexMap<String, SideAnnotation>,
    /// `x-remote`: how the protocol is spoken over HTTP.
    pub remote: Option<Box<RemoteAnnotation>>,
    /// `x-unstable`: whether it may still change; it counts for more than the description.
    pub unstable: Option<bool>,
    /// `x-guides`: what a package's users should read first, in Markdown, by target.
    pub guides: IndexMap<String, String>,
}

pub(super) fn is_annotation(keyword: &str) -> bool {
    keyword.starts_with("x-")
}

impl Annotations {
    /// Takes one `x-` keyword. A misspelt one is reported, any other unknown one is none of our
    /// business.
    pub(super) fn take(&mut self, keyword: &str, value: &Node, reader: &mut Reader<'_>) {
        match keyword {
            "x-side" => self.side = reader.string(keyword, value),
            "x-method" => self.method = reader.string(keyword, value),
            "x-docs-ignore" => self.docs_ignore = reader.flag(keyword, value),
            "x-deserialize-default-on-error" => self.default_on_error = reader.flag(keyword, value),
            "x-deserialize-default-on-null" => self.default_on_null = reader.flag(keyword, value),
            "x-deserialize-skip-invalid-items" => {
                self.skip_invalid_items = reader.flag(keyword, value);
            }
            "x-optional" => self.optional = reader.flag(keyword, value),
            "x-capability" => self.capability = CapabilityAnnotation::read(keyword, value, reader),
            "x-capabilities" => self.capabilities = reader.string(keyword, value),
            "x-lifecycle" => self.lifecycle = reader.flag(keyword, value),
            "x-cancels" => self.cancels = CancelsAnnotation::read(keyword, value, reader),
            "x-handle" => {
                self.handle = HandleAnnotation::read(keyword, value, reader).map(Box::new);
            }
            "x-process" => {
                self.process = ProcessAnnotation::read(keyword, value, reader).map(Box::new);
            }
            "x-choice" => {
                self.choice = ChoiceAnnotation::read(keyword, value, reader).map(Box::new);
            }
            "x-file-access" => {
                self.file = FileAnnotation::read(keyword, value, reader).map(Box::new);
            }
            "x-shorthand" => self.shorthand = reader.string(keyword, value),
            "x-key" => self.key = KeyAnnotation::read(keyword, value, reader),
            "x-patch-of" => self.patch_of = reader.string(keyword, value),
            "x-status" => {
                self.status = StatusAnnotation::read(keyword, value, reader).map(Box::new);
            }
            "x-value" => self.value = ValueAnnotation::read(keyword, value, reader),
            "x-merge" => self.merge = reader.flag(keyword, value),
            "x-appends" => self.appends = AppendAnnotation::read(keyword, value, reader),
            "x-removes" => self.removes = RemoveAnnotation::read(keyword, value, reader),
            "x-stream" => {
                self.stream = StreamAnnotation::read(keyword, value, reader).map(Box::new);
            }
            "x-catalogue" => {
                self.catalogue = CatalogueAnnotation::read(keyword, value, reader).map(Box::new);
            }
            "x-name" => self.name = reader.string(keyword, value),
            "x-names" => self.names = ChosenName::read_all(keyword, value, reader),
            "x-class-names" => self.class_names = ChosenName::read_all(keyword, value, reader),
            "x-function-name" => self.function_name = ChosenName::read(keyword, value, reader),
            "x-error-data" => self.error_data = ErrorData::read_all(keyword, value, reader),
            "x-version" => self.version = reader.version(keyword, value),
            "x-versions" => self.versions = reader.versions(keyword, value),
            "x-protocol-version" => self.protocol_version = reader.flag(keyword, value),
            "x-sides" => self.sides = SideAnnotation::read(keyword, value, reader),
            "x-remote" => {
                self.remote = RemoteAnnotation::read(keyword, value, reader).map(Box::new);
            }
            "x-unstable" => self.unstable = Some(reader.flag(keyword, value)),
            "x-guides" => self.guides = reader.strings(keyword, value),
            unknown => {
                if let Some(near) = nearest(unknown, ANNOTATIONS.iter().copied()) {
                    reader.report(
                        Diagnostic::warning(
                            "misspelt-annotation",
                            format!("`{unknown}` is not an annotation and has no effect"),
                        )
                        .at(reader.key_location())
                        .help(format!("did you mean `{near}`?")),
                    );
                }
            }
        }
    }
}
