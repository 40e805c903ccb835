//! The summary of `generate`.

use std::fmt::Write as _;
use std::time::Duration;

use acp_bindgen::diagnostic::{Severity, printable};
use acp_bindgen::ir::{Handler, Protocol};
use acp_bindgen::output::{Action, MANIFEST, Plan};
use acp_bindgen::{Generation, Package};

use super::style::{Role, paint, width};

/// The protocol, and what there is of it in each language.
pub(super) fn overview(generation: &Generation, plan: &Plan<'_>) -> String {
    let mut text = String::new();
    if let Some(protocol) = &generation.protocol {
        text.push_str(&title(protocol));
        let methods = count(protocol.methods.len(), "method");
        let types = count(protocol.types.len(), "type");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {methods}{} · {types}", per_side(protocol));
    }
    let rows: Vec<[String; 4]> = generation
        .packages
        .iter()
        .zip(&plan.packages)
        .map(|(Package { target, files }, plan)| {
            [
                target.id().to_owned(),
                plan.folder.display().to_string(),
                count(files.len(), "file"),
                count(files.lines(), "line"),
            ]
        })
        .collect();
    let [id_width, folder_width, files_width, lines_width] =
        [0, 1, 2, 3].map(|column| width(rows.iter().map(|row: &[String; 4]| &row[column])));
    for [id, folder, files, lines] in &rows {
        let id = paint(Role::Name, format!("{id:id_width$}"));
        let _ = writeln!(
            text,
            "  {id}  {folder:folder_width$}  {files:>files_width$}  {lines:>lines_width$}"
        );
    }
    text
}

/// The files to read first, the best first.
const FIRST: [&str; 3] = ["README.md", "index.html", "reference.mdx"];

/// The last line: what was done, how long it took, and what to do next.
pub(super) fn outcome(
    generation: &Generation,
    plan: &Plan<'_>,
    time: Duration,
    dry_run: bool,
) -> String {
    let changes = || plan.changes().filter(|(_, change)| change.path != MANIFEST);
    let removed = changes().filter(|(_, change)| change.action == Action::Remove).count();
    let written = changes().count() - removed;
    let files: usize = plan.packages.iter().map(|package| package.files.len()).sum();
    let milliseconds = thousands(usize::try_from(time.as_millis()).unwrap_or(usize::MAX));
    let mut text = match (written, removed, dry_run) {
        (0, 0, _) => {
            format!("All {} were current already, in {milliseconds} ms.", count(files, "file"))
        }
        (_, _, true) => {
            return format!(
                "Would write {} and remove {removed}. Nothing was changed.\n",
                count(written, "file")
            );
        }
        (_, 0, _) => format!("Wrote {} in {milliseconds} ms.", count(written, "file")),
        _ => {
            format!("Wrote {} and removed {removed} in {milliseconds} ms.", count(written, "file"))
        }
    };
    let edited = changes().filter(|(_, change)| change.action == Action::Update { edited: true });
    if let edited @ 1.. = edited.count() {
        let _ = write!(text, " {} had been edited by hand.", count(edited, "file"));
    }
    match generation.diagnostics.count(Severity::Warning) {
        0 => {}
        warnings => {
            let _ = write!(text, " {}.", count(warnings, "warning"));
        }
    }
    let first = FIRST.iter().find_map(|file| {
        let package = plan.packages.iter().find(|package| package.files.get(file).is_some())?;
        Some(package.folder.join(file))
    });
    if let Some(first) = first {
        let _ = write!(text, " Next: {}", first.display());
    }
    text.push('\n');
    text
}

/// The protocol's title and where its schema came from.
pub(super) fn title(protocol: &Protocol) -> String {
    let title = paint(Role::Heading, printable(&protocol.title.wire));
    let label = printable(&protocol.origin.label);
    match &protocol.origin.version {
        Some(version) => format!("{title} ({label}, schema {})\n", printable(version)),
        None => format!("{title} ({label})\n"),
    }
}

/// `: agent 13, client 11, either 1`
fn per_side(protocol: &Protocol) -> String {
    let parts: Vec<String> = protocol
        .handlers()
        .filter_map(|handler| {
            let count = protocol.methods_of(&handler).count();
            let name = match &handler {
                Handler::Side { name } => printable(name),
                Handler::Either => "either".into(),
                Handler::Protocol => "protocol".into(),
            };
            (count > 0).then(|| format!("{name} {count}"))
        })
        .collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

/// `1 file`, `9,812 lines`
pub(super) fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", thousands(number))
}

fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{count, thousands};

    #[test]
    fn numbers_have_separators() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(9_812), "9,812");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(count(1, "file"), "1 file");
    }
}
