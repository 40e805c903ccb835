//! Where long lines break: as the formatters of Python and TypeScript break them.
//!
//! `layout/input.*` has statements as templates write them, each on one line; `layout/expected.*`
//! has what becomes of them. Templates that a user wrote are laid out like ours.

use std::fs;

use acp_bindgen::backend::folder::{TemplateFile, TemplateFolder};
use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::typescript::TypeScript;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::schema::SchemaText;

use crate::support;

#[test]
fn python_breaks_as_ruff_does() {
    check(&Python, "errors.py", "src/layout/errors.py", "{% filter layout %}\n", "{% endfilter %}");
}

#[test]
fn typescript_breaks_as_prettier_does() {
    check(&TypeScript, "src/methods.ts", "src/methods.ts", "", "");
}

/// Prints the input in place of a template.
fn check(language: &dyn Backend, template: &str, path: &str, before: &str, after: &str) {
    let folder = support::root().join("tests/templates/layout");
    let extension = template.rsplit('.').next().unwrap();
    let input = fs::read_to_string(folder.join("input").with_extension(extension)).unwrap();
    let text = format!("{before}{{% raw %}}\n{input}{{% endraw %}}\n{after}");
    let file = TemplateFile { path: format!("{template}.jinja"), text, source: 0 };
    let schema =
        SchemaText::new("schema.json", r#"{ "title": "Layout", "$defs": { "A": {} } }"#.to_owned());
    let protocol = support::lowered(&schema.label, &schema.text).protocol.unwrap();
    let mut options = Options::new("layout", DocsMode::Full, Runtime::Embedded);
    options.templates = TemplateFolder { label: String::from("mine"), files: vec![file] };
    let mut diagnostics = Diagnostics::new();
    let files = language.emit(&protocol, &options, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let found = files.get(path).unwrap();
    let expected = folder.join("expected").with_extension(extension);
    if support::is_blessing() {
        fs::write(&expected, found).unwrap();
    }
    assert_eq!(found, fs::read_to_string(&expected).unwrap(), "{}", expected.display());
}
