//! Generating from a build script.

use std::fs;
use std::path::Path;

use acp_bindgen::{Builder, Target};
use tempfile::TempDir;

fn schema(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/files");
    folder.join(name).to_string_lossy().into_owned()
}

#[test]
fn a_builder_writes_what_it_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let builder = Builder::new(schema("switch.json")).target(Target::TypeScript);
    builder.generate_into(folder.path()).unwrap();
    let packages: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(packages, ["typescript"]);
    assert!(folder.path().join("typescript/package.json").exists());
    builder.generate_into(folder.path()).unwrap();
}

#[test]
fn an_error_reads_well() {
    let folder = TempDir::new().unwrap();
    let error = Builder::new(schema("dangling.json")).generate_into(folder.path()).unwrap_err();
    let text = format!("{error:?}");
    assert!(text.contains("dangling.json:4:61") && text.contains("did you mean"), "{text}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let error = Builder::new("nowhere.json").generate_into(folder.path()).unwrap_err();
    assert!(error.to_string().contains("cannot read `nowhere.json`"), "{error}");
}
