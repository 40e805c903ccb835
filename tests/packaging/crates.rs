//! Crates: what `cargo publish` would upload of a generated one.

use std::process::Command;

use crate::support;

/// What everyone who publishes has to say of a package, and no flag does.
const CONFIG: &str = r#"[package]
version = "1.2.3"
license = "MIT"
repository = "https://example.com/sdk"
description = "An SDK"
"#;

#[test]
fn a_crate_is_packed_without_a_warning() {
    let folder = support::scratch("packaging-crate");
    support::write_files(&folder, [("acp-bindgen.toml", CONFIG)]);
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--target", "rust", "--name", "acp-types", "--out", "sdk"]);
    support::run(generate.current_dir(&folder));
    let package = folder.join("sdk/rust");
    // It is in no workspace, although it is below one.
    let manifest = std::fs::read_to_string(package.join("Cargo.toml")).unwrap();
    std::fs::write(package.join("Cargo.toml"), manifest + "\n[workspace]\n").unwrap();
    let mut pack = support::cargo();
    // Whether it compiles is what `generated` asks.
    pack.args(["package", "--no-verify", "--allow-dirty", "--target-dir"]);
    let output = pack.arg(folder.join("target")).current_dir(&package).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("warning"), "{said}");
    let packed = folder.join("target/package/acp-types-1.2.3.crate");
    let size = std::fs::metadata(packed).unwrap().len();
    assert!((20_000..1_000_000).contains(&size), "{size} bytes");
}
