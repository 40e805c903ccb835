//! Findings for people: the marked text, and what to do.

use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};

use super::{Diagnostic, Diagnostics, Severity};
use crate::source::{Place, Sources};

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With colours (ANSI escapes).
    Colored,
    /// Without.
    Plain,
}

/// Draws all findings, each with its excerpt, and a last line that counts them. Empty if there
/// are none.
pub fn render(diagnostics: &Diagnostics, sources: &Sources, style: Style) -> String {
    let renderer = match style {
        Style::Colored => Renderer::styled(),
        Style::Plain => Renderer::plain(),
    }
    .decor_style(DecorStyle::Unicode);
    let mut text = String::new();
    for diagnostic in diagnostics.iter() {
        text.push_str(&renderer.render(&groups(diagnostic, sources)));
        text.push_str("\n\n");
    }
    if !diagnostics.is_empty() {
        text.push_str(&summary(diagnostics));
        text.push('\n');
    }
    text
}

fn groups<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code);
    let mut group = Group::with_title(title);
    let mut shown = false;
    for (source, text) in sources.iter().enumerate() {
        let mut snippet = Snippet::source(excerpt_source(&text.text)).path(&text.label);
        let mut any = false;
        let primary = diagnostic
            .place
            .iter()
            .map(|place| (place, diagnostic.label.as_deref(), AnnotationKind::Primary));
        let related = diagnostic
            .related
            .iter()
            .map(|related| (&related.place, Some(related.label.as_str()), AnnotationKind::Context));
        for (place, label, kind) in primary.chain(related) {
            if place.span.source as usize == source {
                any = true;
                snippet = snippet.annotation(kind.span(visible(place, &text.text)).label(label));
            }
        }
        if any {
            shown = true;
            group = group.element(snippet);
        }
    }
    if let (false, Some(place)) = (shown, &diagnostic.place) {
        group = group.element(Level::NOTE.message(format!("at {}", pointer(place))));
    }
    if let (true, Some(place)) = (shown, &diagnostic.place)
        && !place.pointer.is_empty()
    {
        group = group.element(Level::NOTE.message(format!("at {}", pointer(place))));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    vec![group]
}

fn pointer(place: &Place) -> String {
    format!("#{}", place.pointer)
}

fn excerpt_source(text: &str) -> &str {
    text
}

/// The part of a place to underline: a value of many lines is marked on its first line only, so
/// that an excerpt stays short.
fn visible(place: &Place, text: &str) -> std::ops::Range<usize> {
    let start = (place.span.start as usize).min(text.len());
    let end = (place.span.end as usize).clamp(start, text.len());
    let line = text.get(start..end).and_then(|marked| marked.lines().next()).map_or(0, str::len);
    start..start + line
}

fn summary(diagnostics: &Diagnostics) -> String {
    let mut line = String::new();
    for (severity, word) in [(Severity::Error, "error"), (Severity::Warning, "warning")] {
        let count = diagnostics.count(severity);
        if count > 0 {
            let separator = if line.is_empty() { "" } else { ", " };
            let plural = if count == 1 { "" } else { "s" };
            // Writing to a string cannot fail.
            let _ = write!(line, "{separator}{count} {word}{plural}");
        }
    }
    line
}
