//! What `diff` prints and decides, through the command: formats, policy, and the page of rules.

mod alike;
mod fixture;
mod github;
mod html;
mod markdown;
mod policy;
mod rules;
pub(crate) mod sarif;
mod words;

use std::process::{Command, Output};

use crate::support;

/// Compares the two schemas beside this file, with these arguments too.
fn diff(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    command.args(["diff", "old.json", "new.json"]).args(arguments);
    command.current_dir(support::root().join("tests/report/schemas"));
    command
}

/// What a command printed to standard output and standard error, and its exit code.
pub(crate) fn outcome(command: &mut Command) -> (String, String, i32) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code().unwrap())
}

#[test]
fn every_format_says_the_same_of_the_whole() {
    for format in ["text", "json", "markdown", "html", "github", "sarif"] {
        let (first, errors, code) = outcome(&mut diff(&["--format", format, "--code"]));
        assert_eq!((errors.as_str(), code), ("", 1), "{format}");
        let (second, ..) = outcome(&mut diff(&["--format", format, "--code"]));
        assert_eq!(first, second, "{format} is the same in every run");
        assert!(first.contains("property-removed-optional"), "{format}: {first}");
        assert!(first.ends_with('\n'), "{format}");
    }
}

#[test]
fn code_is_shown_for_the_languages_asked_for() {
    for format in ["text", "markdown", "html"] {
        let (none, ..) = outcome(&mut diff(&["--format", format]));
        assert!(!none.contains("colour?: string;"), "{format}");
        let (all, ..) = outcome(&mut diff(&["--format", format, "--code"]));
        let (one, ..) = outcome(&mut diff(&["--format", format, "--code=typescript"]));
        for (line, in_one) in [
            ("colour?: string;", true),
            ("pub colour: Option&lt;String&gt;,", false),
            ("colour: str | UnsetType = UNSET", false),
        ] {
            let line = if format == "html" {
                line.to_owned()
            } else {
                line.replace("&lt;", "<").replace("&gt;", ">")
            };
            assert!(all.contains(&line), "{format}: {line}");
            assert_eq!(one.contains(&line), in_one, "{format}: {line}");
        }
    }
}
