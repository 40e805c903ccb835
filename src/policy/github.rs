//! Annotations of a GitHub workflow.
//!
//! The form of the commands and of their escapes is that of GitHub's *Workflow commands for
//! GitHub Actions*: `::error file=…,line=…,col=…,title=…::message`, with `%`, line ends, and in
//! properties `:` and `,`, written as `%` and two hexadecimal digits.

use std::fmt::Write as _;

use crate::diagnostic::Severity;

/// A location that an annotation can point to: one in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLocation {
    /// The file's path, with `/` between folders.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// The command, with a line end, that shows lines of text under a title.
pub fn annotation(
    severity: Severity,
    at: Option<FileLocation>,
    title: &str,
    lines: &[String],
) -> String {
    let command = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut text = format!("::{command} ");
    if let Some(FileLocation { path, line, column }) = at {
        // Writing to a string cannot fail.
        let _ = write!(text, "file={},line={line},col={column},", property(&path));
    }
    let _ = writeln!(text, "title={}::{}", property(title), data(&lines.join("\n")));
    text
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a command's property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_early() {
        let at = FileLocation { path: "a:b,c.json".into(), line: 2, column: 3 };
        let lines = ["one, two: 100%".to_owned(), "::error::three".to_owned()];
        assert_eq!(
            annotation(Severity::Info, Some(at), "a:b\nc", &lines),
            "::notice file=a%3Ab%2Cc.json,line=2,col=3,title=a%3Ab%0Ac::\
             one, two: 100%25%0A::error::three\n"
        );
    }
}
