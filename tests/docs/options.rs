//! What a project chooses of reference docs: older versions, links, the schema beside them.

use acp_bindgen::backend::docs::{Docs, Format, Since};
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::{Protocol, Purpose, SchemaText, load};

use super::subject::FORMATS;
use crate::support;

/// A protocol and two versions before it.
fn kettle() -> [(&'static str, Protocol); 2] {
    ["v1.0.0", "v1.1.0"].map(|label| {
        let path = support::root().join(format!("tests/cli/files/versions/{label}.json"));
        let text = std::fs::read_to_string(path).unwrap();
        let loaded = load(SchemaText::new(label, text), Purpose::Compare);
        (label, loaded.protocol.unwrap())
    })
}

#[test]
fn docs_say_since_when_things_are_there() {
    let versions = kettle();
    let since = Since::new(versions.iter().map(|(label, protocol)| (*label, protocol)));
    for format in FORMATS {
        let docs = Docs { format, since: since.clone(), ..Docs::default() };
        let text = text_of(&docs, &versions[1].1);
        // The new method, its two types, and a property that an old type got.
        let told = text.to_lowercase().matches("since v1.1.0").count();
        assert_eq!(told, 4, "{format:?}\n{text}");
        assert!(!text.contains("v1.0.0"), "what was always there has no version");
    }
}

#[test]
fn links_lead_where_the_project_says() {
    let schema = serde_json::json!({
        "$defs": {
            "A": {
                "type": "object",
                "description": "[one](https://old.example/a/b), [two](</guide/x y>), \
                                [three](https://old.example/), [four](//evil.example), \
                                [five](https://other.example/)",
            },
        },
    });
    let loaded = load(SchemaText::from_value("t.json", &schema), Purpose::Compare);
    let links = [
        ("https://old.example/", "https://new.example/"),
        ("https://old.example/a/", "./a/"),
        ("/guide/", "https://new.example/guide/"),
    ];
    let links = links.map(|(from, to)| (from.to_owned(), to.to_owned())).to_vec();
    let docs = Docs { links, ..Docs::default() };
    let text = text_of(&docs, &loaded.protocol.unwrap());
    let hrefs: Vec<&str> =
        text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let leading: Vec<&&str> = hrefs.iter().filter(|href| !href.starts_with('#')).collect();
    assert_eq!(
        leading,
        [
            &"./a/b",
            &"https://new.example/guide/x%20y",
            &"https://new.example/",
            &"https://other.example/"
        ]
    );
}

#[test]
fn the_schema_can_be_loaded_down() {
    let versions = kettle();
    for (format, link) in [
        (Format::Html, "<a href=\"schema.json\" download>"),
        (Format::Markdown, "](schema.json)"),
        (Format::Mdx, "](schema.json)"),
    ] {
        let docs = Docs { format, schema: Some("{}\n".to_owned()), ..Docs::default() };
        let options = Options::new("p", DocsMode::Full, Runtime::Embedded);
        let files = docs.emit(&versions[1].1, &options, &mut Diagnostics::new());
        assert_eq!(files.get("schema.json"), Some("{}\n"));
        assert!(files.iter().any(|(_, text)| text.contains(link)), "{format:?}");
    }
}

fn text_of(docs: &Docs, protocol: &Protocol) -> String {
    let options = Options::new("p", DocsMode::Full, Runtime::Embedded);
    let files = docs.emit(protocol, &options, &mut Diagnostics::new());
    let text = files.iter().next().unwrap().1;
    text.to_owned()
}
