//! Errors of JSON texts as findings.

use super::{Diagnostic, Diagnostics};
use crate::source::{self, MAX_DEPTH, Node, ParseError, ParseErrorKind, Sources};

/// Parses strict JSON, and reports every error: `invalid-json`, `too-deep`, `duplicate-key`.
pub fn parse(sources: &Sources, source: u32, diagnostics: &mut Diagnostics) -> Option<Node> {
    let (node, errors) = source::parse(sources, source);
    for error in errors {
        diagnostics.push(error.into());
    }
    node
}

impl From<ParseError> for Diagnostic {
    fn from(error: ParseError) -> Self {
        let diagnostic = match error.kind {
            ParseErrorKind::Syntax(why) => Diagnostic::error(
                "invalid-json",
                format!("not valid JSON: {why}"),
            )
            .label("here")
            .help(
                "a schema is plain JSON (RFC 8259): no comments, no trailing commas, double quotes",
            ),
            ParseErrorKind::TooDeep => {
                Diagnostic::error("too-deep", format!("nested deeper than {MAX_DEPTH} levels"))
                    .label("one level too many")
                    .help("move inner schemas to `$defs` and refer to them with `$ref`")
            }
            ParseErrorKind::DuplicateKey { key, first } => Diagnostic::error(
                "duplicate-key",
                format!("the key `{key}` appears twice in one object"),
            )
            .label("second time")
            .related(first, "first time")
            .help("parsers disagree on which of the two counts; keep one"),
        };
        diagnostic.at(error.location)
    }
}
