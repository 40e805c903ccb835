//! A browser without a window.

use std::path::PathBuf;
use std::process::Command;

use super::{available, try_run};

/// Chromium, or `None` where it cannot be had (see [`available`]).
pub(crate) fn chromium() -> Option<PathBuf> {
    available("Chromium", || {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let is_there = |name: &&str| try_run(Command::new(name).arg("--version")).is_ok();
        let found = names.into_iter().find(is_there).map(PathBuf::from);
        found.ok_or_else(|| String::from("there is neither `chromium` nor `google-chrome`"))
    })
}
