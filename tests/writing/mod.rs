//! What `generate` and `check` do to the disk, run as a user would.

mod check;
mod foreign;
mod full;
mod input;
mod killed;
mod links;
mod names;
mod refused;
mod sandbox;
mod streams;

/// All of two hundred moments are tried by `tests/properties`.
#[test]
fn after_a_kill_the_next_run_repairs() {
    killed::survives(8);
}

#[test]
fn runs_at_once_do_not_mix() {
    killed::at_once(3);
}
