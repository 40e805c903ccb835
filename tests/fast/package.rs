//! What the crate asks of those who build it.

use std::collections::BTreeSet;
use std::process::Command;

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

/// A crate that this one is built of, on this system.
struct Crate {
    name: String,
    license: String,
    rust_version: Option<String>,
}

/// All crates of the lock file that `cargo build --all-features` takes, and the tests.
fn crates() -> Vec<Crate> {
    let version = support::run(Command::new("rustc").arg("-vV"));
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let mut metadata = support::cargo();
    metadata.args(["metadata", "--offline", "--locked", "--all-features", "--format-version", "1"]);
    metadata.args(["--filter-platform", host]).current_dir(support::root());
    let metadata: serde_json::Value = serde_json::from_str(&support::run(&mut metadata)).unwrap();
    let list = |value: &serde_json::Value| value.as_array().unwrap().clone();
    let taken: BTreeSet<String> =
        list(&metadata["resolve"]["nodes"]).iter().map(|node| node["id"].to_string()).collect();
    let packages = list(&metadata["packages"]);
    let packages = packages.iter().filter(|package| taken.contains(&package["id"].to_string()));
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let found = packages.map(|package| Crate {
        name: text(&package["name"]).unwrap(),
        license: text(&package["license"]).unwrap_or_default(),
        rust_version: text(&package["rust_version"]),
    });
    found.collect()
}

/// `clippy` says the same of our own code, by the same key of the manifest.
#[test]
fn dependencies_build_with_the_rust_that_is_promised() {
    let number = |version: &str| -> Vec<u32> {
        version.split('.').map(|part| part.parse().unwrap()).take(2).collect()
    };
    let promised = number(env!("CARGO_PKG_RUST_VERSION"));
    let crates = crates();
    assert!(crates.len() > 100, "{}", crates.len());
    for Crate { name, rust_version, .. } in &crates {
        let needed = rust_version.as_deref().map(number).unwrap_or_default();
        assert!(needed <= promised, "{name} needs Rust {needed:?}");
    }
}

/// `deny.toml` says which licences there may be; a crate has to offer one of them.
#[test]
fn dependencies_have_licences_that_are_allowed() {
    let deny = std::fs::read_to_string(support::root().join("deny.toml")).unwrap();
    let deny: toml::Table = deny.parse().unwrap();
    let allowed: BTreeSet<&str> = deny["licenses"]["allow"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    for Crate { name, license, .. } in crates() {
        // `A/B` is how `A OR B` was written once.
        let plain = license.replace('/', " OR ").replace(['(', ')'], "");
        let is_allowed = plain
            .split(" AND ")
            .all(|part| part.split(" OR ").any(|alternative| allowed.contains(alternative.trim())));
        assert!(is_allowed, "{name}: {license}");
    }
}
