//! Findings for people: the marked text, and what to do.

use std::fmt::Write as _;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::excerpt::{Excerpt, excerpt};
use super::printable::printable;
use super::{Diagnostic, Diagnostics, Severity};
use crate::source::{Location, SourceText, Sources};

/// The most findings that are drawn. A mistake in thousands of locations is understood from the
/// first of them.
const SHOWN: usize = 100;

/// The style of rendered findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With colours (ANSI escapes), and excerpts for so many columns.
    Colored(usize),
    /// Without colours, and as wide as may be.
    Plain,
}

/// The columns that excerpts may have where it is not known how many there are.
pub const WIDE: usize = 200;

/// Draws the findings, each with its excerpt, and a last line that counts them. Empty if there
/// are none.
///
/// Nothing from a schema reaches the text raw: control characters and bidirectional controls
/// are made visible, and long lines are cut.
///
/// ```
/// use acp_bindgen::diagnostic::{Style, render, tally};
/// use acp_bindgen::{Purpose, SchemaText, load};
///
/// let schema = "{\n  \"$defs\": { \"Name\": { \"type\": \"text\" } }\n}";
/// let loaded = load(SchemaText::new("hello.json", schema), Purpose::Generate);
/// let text = render(&loaded.diagnostics, &loaded.sources, Style::Plain);
/// assert!(text.starts_with("error[unknown-type]"));
/// assert!(text.contains("hello.json:2:"));
/// assert!(tally(&loaded.diagnostics).starts_with("1 error"));
/// ```
pub fn render(diagnostics: &Diagnostics, sources: &Sources, style: Style) -> String {
    let (renderer, columns) = match style {
        Style::Colored(columns) => (Renderer::styled(), columns),
        Style::Plain => (Renderer::plain(), WIDE),
    };
    let renderer = renderer.decor_style(DecorStyle::Unicode).term_width(columns);
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(SHOWN) {
        text.push_str(&draw(&renderer, diagnostic, sources));
        text.push_str("\n\n");
    }
    if let hidden @ 1.. = diagnostics.iter().count().saturating_sub(SHOWN) {
        let _ = writeln!(text, "… and {hidden} more\n");
    }
    text
}

/// Counts findings: `2 errors, 1 warning`. Empty if there are none.
pub fn tally(diagnostics: &Diagnostics) -> String {
    let mut parts = Vec::new();
    for (severity, word) in
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "remark")]
    {
        match diagnostics.count(severity) {
            0 => {}
            1 => parts.push(format!("1 {word}")),
            count => parts.push(format!("{count} {word}s")),
        }
    }
    parts.join(", ")
}

fn draw(renderer: &Renderer, diagnostic: &Diagnostic, sources: &Sources) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level.primary_title(printable(&diagnostic.message)).id(diagnostic.code);
    let mut group = Group::with_title(title);
    let mut columns = Vec::new();
    for (source, excerpt) in excerpts(diagnostic, sources) {
        columns.push((excerpt.drawn_column(), excerpt.column));
        let mut snippet = Snippet::source(excerpt.text)
            .path(printable(&source.label))
            .line_start(excerpt.line as usize);
        for mark in excerpt.marks {
            let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            snippet = snippet.annotation(kind.span(mark.range).label(mark.label.map(printable)));
        }
        group = group.element(snippet);
    }
    if let Some(location) = &diagnostic.location
        && !location.pointer.is_empty()
    {
        group = group.element(Level::NOTE.message(format!("at #{}", printable(&location.pointer))));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    corrected(&renderer.render(&[group]), &columns)
}

