//! The example of a build script, built as its user would, with the crate as it is packed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::packaging::unpacked;
use crate::support;

/// A copy of the example in a folder of its own, changed file by file.
fn example(name: &str, change: impl Fn(&str, String) -> String) -> PathBuf {
    let folder = support::scratch(name);
    let example = support::root().join("examples/build-script");
    for path in ["Cargo.toml", "build.rs", "src/lib.rs", "schema/lamp.json"] {
        copy(&example, &folder, path, &change);
    }
    copy(&example, &folder, "schema/names.overlay.json", &change);
    copy(support::root(), &folder, "Cargo.lock", &change);
    folder
}

fn copy(from: &Path, to: &Path, path: &str, change: impl Fn(&str, String) -> String) {
    let text = fs::read_to_string(from.join(path)).expect("the example has the file");
    let tool = unpacked().display().to_string();
    let text = change(path, text.replace("path = \"../..\"", &format!("path = {tool:?}")));
    support::write_files(to, [(path, text.as_str())]);
}

fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = support::cargo_with_packages();
    command.args(arguments).arg("--offline").current_dir(folder);
    command.env("CARGO_TARGET_DIR", support::target().join("generated-code"));
    command.env("CARGO_TERM_COLOR", "never");
    command
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push((entry.path(), fs::read(entry.path()).unwrap()));
        }
    }
    found.retain(|(path, _)| !path.ends_with("Cargo.lock"));
    found.sort();
    found
}

