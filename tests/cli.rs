//! What the command line says: `tests/cli/*.trycmd`, each a transcript of commands run in
//! `tests/cli/files`. `TRYCMD=overwrite cargo test --test cli` rewrites them.

use std::path::Path;

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    std::env::set_current_dir(folder.join("files")).unwrap();
    trycmd::TestCases::new().env("COLUMNS", "100").case(folder.join("*.trycmd"));
}