/// Puts the columns of whole lines where the renderer counted within a cut one: it knows only
/// the text it was given. Each pair is a column as drawn and as meant, in order of drawing.
fn corrected(drawn: &str, columns: &[(usize, u32)]) -> String {
    let mut columns = columns.iter();
    let lines = drawn.lines().enumerate().map(|(number, line)| {
        // These two signs stand before the name of a file. In a line of text, a bar stands
        // before anything else; the first line is the title.
        let before = line.split_once(['▸', '⸬']).map(|(before, _)| before);
        if number == 0 || before.is_none_or(|before| before.contains('│')) {
            return line.to_owned();
        }
        columns
            .next()
            .and_then(|(drawn, meant)| {
                let (head, tail) = line.rsplit_once(&format!(":{drawn}"))?;
                Some(format!("{head}:{meant}{tail}"))
            })
            .unwrap_or_else(|| line.to_owned())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The lines to show, the finding's own first. Places on one short line share it.
fn excerpts<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a Sources,
) -> Vec<(&'a SourceText, Excerpt<'a>)> {
    let primary =
        diagnostic.location.iter().map(|location| (location, diagnostic.label.as_deref(), true));
    let related = diagnostic
        .related
        .iter()
        .map(|related| (&related.location, Some(related.label.as_str()), false));
    let mut shown: Vec<(&Location, &SourceText, Excerpt)> = Vec::new();
    for (location, label, is_primary) in primary.chain(related) {
        let Some(source) = sources.get(location.span.source) else { continue };
        let next = excerpt(source, location, label, is_primary);
        let same_line = shown.iter_mut().find(|(other, _, excerpt)| {
            other.span.source == location.span.source
                && excerpt.line == next.line
                && excerpt.text == next.text
        });
        match same_line {
            Some((_, _, excerpt)) => excerpt.marks.extend(next.marks),
            None => shown.push((location, source, next)),
        }
    }
    shown.into_iter().map(|(_, source, excerpt)| (source, excerpt)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn sources(text: &str) -> Sources {
        let mut sources = Sources::default();
        sources.add(SourceText::new("broken.json", text));
        sources
    }

    fn location(sources: &Sources, pointer: &str, part: &str) -> Location {
        let start = sources.get(0).unwrap().text.find(part).unwrap();
        let end = start + part.len();
        let at = |offset: usize| u32::try_from(offset).unwrap();
        sources.location(pointer, Span { source: 0, start: at(start), end: at(end) })
    }

    fn plain(diagnostic: Diagnostic, sources: &Sources) -> String {
        render(&diagnostic.into(), sources, Style::Plain)
    }

    #[test]
    fn at_the_end_of_the_text() {
        for text in ["", "{", "{\n", "{\n\n\n"] {
            let sources = sources(text);
            let end = u32::try_from(text.len()).unwrap();
            let span = Span { source: 0, start: end, end: end + 1 };
            let diagnostic = Diagnostic::error("invalid-json", "not valid JSON")
                .at(sources.location("", span))
                .label("here");
            let text = plain(diagnostic, &sources);
            assert!(text.contains("here"), "{text}");
        }
    }

    #[test]
    fn a_cut_line_keeps_its_column() {
        let text = format!("{{\"a▸\": \"{}\", \"b\": 1}}", "x".repeat(300_000));
        let sources = sources(&text);
        let diagnostic = Diagnostic::error("x", "`b` is wrong ▸ x:1:42")
            .at(location(&sources, "/b", "\"b\""))
            .related(location(&sources, "/a", "\"a▸\""), "after this");
        for style in [Style::Plain, Style::Colored(WIDE)] {
            let text = render(&diagnostic.clone().into(), &sources, style);
            assert!(text.contains("broken.json:1:300012"), "{text}");
            assert!(text.contains("broken.json:1:2"), "{text}");
            assert!(text.len() < 2_000);
        }
    }

    #[test]
    fn thousands_of_findings_are_cut_short() {
        let mut diagnostics = Diagnostics::new();
        for number in 0..250 {
            diagnostics.push(Diagnostic::warning("w", format!("finding {number}")));
        }
        let text = render(&diagnostics, &Sources::default(), Style::Plain);
        assert!(text.contains("finding 99\n") && !text.contains("finding 100\n"));
        assert!(text.ends_with("… and 150 more\n\n"));
        assert_eq!(tally(&diagnostics), "250 warnings");
    }

    #[test]
    fn hostile_text_does_not_reach_the_terminal() {
        let text = "{\"a\": \"\u{1b}[2J \u{9b}31m \u{202e}evil\"}";
        let sources = sources(text);
        let diagnostic = Diagnostic::error("x", "message \u{1b}[2J")
            .at(location(&sources, "/\u{1b}", "evil"))
            .label("label \u{1b}")
            .related(location(&sources, "/a", "\"a\""), "related \u{202e}")
            .help("help \u{9b}");
        let text = plain(diagnostic, &sources);
        assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{text:?}");
    }
}
