//! Errors of templates that a user wrote, with their lines.

use std::error::Error as _;

use minijinja::{Error, ErrorKind};

use crate::backend::folder::{TemplateFile, TemplateFolder};
use crate::diagnostic::Diagnostic;

/// Tells whether a template is only there for others to include: its file's name begins with one
/// `_` (two begin names that Python gives a meaning).
pub(in crate::backend) fn is_partial(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.starts_with('_') && !file.starts_with("__")
}

/// The finding for an error in one of the folder's templates. None if it happened elsewhere.
///
/// An error in a template that another one includes is shown where it happened, with the way
/// there.
pub(in crate::backend) fn explain(error: &Error, folder: &TemplateFolder) -> Option<Diagnostic> {
    let mut chain = vec![error];
    let mut last = error;
    while let Some(inner) = last.source().and_then(|source| source.downcast_ref::<Error>()) {
        chain.push(inner);
        last = inner;
    }
    let innermost = chain.iter().rposition(|error| location(error, folder).is_some())?;
    let cause = chain.get(innermost)?;
    let found = location(cause, folder)?;
    let marked = found.marked;
    let mut diagnostic =
        Diagnostic::error("template", message(chain.last().unwrap_or(cause), marked))
            .at(found.location);
    for outer in chain.iter().take(innermost).rev() {
        if let Some(outer) = location(outer, folder) {
            diagnostic = diagnostic.related(outer.location, "included here");
        }
    }
    Some(match help(cause) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    })
}

/// The finding for a template that prints more than any file is long.
pub(super) fn endless(file: &TemplateFile) -> Diagnostic {
    let message = format!("`{}` prints more than a file may hold", file.path);
    Diagnostic::error("template", message).at(file.location()).help(ENDLESS)
}

const ENDLESS: &str = "look for loops within loops, and for a macro that calls itself";

struct Found<'a> {
    location: crate::source::Location,
    /// The expression at fault, where it is known and short.
    marked: Option<&'a str>,
}

fn location<'a>(error: &Error, folder: &'a TemplateFolder) -> Option<Found<'a>> {
    let file = folder.template(error.name()?)?;
    let text = error.range().and_then(|range| Some((range.clone(), file.text.get(range)?)));
    Some(match text {
        Some((range, text)) if !text.is_empty() => Found {
            location: file.part(range),
            marked: (!text.contains('\n') && text.len() < 60).then_some(text),
        },
        _ => Found { location: file.line(error.line().unwrap_or(1)), marked: None },
    })
}

fn message(error: &Error, marked: Option<&str>) -> String {
    match (error.kind(), error.detail(), marked) {
        (ErrorKind::UndefinedError, None, Some(marked)) => format!("`{marked}` is undefined"),
        (ErrorKind::OutOfFuel, ..) => "the template does not come to its end".to_owned(),
        (_, Some(detail), _) => detail.to_owned(),
        (kind, None, Some(marked)) => format!("{kind} in `{marked}`"),
        (kind, None, None) => kind.to_string(),
    }
}

fn help(error: &Error) -> Option<&'static str> {
    match error.kind() {
        ErrorKind::UndefinedError => Some(
            "`acp-bindgen inspect --format json` prints what `protocol` holds; \
             `acp-bindgen templates schema` describes it",
        ),
        ErrorKind::UnknownFilter | ErrorKind::UnknownFunction | ErrorKind::UnknownTest => {
            Some("`templates/custom.md` lists what this tool adds to what minijinja has by itself")
        }
        ErrorKind::TemplateNotFound => {
            Some("a template is included by its path in the folder, without `.jinja`")
        }
        ErrorKind::OutOfFuel => Some(ENDLESS),
        _ => None,
    }
}
