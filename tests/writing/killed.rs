//! Killing the process at any moment leaves each file whole, as it was or as it will be, and what
//! is the user's alone; the next run ends as if nothing had happened.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::sandbox::{Sandbox, tree};
use crate::support::Random;

const OLD: [&str; 7] =
    ["generate", "--schema", "switch.json", "--target", "python,typescript", "--out", "sdk"];
const NEW: [&str; 7] =
    ["generate", "--schema", "bundled:acp@v1", "--target", "python,typescript", "--out", "sdk"];

/// Files that are the user's, beside generated ones.
const MINE: [(&str, &str); 3] = [
    ("sdk/notes.txt", "mine"),
    ("sdk/typescript/src/mine.ts", "// mine\n"),
    ("sdk/python/.hidden", "mine\n"),
];

/// Everything in a folder, by path.
type Tree = BTreeMap<String, String>;

/// The tree that a run leaves where nothing was but the user's files.
fn fresh(arguments: &[&str]) -> (Tree, Duration) {
    let sandbox = Sandbox::new();
    for (path, text) in MINE {
        sandbox.write(path, text);
    }
    let start = Instant::now();
    sandbox.run(arguments).succeeds();
    (sandbox.tree(), start.elapsed())
}

/// Kills the command this many times, each time at another moment, and judges what is left. Half of
/// it happens in a folder of its own, at the same time.
pub(crate) fn survives(moments: u64) {
    let ((old, _), (new, time)) = (fresh(&OLD), fresh(&NEW));
    let (old, new) = (&old, &new);
    let half = moments / 2;
    let amid: u64 = thread::scope(|scope| {
        let halves = [0..half, half..moments];
        let halves = halves.map(|moments| scope.spawn(move || kills(moments, old, new, time)));
        halves.into_iter().map(|half| half.join().unwrap()).sum()
    });
    assert!(amid > moments / 5, "only {amid} of {moments} kills were amid the writing");
}

/// Kills the command at these moments. Says how many of them were amid the writing.
fn kills(moments: Range<u64>, old: &Tree, new: &Tree, time: Duration) -> u64 {
    let sandbox = Sandbox::new();
    let (mut random, mut amid) = (Random(42 + moments.start), 0);
    for moment in moments {
        let (from_nothing, early) = (moment % 4 == 3, moment % 5 == 4);
        lay_out(&sandbox, if from_nothing { None } else { Some(old) });
        let before = sandbox.tree();
        let mut child = sandbox.command(&NEW).stdout(Stdio::null()).spawn().unwrap();
        // Few moments of a run's time are of interest: mostly it is killed while it writes.
        let delay = if early {
            part_of(time, &mut random)
        } else {
            wait_for_writing(&sandbox, &mut child);
            Duration::from_micros(random.number() % 20_000)
        };
        thread::sleep(delay);
        child.kill().unwrap();
        child.wait().unwrap();

        let left = sandbox.tree();
        amid += u64::from(left != before && left != *new);
        let told = format!("moment {moment}, {delay:?}");
        assert_whole(&left, &before, new, &told);
        let (next, expected) = if moment % 2 == 0 { (&NEW, new) } else { (&OLD, old) };
        sandbox.run(next).succeeds();
        assert_eq!(sandbox.tree(), *expected, "{told}");
    }
    amid
}

/// Any part of a time.
fn part_of(time: Duration, random: &mut Random) -> Duration {
    time * u32::try_from(random.below(1000)).unwrap() / 1000
}

/// Makes the sandbox's output this tree; without one, only the user's files.
fn lay_out(sandbox: &Sandbox, tree: Option<&Tree>) {
    let _ = fs::remove_dir_all(sandbox.path("sdk"));
    let mine = || MINE.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    for (path, text) in tree.cloned().unwrap_or_else(mine) {
        if path.starts_with("sdk/") && !path.ends_with('/') {
            sandbox.write(&path, &text);
        }
    }
}

fn assert_whole(left: &Tree, before: &Tree, new: &Tree, told: &str) {
    for (path, text) in MINE {
        assert_eq!(left.get(path).map(String::as_str), Some(text), "{told}: {path}");
    }
    for (path, text) in before.iter().filter(|(path, _)| !path.starts_with("sdk")) {
        assert_eq!(left.get(path), Some(text), "{told}: {path}");
    }
    for (path, text) in left.iter().filter(|(path, _)| !path.ends_with('/')) {
        if path.contains("/.acp-bindgen-") {
            continue;
        }
        if path.ends_with("/.acp-bindgen.json") {
            let list: serde_json::Value = serde_json::from_str(text).unwrap();
            assert!(list["files"].is_object(), "{told}: {path}: {text}");
        } else {
            let is_whole = [before, new].iter().any(|tree| tree.get(path) == Some(text));
            assert!(is_whole, "{told}: {path}: {text}");
        }
    }
}

/// Waits until the process prepares files, or has ended.
fn wait_for_writing(sandbox: &Sandbox, child: &mut Child) {
    let package = sandbox.path("sdk/typescript");
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(30) {
        let entries = fs::read_dir(&package).into_iter().flatten().flatten();
        let mut names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        if names.any(|name| name.starts_with(".acp-bindgen-")) {
            return;
        }
    }
}

/// Runs two commands at once in the same folder, this many times.
pub(crate) fn at_once(rounds: u64) {
    let ((old, _), (new, time)) = (fresh(&OLD), fresh(&NEW));
    let sandbox = Sandbox::new();
    let mut random = Random(7);
    let reversed = ["python,typescript", "typescript,python"];
    for round in 0..rounds {
        lay_out(&sandbox, [None, Some(&old), Some(&new)][random.below(3)]);
        let children: Vec<Child> = (0..4)
            .map(|which| {
                let mut arguments = if which % 2 == 0 { NEW } else { OLD };
                arguments[4] = reversed[random.below(2)];
                if which == 3 {
                    // The one for the larger schema begins to write later.
                    thread::sleep(part_of(time, &mut random));
                }
                let mut command = sandbox.command(&arguments);
                command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        for child in children {
            let ended = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&ended.stderr);
            assert!(ended.status.success(), "round {round}: {said}");
        }
        let left = tree(&sandbox.path("sdk"));
        let of_sdk = |all: &Tree| -> Tree {
            let inner = all.iter().filter_map(|(path, text)| {
                let path = path.strip_prefix("sdk/").filter(|path| !path.is_empty())?;
                Some((path.to_owned(), text.clone()))
            });
            inner.collect()
        };
        assert!(
            left == of_sdk(&old) || left == of_sdk(&new),
            "round {round}: mixed: {:?}",
            left.keys()
        );
    }
}
