//! Descriptions in one line.

use acp_bindgen::diagnostic::printable;
use acp_bindgen::ir::Docs;

use crate::cli::style::{Role, paint};

/// The first line of a description as a line below what it is about; nothing if there is none.
pub(super) fn docs(docs: &Docs) -> String {
    let line = first_line(docs);
    if line.is_empty() { line } else { format!("  {}\n", paint(Role::Faint, line)) }
}

/// The first line of a description.
pub(super) fn first_line(docs: &Docs) -> String {
    let line = docs
        .description
        .as_deref()
        .and_then(|text| text.lines().find(|line| !line.trim().is_empty()));
    line.map(|line| printable(line.trim()).into_owned()).unwrap_or_default()
}
