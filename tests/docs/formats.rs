//! Docs as the tools of their formats take them.

mod hostile;
#[allow(dead_code, reason = "the suite in `fast` uses all of it")]
mod subject;

use acp_bindgen::backend::DocsMode;
use acp_bindgen::backend::docs::Format;

use hostile::{described, hostile, pieces};
use subject::{Subject, bundled, cases, docs};

use crate::support;

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
