//! The report as one JSON object.

use super::Report;

/// The report's JSON form, with a newline at the end.
pub fn json(report: &Report) -> String {
    // A report has only string keys and finite numbers, so that serializing cannot fail.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}
