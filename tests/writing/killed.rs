//! Killing the process at any moment leaves the old tree or the new one, or one that the next
//! run repairs.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::sandbox::Sandbox;

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
    sandbox.run(&OLD).succeeds();
    let start = Instant::now();
    sandbox.run(&NEW).succeeds();
    let whole = start.elapsed();
    // Writing is the last thing a run does: most kills fall into its last tenth.
    let moments = (0..30).map(|step| whole.mul_f64(0.85 + 0.01 * f64::from(step)));
    for moment in moments.chain([Duration::ZERO, whole / 2]) {
        sandbox.run(&OLD).succeeds();
        assert_eq!(sandbox.tree(), old);
        let mut child = sandbox.command(&NEW).stdout(Stdio::null()).spawn().unwrap();
        thread::sleep(moment);
        child.kill().unwrap();
        child.wait().unwrap();
        sandbox.run(&NEW).succeeds();
        assert_eq!(sandbox.tree(), new, "killed after {moment:?}");
    }
}
