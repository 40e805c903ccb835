//! Targets that consist of templates, and templates that stand in for others: the Go target in
//! `examples/go-templates`, and the built-in ones exported.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

mod go;
mod overrides;
#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::process::Command;

/// The command, in a folder.
pub(crate) fn acp_bindgen(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    command.current_dir(folder);
    command
}