#[test]
fn the_example_is_built_without_a_warning_and_without_a_trace() {
    let folder = example("build-script", |_, text| text);
    let before = files(&folder);
    support::run(&mut cargo(&folder, &["clippy", "--all-targets", "--quiet"]));
    support::run(&mut cargo(&folder, &["test", "--quiet"]));
    support::run(
        cargo(&folder, &["doc", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-Dwarnings"),
    );
    assert_eq!(files(&folder), before, "only `OUT_DIR` is written to");
}

#[test]
fn the_file_can_be_the_root_of_an_older_crate_in_a_workspace() {
    let member = example("build-script-workspace/member", |path, text| match path {
        "Cargo.toml" => text.replace("[workspace]", "").replace("\"2024\"", "\"2021\""),
        "src/lib.rs" => String::from(
            "//! All of it.\n\n#![deny(warnings, missing_docs, unreachable_pub)]\n\n\
             include!(concat!(env!(\"OUT_DIR\"), \"/lamp.rs\"));\n",
        ),
        // What the schema does not describe has no docs of its own.
        _ => text,
    });
    let workspace = member.parent().unwrap();
    let lock = fs::read_to_string(member.join("Cargo.lock")).unwrap();
    let toml = "[workspace]\nmembers = [\"member\"]\nresolver = \"2\"\n";
    support::write_files(workspace, [("Cargo.toml", toml), ("Cargo.lock", lock.as_str())]);
    support::run(&mut cargo(workspace, &["clippy", "--workspace", "--quiet"]));
}

#[test]
fn connections_can_be_driven() {
    let tokio = "tokio = { version = \"1\", default-features = false, features = [\"io-std\", \"process\", \"rt\"] }";
    let folder = example("build-script-tokio", |path, text| {
        match path {
        "Cargo.toml" => text
            .replace("name = \"lamp\"", "name = \"lamp-tokio\"")
            .replace("\nserde = ", &format!("\n{tokio}\nserde = ")),
        "build.rs" => text.replace(
            "        .compile",
            "        .runtime(acp_bindgen::Runtime::Embedded)\n        .compile",
        ),
        "src/lib.rs" => text.replace(
            "#[cfg(test)]",
            "/// A lamp's end of a connection.\npub use protocol::LampSideConnection;\n\n#[cfg(test)]",
        ),
        _ => text,
    }
    });
    // The lock file of this repository does not know `tokio`.
    let mut clippy = support::cargo();
    clippy.args(["clippy", "--all-targets", "--quiet"]).current_dir(&folder);
    support::run(clippy.env("CARGO_TARGET_DIR", support::target().join("generated-code")));
}

#[test]
fn a_warning_about_the_schema_is_one_of_the_build() {
    let folder = example("build-script-warning", |path, text| match path {
        "Cargo.toml" => text.replace("name = \"lamp\"", "name = \"lamp-warning\""),
        "schema/names.overlay.json" => {
            text.replace("\"description\"", "\"x-sied\": 1, \"description\"")
        }
        _ => text,
    });
    let output = cargo(&folder, &["check"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("warning: lamp-warning@0.1.0: schema/names.overlay.json:1:"), "{text}");
    let folder = support::compiled().join("debug/build");
    let watched = fs::read_dir(folder).unwrap().flatten().any(|entry| {
        if !entry.file_name().to_string_lossy().starts_with("lamp-warning-") {
            return false;
        }
        let told = fs::read_to_string(entry.path().join("output")).unwrap_or_default();
        told.contains("cargo:rerun-if-changed=schema/lamp.json\n")
            && told.contains("cargo:rerun-if-changed=schema/names.overlay.json\n")
    });
    assert!(watched, "Cargo was told what to watch");
}

#[test]
fn an_error_in_the_schema_is_one_of_the_build() {
    // Cargo tells packages of one target folder apart by name.
    let folder = example("build-script-error", |path, text| match path {
        "Cargo.toml" => text.replace("name = \"lamp\"", "name = \"lamp-error\""),
        "schema/lamp.json" => text.replacen("#/$defs/LampId", "#/$defs/LampIdd", 1),
        _ => text,
    });
    let output = cargo(&folder, &["check"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{text}");
    for part in [
        "error[dangling-ref]: `#/$defs/LampIdd` is not defined",
        "schema/lamp.json:10:27",
        "did you mean `#/$defs/LampId`?",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    assert!(!text.contains("panicked"), "{text}");
}

/// Each in a module of its own, as documented, and both in one root.
#[test]
fn two_schemas_stand_in_one_crate() {
    let modules = "pub mod lamp {\n    include!(concat!(env!(\"OUT_DIR\"), \"/lamp.rs\"));\n}\n\
                   pub mod other {\n    include!(concat!(env!(\"OUT_DIR\"), \"/other.rs\"));\n}\n\
                   pub use lamp::SwitchRequest;\npub use other::SwitchResponse;\n";
    let root = "include!(concat!(env!(\"OUT_DIR\"), \"/lamp.rs\"));\n\
                include!(concat!(env!(\"OUT_DIR\"), \"/other.rs\"));\n";
    for (name, library) in [("lamp-modules", modules), ("lamp-root", root)] {
        let folder = example(&format!("build-script-{name}"), |path, text| {
            match path {
            "Cargo.toml" => text.replace("name = \"lamp\"", &format!("name = \"{name}\"")),
            "build.rs" => text.replace(
                "fn main() {",
                "fn main() {\n    acp_bindgen::Builder::new(\"schema/lamp.json\").compile(\"other.rs\");",
            ),
            "src/lib.rs" => format!("//! Two protocols.\n\n#![deny(warnings)]\n\n{library}"),
            _ => text,
        }
        });
        support::run(&mut cargo(&folder, &["check", "--quiet"]));
    }
}

#[test]
fn an_edition_that_is_too_old_is_one_error() {
    let folder = example("build-script-edition", |path, text| match path {
        "Cargo.toml" => {
            let text = text.replace("name = \"lamp\"", "name = \"lamp-edition\"");
            text.replace("\"2024\"", "\"2018\"")
        }
        _ => text,
    });
    let output = cargo(&folder, &["check"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{text}");
    assert!(
        text.contains("error[old-edition]: generated code does not compile in the edition 2018"),
        "{text}"
    );
    assert!(!text.contains("error[E"), "{text}");
}
