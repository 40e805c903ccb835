//! The report as one page of HTML that needs nothing else: filters, search, links to each
//! finding, the places in both schemas side by side, code.
//!
//! The templates escape whatever they print; the page's policy (CSP) allows no resource and no
//! address. The only scripts and styles are the page's own.

mod code;
mod excerpt;
mod findings;
mod json;
mod model;
mod words;

use model::Page;

use super::view::View;
use crate::backend::template::{TemplateText, Templates};
use crate::diagnostic::Diagnostic;

const TEMPLATES: &[TemplateText] = &[
    ("report.html", include_str!("../../../templates/report/report.html.jinja")),
    ("finding.html", include_str!("../../../templates/report/finding.html.jinja")),
    ("pieces.html", include_str!("../../../templates/report/pieces.html.jinja")),
    ("report.css", include_str!("../../../templates/report/report.css.jinja")),
    ("report.js", include_str!("../../../templates/report/report.js.jinja")),
];

/// The page. Fails only if a template and its model do not fit.
pub fn html(view: &View<'_>) -> Result<String, Diagnostic> {
    Templates::escaping_html(TEMPLATES)?.render("report.html", Page::new(view))
}

#[cfg(test)]
mod tests;
