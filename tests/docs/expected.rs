//! What comes out, to be read.

use std::fs;

use acp_bindgen::backend::DocsMode;
use acp_bindgen::backend::docs::Format;

use super::subject::{FORMATS, case, docs};
use crate::support;

/// The cases whose docs are shown.
const SHOWN: [&str; 6] =
    ["docs-escaping", "leniency", "methods", "shared-fields", "status", "open-unions"];

#[test]
fn docs_are_as_expected() {
    let folder = support::root().join("tests/docs/expected");
    let mut different = Vec::new();
    for name in SHOWN {
        let subject = case(name).unwrap();
        for format in FORMATS {
            let text = docs(&subject.protocol, format, DocsMode::Full);
            let text = text
                .replace(&subject.protocol.origin.digest, "0000000000000000")
                .replace(env!("CARGO_PKG_VERSION"), "VERSION");
            let (extension, text) = match format {
                // The rest is the same for all.
                Format::Html => {
                    let main = text.split_once("<main").and_then(|(_, rest)| rest.split_once('\n'));
                    let main = main.and_then(|(_, rest)| rest.split_once("</main>")).unwrap().0;
                    ("html", main.to_owned())
                }
                Format::Markdown => ("md", text),
                Format::Mdx => ("mdx", text),
            };
            let file = folder.join(format!("{name}.{extension}"));
            if fs::read_to_string(&file).is_ok_and(|expected| expected == text) {
                continue;
            }
            if support::is_blessing() {
                fs::create_dir_all(&folder).unwrap();
                fs::write(&file, text).unwrap();
            } else {
                different.push(file);
            }
        }
    }
    assert!(
        different.is_empty(),
        "not as expected (`.ci/bless docs` accepts them): {different:#?}"
    );
}
