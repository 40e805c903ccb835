//! The matrix as text for a terminal.

use std::fmt::Write as _;

use super::{Cell, Matrix, Table};
use crate::breaking::Verdict;
use crate::breaking::report::left_out;
use crate::diagnostic::printable;

/// The longest list of methods that is printed for two versions.
const MOST_METHODS: usize = 12;

/// Prints the tables, and below each where versions that follow each other do not fit.
///
/// `strict`: schemas are taken at their word; else receivers forgive what their schema says.
pub fn text(matrix: &Matrix, strict: bool) -> String {
    let mut out = String::new();
    let labels: Vec<String> =
        matrix.versions.iter().map(|label| printable(label).into_owned()).collect();
    for table in &matrix.tables {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "Rows: versions of {}. Columns: versions of {}, by their numbers.\n",
            printable(&table.rows),
            printable(&table.columns)
        );
        out.push_str(&grid(table, &labels, strict));
        out.push_str(&neighbours(table, &labels, strict));
        out.push('\n');
    }
    out.push_str(". all messages fit   ~ something may be lost   x messages are rejected\n");
    if let Some(left_out) = left_out(matrix.left_out) {
        let _ = writeln!(out, "{left_out}");
    }
    out
}

fn grid(table: &Table, labels: &[String], strict: bool) -> String {
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or_default();
    let digits = labels.len().to_string().len();
    let mut out = " ".repeat(digits + 1 + width);
    for number in 1..=labels.len() {
        let _ = write!(out, " {number:>digits$}");
    }
    out.push('\n');
    for (number, (label, cells)) in labels.iter().zip(&table.cells).enumerate() {
        let _ = write!(out, "{:>digits$} {label:<width$}", number + 1);
        for cell in cells {
            let mark = match cell.verdict.by(strict) {
                _ if cell.absent => ' ',
                Verdict::Ok => '.',
                Verdict::Risk => '~',
                Verdict::Break => 'x',
            };
            let _ = write!(out, " {mark:>digits$}");
        }
        out.push('\n');
    }
    out
}

/// Says where a version and the next one do not fit, and in which methods.
fn neighbours(table: &Table, labels: &[String], strict: bool) -> String {
    let mut out = String::new();
    for (at, pair) in labels.windows(2).enumerate() {
        let [old, new] = pair else { continue };
        let ways = [((at, at + 1), [old, new]), ((at + 1, at), [new, old])];
        for ((row, column), [of_row, of_column]) in ways {
            let names = table.cell(row, column).map(|cell| rejected(cell, strict));
            let Some(names) = names.filter(|names| !names.is_empty()) else { continue };
            let (rows, columns) = (printable(&table.rows), printable(&table.columns));
            let _ =
                write!(out, "\n  {rows} {of_row} with {columns} {of_column}: {}", names.join(", "));
        }
    }
    if out.is_empty() { out } else { format!("\nRejected between neighbours:{out}\n") }
}

/// The methods some of whose messages are rejected, the first of them.
fn rejected(cell: &Cell, strict: bool) -> Vec<String> {
    let broken = cell.methods.iter().filter(|(_, it)| it.by(strict) == Verdict::Break);
    let mut names: Vec<String> = broken.map(|(name, _)| printable(name).into_owned()).collect();
    let more = names.len().saturating_sub(MOST_METHODS);
    names.truncate(MOST_METHODS);
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names
}
