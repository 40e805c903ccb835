//! What the package says of itself.

use super::package::package;
use crate::backend::rust::model::Model;
use crate::backend::rust::{docs, literal};
use crate::backend::{Options, Runtime};
use crate::ir::Protocol;

/// The package's README.
pub(super) fn readme(
    protocol: &Protocol,
    options: &Options,
    model: &Model,
    header: &[String; 2],
) -> String {
    let title = docs::markdown(&literal::printable(&protocol.title.wire)).join(" ");
    let package = package(options);
    let guide = shown(&guide(protocol, options, model));
    let drives = drives(options, model);
    let dependencies =
        if drives { "`serde`, `serde_json` and `tokio`" } else { "`serde` and `serde_json`" };
    let mut text = include_str!("../../../../templates/rust/README.md.txt")
        .replace("HEADER", &format!("{}\n{}", header[0], header[1]))
        .replace("TITLE", &title)
        .replace("DEPENDENCIES", dependencies)
        .replace("CRATE", &package.replace('-', "_"))
        .replace("PACKAGE", &package);
    if !model.sides.is_empty() {
        text += &connections(model, drives);
    }
    if model.has_streams() {
        text += include_str!("../../../../templates/rust/README.streams.md.txt");
    }
    // Last, so that nothing in it is taken for a place to put something.
    text.replacen("GUIDE", &guide, 1)
}

/// What the schema's authors want users to read first, as Markdown, with a blank line after it.
/// Its examples need a connection that is driven.
pub(super) fn guide(protocol: &Protocol, options: &Options, model: &Model) -> String {
    let guide = protocol.guides.get("rust").filter(|_| drives(options, model));
    let name = package(options).replace('-', "_");
    guide.map_or_else(String::new, |guide| guide.trim().replace("%PACKAGE%", &name) + "\n\n")
}

fn drives(options: &Options, model: &Model) -> bool {
    options.runtime == Runtime::Tokio && !model.sides.is_empty()
}

fn connections(model: &Model, drives: bool) -> String {
    let all = |suffix: &str| {
        let names = model.sides.iter().map(|side| format!("`{}{suffix}`", side.ident));
        names.collect::<Vec<_>>().join(" and ")
    };
    let cores = all("SideCore");
    let about = if drives {
        format!(
            "{} connect\nover any reader and writer, standard input and output, or a process \
             that they start. {cores} are\nthe same without input and output, for any executor \
             or none.",
            all("SideConnection")
        )
    } else {
        format!("{cores} take bytes,\ncall handlers and give bytes, with any executor or none.")
    };
    include_str!("../../../../templates/rust/README.connections.md.txt")
        .replace("SIDES", &all(""))
        .replace("CONNECTIONS", &about)
}

/// A guide without the lines of its examples that are run and not shown.
fn shown(guide: &str) -> String {
    let mut in_example = false;
    let lines = guide.split_inclusive('\n').filter(|line| {
        let text = line.trim_end();
        if text.starts_with("```") {
            in_example = text == "```rust";
        }
        !(in_example && (text == "#" || text.starts_with("# ")))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn what_is_run_only_is_not_shown() {
        let guide = "# Title\n```rust\n# hidden\n#\n#[shown]\n```\n# Title\n```sh\n# shown\n```\n";
        let expected = "# Title\n```rust\n#[shown]\n```\n# Title\n```sh\n# shown\n```\n";
        assert_eq!(shown(guide), expected);
    }
}
