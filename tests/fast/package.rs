//! What the crate asks of those who build it.

use std::collections::BTreeSet;

use crate::support;

/// Build scripts compile the library without default features; each crate costs them time.
#[test]
fn the_library_for_build_scripts_has_few_dependencies() {
    let options = ["tree", "--offline", "--no-default-features", "--edges", "normal"];
    let format = ["--prefix", "none", "--format", "{p}"];
    let mut tree = support::cargo();
    tree.args(options).args(format).current_dir(support::root());
    let listed = support::run(&mut tree);
    let crates: BTreeSet<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != env!("CARGO_PKG_NAME"))
        .collect();
    assert!((5..=40).contains(&crates.len()), "{} crates: {crates:?}", crates.len());
    for heavy in ["tokio", "reqwest", "hyper", "ureq", "clap", "schemars", "minijinja"] {
        assert!(!crates.contains(heavy), "{heavy}");
    }
}
