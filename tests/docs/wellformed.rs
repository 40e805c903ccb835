//! Links lead somewhere, and each format's own tools take what comes out.

use std::collections::HashSet;

use acp_bindgen::backend::DocsMode;
use acp_bindgen::backend::docs::Format;
use acp_bindgen::ir::Protocol;

use super::harmless::{described, hostile, pieces};
use super::{FORMATS, Subject, bundled, cases, docs, support};

/// All ids, in order.
pub(crate) fn ids(text: &str) -> Vec<String> {
    between(text, " id=\"", '"')
}

/// What links within the page lead to.
fn links(text: &str) -> Vec<String> {
    let mut links = between(text, "href=\"#", '"');
    links.extend(between(text, "](#", ')'));
    links
}

fn between(text: &str, start: &str, end: char) -> Vec<String> {
    let pieces = text.split(start).skip(1);
    pieces.filter_map(|rest| rest.split(end).next()).map(str::to_owned).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for subject in bundled().into_iter().chain(cases()) {
        for format in FORMATS {
            let text = docs(&subject.protocol, format, DocsMode::Full);
            let text = text.split("<script>").next().unwrap_or_default();
            let ids = ids(text);
            let known: HashSet<&String> = ids.iter().collect();
            assert_eq!(known.len(), ids.len(), "{} {format:?}: an id twice", subject.name);
            let links = links(text);
            let lost: Vec<_> = links.iter().filter(|link| !known.contains(link)).collect();
            assert!(lost.is_empty(), "{} {format:?}: {lost:?}", subject.name);
            // The table of contents leads to all methods, and to the types that no method shows as
            // its own; a site makes one itself.
            let Protocol { methods, types, .. } = &subject.protocol;
            let others = types.values().filter(|def| def.roles.is_empty() && !def.inline);
            let others = others.filter(|def| !def.docs.hidden).count();
            let least = if format == Format::Mdx { 0 } else { methods.len() + others };
            assert!(
                links.len() >= least,
                "{} {format:?}: {} of {least}",
                subject.name,
                links.len()
            );
        }
    }
}

#[test]
fn the_same_schema_gives_the_same_docs() {
    for (first, second) in bundled().iter().zip(bundled()) {
        for format in FORMATS {
            let again = docs(&second.protocol, format, DocsMode::Full);
            assert!(docs(&first.protocol, format, DocsMode::Full) == again, "{format:?}");
        }
    }
}

/// Writes the docs of all schemas that pass into a folder, and gives their paths.
fn written(folder: &str, format: Format, extension: &str, hostile: bool) -> Vec<String> {
    let folder = support::scratch(folder);
    let mut paths = Vec::new();
    for Subject { name, protocol, .. } in bundled().into_iter().chain(cases()) {
        if name == "docs-escaping" && !hostile {
            continue;
        }
        let file = format!("{}.{extension}", name.replace([':', '@'], "-"));
        let text = docs(&protocol, format, DocsMode::Full);
        support::write_files(&folder, [(file.as_str(), text.as_str())]);
        paths.push(folder.join(file).display().to_string());
    }
    paths
}

#[test]
fn markdown_is_as_its_formatter_wants_it() {
    let Some(node) = support::node() else { return };
    let paths = written("docs-markdown", Format::Markdown, "md", false);
    let options = ["--check", "--log-level", "warn", "--no-config", "--ignore-path", "/dev/null"];
    support::run(node.prettier().args(options).args(paths));
}

#[test]
fn the_style_and_script_are_as_their_formatter_wants_them() {
    let Some(node) = support::node() else { return };
    let folder = support::root().join("templates/docs");
    let files = ["theme.css", "frame.css", "content.css", "screens.css", "page.js"];
    let files = files.map(|file| folder.join(file));
    support::run(
        node.prettier().args(["--check", "--log-level", "warn", "--no-config"]).args(files),
    );
}

/// MDX compiles, and holds no code but the attributes of known components.
#[test]
fn mdx_compiles() {
    let Some(modules) = support::npm_docs() else { return };
    let mut paths = written("docs-mdx", Format::Mdx, "mdx", true);
    assert!(paths.len() > 20);
    let folder = support::scratch("docs-mdx-hostile");
    let mut random = support::Random(11);
    let pieces = pieces();
    let description = |_| (0..random.below(30)).map(|_| *random.pick(&pieces)).collect();
    let descriptions: Vec<String> = (0..400).map(description).collect();
    for (file, protocol) in
        [("hostile.mdx", hostile().protocol), ("random.mdx", described(&descriptions))]
    {
        let text = docs(&protocol, Format::Mdx, DocsMode::Full);
        support::write_files(&folder, [(file, text.as_str())]);
        paths.push(folder.join(file).display().to_string());
    }
    let script = support::root().join("tests/docs/compile.mjs");
    let mut node = std::process::Command::new("node");
    support::run(node.arg(script).arg(modules.join("@mdx-js/mdx/index.js")).args(paths));
}
