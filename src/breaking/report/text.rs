//! The report for people at a terminal.

use super::Report;

/// The report as text.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for change in &report.changes {
        text.push_str(&format!("{} {} {}\n", change.level.name(), change.id, change.summary));
    }
    text
}
