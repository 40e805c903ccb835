//! Folders that cannot be written, and input that is too bad to write anything.

use std::fs;

use super::sandbox::{PACKAGE, Sandbox};

#[test]
fn a_file_in_place_of_a_folder() {
    // A file refuses to be a folder even to an administrator, whom permissions do not stop.
    for location in ["lsp-sdk", PACKAGE] {
        let sandbox = Sandbox::new();
        sandbox.write(location, "a file");
        let before = sandbox.tree();
        sandbox.generate(&[]).fails_with("unwritable");
        sandbox.generate(&["--force"]).fails_with("unwritable");
        assert_eq!(sandbox.tree(), before);
    }
}

#[test]
fn one_package_that_cannot_be_written_keeps_all_from_being_written() {
    let sandbox = Sandbox::new();
    sandbox.write("lsp-sdk/python", "a file");
    let before = sandbox.tree();
    sandbox.run(&["generate", "--schema", "switch.json"]).fails_with("unwritable");
    assert_eq!(sandbox.tree(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_system_that_takes_nothing() {
    let sandbox = Sandbox::new();
    let ended = sandbox.generate(&["--out", "/proc/acp-bindgen-test"]).fails_with("unwritable");
    assert!(ended.err.contains("nothing was changed"), "{}", ended.err);
}

#[test]
fn a_bad_schema_changes_nothing() {
    let sandbox = Sandbox::generated();
    let before = sandbox.tree();
    let bad = include_str!("../cli/files/dangling.json");
    let outcome = sandbox.run_with_input(
        &["generate", "--schema", "-", "--out", "lsp-sdk", "--target", "typescript"],
        bad.as_bytes(),
    );
    assert!(outcome.err.contains("<stdin>:4:"), "{}", outcome.err);
    outcome.fails_with("dangling-ref");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let sandbox = Sandbox::new();
    fs::File::create(sandbox.path("huge.json")).unwrap().set_len(200 << 20).unwrap();
    sandbox.run(&["generate", "--schema", "huge.json"]).fails_with("too-large");
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_file_is_refused() {
    Sandbox::new().run(&["generate", "--schema", "/dev/zero"]).fails_with("too-large");
}
