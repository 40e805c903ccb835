//! What is on disk after any moment: more of them than the suite in `fast` takes time for.

#[path = "../writing/killed.rs"]
mod killed;
#[allow(dead_code, reason = "the suite in `fast` uses all of it")]
#[path = "../writing/sandbox.rs"]
mod sandbox;

#[test]
fn after_two_hundred_kills_the_next_run_repairs() {
    killed::survives(200);
}

#[test]
fn runs_at_once_do_not_mix() {
    killed::at_once(12);
}
