//! Killing the process at any moment leaves the old tree or the new one, or one that the next
//! run repairs.

use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::sandbox::Sandbox;

const OLD: [&str; 7] =
    ["generate", "--schema", "switch.json", "--target", "typescript", "--out", "sdk"];
const NEW: [&str; 7] =
    ["generate", "--schema", "bundled:acp@v1", "--target", "typescript", "--out", "sdk"];

#[test]
fn after_a_kill_the_next_run_repairs() {
    let fresh = |arguments: &[&str]| {
        let sandbox = Sandbox::new();
        sandbox.run(arguments).succeeds();
        sandbox.tree()
    };
    let (old, new) = (fresh(&OLD), fresh(&NEW));
    let sandbox = Sandbox::new();
    for moment in 0..6 {
        // Every time a little later after the stage was made. The unit tests of the writer stop
        // it before each of its operations; this one is for what they cannot imagine.
        let delay = Duration::from_micros(50 * moment);
        sandbox.run(&OLD).succeeds();
        assert_eq!(sandbox.tree(), old);
        let mut child = sandbox.command(&NEW).stdout(Stdio::null()).spawn().unwrap();
        wait_for_writing(&sandbox, &mut child);
        thread::sleep(delay);
        child.kill().unwrap();
        child.wait().unwrap();
        sandbox.run(&NEW).succeeds();
        assert_eq!(sandbox.tree(), new, "killed after {delay:?}");
    }
}

/// Waits until the process prepares files, or has ended.
fn wait_for_writing(sandbox: &Sandbox, child: &mut Child) {
    let package = sandbox.path("sdk/typescript");
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(30) {
        let names = fs::read_dir(&package).unwrap().map(|entry| entry.unwrap().file_name());
        if names.filter_map(|name| name.into_string().ok()).any(|name| is_stage(&name)) {
            return;
        }
    }
}

fn is_stage(name: &str) -> bool {
    name.starts_with(".acp-bindgen-")
}
