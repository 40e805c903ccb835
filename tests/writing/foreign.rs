//! Files that the tool did not write.

use std::fs;

use super::sandbox::{PACKAGE, Sandbox};

/// The paths of two files that would be generated.
fn two_files() -> [String; 2] {
    let generated = Sandbox::generated();
    let tree = generated.tree();
    let mut files = tree.keys().filter(|path| path.contains("/src/") && !path.ends_with('/'));
    [files.next().unwrap().clone(), files.next_back().unwrap().clone()]
}

#[test]
fn all_files_in_the_way_are_reported_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    let files = two_files();
    for file in &files {
        sandbox.write(file, "mine");
    }
    sandbox.write(&format!("{PACKAGE}/notes.txt"), "mine too");
    let before = sandbox.tree();
    let ended = sandbox.generate(&[]).fails_with("foreign-file");
    for file in &files {
        assert!(ended.err.contains(&format!("`{file}` was not written by this tool")));
    }
    assert!(ended.err.contains("`--force`") && ended.err.contains("2 errors."));
    assert!(!ended.err.contains("notes.txt"));
    assert_eq!(sandbox.tree(), before);

    sandbox.generate(&["--force"]).succeeds();
    assert_ne!(sandbox.read(&files[0]), "mine");
    assert_eq!(sandbox.read(&format!("{PACKAGE}/notes.txt")), "mine too");
    sandbox.check(&[]).succeeds();
}

#[test]
fn a_file_that_is_right_already_is_adopted() {
    let sandbox = Sandbox::generated();
    let before = sandbox.tree();
    fs::remove_file(sandbox.path(&format!("{PACKAGE}/.acp-bindgen.json"))).unwrap();
    sandbox.check(&[]).exits(1);
    sandbox.generate(&[]).succeeds();
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_folder_where_a_file_goes_is_refused_even_by_force() {
    let sandbox = Sandbox::new();
    let [file, _] = two_files();
    sandbox.write(&format!("{file}/inner"), "mine");
    let before = sandbox.tree();
    sandbox.generate(&["--force"]).fails_with("foreign-file");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_file_where_a_folder_goes_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write(&format!("{PACKAGE}/src"), "mine");
    let before = sandbox.tree();
    let ended = sandbox.generate(&["--force"]).fails_with("foreign-file");
    assert!(ended.err.contains("is not a folder"), "{}", ended.err);
    assert_eq!(sandbox.tree(), before);
}

#[cfg(unix)]
#[test]
fn a_linked_folder_is_not_written_through() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path(PACKAGE)).unwrap();
    fs::create_dir_all(sandbox.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("elsewhere"), sandbox.path(&format!("{PACKAGE}/src")))
        .unwrap();
    let ended = sandbox.generate(&["--force"]).fails_with("foreign-file");
    let told = format!("`{PACKAGE}/src` is in the way: it is a link\n");
    assert!(ended.err.contains(&told), "{}", ended.err);
    assert_eq!(ended.err.matches("error[").count(), 1, "{}", ended.err);
    assert_eq!(fs::read_dir(sandbox.path("elsewhere")).unwrap().count(), 0);
    assert!(!sandbox.path(&format!("{PACKAGE}/.acp-bindgen.json")).exists());
}

#[cfg(unix)]
#[test]
fn a_linked_file_is_replaced_and_what_it_leads_to_is_kept() {
    let sandbox = Sandbox::generated();
    let file = sandbox.a_file();
    sandbox.write("elsewhere.txt", "mine");
    fs::remove_file(sandbox.path(&file)).unwrap();
    std::os::unix::fs::symlink(sandbox.path("elsewhere.txt"), sandbox.path(&file)).unwrap();
    sandbox.check(&[]).exits(1);
    sandbox.generate(&[]).succeeds();
    assert_eq!(sandbox.read("elsewhere.txt"), "mine");
    assert!(fs::symlink_metadata(sandbox.path(&file)).unwrap().is_file());
    sandbox.check(&[]).succeeds();
}

#[test]
fn a_broken_list_of_files_is_reported() {
    let sandbox = Sandbox::generated();
    let manifest = format!("{PACKAGE}/.acp-bindgen.json");
    for broken in [
        "not JSON",
        r#"{"version": 9, "files": {}}"#,
        r#"{"version": 1, "files": {"../../switch.json": ""}}"#,
        r#"{"version": 1, "files": {"/etc/passwd": ""}}"#,
    ] {
        sandbox.write(&manifest, broken);
        sandbox.generate(&[]).fails_with("bad-manifest");
        assert_eq!(sandbox.read(&manifest), broken);
    }
    sandbox.generate(&["--force"]).succeeds();
    assert!(sandbox.path("switch.json").exists());
    sandbox.check(&[]).succeeds();
}
