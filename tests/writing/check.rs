//! `generate`, then `check`, then a change, and so on.

use std::fs;
use std::time::SystemTime;

use super::sandbox::{PACKAGE, Sandbox};

#[test]
fn what_was_generated_is_current() {
    let sandbox = Sandbox::generated();
    let checked = sandbox.check(&[]).succeeds();
    assert!(checked.out.ends_with("files are current.\n"), "{}", checked.out);
}

#[test]
fn nothing_generated_yet_is_not_current() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let checked = sandbox.check(&[]).exits(1);
    assert!(checked.out.contains("is missing\n"), "{}", checked.out);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn an_edit_is_shown_with_the_command_that_undoes_it() {
    let sandbox = Sandbox::generated();
    let file = sandbox.a_file();
    let original = sandbox.read(&file);
    sandbox.write(&file, &format!("{original}an edit\n"));
    let checked = sandbox.check(&[]).exits(1);
    assert!(checked.out.contains(&format!("{file} was edited by hand\n")), "{}", checked.out);
    assert!(checked.out.contains("\n  -an edit\n"), "{}", checked.out);
    assert!(checked.out.ends_with(
        "Run `acp-bindgen generate --schema switch.json --target typescript` to update 1 file.\n"
    ));
    assert_eq!(sandbox.read(&file), format!("{original}an edit\n"), "check changed a file");

    let generated = sandbox.generate(&[]).succeeds();
    assert!(generated.out.contains("Wrote 1 file in "), "{}", generated.out);
    assert_eq!(sandbox.read(&file), original);
}

#[test]
fn a_long_difference_is_cut() {
    let sandbox = Sandbox::generated();
    let file = sandbox.a_file();
    sandbox.write(&file, &"edited\n".repeat(500));
    let checked = sandbox.check(&[]).exits(1);
    assert!(checked.out.contains("  … and "), "{}", checked.out);
    assert!(checked.out.lines().count() < 80);
}

#[test]
fn what_is_missing_and_what_is_stale_is_found_and_repaired() {
    let sandbox = Sandbox::generated();
    let before = sandbox.tree();
    let file = sandbox.a_file();
    fs::remove_file(sandbox.path(&file)).unwrap();
    // As an earlier version of the tool, or of the schema, would have left it.
    let manifest = format!("{PACKAGE}/.acp-bindgen.json");
    let with_stale = sandbox
        .read(&manifest)
        .replace("\"files\": {", "\"files\": {\n    \"old/stale.ts\": \"\",");
    sandbox.write(&manifest, &with_stale);
    sandbox.write(&format!("{PACKAGE}/old/stale.ts"), "old");
    let checked = sandbox.check(&[]).exits(1);
    assert!(checked.out.contains(&format!("{file} is missing\n")), "{}", checked.out);
    assert!(checked.out.contains("old/stale.ts is no longer generated\n"), "{}", checked.out);
    assert!(checked.out.contains("to update 2 files"), "{}", checked.out);

    let generated = sandbox.generate(&[]).succeeds();
    assert!(generated.out.contains("Wrote 1 file and removed 1 in "), "{}", generated.out);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_dry_run_says_what_would_change_and_changes_nothing() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let ended = sandbox.generate(&["--dry-run"]).succeeds();
    assert!(ended.out.contains(&format!("create {PACKAGE}/src/")), "{}", ended.out);
    assert!(ended.out.ends_with("Nothing was changed.\n"), "{}", ended.out);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn files_that_do_not_change_are_not_touched() {
    let sandbox = Sandbox::generated();
    let long_ago = SystemTime::UNIX_EPOCH;
    for path in sandbox.tree().keys().filter(|path| !path.ends_with('/')) {
        let file = fs::File::options().write(true).open(sandbox.path(path)).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    let file = sandbox.a_file();
    fs::write(sandbox.path(&file), "edited").unwrap();
    sandbox.generate(&[]).succeeds();
    for path in sandbox.tree().keys().filter(|path| path.contains("/src/") && !path.ends_with('/'))
    {
        let modified = fs::metadata(sandbox.path(path)).unwrap().modified().unwrap();
        assert_eq!(modified == long_ago, *path != file, "{path}");
    }
}

#[test]
fn a_target_left_out_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.generate(&["--target", "python"]).succeeds();
    let before = sandbox.tree();
    sandbox.generate(&[]).succeeds();
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn the_output_is_the_same_every_time() {
    assert_eq!(Sandbox::generated().tree(), Sandbox::generated().tree());
}
