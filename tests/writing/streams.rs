//! Standard output and standard error.

use std::io::Read as _;
use std::process::Stdio;

use super::sandbox::Sandbox;

#[test]
fn results_go_to_standard_output_and_findings_to_standard_error() {
    let sandbox = Sandbox::new();
    let ended = sandbox.generate(&[]).succeeds();
    assert!(ended.out.starts_with("Light Switch Protocol (switch.json)\n"), "{}", ended.out);
    assert!(ended.out.contains("2 methods: lamp 1, panel 1 · 4 types\n"), "{}", ended.out);
    assert_eq!(ended.err, "");
    assert_eq!(sandbox.generate(&["--quiet"]).succeeds().out, "");
    assert_eq!(sandbox.run(&["generate", "--schema", "nowhere"]).exits(2).out, "");
}

#[test]
fn colours_only_where_they_are_seen() {
    let sandbox = Sandbox::new();
    let arguments = ["inspect", "--schema", "switch.json"];
    let run = |variables: &[(&str, &str)], arguments: &[&str]| {
        let output = sandbox.command(arguments).envs(variables.iter().copied()).output().unwrap();
        let both = [output.stdout, output.stderr].concat();
        both.contains(&0x1b)
    };
    assert!(!run(&[], &arguments));
    assert!(run(&[("CLICOLOR_FORCE", "1")], &arguments));
    assert!(!run(&[("NO_COLOR", "1")], &arguments));
    let failing = ["inspect", "--schema", "nowhere.json"];
    assert!(!run(&[], &failing));
    assert!(run(&[("CLICOLOR_FORCE", "1")], &failing));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let sandbox = Sandbox::new();
    for (arguments, code) in [
        (["inspect", "--schema", "bundled:acp@v1", "--format", "json"], 0),
        (["check", "--schema", "switch.json", "--target", "typescript"], 1),
        (["inspect", "--help", "--quiet", "--quiet", "--quiet"], 0),
    ] {
        let mut command = sandbox.command(&arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(
            (child.wait().unwrap().code(), said.as_str()),
            (Some(code), ""),
            "{arguments:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    let sandbox = Sandbox::new();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = sandbox.command(&["inspect", "--schema", "switch.json"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}
