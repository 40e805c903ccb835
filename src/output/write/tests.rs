//! Every way in which writing can fail or be killed.

use std::collections::BTreeMap;
use std::time::SystemTime;

use tempfile::TempDir;

use super::super::{FileSet, plan};
use super::*;
use crate::diagnostic::Diagnostics;

/// Files by path; a folder that is empty is `path/` with no contents.
type Tree = BTreeMap<String, String>;

fn files(list: &[(&str, &str)]) -> FileSet {
    let mut files = FileSet::new();
    for (path, contents) in list {
        files.insert(*path, *contents);
    }
    files
}

fn old() -> [FileSet; 2] {
    [
        files(&[
            ("same", "1"),
            ("src/changed", "1"),
            ("src/stale", "1"),
            ("deep/er/gone", "1"),
            ("turns", "1"),
        ]),
        files(&[("only", "1"), ("folder/file", "1")]),
    ]
}

fn new() -> [FileSet; 2] {
    [
        files(&[
            ("same", "1"),
            ("src/changed", "2"),
            ("src/new", "2"),
            ("fresh/new", "2"),
            ("turns/into", "2"),
        ]),
        files(&[("only", "2"), ("folder", "2")]),
    ]
}

fn run(root: &Path, sets: &[FileSet; 2], hook: &mut Hook<'_>) -> Result<(), String> {
    let mut diagnostics = Diagnostics::new();
    let folders = [root.join("out/a"), root.join("out/b")];
    let plan = plan(folders.into_iter().zip(sets), false, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    write_asking(plan, Duration::ZERO, hook)
        .map(drop)
        .map_err(|diagnostics| diagnostics.into_iter().next().unwrap().help.unwrap())
}

fn run_freely(root: &Path, sets: &[FileSet; 2]) {
    run(root, sets, &mut |_, _| Ok(())).unwrap();
}

fn tree(root: &Path) -> Tree {
    fn walk(root: &Path, prefix: &str, tree: &mut Tree) {
        for entry in fs::read_dir(root.join(prefix)).unwrap() {
            let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
            let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            if entry.unwrap().file_type().unwrap().is_dir() {
                tree.insert(format!("{path}/"), String::new());
                walk(root, &path, tree);
            } else {
                tree.insert(path.clone(), fs::read_to_string(root.join(&path)).unwrap());
            }
        }
    }
    let mut tree = Tree::new();
    walk(root, "", &mut tree);
    tree
}

/// The tree that a run leaves in an empty folder.
fn fresh(sets: &[FileSet; 2]) -> Tree {
    let folder = TempDir::new().unwrap();
    run_freely(folder.path(), sets);
    tree(folder.path())
}

/// Counts the operations of a run, from this start.
fn operations(start: Option<&[FileSet; 2]>, sets: &[FileSet; 2]) -> usize {
    let folder = TempDir::new().unwrap();
    if let Some(start) = start {
        run_freely(folder.path(), start);
    }
    let mut count = 0;
    run(folder.path(), sets, &mut |_, _| {
        count += 1;
        Ok(())
    })
    .unwrap();
    count
}

fn failure() -> io::Error {
    io::Error::other("injected")
}

#[test]
fn a_run_leaves_what_a_first_run_would() {
    let folder = TempDir::new().unwrap();
    run_freely(folder.path(), &old());
    assert_eq!(tree(folder.path()), fresh(&old()));
    run_freely(folder.path(), &new());
    assert_eq!(tree(folder.path()), fresh(&new()));
    run_freely(folder.path(), &old());
    assert_eq!(tree(folder.path()), fresh(&old()));
}

#[test]
fn unchanged_files_are_not_touched() {
    let folder = TempDir::new().unwrap();
    run_freely(folder.path(), &old());
    let path = folder.path().join("out/a/same");
    let long_ago = SystemTime::UNIX_EPOCH;
    fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
    run_freely(folder.path(), &new());
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago);
    let mut operations = 0;
    run(folder.path(), &new(), &mut |_, _| {
        operations += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(operations, 0, "a run that changes nothing does nothing");
}

#[test]
fn a_failure_at_any_step_leaves_the_old_tree() {
    for (start, before) in [(None, Tree::new()), (Some(old()), fresh(&old()))] {
        for step in 0..operations(start.as_ref(), &new()) {
            let folder = TempDir::new().unwrap();
            if let Some(start) = &start {
                run_freely(folder.path(), start);
            }
            let mut count = 0;
            let mut failed_at = String::new();
            let outcome = run(folder.path(), &new(), &mut |name, path| {
                count += 1;
                if count == step + 1 {
                    failed_at = format!("{name} {}", path.display());
                    return Err(failure());
                }
                Ok(())
            });
            if let Err(help) = outcome {
                assert!(help.starts_with("nothing was changed"), "{failed_at}: {help}");
                assert_eq!(tree(folder.path()), before, "{failed_at}");
            } else {
                // Only the removal of the stage, after all is done, may fail without an error.
                assert!(failed_at.starts_with("remove-dir-all"), "{failed_at}");
                run_freely(folder.path(), &new());
                assert_eq!(tree(folder.path()), fresh(&new()), "{failed_at}");
            }
        }
    }
}

#[test]
fn after_a_kill_at_any_step_the_next_run_repairs() {
    for start in [None, Some(old())] {
        for step in 0..operations(start.as_ref(), &new()) {
            for next in [old(), new()] {
                let folder = TempDir::new().unwrap();
                if let Some(start) = &start {
                    run_freely(folder.path(), start);
                }
                let mut count = 0;
                // From here on nothing succeeds, not even undoing: as if killed.
                let _ = run(folder.path(), &new(), &mut |_, _| {
                    count += 1;
                    if count > step { Err(failure()) } else { Ok(()) }
                });
                run_freely(folder.path(), &next);
                assert_eq!(tree(folder.path()), fresh(&next), "killed before step {step}");
            }
        }
    }
}

#[test]
fn when_undoing_fails_too_the_error_says_so() {
    let folder = TempDir::new().unwrap();
    run_freely(folder.path(), &old());
    let mut placed = false;
    let help = run(folder.path(), &new(), &mut |name, path| {
        placed |= name == "rename" && path.ends_with("src/new");
        if placed { Err(failure()) } else { Ok(()) }
    })
    .unwrap_err();
    assert!(help.starts_with("some files are already new"), "{help}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_does_not_end_is_named_and_nothing_is_changed() {
    let folder = TempDir::new().unwrap();
    run_freely(folder.path(), &old());
    let sets = new();
    let folders = [folder.path().join("out/a"), folder.path().join("out/b")];
    let known = plan(folders.into_iter().zip(&sets), false, &mut Diagnostics::new());
    // The first process of a system always runs.
    let theirs = folder.path().join("out/b/.acp-bindgen-1");
    fs::create_dir(&theirs).unwrap();
    let before = tree(folder.path());
    let found = write_asking(known, Duration::ZERO, &mut |_, _| Ok(())).unwrap_err();
    let found = found.into_iter().next().unwrap();
    assert_eq!(found.code, "folder-in-use");
    assert!(found.help.unwrap().contains("out/b/.acp-bindgen-1"));
    assert_eq!(tree(folder.path()), before);
    fs::remove_dir(&theirs).unwrap();
    run_freely(folder.path(), &new());
    assert_eq!(tree(folder.path()), fresh(&new()));
}

#[test]
fn what_changed_since_the_plan_was_made_is_written_too() {
    let folder = TempDir::new().unwrap();
    let (old, new) = (old(), new());
    let folders = || [folder.path().join("out/a"), folder.path().join("out/b")];
    let mut diagnostics = Diagnostics::new();
    let known = plan(folders().into_iter().zip(&new), false, &mut diagnostics);
    run_freely(folder.path(), &old);
    write(known).unwrap();
    assert_eq!(tree(folder.path()), fresh(&new));
    // A file that somebody else has put there in between is not lost.
    let folder = TempDir::new().unwrap();
    let folders = [folder.path().join("out/a"), folder.path().join("out/b")];
    let known = plan(folders.into_iter().zip(&new), false, &mut diagnostics);
    fs::create_dir_all(folder.path().join("out/b")).unwrap();
    fs::write(folder.path().join("out/b/only"), "mine").unwrap();
    let before = tree(folder.path());
    let codes: Vec<_> = write(known).unwrap_err().iter().map(|it| it.code).collect();
    assert_eq!(codes, ["foreign-file"]);
    assert_eq!(tree(folder.path()), before);
}

#[test]
fn threads_take_turns() {
    let folder = TempDir::new().unwrap();
    let (old, new) = (old(), new());
    for _ in 0..20 {
        std::thread::scope(|scope| {
            for sets in [&old, &new, &old, &new] {
                scope.spawn(|| run_freely(folder.path(), sets));
            }
        });
        let found = tree(folder.path());
        assert!(found == fresh(&old) || found == fresh(&new), "{found:?}");
    }
}
