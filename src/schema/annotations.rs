//! The `x-` annotations: what a schema says beyond JSON Schema.

use indexmap::IndexMap;
use serde_json::Value;

use super::reader::Reader;
use crate::diagnostic::{Diagnostic, nearest};
use crate::source::{Location, Node};

/// Every annotation this tool knows. `schema/annotations.schema.json` describes them.
pub const ANNOTATIONS: [&str; 16] = [
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
    "x-stream",
    "x-catalogue",
    "x-name",
    "x-names",
    "x-version",
    "x-guides",
];

/// The annotations of one schema object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// `x-capability`: the capability that allows the method, a path with dots.
    pub capability: Option<String>,
    /// `x-capabilities`: the property holds the capabilities of the side it names.
    pub capabilities: Option<String>,
    /// `x-lifecycle`: the method must not be sent in a batch.
    pub lifecycle: bool,
    /// `x-stream`: what comes of the method piece by piece, before it is answered.
    pub stream: Option<StreamAnnotation>,
    /// `x-catalogue`: the request calls catalogue entries by name.
    pub catalogue: Option<CatalogueAnnotation>,
    /// `x-name`: another name for generated code; the wire keeps its own.
    pub name: Option<String>,
    /// `x-names`: the same for the constants of an enum, by the value that each has on the wire.
    pub names: IndexMap<String, String>,
    /// `x-version`: the version of the protocol, a string or a whole number.
    pub version: Option<Value>,
    /// `x-guides`: what a package's users should read first, in Markdown, by target.
    pub guides: IndexMap<String, String>,
}

/// The members of `x-stream`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamAnnotation {
    /// The notification that brings the pieces.
    pub notification: String,
    /// The path with dots of the token in the params.
    pub token: String,
    /// The property of the notification that holds the token.
    pub token_in: String,
    /// The property of the notification that holds the piece.
    pub delta: String,
    /// The property of the result that the pieces make up.
    pub result: String,
    /// Its location.
    pub location: Location,
}

/// The members of `x-catalogue`, as written, but for those that say how a catalogue is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueAnnotation {
    /// The request that lists the entries.
    pub list: String,
    /// The property of the params that says what is called.
    pub name_in: String,
    /// The property of the params that holds what goes in.
    pub input_in: String,
    /// The property of the result that holds what comes out.
    pub output_in: String,
    /// Its location.
    pub location: Location,
}

impl CatalogueAnnotation {
    fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: [&str; 9] = [
            "list",
            "items",
            "name",
            "description",
            "input",
            "output",
            "nameIn",
            "inputIn",
            "outputIn",
        ];
        let mut members = members(keyword, value, &MEMBERS, reader)?;
        let mut take = |name: &str| members.swap_remove(name).unwrap_or_default();
        Some(Self {
            list: take("list"),
            name_in: take("nameIn"),
            input_in: take("inputIn"),
            output_in: take("outputIn"),
            location: reader.location(value.span),
        })
    }
}

impl StreamAnnotation {
    fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: [&str; 5] = ["notification", "token", "tokenIn", "delta", "result"];
        let mut members = members(keyword, value, &MEMBERS, reader)?;
        let mut take = |name: &str| members.swap_remove(name).unwrap_or_default();
        Some(Self {
            notification: take("notification"),
            token: take("token"),
            token_in: take("tokenIn"),
            delta: take("delta"),
            result: take("result"),
            location: reader.location(value.span),
        })
    }
}

/// An object of just these members, all strings. What is wrong with it is reported.
fn members(
    keyword: &str,
    value: &Node,
    known: &[&str],
    reader: &mut Reader<'_>,
) -> Option<IndexMap<String, String>> {
    let members = reader.strings(keyword, value);
    let location = reader.location(value.span);
    let mut report = |message: String, name: &str| {
        let near = nearest(name, known.iter().copied().filter(|known| *known != name));
        let help = match near {
            Some(near) if !known.contains(&name) => format!("did you mean `{near}`?"),
            _ => format!("its members are {}", known.join(", ")),
        };
        reader.report(
            Diagnostic::error("malformed-keyword", message).at(location.clone()).help(help),
        );
    };
    for name in members.keys().filter(|name| !known.contains(&name.as_str())) {
        report(format!("`{keyword}` has no member `{name}`"), name);
    }
    let lacks = known.iter().copied().find(|name| !members.contains_key(*name));
    if let Some(lacks) = lacks {
        // Members that are no strings have been reported.
        if value.as_object().is_some_and(|all| all.iter().all(|(key, _)| key != lacks)) {
            report(format!("`{keyword}` lacks the member `{lacks}`"), lacks);
        }
        return None;
    }
    Some(members)
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
            "x-capability" => self.capability = reader.string(keyword, value),
            "x-capabilities" => self.capabilities = reader.string(keyword, value),
            "x-lifecycle" => self.lifecycle = reader.flag(keyword, value),
            "x-stream" => self.stream = StreamAnnotation::read(keyword, value, reader),
            "x-catalogue" => self.catalogue = CatalogueAnnotation::read(keyword, value, reader),
            "x-name" => self.name = reader.string(keyword, value),
            "x-names" => self.names = reader.strings(keyword, value),
            "x-version" => self.version = reader.version(keyword, value),
            "x-guides" => self.guides = reader.strings(keyword, value),
            unknown => {
                if let Some(near) = nearest(unknown, ANNOTATIONS) {
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
