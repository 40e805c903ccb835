//! The command's own part: configuration, standard input, and files that are rewritten.

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use crate::support;

const OPENING: &str =
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}";

/// Runs the command in a folder; gives what it printed, and its exit code.
fn run(folder: &std::path::Path, arguments: &[&str], input: &str) -> (String, String, i32) {
    let mut command = support::acp_bindgen(folder);
    command.arg("validate").args(arguments).env("SOURCE_DATE_EPOCH", "0");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code().unwrap())
}

#[test]
fn files_are_rewritten_only_if_that_is_asked_for() {
    let folder = support::scratch("validate-fix");
    let path = folder.join("t.jsonl");
    let text = format!("\n{OPENING}\r\n");
    fs::write(&path, &text).unwrap();
    let (out, errors, code) = run(&folder, &["t.jsonl"], "");
    assert_eq!((errors.as_str(), code), ("", 0));
    assert!(out.contains("[untidy-lines]"), "{out}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let (out, errors, code) = run(&folder, &["t.jsonl", "--fix"], "");
    assert_eq!(out, "Rewrote t.jsonl\n1 message: nothing to say\n");
    assert_eq!((errors.as_str(), code), ("", 0));
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{OPENING}\n"));
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["t.jsonl"], "nothing is left behind");
    let (out, ..) = run(&folder, &["t.jsonl", "--fix"], "");
    assert_eq!(out, "1 message: nothing to say\n");
}

#[test]
fn standard_input_is_a_file_that_cannot_be_rewritten() {
    let folder = support::scratch("validate-stdin");
    let wrong = OPENING.replace(":1}", ":\"1\"}");
    let (out, errors, code) = run(&folder, &["-"], &format!("{wrong}\n"));
    assert_eq!((errors.as_str(), code), ("", 1));
    assert!(out.starts_with("<stdin>:1:"), "{out}");
    let (out, errors, code) = run(&folder, &["-", "--fix"], "");
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(errors.contains("standard input cannot be rewritten"), "{errors}");
}

#[test]
fn the_configuration_chooses_schema_severities_and_waivers() {
    let folder = support::scratch("validate-config");
    let schema = fs::read_to_string(support::root().join("tests/cli/files/switch.json")).unwrap();
    let message = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"lamp/switch\",\"params\":{\"on\":1,\"off\":0}}\n";
    let config = |rules: &str| format!("schema = \"switch.json\"\n\n[validate]\n{rules}");
    let with = |rules: &str, waivers: &str| {
        let config = config(rules);
        let files = [
            ("switch.json", schema.as_str()),
            ("t.jsonl", message),
            ("acp-bindgen.toml", &config),
            ("waivers.toml", waivers),
        ];
        support::write_files(&folder, files);
        let (out, errors, code) = run(&folder, &["t.jsonl"], "");
        (out.lines().last().unwrap_or_default().to_owned(), errors, code)
    };
    let said = |line: &str, code: i32| (line.to_owned(), String::new(), code);
    assert_eq!(with("", ""), said("1 message: 1 error, 1 note", 1));
    assert_eq!(with("fail-on = \"never\"", ""), said("1 message: 1 error, 1 note", 0));
    let rules = "[validate.rules]\ninvalid-value = \"ignore\"\nunknown-property = \"error\"\n";
    assert_eq!(with(rules, ""), said("1 message: 1 error, 1 ignored", 1));
    let waivers =
        "[[waiver]]\nfinding = \"invalid-value:lamp/*\"\nreason = \"soon\"\nexpires = 1970-01-01\n";
    let waived = with("waivers = \"waivers.toml\"", waivers);
    assert_eq!(waived, said("1 message: 1 error, 1 note, 1 waived", 0));
    let (_, errors, code) = with("[validate.rules]\ninvalid-valeu = \"ignore\"\n", "");
    assert!(errors.contains("did you mean `invalid-value`?"), "{errors}");
    assert_eq!(code, 2);
}
