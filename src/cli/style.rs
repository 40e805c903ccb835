//! Colours. The terminal's filter removes them where they are not wanted.

use std::fmt;

use clap::builder::Styles;
use clap::builder::styling::{AnsiColor, Style};

/// The colours of help texts.
pub(super) const HELP: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The role of a word: all words of a role look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A heading.
    Heading,
    /// A name of the protocol.
    Name,
    /// A detail for reference: a location, a count.
    Faint,
    /// A line that is added, or good news.
    Added,
    /// A line that is removed.
    Removed,
}

/// Text in the colours of its role.
pub(super) fn paint(role: Role, text: impl fmt::Display) -> String {
    let style = match role {
        Role::Heading => Style::new().bold(),
        Role::Name => AnsiColor::Cyan.on_default(),
        Role::Faint => Style::new().dimmed(),
        Role::Added => AnsiColor::Green.on_default(),
        Role::Removed => AnsiColor::Red.on_default(),
    };
    format!("{style}{text}{style:#}")
}

/// The width of a column: that of its widest cell.
pub(super) fn width<'a>(cells: impl IntoIterator<Item = &'a String>) -> usize {
    cells.into_iter().map(|cell| cell.chars().count()).max().unwrap_or(0)
}

/// Lines of a comparison in the colours of their marks: those at the margin are headings.
pub(super) fn paint_diff(text: &str) -> String {
    let painted = text.lines().map(|line| {
        let role = match line.get(..3) {
            Some("  +") => Role::Added,
            Some("  -") => Role::Removed,
            Some("  @") => Role::Faint,
            Some(start) if !start.starts_with(' ') => Role::Heading,
            _ => return format!("{line}\n"),
        };
        paint(role, line) + "\n"
    });
    painted.collect()
}
