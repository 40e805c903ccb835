//! Standard output and standard error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use acp_bindgen::diagnostic::{Diagnostic, Diagnostics, Style, WIDE, render, render_json, tally};
use acp_bindgen::source::Sources;
use clap::ValueEnum;

use super::exit::Exit;
use super::wrap::wrapped;

/// The format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MessageFormat {
    /// For people: the marked text and what to do.
    Human,
    /// For programs: one JSON object a line.
    Json,
}

/// Standard output for results, and standard error for findings. Colours are removed when the
/// stream is no terminal, or `NO_COLOR` is set.
pub(super) struct Terminal {
    format: MessageFormat,
    quiet: bool,
    /// All reported findings, for the count at the end.
    reported: Diagnostics,
    lost: Option<io::Error>,
}

impl Terminal {
    pub(super) fn new(format: MessageFormat, quiet: bool) -> Self {
        Self { format, quiet, reported: Diagnostics::new(), lost: None }
    }

    /// Forgets what was reported: what follows is a run of its own.
    pub(super) fn start_over(&mut self) {
        self.reported = Diagnostics::new();
    }

    /// Prints text for people to standard output. Where that is a terminal, no line is longer than
    /// a line of it.
    pub(super) fn print(&mut self, text: &str) {
        match columns(&io::stdout()) {
            Some(columns) => self.print_as_it_is(&wrapped(text, columns)),
            None => self.print_as_it_is(text),
        }
    }

    /// Prints a document to standard output.
    ///
    /// A reader that has gone away has read enough: that is no error. Any other failure becomes
    /// one when the command ends.
    pub(super) fn print_as_it_is(&mut self, text: &str) {
        let mut stream = anstream::stdout().lock();
        let outcome = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
        if let Err(error) = outcome
            && error.kind() != ErrorKind::BrokenPipe
        {
            self.lost.get_or_insert(error);
        }
    }

    /// Prints a status line to standard output, unless asked to be quiet.
    pub(super) fn status(&mut self, text: &str) {
        if !self.quiet {
            self.print(text);
        }
    }

    /// Prints findings to standard error.
    pub(super) fn report(&mut self, diagnostics: &Diagnostics, sources: &Sources) {
        self.reported.extend(diagnostics.clone());
        let text = match self.format {
            MessageFormat::Human => {
                let columns = columns(&io::stderr()).unwrap_or(WIDE);
                fitting(&render(diagnostics, sources, Style::Colored(columns)))
            }
            MessageFormat::Json => render_json(diagnostics, sources),
        };
        write(&text);
    }

    /// Prints an error that is in no text to standard error: the command is over.
    pub(super) fn fail<T>(&mut self, error: impl Into<Diagnostics>) -> Option<T> {
        self.report(&error.into(), &Sources::default());
        None
    }

    /// The exit code, once everything that was printed has arrived. If anything failed, the last
    /// line counts what was reported and adds the remark.
    pub(super) fn finish(&mut self, outcome: Option<Exit>, remark: &str) -> Exit {
        if let Some(error) = self.lost.take() {
            let message = format!("cannot write to standard output: {error}");
            self.fail::<()>(Diagnostic::error("unwritable", message));
        }
        if !self.reported.has_errors() {
            return outcome.unwrap_or(Exit::Failure);
        }
        if self.format == MessageFormat::Human {
            let remark = if outcome.is_none() { remark } else { "" };
            write(&fitting(&format!("{}.{remark}\n", tally(&self.reported))));
        }
        Exit::Failure
    }
}

/// The columns of a stream. `None` if it is no terminal: then nothing depends on its width.
///
/// `COLUMNS` says how many there are, or else the terminal does.
fn columns(stream: &impl IsTerminal) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse::<usize>().ok());
    let known = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    Some(said.filter(|columns| *columns > 0).or_else(known).unwrap_or(USUAL))
}

/// The columns of a terminal that says nothing of them.
const USUAL: usize = 80;

/// The columns of excerpts on standard output.
pub(super) fn result_columns() -> usize {
    columns(&io::stdout()).unwrap_or(WIDE)
}

/// The columns for which help texts are made: those that are shown at a terminal are broken as all
/// text is (0), others have the same lines everywhere.
pub(super) fn help_columns() -> usize {
    if io::stdout().is_terminal() { 0 } else { 100 }
}

/// Prints help that was asked for to standard output, and what is wrong with arguments to standard
/// error.
pub(super) fn print_usage(error: &clap::Error) {
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        return write(&fitting(&text));
    }
    let text = columns(&io::stdout()).map_or_else(|| text.clone(), |it| wrapped(&text, it));
    // A closed output stream is no error.
    let _ = anstream::stdout().lock().write_all(text.as_bytes());
}

/// The text with lines that fit standard error.
fn fitting(text: &str) -> String {
    columns(&io::stderr()).map_or_else(|| text.to_owned(), |columns| wrapped(text, columns))
}

fn write(text: &str) {
    // A closed standard error is no error: there is nowhere to report it.
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}
