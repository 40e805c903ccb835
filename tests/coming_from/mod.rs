//! The pages for those who come from an official package: what they show is what
//! `schema/acp.coming-from-*.toml` says, and every name of ours in it exists. `BLESS=1` writes them.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use acp_bindgen::backend::api::{Api, Member};
use acp_bindgen::backend::{DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::generator::backend;
use acp_bindgen::{Config, Purpose, Target, input, load};
use serde::Deserialize;

use crate::support;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    title: String,
    language: String,
    intro: String,
    /// What stands below the table.
    more: Option<String>,
    /// What is said of the official examples.
    examples: Option<String>,
    /// A file of ours that they need, which is shown below that.
    module: Option<PathBuf>,
    name: Vec<Row>,
    /// Versions whose names are others.
    earlier: Option<Earlier>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Earlier {
    title: String,
    intro: String,
    more: String,
    name: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    old: String,
    new: String,
    note: String,
}

#[test]
fn pages_show_names_that_exist() {
    let inputs = input::read_schema("bundled:acp@v1", &[], &[]).unwrap();
    let protocol = load(inputs, Purpose::Generate).protocol.unwrap();
    let options = Options::new(protocol.package_name(), DocsMode::Off, Runtime::Embedded);
    for kind in ["npm", "pypi", "crate"] {
        let file = support::root().join(format!("schema/acp.coming-from-{kind}.toml"));
        let page: Page = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let target: Target = page.language.parse().unwrap();
        let backend = backend(&target, &Config::default());
        let api = backend.api(&protocol, &options);
        let files = backend.emit(&protocol, &options, &mut Diagnostics::new());
        let text: String = files.iter().map(|(_, text)| text).collect();
        let earlier = page.earlier.iter().flat_map(|it| &it.name);
        for row in page.name.iter().chain(earlier).filter(|row| !row.new.is_empty()) {
            assert!(exists(&row.new, &api, &text), "{kind}: there is no `{}`", row.new);
        }
        let path = format!("docs/coming-from-{}.md", page.language);
        let shown = render(&page, kind);
        let path = support::root().join(path);
        if support::is_blessing() {
            fs::write(&path, &shown).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), shown, "{}", path.display());
    }
}

/// Tells whether a name, or a member of a declaration, is in the package.
fn exists(name: &str, api: &Api, text: &str) -> bool {
    let (first, member) = match name.split_once("::").or_else(|| name.split_once('.')) {
        Some((first, member)) => (first, Some(member)),
        None => (name, None),
    };
    let is_declared = |name: &str, words: &[&str]| {
        words.iter().any(|word| {
            let wanted = format!("{word} {name}");
            let mut places = text.match_indices(&wanted);
            places.any(|(at, _)| {
                let after = text[at + wanted.len()..].chars().next();
                after.is_none_or(|next| !next.is_alphanumeric() && next != '_')
            })
        })
    };
    let declared = api.declarations.iter().find(|it| it.name == first);
    let words =
        ["class", "impl", "function", "const", "type", "def", "pub struct", "pub mod", "pub enum"];
    let known = declared.is_some()
        || is_declared(first, &words)
        || text.contains(&format!("from .{first} import"));
    let of = |member: &str| {
        // What a class is made with stands in its constructor.
        let is_it = |it: &Member| {
            it.name == member || it.parameters.iter().any(|parameter| parameter.name == member)
        };
        let of_api = declared.is_some_and(|it| it.members.iter().any(is_it));
        of_api || is_declared(member, &["fn", "def"])
    };
    known && member.is_none_or(of)
}

fn render(page: &Page, kind: &str) -> String {
    let Page { title, intro, more, examples, module, name, earlier, .. } = page;
    let intro = intro.trim();
    let mut text = format!("# {title}\n\n{intro}\n\n{}", table(name));
    if let Some(Earlier { title, intro, more, name }) = earlier {
        let (intro, more) = (intro.trim(), more.trim());
        write!(text, "\n## {title}\n\n{intro}\n\n{}\n{more}\n", table(name)).unwrap();
    }
    if let Some(more) = more {
        writeln!(text, "\n{}", more.trim()).unwrap();
    }
    if let Some(examples) = examples {
        writeln!(text, "\n## Their examples\n\n{}", examples.trim()).unwrap();
    }
    if let Some(module) = module {
        let code = fs::read_to_string(support::root().join(module)).unwrap();
        write!(text, "\n```{}\n{}```\n", page.language, code).unwrap();
    }
    let old = if earlier.is_some() { "in the first table" } else { "under *there*" };
    write!(
        text,
        "\nTo keep the names of a package that you have published, see [names.md](names.md): \
         `acp-bindgen names --from {kind} PATH`.\n\n\
         This page is made from `schema/acp.coming-from-{kind}.toml`; tests hold every name under \
         *here* to the generated package, and every one {old} to published ones.\n"
    )
    .unwrap();
    text
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from("| there | here | |\n|---|---|---|\n");
    for Row { old, new, note } in rows {
        let new = if new.is_empty() { String::from("none") } else { format!("`{new}`") };
        writeln!(text, "| `{old}` | {new} | {note} |").unwrap();
    }
    text
}
