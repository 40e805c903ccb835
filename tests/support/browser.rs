//! A browser without a window.

use std::process::Command;
use std::sync::OnceLock;

use super::{available, try_run};

/// What a browser is called.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// What keeps it from asking anything of anyone.
const OPTIONS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
];

/// Chromium, or `None` where it cannot be had (see [`available`]).
pub(crate) fn browser() -> Option<Command> {
    static FOUND: OnceLock<Result<&'static str, String>> = OnceLock::new();
    let name = available("Chromium", || FOUND.get_or_init(find).clone())?;
    let mut command = Command::new(name);
    command.args(OPTIONS);
    Some(command)
}

fn find() -> Result<&'static str, String> {
    let has = |name: &&str| try_run(Command::new(name).arg("--version")).is_ok();
    NAMES.into_iter().find(has).ok_or_else(|| format!("none of {}", NAMES.join(", ")))
}
