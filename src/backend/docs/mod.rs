//! The target `docs`: a reference of the protocol's methods and types, in one of three formats.
//!
//! The IR becomes values in which every text is ready for the format, escaped, links and all; the
//! templates in `templates/docs/` print them. In these, `prose` is blocks, empty where there is
//! none; what ends in `_plain` is for an attribute or a list of links, escaped for that, in MDX with
//! its quotes or braces; an `anchor` is the id of a place in the page; everything else is markup.

mod anchors;
mod expression;
mod facts;
mod format;
mod json;
mod meaning;
mod prose;
mod reference;
mod security;
mod since;
mod tuples;
mod types;
mod writer;

pub use format::Format;
pub use since::Since;

use super::template::{TemplateText, Templates};
use super::{Backend, Options};
use crate::diagnostic::Diagnostics;
use crate::ir::Protocol;
use crate::output::FileSet;

/// Generates reference docs.
#[derive(Clone, Debug, Default)]
pub struct Docs {
    /// Their format.
    pub format: Format,
    /// The versions in which things first appeared.
    pub since: Since,
    /// Old and new beginnings of links in descriptions.
    pub links: Vec<(String, String)>,
    /// The schema's text, for readers to load down.
    pub schema: Option<String>,
}

/// The file that has the schema's text.
const SCHEMA: &str = "schema.json";

/// Includes templates by their names without the extension that they share.
macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../templates/docs/", $name, ".jinja")))),*]
    };
}

const TEMPLATES: &[TemplateText] = templates![
    "index.html",
    "field.html",
    "nav.html",
    "type.html",
    "README.md",
    "field.md",
    "type.md",
    "reference.mdx",
    "field.mdx",
    "type.mdx",
];

impl Backend for Docs {
    fn id(&self) -> &'static str {
        "docs"
    }

    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet {
        let file = match self.format {
            Format::Html => "index.html",
            Format::Markdown => "README.md",
            Format::Mdx => "reference.mdx",
        };
        let page = reference::page(protocol, self, options.docs);
        let text = Templates::overridden(TEMPLATES, &options.templates)
            .and_then(|templates| Ok(templates.render_value(file, &page)?));
        let mut files = FileSet::new();
        match text {
            Ok(text) => {
                files.insert(file, text);
                if let Some(schema) = &self.schema {
                    files.insert(SCHEMA, schema.clone());
                }
            }
            Err(problems) => diagnostics.extend(problems),
        }
        files
    }

    fn templates(&self) -> &'static [TemplateText] {
        TEMPLATES
    }
}
