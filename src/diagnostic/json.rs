//! Findings for programs: one JSON object a line.

use serde::Serialize;

use super::{Diagnostic, Diagnostics, Severity};
use crate::source::{Location, Sources};

/// Writes every finding as one line of JSON.
///
/// Each has `code`, `severity` (`error`, `warning` or `info`), `message`, `label`, `help`, `location` and
/// `related` (locations, each with a `label`). A location has `file`, `pointer` (RFC 6901), `line`
/// and `column` (from 1, in code points), and `start` and `end` (bytes).
pub fn render_json(diagnostics: &Diagnostics, sources: &Sources) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter() {
        let line = Line::new(diagnostic, sources);
        // Serializing strings and numbers cannot fail.
        text.push_str(&serde_json::to_string(&line).unwrap_or_default());
        text.push('\n');
    }
    text
}

#[derive(Serialize)]
struct Line<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    label: Option<&'a str>,
    help: Option<&'a str>,
    location: Option<Shown<'a>>,
    related: Vec<Shown<'a>>,
}

/// A location as programs get it.
#[derive(Serialize)]
struct Shown<'a> {
    file: &'a str,
    pointer: &'a str,
    line: u32,
    column: u32,
    start: u32,
    end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
}

impl<'a> Line<'a> {
    fn new(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Self {
        Self {
            code: diagnostic.code,
            severity: diagnostic.severity,
            message: &diagnostic.message,
            label: diagnostic.label.as_deref(),
            help: diagnostic.help.as_deref(),
            location: diagnostic
                .location
                .as_ref()
                .map(|location| Shown::new(location, None, sources)),
            related: diagnostic
                .related
                .iter()
                .map(|related| Shown::new(&related.location, Some(&related.label), sources))
                .collect(),
        }
    }
}

impl<'a> Shown<'a> {
    fn new(location: &'a Location, label: Option<&'a str>, sources: &'a Sources) -> Self {
        Self {
            file: sources.get(location.span.source).map_or("", |source| &source.label),
            pointer: &location.pointer,
            line: location.line,
            column: location.column,
            start: location.span.start,
            end: location.span.end,
            label,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceText, Span};

    #[test]
    fn a_line_has_all_a_program_needs() {
        let mut sources = Sources::default();
        let source = sources.add(SourceText::new("s.json", "{\n \"a\": 1}"));
        let location = sources.location("/a", Span { source, start: 3, end: 6 });
        let diagnostic =
            Diagnostic::warning("w", "odd").at(location.clone()).related(location, "too");
        assert_eq!(
            render_json(&diagnostic.into(), &sources),
            concat!(
                r#"{"code":"w","severity":"warning","message":"odd","label":null,"help":null,"#,
                r#""location":{"file":"s.json","pointer":"/a","line":2,"column":2,"start":3,"end":6},"#,
                r#""related":[{"file":"s.json","pointer":"/a","line":2,"column":2,"start":3,"end":6,"#,
                r#""label":"too"}]}"#,
                "\n"
            )
        );
    }
}
