//! The matrix as one page of HTML that needs nothing else.

use serde_json::{Value, json};

use super::{Cell, Matrix, Table};
use crate::backend::template::{TemplateText, Templates};
use crate::breaking::Verdict;
use crate::breaking::report::left_out;
use crate::diagnostic::{Diagnostic, printable};

const TEMPLATES: &[TemplateText] = &[
    ("matrix.html", include_str!("../../../templates/matrix/matrix.html.jinja")),
    ("matrix.css", include_str!("../../../templates/matrix/matrix.css.jinja")),
    ("matrix.js", include_str!("../../../templates/matrix/matrix.js.jinja")),
];

/// The page. Fails only if a template and its model do not fit.
///
/// `strict`: schemas are taken at their word; else receivers forgive what their schema says.
pub fn html(matrix: &Matrix, strict: bool) -> Result<String, Diagnostic> {
    let tables = matrix.tables.iter().map(|each| table(each, matrix, strict));
    let model = json!({
        "versions": matrix.versions.iter().map(|label| printable(label)).collect::<Vec<_>>(),
        "tables": tables.collect::<Value>(),
        "strict": strict,
        "left_out": left_out(matrix.left_out),
        "version": env!("CARGO_PKG_VERSION"),
    });
    Templates::escaping_html(TEMPLATES)?.render("matrix.html", model)
}

fn table(table: &Table, matrix: &Matrix, strict: bool) -> Value {
    let rows = matrix.versions.iter().zip(&table.cells).map(|(label, cells)| {
        let cells = cells.iter().map(|each| cell(each, strict));
        json!({ "label": printable(label), "cells": cells.collect::<Value>() })
    });
    json!({
        "rows": printable(&table.rows),
        "columns": printable(&table.columns),
        "lines": rows.collect::<Value>(),
    })
}

fn cell(cell: &Cell, strict: bool) -> Value {
    let (state, word, mark) = match cell.verdict.by(strict) {
        _ if cell.absent => ("none", "one of them does not have the side", " "),
        Verdict::Ok => ("good", "fits", "·"),
        Verdict::Risk => ("warm", "may lose something", "~"),
        Verdict::Break => ("bad", "rejects messages", "×"),
    };
    let of = |wanted: Verdict| {
        let methods = cell.methods.iter().filter(move |(_, it)| it.by(strict) == wanted);
        methods.map(|(name, _)| printable(name)).collect::<Vec<_>>().join(", ")
    };
    let unknown: Vec<_> = cell.unknown.iter().map(|name| printable(name)).collect();
    json!({
        "state": state,
        "word": word,
        "mark": mark,
        "rejected": of(Verdict::Break),
        "lost": of(Verdict::Risk),
        "unknown": unknown.join(", "),
    })
}
