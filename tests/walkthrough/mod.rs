//! Pages whose commands are run as they stand there, and print what the page shows. `BLESS=1` has
//! them show what they print.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support;

/// A block of code on the page: its info string and its lines.
struct Block<'a> {
    info: &'a str,
    body: &'a str,
}

/// The blocks of code of a Markdown text, in order.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (info, after) = after.split_once('\n').unwrap();
        let (body, after) = after.split_once("```\n").expect("a block has an end");
        found.push(Block { info, body });
        rest = after;
    }
    found
}

/// Runs a line as a shell does in a folder. Everything that it prints is in the order in which it
/// came.
fn run(folder: &Path, line: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_acp-bindgen")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {line}\n}} 2>&1")]).current_dir(folder);
    shell.env("PATH", format!("{}:{path}", program.display())).stdin(Stdio::null());
    for (name, value) in [
        ("COLUMNS", "100"),
        ("GIT_AUTHOR_NAME", "Ada"),
        ("GIT_AUTHOR_EMAIL", "ada@example.org"),
        ("GIT_COMMITTER_NAME", "Ada"),
        ("GIT_COMMITTER_EMAIL", "ada@example.org"),
        ("GIT_AUTHOR_DATE", "2026-05-01T12:00:00Z"),
        ("GIT_COMMITTER_DATE", "2026-05-01T12:00:00Z"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ] {
        shell.env(name, value);
    }
    let output = shell.output().unwrap();
    let mut said = String::from_utf8(output.stdout).unwrap();
    if let Some(code) = output.status.code().filter(|code| *code != 0) {
        writeln!(said, "(exit code {code})").unwrap();
    }
    timeless(&said)
}

/// The text without how long something took, and without days that depend on today.
fn timeless(said: &str) -> String {
    // Waivers say their day in their file, and `init` in its last words.
    let day = said.lines().find_map(|line| {
        let of_file = line.strip_prefix("expires = ");
        of_file.or_else(|| line.rsplit_once("waivers.toml until ").map(|(_, day)| day))
    });
    let said = day.map_or_else(|| said.to_owned(), |day| said.replace(day, "2030-12-31"));
    let words = said.split_inclusive([' ', '\n']).collect::<Vec<_>>();
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        let is_time = words.get(index + 1).is_some_and(|next| next.trim_end() == "ms.");
        let is_number = word.trim_end().replace(',', "").parse::<f64>().is_ok();
        text.push_str(if is_time && is_number { "50 " } else { word });
    }
    text
}

#[test]
fn the_walkthrough_for_schema_authors_is_what_happens() {
    assert_happens("schema-authors", 11);
}

#[test]
fn the_first_steps_are_what_happens() {
    assert_happens("start-here", 7);
}

#[test]
fn the_way_through_the_tool_is_what_happens() {
    assert_happens("how-it-works", 10);
}

#[test]
fn what_is_said_of_messages_is_what_happens() {
    assert_happens("validate", 3);
}

#[test]
fn what_is_said_of_a_schema_is_what_happens() {
    assert_happens("lint", 4);
}

#[test]
fn what_is_said_of_many_versions_is_what_happens() {
    assert_happens("versions", 6);
}

#[test]
fn names_stay_as_is_shown() {
    assert_happens("names", 9);
}

#[test]
fn a_catalogue_becomes_what_is_shown() {
    assert_happens("catalogues", 2);
}

#[test]
fn reference_docs_are_what_is_shown() {
    assert_happens("reference-docs", 2);
}

#[test]
fn other_protocols_become_what_is_shown() {
    assert_happens("other-protocols", 6);
}

/// Fails unless the commands of a page, at least so many, print what it shows.
fn assert_happens(name: &str, least: usize) {
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("skipped: git is missing");
        return;
    }
    let page = support::root().join(format!("docs/{name}.md"));
    let text = std::fs::read_to_string(&page).unwrap();
    let folder = support::scratch(&format!("walkthrough-{name}"));
    // The search for a configuration ends here.
    assert!(
        Command::new("git").args(["init", "-q"]).current_dir(&folder).status().unwrap().success()
    );
    let mut now = text.clone();
    let mut commands = 0;
    for Block { info, body } in blocks(&text) {
        // A picture that a command has drawn.
        if let Some(name) = info.strip_prefix("mermaid ") {
            let drawn = std::fs::read_to_string(folder.join(name)).unwrap();
            let (block, as_drawn) = (format!("```{info}\n{body}"), format!("```{info}\n{drawn}"));
            now = now.replacen(&block, &as_drawn, 1);
            continue;
        }
        if let Some(name) = info.split_once(' ').map(|(_, name)| name) {
            support::write_files(&folder, [(name, body)]);
            continue;
        }
        if info != "console" {
            continue;
        }
        let mut shown = String::new();
        for line in body.lines().filter_map(|line| line.strip_prefix("$ ")) {
            commands += 1;
            write!(shown, "$ {line}\n{}", run(&folder, line)).unwrap();
        }
        now = now.replacen(body, &shown, 1);
    }
    assert!(commands >= least, "{name} shows {commands} commands");
    if support::is_blessing() {
        std::fs::write(&page, &now).unwrap();
        return;
    }
    assert_same_lines(&text, &now);
}

/// Fails with the first line that differs.
fn assert_same_lines(shown: &str, printed: &str) {
    let lines = shown.lines().zip(printed.lines()).enumerate();
    for (number, (shown, printed)) in lines {
        assert_eq!(shown, printed, "line {} (`.ci/bless walkthrough`)", number + 1);
    }
    assert_eq!(shown.lines().count(), printed.lines().count());
}
