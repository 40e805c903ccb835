//! What commands print at a terminal: no line is longer than one of it, and nothing is left out.

use std::process::Command;

use crate::support;

/// The commands that print for people.
const COMMANDS: &[&str] = &[
    "--help",
    "generate --help",
    "diff --help",
    "inspect -h",
    "nonsense",
    "explain",
    "explain property-added-optional",
    "diff bundled:acp@v1 bundled:acp@v1-unstable",
    "diff bundled:acp@v1 bundled:acp@v2 --summary",
    "inspect --schema bundled:acp@v1",
    "inspect session/new --schema bundled:acp@v1",
    "lint --schema bundled:acp@v1",
    "lint --schema no-such-file.json",
    "generate --dry-run --schema bundled:acp@v1 --out packages/of/this/protocol",
    "check --schema bundled:acp@v1 --out packages/of/this/protocol",
    "validate switch.trace.jsonl --schema switch.json",
];

/// What a command prints, with its standard output and error at a terminal of so many columns.
fn at_terminal(arguments: &str, columns: usize) -> Option<String> {
    let folder = support::root().join("tests/cli/files");
    let command = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_acp-bindgen"));
    let mut script = Command::new("script");
    script.args(["-q", "-e", "-c", &command, "/dev/null"]).current_dir(folder);
    let output = script.env("COLUMNS", columns.to_string()).output().ok()?;
    let text = String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n");
    Some(without_colours(&text))
}

/// What a command prints where there is no terminal.
fn elsewhere(arguments: &str, columns: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    command.args(arguments.split(' ')).env("COLUMNS", columns);
    let output = command.current_dir(support::root().join("tests/cli/files")).output().unwrap();
    String::from_utf8([output.stderr, output.stdout].concat()).unwrap()
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once(|c: char| c.is_ascii_alphabetic()));
    first + &rest.map(|part| part.map_or("", |(_, text)| text)).collect::<String>()
}

#[test]
fn lines_fit_the_terminal_and_say_all() {
    if support::try_run(Command::new("script").arg("--version")).is_err() {
        eprintln!("skipped: `script` of util-linux is missing");
        return;
    }
    for arguments in COMMANDS {
        for columns in [60, 80] {
            let shown = at_terminal(arguments, columns).unwrap();
            for line in shown.lines() {
                let width = line.chars().count();
                assert!(width <= columns, "{arguments} at {columns}: {width}: {line}");
            }
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            // Excerpts of a schema are cut, with a sign, and what takes time takes another.
            if !arguments.starts_with("lint") && !arguments.starts_with("check") {
                let whole = elsewhere(arguments, "80");
                assert_eq!(bare(&shown), bare(&whole), "{arguments} at {columns}");
            }
        }
    }
}

#[test]
fn without_a_terminal_nothing_depends_on_its_width() {
    for arguments in ["--help", "diff --help", "inspect --schema bundled:acp@v1", "nonsense"] {
        assert_eq!(elsewhere(arguments, "40"), elsewhere(arguments, "200"), "{arguments}");
    }
}
