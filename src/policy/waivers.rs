//! The file of findings that somebody has agreed to.

use std::path::Path;

use serde::{Deserialize, Serialize, Serializer};
use toml::Spanned;

use super::date::Date;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Location, SourceText, Sources, Span};

/// A finding that is known and accepted, for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waiver {
    /// The finding's id, or those of several: `*` stands for any text.
    pub finding: String,
    /// Why it is accepted.
    pub reason: String,
    /// The last day on which it is.
    #[serde(serialize_with = "as_text")]
    pub expires: Date,
    /// Its location in the file.
    #[serde(skip)]
    pub location: Location,
}

impl Waiver {
    /// Tells whether this is for the finding of this id.
    pub fn is_for(&self, finding: &str) -> bool {
        matches(&self.finding, finding)
    }
}

/// Tells whether a text is what a pattern says, in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        // The first place where a part fits leaves the most to those that follow.
        let Some(at) = text.find(part) else { return false };
        text = text.get(at + part.len()..).unwrap_or_default();
    }
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    finding: Spanned<String>,
    reason: Spanned<String>,
    expires: Spanned<toml::value::Datetime>,
}

/// Reads the text of a waiver file: TOML with a table `[[waiver]]` for each finding, of which
/// `finding`, `reason` and `expires` (a date) are all required.
///
/// Reports `bad-waivers` with the location, and gives `None`, if it is anything else, if a reason is
/// empty, or if two waivers are for the same finding.
pub fn read_waivers(
    path: &Path,
    text: &str,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Waiver>> {
    let source = sources.add(SourceText::new(path.to_string_lossy(), text));
    let location = |range: std::ops::Range<usize>| {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        sources.location("", Span { source, start: offset(range.start), end: offset(range.end) })
    };
    let file: File = match toml::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            diagnostics.push(bad(message, location(error.span().unwrap_or_default())));
            return None;
        }
    };
    let mut waivers: Vec<Waiver> = Vec::new();
    let before = diagnostics.iter().count();
    for Entry { finding, reason, expires } in file.waiver {
        let at = location(finding.span());
        if reason.get_ref().trim().is_empty() {
            diagnostics.push(bad("a reason is empty".into(), location(reason.span())));
        }
        if let Some(first) = waivers.iter().find(|first| first.finding == *finding.get_ref()) {
            let twice = bad("a finding is waived twice".into(), at.clone());
            diagnostics.push(twice.related(first.location.clone(), "here first"));
        }
        let moment = *expires.get_ref();
        let day = moment.date.filter(|_| moment.time.is_none() && moment.offset.is_none());
        match day {
            Some(expires) => waivers.push(Waiver {
                finding: finding.into_inner(),
                reason: reason.into_inner(),
                expires,
                location: at,
            }),
            None => diagnostics.push(bad("this is no date".into(), location(expires.span()))),
        }
    }
    (diagnostics.iter().count() == before).then_some(waivers)
}

fn bad(message: String, location: Location) -> Diagnostic {
    Diagnostic::error("bad-waivers", message).at(location).help(
        "a waiver is `[[waiver]]` with `finding = \"…\"`, `reason = \"…\"` and `expires = 2030-12-31`",
    )
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn as_text<S: Serializer>(date: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(date)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_is_any_text() {
        for (pattern, text) in [
            ("a", "a"),
            ("*", ""),
            ("*", "rule:Type.path"),
            ("rule:*", "rule:Type.path"),
            ("*:Type.*", "rule:Type.path"),
            ("rule:*.path", "rule:Type.path"),
            ("rule:Type.items[]", "rule:Type.items[]"),
            ("a*a", "aa"),
            ("*ab*ab", "abab"),
            ("a**b", "a*b"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("a", "ab"),
            ("a*", "ba"),
            ("a*a", "a"),
            ("*ab*ab", "ab"),
            ("rule:?", "rule:T"),
            ("", "a"),
        ] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
